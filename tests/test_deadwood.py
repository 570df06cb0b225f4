"""Deadwood, knocking and showdowns of gin."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rummy_env import melds, rules
from rummy_env.core.cards import Pack
from rummy_env.core.deadwood import NOT_HELD, deadwood, deadwood_after, knockable
from rummy_env.core.deadwood_showdown import best_arrangement, showdown
from tests.fuzz_deadwood import (
    PACK,
    SIZES,
    decode,
    encode,
    melds_of,
    show,
    some_deals,
    some_hands,
    wrong_hands,
    wrong_showdowns,
)
from tests.reference import deadwood as reference
from tests.reference.cards import parse

LEAST = {
    "no card": ("", 0),
    "an ace is 1, court cards 10, the others their number": ("Ac 9d Th Js Qc Kd", 50),
    "three of a kind": ("7c 7d 7h 2s", 2),
    "all four of a kind": ("7c 7d 7h 7s 2s", 2),
    "a pair is no group": ("7c 7d", 14),
    "three in sequence": ("5h 6h 7h Kc", 10),
    "a whole suit in sequence": ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc", 0),
    "two suits are no sequence": ("5h 6h 7d", 18),
    "one suit does not run over into the next": ("Qc Kc Ad 2d Qd Kd Ah", 44),
    "A 2 3 is a sequence": ("Ah 2h 3h", 0),
    "the ace is low: Q K A is no sequence": ("Qh Kh Ah", 21),
    "K A 2 is none either": ("Kh Ah 2h", 13),
    "a card lies in one meld: a broken sequence wins": ("9c 9d 9h 7h 8h", 15),
    "... or a broken group": ("3c 4c 7c 7d 7h 8h 9h", 21),
    "a group of four gives one card to a sequence": ("5c 5d 5h 5s 6h 7h", 0),
    "... and is broken where it gives two": ("5c 5d 5h 5s 6h 7h 6c 7c", 10),
    "a sequence of four gives one card to a group": ("5h 6h 7h 8h 8c 8d", 0),
    "a sequence of seven gives its middle": ("5h 6h 7h 8h 9h Th Jh 8c 8d", 0),
    "a sequence of six does not": ("5h 6h 7h 8h 9h Th 8c 8d", 16),
    "three groups or three sequences": ("7c 8c 9c 7d 8d 9d 7h 8h 9h", 0),
    "gin": ("Ac 2c 3c 4d 5d 6d 7s 7h 7c 7d", 0),
    "eleven cards": ("Ac 2c 4d 5d 6d 7s 7h 7c 7d 8h 9h", 3),
}


def hand_of(text: str) -> reference.Hand:
    """Cards written with spaces between them."""
    return frozenset(parse(text))


@pytest.mark.parametrize("name", LEAST)
def test_least_deadwood(name: str) -> None:
    text, points = LEAST[name]
    assert deadwood(encode([hand_of(text)])).tolist() == [points]
    assert reference.deadwood(hand_of(text)) == points


@pytest.mark.parametrize("size", SIZES)
def test_deadwood_and_knocking_equal_brute_force(size: int) -> None:
    rng = random.Random(size)
    assert list(wrong_hands(some_hands(364, rng, [size]), rng)) == []


def test_deadwood_of_hands_larger_than_gin_has_them_equals_brute_force() -> None:
    hands = some_hands(60, random.Random(2), [12, 13, 14])
    assert deadwood(encode(hands)).tolist() == [reference.deadwood(hand) for hand in hands]


def test_deadwood_does_not_depend_on_the_suits() -> None:
    words = encode(some_hands(400, random.Random(3)))
    lane = np.uint64((1 << 13) - 1)
    turned = (words >> np.uint64(13)) | (words & lane) << np.uint64(39)
    assert (deadwood(turned) == deadwood(words)).all()


def test_a_batch_of_one_is_what_a_batch_of_many_is() -> None:
    words = encode(some_hands(300, random.Random(4)))
    limits = np.full(len(words), 10)
    least, after, can_knock = deadwood(words), deadwood_after(words), knockable(words, limits)
    assert least.dtype == after.dtype == np.int16
    assert can_knock.dtype == np.uint64
    for i in range(len(words)):
        one = words[i : i + 1]
        assert deadwood(one).dtype == np.int16
        assert deadwood(one).tolist() == [least[i]]
        assert deadwood_after(one).tolist() == [after[i].tolist()]
        assert knockable(one, limits[:1]).tolist() == [can_knock[i]]


def test_no_hands_give_no_answers() -> None:
    none = np.zeros(0, np.uint64)
    assert deadwood(none).shape == (0,)
    assert deadwood_after(none).shape == (0, 52)
    assert knockable(none, np.zeros(0, np.int64)).shape == (0,)
    assert showdown(none, none, lay_off=np.zeros(0, bool)).laid_off.shape == (0,)


def test_the_rest_is_melded_anew_after_each_discard() -> None:
    hand = hand_of("4h 5h 6h 7h 7c 7d")
    after = deadwood_after(encode([hand]))[0]
    assert {card: after[PACK.code(card)] for card in hand} == {
        "4h": 5 + 6,
        "5h": 4 + 6,
        "6h": 4 + 5,
        "7h": 14,
        "7c": 7,
        "7d": 7,
    }
    assert (np.delete(after, [PACK.code(card) for card in hand]) == NOT_HELD).all()


def test_a_knock_may_leave_the_limit_and_no_more() -> None:
    hand = hand_of("4h 5h 6h 8c 8d 8s Jc Jd Js Kd Tc")
    for limit, cards in ((10, "Kd Tc"), (9, "")):
        assert decode(knockable(encode([hand]), np.array([limit]))[0]) == hand_of(cards)


def test_each_hand_has_its_own_limit() -> None:
    hand = encode([hand_of("4h 5h 6h 9c Kd")])[0]
    found = knockable(np.array([hand] * 3), np.array([8, 9, 10]))
    assert [decode(cards) for cards in found] == [set(), {"Kd"}, {"Kd", "9c"}]


def test_inputs_stay_as_they_are() -> None:
    knockers, defenders, _ = zip(*some_deals(50, random.Random(5)), strict=True)
    words, others = encode(knockers), encode(defenders)
    before = words.copy(), others.copy()
    deadwood(words), deadwood_after(words), knockable(words, np.full(len(words), 40))
    showdown(words, others, lay_off=np.ones(len(words), bool))
    assert np.array_equal(words, before[0])
    assert np.array_equal(others, before[1])


def test_an_arrangement_has_the_least_deadwood() -> None:
    hands = some_hands(600, random.Random(6))
    shown = best_arrangement(encode(hands))
    for i, hand in enumerate(hands):
        laid, left = melds_of(shown, i), decode(shown.left[i])
        assert laid <= reference.MELDS
        assert left.union(*laid) == hand
        assert reference.points(left) == reference.deadwood(hand) == shown.deadwood[i]


DEFENCES: dict[str, tuple[str, str, str, int]] = {
    "the fourth card of a group": ("7c 7d 7h", "7s Kd", "7s", 10),
    "a group of four takes none": ("7c 7d 7h 7s", "8s Kd", "", 18),
    "above a sequence": ("5h 6h 7h", "8h Kd", "8h", 10),
    "below a sequence": ("5h 6h 7h", "4h Kd", "4h", 10),
    "a chain above": ("5h 6h 7h", "8h 9h Kd", "8h 9h", 10),
    "a chain at both ends": ("5h 6h 7h", "3h 4h 8h 9h Kd", "3h 4h 8h 9h", 10),
    "no chain over a gap": ("5h 6h 7h", "9h Th Kd", "", 29),
    "nothing above a king": ("Jh Qh Kh", "Ah Ad", "", 2),
    "nothing below an ace": ("Ah 2h 3h", "Kh Kc", "", 20),
    "not in the next suit": ("Jc Qc Kc", "Ad 2d", "", 3),
    "a card between two sequences joins one": ("3h 4h 5h 7h 8h 9h", "6h", "6h", 0),
    "nothing on the knocker's loose cards": ("5h 6h 7h 9c 9d", "9h 9s", "", 18),
    "a group's card does not carry a chain": ("7c 7d 7h", "7s 8s 9s", "", 0),
    "... also where there is no meld at home": ("7c 7d 7h", "7s 8s Ts", "7s", 18),
    "a fourth card that joins a sequence carries its chain": (
        "4s 5s 6s 7c 7d 7h",
        "7s 8s",
        "7s 8s",
        0,
    ),
    "a card stays in a meld at home": ("5h 6h 7h", "8h 8c 8d", "", 0),
    "a group of four at home spares one": ("5h 6h 7h", "8h 8c 8d 8s 9h", "8h 9h", 0),
    "a group of three does not": ("5h 6h 7h", "8h 8c 8d 9h", "", 9),
    "a group at home is broken for two chains": (
        "5h 6h 7h 5d 6d 7d",
        "8h 8d 8c 9h 9d",
        "8h 8d 9h 9d",
        8,
    ),
    "a sequence at home is broken for a group": (
        "7c 7d 7h 9c 9d 9h",
        "7s 8s 9s 8c 8d",
        "7s 9s",
        0,
    ),
    "a chain stops where a meld at home begins": ("5h 6h 7h", "8h 9h 9c 9d", "8h", 0),
}
"""By rule: the knocker's hand, the defender's, what is laid off, the defender's deadwood."""


