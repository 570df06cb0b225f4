"""Deadwood and knocking of gin."""

import random
from typing import Any

import numpy as np
import pytest

from rummy_env import melds, rules
from rummy_env.core.bits import pack_rows
from rummy_env.melds.deadwood import deadwood
from rummy_env.melds.discards import NOT_HELD, Discards, discards_of, knockable
from tests.fuzz_deadwood import PACK, SIZES, decode, encode, hand_of, some_hands, wrong_hands
from tests.reference import deadwood as reference

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
    least, after = deadwood(words), Discards(words).each
    can_knock, gin = knockable(words, limits)
    assert least.dtype == after.dtype == np.int16
    assert can_knock.dtype == gin.dtype == np.uint64
    for i in range(len(words)):
        one = words[i : i + 1]
        assert deadwood(one).dtype == np.int16
        assert deadwood(one).tolist() == [least[i]]
        assert Discards(one).each.tolist() == [after[i].tolist()]
        assert np.array_equal(knockable(one, limits[:1]), [[can_knock[i]], [gin[i]]])
        by_number = words[i]
        assert deadwood(by_number) == least[i]
        assert knockable(by_number, limits[0]) == (can_knock[i], gin[i])
        assert discards_of(by_number).each.tolist() == after[i].tolist()


@pytest.mark.parametrize("size", [1, 4, 11, 14])
def test_every_answer_about_discards_follows_from_the_deadwood_after_each(size: int) -> None:
    rng = np.random.default_rng(size)
    words = encode(some_hands(300, random.Random(size), [size]))
    discards, each = Discards(words), Discards(words).each
    held = each < NOT_HELD
    cards = np.where(rng.random(300) < 0.7, held.argmax(axis=1), rng.integers(52, size=300))
    row = np.arange(300)
    assert np.array_equal(discards.after(cards), each[row, cards])
    barred = held & (np.arange(52) == cards[:, None]) & (rng.random((300, 1)) < 0.7)
    least = np.where(barred, NOT_HELD, each).min(axis=1)
    assert np.array_equal(discards.least(pack_rows(barred)[:, 0]), least)
    most = np.stack([least, rng.integers(-20, 120, size=300), np.full(300, NOT_HELD)])
    enough = held & (each <= most[..., None])
    assert np.array_equal(discards.leaving([*most]), pack_rows(enough)[..., 0])
    for i in range(60):
        one = discards_of(words[i])
        assert one.after(cards[i]) == each[i, cards[i]]
        assert one.least(pack_rows(barred)[i, 0]) == least[i]
        assert np.array_equal(one.leaving([*most[:, i]]), discards.leaving([*most])[:, i])


def test_no_hands_give_no_answers() -> None:
    none = np.zeros(0, np.uint64)
    assert deadwood(none).shape == (0,)
    assert Discards(none).each.shape == (0, 52)
    assert np.shape(knockable(none, np.zeros(0, np.int64))) == (2, 0)


def test_the_rest_is_melded_anew_after_each_discard() -> None:
    hand = hand_of("4h 5h 6h 7h 7c 7d")
    after = Discards(encode([hand])).each[0]
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
        can_knock, gin = knockable(encode([hand]), np.array([limit]))
        assert (decode(can_knock[0]), gin[0]) == (hand_of(cards), 0)


def test_each_hand_has_its_own_limit() -> None:
    hand = encode([hand_of("4h 5h 6h 9c Kd")])[0]
    found, _ = knockable(np.array([hand] * 3), np.array([8, 9, 10]))
    assert [decode(cards) for cards in found] == [set(), {"Kd"}, {"Kd", "9c"}]


def test_hands_stay_as_they_are() -> None:
    words = encode(some_hands(50, random.Random(5)))
    before = words.copy()
    deadwood(words), Discards(words).each, knockable(words, np.full(len(words), 40))
    assert np.array_equal(words, before)


def test_deadwood_of_hands_as_text_and_as_words() -> None:
    hands = [["7h", "7d", "7c", "Kd"], ["Ah", "2h", "3h"], []]
    words = encode([frozenset(hand) for hand in hands])
    for given in (hands, words, words[:, None]):
        found = melds.deadwood(given, rules("classic"))
        assert found.dtype == np.int16
        assert found.tolist() == [10, 0, 0]


@pytest.mark.parametrize("variant", ["going_out", "rummy_cards"])
def test_deadwood_wants_one_pack_of_regular_cards(variant: str) -> None:
    with pytest.raises(ValueError, match=f"one pack without special cards; {variant} has Pack"):
        melds.deadwood([["7h"]], rules(variant))


def test_deadwood_refuses_what_is_no_hand() -> None:
    cases: tuple[tuple[Any, str], ...] = (
        ([["7h", "7h"]], "hand 0: .*7h"),
        ([["7h"], ["10h"]], "hand 1: .*10h"),
        (np.zeros((2, 2), np.uint64), r"uint64\[N, 1\]"),
        (np.zeros(2, np.int64), r"uint64\[N, 1\]"),
        (np.array([0, 1 << 60], np.uint64), "hand 1 has cards"),
        (np.array([(1 << 22) - 1], np.uint64), "hand 0 has 22 cards: give at most 21"),
    )
    for hands, message in cases:
        with pytest.raises(ValueError, match=message):
            melds.deadwood(hands, rules("classic"))
