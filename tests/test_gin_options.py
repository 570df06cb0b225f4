"""The options of gin: small packs, presets, and what makes no sense."""

import pickle
from itertools import combinations
from typing import Any

import pytest

from rummy_env.variants.presets import PRESETS
from tests.gin_play import MELDED, THREE_MELDS, dealt, gin_rules, knocked, lay
from tests.reference.cards import RANKS
from tests.reference.deadwood import deadwood

# Small packs


def test_a_small_pack_has_the_lowest_ranks_and_the_first_suits() -> None:
    table = dealt(num_ranks=6, num_suits=3, hand_size=4)
    assert table.engine.rules.pack.faces == {rank + suit for rank in "A23456" for suit in "cdh"}
    assert [len(hand) for hand in table["hands"]] == [4, 4]
    assert len(table["stock"]) == 18 - 8 - 1


def test_a_small_pack_is_played_by_the_same_rules() -> None:
    small: dict[str, Any] = {"num_ranks": 6, "num_suits": 3, "hand_size": 4}
    table = lay("4c 5c 6c 3d | 4d 5d 6h 2h", stock="6d 2c Ac Ad", **small)
    assert table.play("draw stock; knock 6d") == [4 + 5 + 6 + 2 - 3, 0]
    table = lay("4c 5c 6c 3d | 4d 3c 6h 2h", stock="6d 2c Ac Ad", **small)
    assert table.play("draw stock; knock 6d") == [4 + 6 + 2 - 3, 0]
    table = lay("5c 5d 5h 3d | 4d 3c 6h 2h", stock="6d 2c Ac Ad", **small)
    assert table.play("draw stock; knock 3d") == [4 + 3 + 6 + 2 - 6, 0]


# Options


def test_presets_set_what_is_not_given() -> None:
    standard, eaai = gin_rules(), gin_rules(preset="eaai")
    assert (eaai.turn, eaai.scoring) == (standard.turn, standard.scoring)
    openspiel = gin_rules(preset="openspiel")
    assert (openspiel.lay_off, openspiel.wall) == ("manual", "knock")
    assert (openspiel.undercut_on_tie, openspiel.discard_taken_upcard) == (False, True)
    mixed = gin_rules(preset="openspiel", lay_off="auto", undercut_on_tie=True)
    assert (mixed.lay_off, mixed.undercut_on_tie, mixed.wall) == ("auto", True, "knock")
    rlcard = gin_rules(preset="rlcard")
    assert (rlcard.lay_off, rlcard.undercut_bonus) == ("none", 0)


@pytest.mark.parametrize("preset", PRESETS)
def test_equal_options_make_equal_rules(preset: str) -> None:
    rules = gin_rules(preset=preset)
    assert gin_rules(preset=preset) == rules == pickle.loads(pickle.dumps(rules))
    assert gin_rules(preset=preset, knock_card=9) != rules


def test_in_the_rlcard_preset_the_better_hand_wins_the_difference_and_no_bonus() -> None:
    assert knocked(f"{THREE_MELDS} 5h", f"{MELDED} Ad", preset="rlcard") == [0, 4]
    assert knocked(f"{THREE_MELDS} 5h", f"{MELDED} 7s", preset="rlcard") == [2, 0]


IMPOSSIBLE: dict[str, tuple[dict[str, Any], str]] = {
    "three players": ({"num_players": 3}, "num_players=3"),
    "a hand of eleven": ({"hand_size": 11}, "hand_size=11: give a whole number from 2 to 10"),
    "a hand of one": ({"hand_size": 1}, "hand_size=1"),
    "two ranks": ({"num_ranks": 2, "hand_size": 2}, "num_ranks=2: .* from 3 to 13"),
    "no suit": ({"num_suits": 0}, "num_suits=0: .* from 1 to 4"),
    "a limit below none": ({"knock_card": -1}, "knock_card=-1: .* from 0"),
    "a bonus that costs": ({"gin_bonus": -5}, "gin_bonus=-5"),
    "another preset": ({"preset": "hoyle"}, "preset='hoyle': give one of 'standard', 'eaai'"),
    "a flag that is none": ({"undercut_on_tie": 1}, "undercut_on_tie=1: give True or False"),
    "another way to lay off": ({"lay_off": True}, "lay_off=True: give one of 'auto', 'manual'"),
    "another wall": ({"wall": 2}, "wall=2: give one of 'void', 'knock'"),
    "a target for one hand": ({"target": 50}, "target=50 has no effect .* match='match'"),
    "too few cards": (
        {"num_ranks": 6, "num_suits": 2},
        "num_ranks=6 and num_suits=2 make 12 cards; hand_size=10 needs 24: .* at most 4",
    ),
    "two cards that are too many": (
        {"hand_size": 2, "knock_card": 1},
        "knock_card=1 with hand_size=2: nobody could ever knock; give knock_card at least 2",
    ),
    "two cards of one suit": (
        {"hand_size": 2, "num_suits": 1, "knock_card": 2},
        "knock_card=2 with hand_size=2: .* at least 3, or another hand_size",
    ),
    "too few cards for any hand": (
        {"num_ranks": 3, "num_suits": 1},
        "make 3 cards; hand_size=10 needs 24: give a larger pack$",
    ),
    "big gin one by one": (
        {"big_gin": True, "lay_off": "manual"},
        "big_gin=True contradicts lay_off='manual': .* give lay_off='auto' or 'none'",
    ),
    "big gin as in OpenSpiel": (
        {"big_gin": True, "preset": "openspiel"},
        "big_gin=True contradicts lay_off='manual'",
    ),
}
"""Options, and what the message says."""

SMALL = [
    (ranks, suits, size)
    for ranks in range(3, 14)
    for suits in range(1, 5)
    for size in range(2, 6)
    if 2 * size + 4 <= ranks * suits <= 16
]


@pytest.mark.parametrize(("ranks", "suits", "size"), SMALL)
def test_limits_that_no_hand_reaches_are_refused_by_brute_force(
    ranks: int, suits: int, size: int
) -> None:
    pack = [rank + suit for rank in RANKS[:ranks] for suit in "cdhs"[:suits]]
    least = min(deadwood(frozenset(hand)) for hand in combinations(pack, size))
    given: dict[str, Any] = {"num_ranks": ranks, "num_suits": suits, "hand_size": size}
    assert gin_rules(**given, knock_card=least)
    if least:
        with pytest.raises(ValueError, match=f"give knock_card at least {least}, or another hand"):
            gin_rules(**given, knock_card=least - 1)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_options_are_refused_with_a_remedy(name: str) -> None:
    options, message = IMPOSSIBLE[name]
    with pytest.raises(ValueError, match=message):
        gin_rules(**options)


def test_the_smallest_pack_is_one_that_leaves_a_card_to_draw() -> None:
    table = dealt(num_ranks=8, num_suits=1, hand_size=2)
    assert len(table["stock"]) == 3
    with pytest.raises(ValueError, match="make 7 cards; hand_size=2 needs 8"):
        gin_rules(num_ranks=7, num_suits=1, hand_size=2)
