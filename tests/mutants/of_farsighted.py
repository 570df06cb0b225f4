"""Breaks in the far-sighted heuristic."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "of two packs one is live",
        "a card of which two copies are live counts twice",
        "counts(merged(view.hand)), live_copies(view), faint",
        "counts(merged(view.hand)), counts(merged(view.unseen)), faint",
        ("test_farsighted",),
    ),
    Mutant(
        "promises are kept by discarding",
        "a discard costs what the card promises",
        "tried -= hoped.T",
        "tried += hoped.T",
        ("test_farsighted",),
    ),
)
