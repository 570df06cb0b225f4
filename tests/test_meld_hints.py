"""Cards in melds, and cards that would make one: against every meld of three there is."""

from itertools import combinations

import numpy as np
import pytest

from rummy_env.core.bits import positions
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.table import sequence_cards
from rummy_env.melds.patterns import completing, in_melds, starts_per_suit

Meld = frozenset[int]


def melds_of_three(*, ace_high: bool) -> list[Meld]:
    """Every group and every sequence of three cards."""
    ranks = [[13 * suit + rank for suit in range(4)] for rank in range(13)]
    groups = [frozenset(three) for rank in ranks for three in combinations(rank, 3)]
    starts = range(starts_per_suit(3, ace_high=ace_high))
    sequences = [
        frozenset(sequence_cards(13 * suit + rank, 3)) for suit in range(4) for rank in starts
    ]
    return groups + sequences


def hands_of(seed: int, count: int) -> list[set[int]]:
    rng = np.random.default_rng(seed)
    return [
        set(rng.choice(NUM_REGULAR, rng.integers(0, 14), replace=False).tolist())
        for _ in range(count)
    ]


def as_words(hands: list[set[int]]) -> np.ndarray:
    return np.array([sum(1 << card for card in hand) for hand in hands], np.uint64)


@pytest.mark.parametrize("ace_high", [False, True])
def test_the_cards_of_a_hand_that_are_in_a_meld(ace_high: bool) -> None:
    hands, melds = hands_of(1, 1500), melds_of_three(ace_high=ace_high)
    for hand, found in zip(hands, in_melds(as_words(hands), ace_high=ace_high), strict=True):
        expected = {card for meld in melds if meld <= hand for card in meld}
        assert set(positions(int(found))) == expected


@pytest.mark.parametrize("ace_high", [False, True])
def test_the_cards_that_would_make_a_meld_with_two_of_a_hand(ace_high: bool) -> None:
    hands, melds = hands_of(2, 1500), melds_of_three(ace_high=ace_high)
    for hand, found in zip(hands, completing(as_words(hands), ace_high=ace_high), strict=True):
        expected = {card for meld in melds if len(meld & hand) == 2 for card in meld - hand}
        assert set(positions(int(found))) == expected


def test_king_ace_two_make_no_meld_and_want_none_round_the_corner() -> None:
    king_and_two = as_words([{12, 1}])
    for ace_high in (False, True):
        assert positions(int(completing(king_and_two, ace_high=ace_high)[0])) == []
        assert positions(int(in_melds(as_words([{12, 0, 1}]), ace_high=ace_high)[0])) == []
