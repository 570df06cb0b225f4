"""Mutants of the strong baseline of rummy 500."""

from tests.mutants import Mutant

TESTS = ("test_strong_open_pile",)
MUTANTS = (
    Mutant(
        "the top for nothing",
        "the top discard alone is taken only if it can be laid down",
        "worthwhile & (usable | (taken > 1))",
        "worthwhile",
        TESTS,
    ),
    Mutant(
        "a shallow take",
        "the deepest card that can be used is taken",
        "deepest = legal.argmax(axis=1)",
        "deepest = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)",
        TESTS,
    ),
    Mutant(
        "melds that are never held",
        "while the end is far, only the card that must be used is laid down",
        "plays = np.where(hold[:, None], self._due(facts, some, plays), plays)",
        "plays = np.where(hold[:, None], plays, plays)",
        TESTS,
    ),
    Mutant(
        "melds that are held too long",
        "melds are laid down before the stock runs out",
        "turns = view.stock_left > view.rules.num_players",
        "turns = view.stock_left > 0",
        TESTS,
    ),
    Mutant(
        "no bait",
        "a card of a meld is thrown as bait",
        "worth - np.minimum(self._made(facts, view), 1) * bait",
        "worth",
        TESTS,
    ),
)
