"""The distance of a hand from going out, by trying every exchange.

Source: rules.md section 5; the cards of a hand are exchanged for others of the pack.
"""

import random

import pytest

from tests.reference.cards import PACK
from tests.reference.divider import can_go_out, distance
from tests.reference.special_cards import GROUP, RUMMY, WILD, parse_cards

SMALL_PACK = [card for card in PACK if card[0] in "A23K" and card[1] in "ch"] + [WILD]


@pytest.mark.parametrize(
    ("hand", "exchanges"),
    [
        ("Ac 2c 3c Kh", 0),
        ("Ac 2c Kh 3h", 1),  # a 3c, or the WILD, for the Kh or the 3h
        ("Ac 2c Ah", 1),
        ("Ac Ah Kc Kh 2c", 2),  # to Ac 2c 3c WILD and any card
    ],
)
def test_distance_on_a_small_pack(hand: str, exchanges: int) -> None:
    assert distance(parse_cards(hand), SMALL_PACK) == exchanges


def test_distance_is_none_where_no_exchange_helps() -> None:
    assert distance(["Ac", "2c", "Kh"], ["Ac", "2c", "Kh", "Kc"]) is None
    with pytest.raises(ValueError, match="lacks cards"):
        distance(["Ac", "2c"], ["Ac"])


def test_distance_is_zero_exactly_where_the_hand_can_go_out() -> None:
    rng = random.Random(8)
    universe = [card for card in PACK if card[0] in "5678"] + [WILD, GROUP, RUMMY]
    for _ in range(40):
        hand = rng.sample(universe, 4)
        assert (distance(hand, universe) == 0) == can_go_out(hand)
