"""Melds that a hand holds lie together, in text and pictures, where the whole hand lies open."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.core.display import Hand
from rummy_env.views.scene import scene_of
from tests.declared_tables import dealt_out
from tests.rollout import dealt, random_play
from tests.scenes import scene
from tests.table import lay

pytestmark = pytest.mark.adapter


def held(engine: rummy_env.Engine) -> Hand:
    """The hand of the first seat, as it is shown where all lie open."""
    hand = scene(engine).seats[0].hand
    assert hand is not None
    return hand


@pytest.mark.parametrize(
    ("variant", "options", "cards", "melds", "left"),
    [
        ("basic", {}, "7c 2h 7d 3h 7h 4h Kd", "7c 7d 7h | 2h 3h 4h", "Kd"),
        ("basic", {}, "Qh Kh Ah 3c", "", "3c Ah Qh Kh"),
        ("basic", {"ace": "high_or_low"}, "Qh Kh Ah 3c", "Qh Kh Ah", "3c"),
        ("basic", {"ace": "high_or_low"}, "Jh Qh Kh Ah 3c", "Jh Qh Kh Ah", "3c"),
        ("basic", {"ace": "high_or_low"}, "Kc Kd Kh Ah 3c", "Kc Kd Kh", "3c Ah"),
        ("classic", {}, "5s 6s 7s 7d 7c", "7c 7d 7s", "5s 6s"),
        ("rummy500", {}, "9s Ts Js 2d 2c 2h 4c", "2c 2d 2h | 9s Ts Js", "4c"),
    ],
)
def test_the_melds_of_a_hand_lie_together(
    variant: str, options: dict[str, Any], cards: str, melds: str, left: str
) -> None:
    table = lay(variant, f"{cards} | 8d 9c", discard="3s", **options)
    hand = held(table.engine)
    assert hand.melds == tuple(tuple(meld.split()) for meld in melds.split("|") if meld)
    assert hand.cards == tuple(left.split())


def test_special_cards_and_second_copies_lie_beside_the_natural_melds() -> None:
    hands = "9c WILD 9d 9h 9h | 2c 4c 6c 8c Tc"
    engine = dealt_out("rummy_cards", hands, decks=2)
    assert held(engine) == Hand(("9h", "WILD"), melds=(("9c", "9d", "9h"),))


def test_nothing_is_lost_or_hidden_by_arranging(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1)
    for _ in random_play(engine, 50):
        table, told = engine.snapshot(0), scene(engine)
        for cards, seat in zip(table["hands"], told.seats, strict=True):
            assert seat.hand is not None
            shown = [*seat.hand.cards, *(card for meld in seat.hand.melds for card in meld)]
            assert Counter([*shown, *seat.hand.laid_off]) == Counter(cards)


def test_a_hand_of_which_cards_are_hidden_is_not_arranged() -> None:
    marks = {"known": [["7c", "7d", "7h"], []]}
    table = lay("basic", "7c 7d 7h Kd | 8d 9c", discard="3s", marks=marks)
    views = [table.engine.look(seat) for seat in range(2)]
    (hand, other) = (seat.hand for seat in scene_of(views, "none").seats)
    assert hand == Hand(("7c", "7d", "7h"), hidden=1)
    assert other == Hand(hidden=2)


def test_a_hand_too_large_to_be_divided_quickly_is_sorted() -> None:
    cards = [f"{rank}{suit}" for suit in "cd" for rank in "A23456789TJ"]
    hand = held(lay("rummy500", f"{' '.join(cards)} | 8h 9h", discard="3s").engine)
    assert hand.melds == ()
    assert sorted(hand.cards) == sorted(cards)
    assert np.unique(hand.cards).size == 22
