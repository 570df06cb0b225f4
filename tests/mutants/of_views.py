"""Mutants of what is seen, said and chosen: features, scenes, heuristics."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "nobody's hand lies open",
        "with face_up='none' no hand is shown",
        "[*views[0].known[0]], agents, trace)",
        "[views[0].hand[0], *views[0].known[0, 1:]], agents, trace)",
        ("test_scene", "test_rendering"),
    ),
    Mutant(
        "taken card as a discard",
        "discards are told without the upcard, which could not be put back",
        "taken = select(self.drawn, CODE_BIT[view.taken], CODE_BIT[view.top])",
        "taken = CODE_BIT[view.taken]",
        ("test_features_gin",),
    ),
    Mutant(
        "meld in the middle",
        "a card between two of a suit makes a meld of them",
        "(below & (below << ONE)) | (below & above) | (above & (above >> ONE))",
        "(below & (below << ONE)) | (above & (above >> ONE))",
        ("test_meld_hints", "test_features_declared"),
    ),
    Mutant(
        "cheapest card first",
        "greedy throws away the card that costs most",
        "signs = [1 if move.dear_first else -1 for move in moves]",
        "signs = [-1 if move.dear_first else 1 for move in moves]",
        ("test_agents", "test_opponents"),
    ),
)
