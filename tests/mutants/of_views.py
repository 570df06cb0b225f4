"""Mutants of what is seen, said and chosen: features, scenes, heuristics."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "nobody's hand lies open",
        "with face_up='none' no hand is shown",
        "[*views[0].known[0]], you=False)",
        "[views[0].hand[0], *views[0].known[0, 1:]], you=False)",
        ("test_scene", "test_rendering"),
    ),
    Mutant(
        "taken card as a discard",
        "discards are told without the upcard, which could not be put back",
        "barred = np.where(self.drawn, self._taken, self._top)",
        "barred = self._taken.copy()",
        ("test_features_gin",),
    ),
    Mutant(
        "meld in the middle",
        "a card between two of a suit makes a meld of them",
        "(one_up & two_up) | (one_up & one_down & _NOT_ACES) | (one_down & two_down)",
        "(one_up & two_up) | (one_down & two_down)",
        ("test_meld_hints", "test_features_declared"),
    ),
    Mutant(
        "cheapest card first",
        "greedy throws away the card that costs most",
        "shed = [-sum(points[regular_bit(c)] for c in action.cards) for action in space.actions]",
        "shed = [sum(points[regular_bit(c)] for c in action.cards) for action in space.actions]",
        ("test_agents", "test_opponents"),
    ),
)
