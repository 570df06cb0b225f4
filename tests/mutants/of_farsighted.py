"""Breaks in the far-sighted heuristic."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "of two packs one is live",
        "a card of which two copies are live counts twice",
        "np.add.reduce([counts(deck) for deck in view.unseen.T])",
        "counts(merged(view.unseen))",
        ("test_farsighted",),
    ),
    Mutant(
        "promises are kept by discarding",
        "a discard costs what the card promises",
        "chance[:, :NUM_REGULAR] -= self._promised(view)",
        "chance[:, :NUM_REGULAR] += self._promised(view)",
        ("test_farsighted",),
    ),
)