@pytest.mark.parametrize("name", DEFENCES)
def test_laying_off(name: str) -> None:
    knocker, defender, laid_off, left = DEFENCES[name]
    shown = show([(hand_of(knocker), hand_of(defender), True)])
    assert decode(shown.laid_off[0]) == hand_of(laid_off)
    assert shown.defender.deadwood.tolist() == [left]
    assert list(wrong_showdowns([(hand_of(knocker), hand_of(defender), True)])) == []


def test_gin_allows_no_lay_off() -> None:
    knocker, defender = hand_of("5h 6h 7h"), hand_of("4h 8h Kd")
    shown = show([(knocker, defender, False), (knocker, defender, True)])
    assert [decode(cards) for cards in shown.laid_off] == [set(), {"4h", "8h"}]
    assert shown.defender.deadwood.tolist() == [22, 10]


CHOICES: dict[str, tuple[str, str, str, int]] = {
    "a card in a group closes a sequence": (
        "5c 5d 5h 5s 6c 7c 8c",
        "3c 4c Kd",
        "5c 5d 5h 5s",
        17,
    ),
    "groups where the defender continues sequences": (
        "7c 8c 9c 7d 8d 9d 7h 8h 9h 2c",
        "6c 6d Tc",
        "7c 7d 7h 8c 8d 8h 9c 9d 9h",
        22,
    ),
    "sequences where the defender has fourth cards": (
        "7c 8c 9c 7d 8d 9d 7h 8h 9h 2c",
        "7s 8s Kd",
        "",
        25,
    ),
}
"""By rule: the knocker's hand, the defender's, what the knocker groups, the defender's deadwood."""


