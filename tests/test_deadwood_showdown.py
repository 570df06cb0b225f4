"""Showdowns of gin: both hands melded to the best, cards laid off or kept back."""

import random

import numpy as np
import pytest

from rummy_env.melds.showdown import best_arrangement, showdown
from tests.fuzz_deadwood import (
    Deal,
    decode,
    encode,
    hand_of,
    melds_of,
    show,
    some_deals,
    some_hands,
    wrong_showdowns,
)
from tests.reference import deadwood as reference


def test_an_arrangement_has_the_least_deadwood() -> None:
    hands = some_hands(600, random.Random(6))
    shown = best_arrangement(encode(hands))
    for i, hand in enumerate(hands):
        laid, left = melds_of(shown, i), decode(shown.left[i])
        assert laid <= reference.MELDS
        assert left.union(*laid) == hand
        assert reference.points(left) == reference.deadwood(hand) == shown.deadwood[i]


def deal_of(knocker: str, defender: str, limit: int | None = None) -> Deal:
    """Both hands as text; without a limit the knocker keeps no card on purpose."""
    hand = hand_of(knocker)
    within = reference.deadwood(hand) if limit is None else limit
    return Deal(hand, hand_of(defender), lay_off=True, limit=within)


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
    deal = deal_of(knocker, defender)
    shown = show([deal])
    assert decode(shown.laid_off[0]) == hand_of(laid_off)
    assert shown.defender.deadwood.tolist() == [left]
    assert list(wrong_showdowns([deal])) == []


def test_gin_allows_no_lay_off() -> None:
    deal = deal_of("5h 6h 7h", "4h 8h Kd")
    shown = show([deal._replace(lay_off=False), deal])
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
    shown = show([deal_of(knocker, defender)])
    assert decode(shown.knocker.grouped[0]) == hand_of(grouped)
    assert shown.defender.deadwood.tolist() == [left]


KEPT: dict[str, tuple[str, str, int, str, int]] = {
    "a sequence given up for a group blocks a chain": (
        "8h 9h Th 8c 8d",
        "Jh Qh Kd",
        19,
        "9h Th",
        30,
    ),
    "... within the limit": ("8h 9h Th 8c 8d", "Jh Qh Kd", 18, "8c 8d", 10),
    "a group given up for a sequence blocks its fourth card": (
        "5h 6h 7h 7c 7d",
        "7s Kd",
        14,
        "7c 7d",
        17,
    ),
    "the upper end of a sequence": ("Ah 2h 3h 4h 5h 2c", "6h 7h Kd", 10, "5h 2c", 23),
    "... with just enough points": ("Ah 2h 3h 4h 5h 2c", "6h 7h Kd", 7, "5h 2c", 23),
    "... or one too few": ("Ah 2h 3h 4h 5h 2c", "6h 7h Kd", 6, "2c", 10),
    "the lower end of a sequence": ("4h 5h 6h 7h 2c", "2h 3h Kd", 10, "4h 2c", 15),
    "... but not for as much as it saves": ("3h 4h 5h 6h 2c", "Ah 2h Kd", 10, "2c", 10),
    "the upper end alone": ("2h 3h 4h 5h 6h 9c", "Ah 7h 8h Kd", 20, "6h 9c", 25),
    "both ends": ("4h 5h 6h 7h 8h", "2h 3h 9h Th Kd", 12, "4h 8h", 34),
    "a whole sequence": ("2h 3h 4h Ac", "5h 6h Kd", 10, "2h 3h 4h Ac", 21),
    "... unless it has too many points": ("2h 3h 4h Ac", "5h 6h Kd", 9, "Ac", 10),
    "the ends of two sequences": (
        "3c 4c 5c 6c 3d 4d 5d 6d 2s 2h",
        "7c 7d 8d Kd",
        16,
        "6c 6d 2s 2h",
        32,
    ),
    "... the better one": (
        "3c 4c 5c 6c 3d 4d 5d 6d 2s 2h",
        "7c 7d 8d Kd",
        15,
        "6d 2s 2h",
        25,
    ),
    "no inner card": ("3h 4h 5h 6h 7h 8h 9h", "Th Kd", 20, "9h", 20),
    "no end beside which the defender has nothing": ("2h 3h 4h 5h", "7h 8h Kd", 10, "", 25),
    "no group though the defender has the fourth card": ("3c 3d 3h", "3s Kd", 9, "", 10),
    "not where the defender has a better use": ("3h 4h 5h 6h", "7h 7c 7d", 10, "", 0),
}
"""By rule: the knocker's hand, the defender's, the limit, what is left of either (in points)."""


@pytest.mark.parametrize("name", KEPT)
def test_the_knocker_may_keep_cards_back(name: str) -> None:
    knocker, defender, limit, kept, left = KEPT[name]
    deal = deal_of(knocker, defender, limit)
    shown = show([deal])
    assert decode(shown.knocker.left[0]) == hand_of(kept)
    assert shown.defender.deadwood.tolist() == [left]
    assert list(wrong_showdowns([deal])) == []


def test_nothing_is_kept_back_where_nothing_may_be_laid_off() -> None:
    deal = deal_of("Ah 2h 3h 4h 5h 2c", "6h 7h Kd", 10)
    shown = show([deal, deal._replace(lay_off=False)])
    assert shown.knocker.deadwood.tolist() == [7, 2]


def test_a_showdown_wants_a_hand_that_may_knock() -> None:
    deal = deal_of("5h 6h 7h Jc Ac", "Kd", 11)
    with pytest.raises(ValueError, match=r"knocker 1 has 11 points .* the limit is 10"):
        show([deal, deal._replace(limit=10)])


@pytest.mark.parametrize("seed", range(4))
def test_showdowns_equal_brute_force(seed: int) -> None:
    assert list(wrong_showdowns(some_deals(600, random.Random(seed)))) == []


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


def test_no_hands_give_no_showdown() -> None:
    none = np.zeros(0, np.uint64)
    shown = showdown(none, none, lay_off=np.zeros(0, bool), limit=np.zeros(0, np.int64))
    assert shown.laid_off.shape == shown.knocker.deadwood.shape == (0,)


def test_hands_stay_as_they_are_in_a_showdown() -> None:
    knockers, defenders, _, limits = zip(*some_deals(50, random.Random(5)), strict=True)
    words, others, limit = encode(knockers), encode(defenders), np.array(limits)
    before = words.copy(), others.copy(), limit.copy()
    showdown(words, others, lay_off=np.ones(len(words), bool), limit=limit)
    for now, then in zip((words, others, limit), before, strict=True):
        assert np.array_equal(now, then)
