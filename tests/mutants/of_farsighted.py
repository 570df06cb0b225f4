"""Breaks in the far-sighted heuristic."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "the pile is no second chance",
        "who waits may get a card from the pile as well",
        "np.maximum(worth - stays[items], 0) * self._style.from_pile",
        "np.maximum(worth - stays[items], 0) * 0",
        ("test_farsighted",),
    ),
    Mutant(
        "a RUMMY card that comes is a card like others",
        "a RUMMY card that comes wins",
        "worth[discards.finished | (codes == self._rummy)] = 1.0",
        "worth[discards.finished] = 1.0",
        ("test_farsighted",),
    ),
    Mutant(
        "the first copy goes first",
        "of two equal cards the one in the first word stays",
        "for place in reversed(range(len(naturals))):",
        "for place in range(len(naturals)):",
        ("test_farsighted",),
    ),
)