@pytest.mark.parametrize("name", CHOICES)
def test_the_knocker_chooses_among_equals(name: str) -> None:
    knocker, defender, grouped, left = CHOICES[name]
    shown = show([(hand_of(knocker), hand_of(defender), True)])
    assert decode(shown.knocker.grouped[0]) == hand_of(grouped)
    assert shown.defender.deadwood.tolist() == [left]


def test_the_knocker_counts_the_least_though_more_would_hurt_the_defender() -> None:
    shown = show([(hand_of("8h 9h Th 8c 8d"), hand_of("Jh Qh Kd"), True)])
    assert shown.knocker.deadwood.tolist() == [16]
    assert shown.defender.deadwood.tolist() == [10]


@pytest.mark.parametrize("seed", range(4))
def test_showdowns_equal_brute_force(seed: int) -> None:
    assert list(wrong_showdowns(some_deals(400, random.Random(seed)))) == []


def test_a_showdown_is_the_same_alone_and_among_others() -> None:
    deals = some_deals(200, random.Random(7))
    many = show(deals)
    for i, deal in enumerate(deals):
        one = show([deal])
        assert one.laid_off.tolist() == many.laid_off[i : i + 1].tolist()
        for alone, among in ((one.knocker, many.knocker), (one.defender, many.defender)):
            assert alone.grouped.tolist() == among.grouped[i : i + 1].tolist()
            assert alone.sequenced.tolist() == among.sequenced[i : i + 1].tolist()
            assert alone.left.tolist() == among.left[i : i + 1].tolist()


def test_deadwood_of_hands_as_text_and_as_words() -> None:
    hands = [["7h", "7d", "7c", "Kd"], ["Ah", "2h", "3h"], []]
    words = encode([frozenset(hand) for hand in hands])
    for given in (hands, words, words[:, None]):
        found = melds.deadwood(given, rules("classic"))
        assert found.dtype == np.int16
        assert found.tolist() == [10, 0, 0]


@pytest.mark.parametrize("pack", [Pack(decks=2), Pack(specials=("WILD",))], ids=str)
def test_deadwood_wants_one_pack_of_regular_cards(pack: Pack) -> None:
    with pytest.raises(ValueError, match="one pack without special cards; classic has Pack"):
        melds.deadwood([["7h"]], replace(rules("classic"), pack=pack))


def test_deadwood_refuses_what_is_no_hand() -> None:
    cases: tuple[tuple[Any, str], ...] = (
        ([["7h", "7h"]], "hand 0: .*7h"),
        ([["7h"], ["10h"]], "hand 1: .*10h"),
        (np.zeros((2, 2), np.uint64), r"uint64\[N, 1\]"),
        (np.zeros(2, np.int64), r"uint64\[N, 1\]"),
        (np.array([0, 1 << 60], np.uint64), "hand 1 has cards"),
        (np.array([(1 << 22) - 1], np.uint64), "hand 0 has more than 21 cards"),
    )
    for hands, message in cases:
        with pytest.raises(ValueError, match=message):
            melds.deadwood(hands, rules("classic"))
