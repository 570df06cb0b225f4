"""Mutants of gin and of the solver: knocking, points, deadwood, showdowns, finished hands."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "gain and loss",
        "what the winner of a hand gains the other loses",
        "gains = (points_won - points_won[:, ::-1]).astype(np.float64)",
        "gains = (points_won[:, ::-1] - points_won).astype(np.float64)",
        ("test_rules_gin_points", "test_gin_contract"),
    ),
    Mutant(
        "oklahoma ace",
        "with an ace turned up only gin ends the hand",
        "return value * (value != 1)",
        "return value",
        ("test_rules_gin", "test_gin_options"),
    ),
    Mutant(
        "big gin",
        "big gin has a bonus of its own",
        "bonus = np.where(state.claim[rows] == BIG_GIN, self.big_gin_bonus, self.gin_bonus)",
        "bonus = np.where(state.claim[rows] == BIG_GIN, self.gin_bonus, self.gin_bonus)",
        ("test_rules_gin_points",),
    ),
    Mutant(
        "undercut on a tie",
        "equal deadwood is an undercut only where the rules say so",
        "((lead == 0) & self.undercut_on_tie)",
        "(lead == 0)",
        ("test_rules_gin_points", "test_gin_openspiel"),
    ),
    Mutant(
        "upcard put back in a row",
        "the hand ends when both in turn put the upcard back, not when it happened before",
        "(state.put_backs[rows] + 1) * back",
        "state.put_backs[rows] + back",
        ("test_rules_gin", "test_gin_openspiel"),
    ),
    Mutant(
        "wall",
        "at the wall, two cards, nobody draws",
        "movers.state.stock_left(movers.rows) <= WALL",
        "movers.state.stock_left(movers.rows) < WALL",
        ("test_gin_openspiel", "test_rules_gin"),
    ),
    Mutant(
        "laying down to the limit",
        "a knocker may lay down what leaves exactly the limit",
        "np.where(deadwood(rest) > most[items], meld, ZERO)",
        "np.where(deadwood(rest) >= most[items], meld, ZERO)",
        ("test_rules_gin_manual", "test_gin_openspiel"),
    ),
    Mutant(
        "bound of a knock",
        "a discard may lower the deadwood by ten points",
        "few = points(in_no_meld) <= limit + HIGHEST",
        "few = points(in_no_meld) < limit + HIGHEST",
        ("test_deadwood", "test_gin_contract"),
    ),
    Mutant(
        "card kept back",
        "a knocker keeps back the card next to which the defender would lay off",
        "open_ends = ways.sequenced & fits_sequences(defenders[row], ace_high=False)",
        "open_ends = ways.sequenced & fits_sequences(defenders[row], ace_high=False) & ZERO",
        ("test_deadwood_showdown",),
    ),
    Mutant(
        "group of three of four",
        "a group of four may do without any one of its cards",
        "left_out = np.where(np.bitwise_count(rank) == 4, rank & spare, ZERO)",
        "left_out = np.where(np.bitwise_count(rank) == 4, lowest(rank & spare), ZERO)",
        ("test_deadwood",),
    ),
    Mutant(
        "wildcards alone",
        "one or two WILDCARDs alone are no meld",
        "~(alone & (wild > 0) & (wild < 3))",
        "~(alone & (wild > 0) & (wild < 2))",
        ("test_declaring", "test_lockstep"),
    ),
    Mutant(
        "two sequences",
        "Sequences Rummy is finished with two sequences, of six cards at least",
        "return np.maximum(needed, 6 - melded)",
        "return np.maximum(needed, 5 - melded)",
        ("test_declaring", "test_lockstep"),
    ),
    Mutant(
        "ace between queen and king",
        "queen and ace lack the king of a sequence",
        "(kings & queens) >> _TO_ACE | (aces & queens) | (aces & kings) >> ONE",
        "(kings & queens) >> _TO_ACE | (aces & kings) >> ONE",
        ("test_meld_hints", "test_melds"),
    ),
)
