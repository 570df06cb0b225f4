"""Mutants of what is remembered and believed of others, of advice, of search, and of luck."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "cards kept by whoever drew them",
        "a card that may not be discarded is with a hand by all cards that the others ever got",
        "by_chance = uniform(stream(seeds, _Draw.KEPT + column)) * (got + left) < got",
        "by_chance = uniform(stream(seeds, _Draw.KEPT + column)) * (held + left) < held",
        ("test_search",),
    ),
    Mutant(
        "worlds side by side",
        "a world does not depend on the other worlds",
        "stream(seeds, _Draw.KEPT + column)",
        "stream(seeds, _Draw.KEPT + int(kept[:, :column].any(axis=0).sum()))",
        ("test_search",),
    ),
    Mutant(
        "kept cards in the stock",
        "a card that may not be discarded is in the stock where it is in no hand",
        "left, elsewhere, stock_left)",
        "left, elsewhere, stock_left + 9)",
        ("test_search",),
    ),
    Mutant(
        "whose discards",
        "a discard, or a card left lying, is noted for the seat that moves",
        "at = movers.rows * movers.state.num_players + movers.seat\n    movers",
        "at = movers.rows * movers.state.num_players\n    movers",
        ("test_recall",),
    ),
    Mutant(
        "recall of a covered pile",
        "earlier discards are shown only where the pile may be recalled",
        "if f.seen and (recalled or not f.of_pile))",
        "if f.seen)",
        ("test_recall",),
    ),
    Mutant(
        "left lying",
        "who leaves a card on the pile is the less likely to hold others near to it",
        "THROWN, LEFT, TAKEN = -0.8, -0.5, 1.0",
        "THROWN, LEFT, TAKEN = -0.8, -0.4, 1.0",
        ("test_graded",),
    ),
    Mutant(
        "worlds by odds",
        "each next card of a world's hand comes in proportion to its odds",
        "(-np.log1p(-uniform(order)) / odds)",
        "(-np.log1p(-uniform(order)) * odds)",
        ("test_search",),
    ),
    Mutant(
        "whose odds",
        "worlds by belief follow what the others did, not what the viewer did",
        "others = range(1, view.rules.num_players)\n    each = np.stack",
        "others = range(view.rules.num_players - 1)\n    each = np.stack",
        ("test_search",),
    ),
    Mutant(
        "advised action",
        "advice adds to the logit of the action that is advised",
        "size + advised] = 1",
        "size + num_actions - 1 - advised] = 1",
        ("test_advice",),
    ),
    Mutant(
        "who drops out",
        "in a race, moves that are behind drop out",
        "behind = -lead > self._drop * error",
        "behind = lead > self._drop * error",
        ("test_race",),
    ),
    Mutant(
        "the move to beat",
        "in a race, the move to beat stays to the end",
        "behind[np.arange(len(behind)), self._base] = False",
        "behind[np.arange(len(behind)), self._base - 1] = False",
        ("test_race",),
    ),
    Mutant(
        "luck beside the mean",
        "the luck of a draw is what it brings beside the mean of all cards that could have come",
        "np.bincount(game, worth) / left",
        "np.bincount(game, worth) / (left + 1)",
        ("test_luck",),
    ),
    Mutant(
        "no luck in a known order",
        "a stock that was turned over is drawn from without luck",
        "& ~state.stock_open[rows]",
        "& (state.stock_open[rows] >= 0)",
        ("test_luck",),
    ),
    Mutant(
        "the worth of luck",
        "what luck is worth in a deal is learned from the other deals alone",
        "(values * luck).sum() - values * luck",
        "(values * luck).sum()",
        ("test_luck",),
    ),
)
