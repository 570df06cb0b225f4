"""The distance of hands, against every exchange that can be made and against the divider."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from rummy_env import melds
from rummy_env.core.arrays import Bools, Words
from rummy_env.core.cards import NO_CARD, RANKS, Pack, rank_word
from rummy_env.melds import UNREACHABLE
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.min_dist import LARGEST_HAND, MinDist, min_dist
from tests.declarations import WILDS, declarations, hands_as_text, hands_of
from tests.fuzz_declaring import (
    DECLARATIONS,
    FEW_DECLARATIONS,
    encode,
    near_hand,
    random_hand,
    title,
)
from tests.reference import divider

STUCK = {"NO_MELD", "CANT_GO_OUT"}
"""The cards that may not be discarded. Source: rules.md section 5."""


def whole_rank(declaration: Declaration, hands: list[list[str]]) -> Bools:
    """bool[N], where the distance may be one too few: no stand-in comes, all of a rank are held."""
    words = encode(declaration.pack, hands)
    ranks = [rank_word(rank) for rank in RANKS]
    whole = np.any([(words & rank == rank).all(axis=1) for rank in ranks], axis=0)
    return whole & (not {"WILD", "GROUP"} & set(declaration.pack.specials))


# Every exchange


def exchanges(pack: Pack, hand: list[str], exchanged: int) -> Words:
    """uint64[N, W], the hand after every exchange of some number of cards that may be discarded."""
    held, codes = pack.words(hand), pack.codes.tolist()
    masks = {code: np.array(pack_word(code, pack.decks)) for code in codes}
    inside = [code for code in codes if (masks[code] & held).any()]
    outside = [masks[code] for code in codes if code not in inside]
    away = [masks[code] for code in inside if pack.text(code) not in STUCK]
    given = np.array([union(cards, pack.decks) for cards in combinations(away, exchanged)])
    come = np.array([union(cards, pack.decks) for cards in combinations(outside, exchanged)])
    if not len(given):
        return np.empty((0, pack.decks), np.uint64)
    return ((held & ~given)[:, None] | come[None]).reshape(-1, pack.decks)


def pack_word(code: int, decks: int) -> list[np.uint64]:
    """A card of the pack as a hand of one."""
    return [np.uint64(1 << code % 64 if code // 64 == deck else 0) for deck in range(decks)]


def union(cards: tuple[Words, ...], decks: int) -> Words:
    return np.bitwise_or.reduce(np.array([np.zeros(decks, np.uint64), *cards]), axis=0)


MOST_TRIED = {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 1, 11: 1}
"""For hands of each size, up to how many exchanges are tried."""
EVERYDAY = (2, 3, 5, 8)
"""Of these sizes."""


@declarations
def test_distance_is_the_fewest_of_all_exchanges(declaration: Declaration, thorough: bool) -> None:
    for size, most in MOST_TRIED.items():
        if not (thorough or size in EVERYDAY):
            continue
        hands = hands_as_text(declaration, size, 2)[-2:] + special_hands(declaration, size)
        for hand, short in zip(hands, melds.distance(hands, declaration).tolist(), strict=True):
            finished = False
            for exchanged in range(most + 1):
                after = exchanges(declaration.pack, hand, exchanged)
                finished |= bool(declaration.can_go_out(after).any())
                assert finished == (short <= exchanged), (hand, short)


def special_hands(declaration: Declaration, size: int) -> list[list[str]]:
    """Hands nearly finished, in which every special card of the pack takes the place of another."""
    rng = random.Random(size)
    found = []
    for special in dict.fromkeys(declaration.pack.specials):
        hand = near_hand(declaration, size, rng, 1)
        if special not in hand:
            found.append([special, *hand[1:]])
    return found


@pytest.mark.parametrize("declaration", FEW_DECLARATIONS, ids=title)
def test_one_exchange_short_is_what_the_divider_finishes_with_one_card(
    declaration: Declaration,
) -> None:
    hands = [hand for hand in hands_as_text(declaration, 5)[-40:] if "CANT_GO_OUT" not in hand]
    found = MinDist(declaration, 6).distance(hands_of(declaration, hands).with_blank())
    pack = declaration.pack.cards
    for hand, short in zip(hands, found.tolist(), strict=True):
        rest = {card for card in pack if hand.count(card) < pack.count(card)}
        finishes = any(
            divider.can_go_out(
                [*hand, card],
                leftover=declaration.leftover,
                sequences_rummy=declaration.sequences_rummy,
            )
            for card in rest
        )
        assert finishes == (short == 1), hand


@declarations
def test_distance_is_zero_exactly_where_a_hand_can_go_out(declaration: Declaration) -> None:
    hands = [hand for size in range(1, 12) for hand in hands_as_text(declaration, size, 10)]
    nothing_to_do = melds.distance(hands, declaration) == 0
    assert nothing_to_do.tolist() == melds.can_go_out(hands, declaration).tolist()


# The rules, case by case

SPECIAL_CARDS = ("WILD", "GROUP", "SEQUENCE", "RUMMY", "NO_MELD", "CANT_GO_OUT")
SPECIALS = Declaration(Pack(specials=SPECIAL_CARDS))

WITHOUT_STAND_INS = {
    "no card of the pack makes a group of five": ("Tc Ts Th Kd 6s Ks", "exactly_one", 3),
    "no fifth queen comes": ("Qc Qd Qh Qs Ac", "none", 3),
    "no fifth seven and no fifth king comes": ("7c 7d 7h 7s Kc Kd Kh Ks 2c", "none", 2),
    "two cards are never finished": ("5c 6c", "at_most_one", UNREACHABLE),
    "one card is left over": ("5c", "at_most_one", 0),
    "no division has six places as five and one": ("2h 3h 4h 7c 7d 7s", "exactly_one", 2),
}


@pytest.mark.parametrize("name", WITHOUT_STAND_INS)
def test_distance_without_stand_ins(name: str) -> None:
    hand, leftover, short = WITHOUT_STAND_INS[name]
    assert melds.distance([hand.split()], Declaration(Pack(), leftover)).tolist() == [short]


def test_a_rank_that_two_sequences_and_its_group_want_may_make_the_distance_one_too_few() -> None:
    hand = ["7c", "7d", "7h", "7s", "6h", "8h", "6s", "8s", "Kd"]
    declaration = Declaration(Pack(), "none")
    assert melds.distance([hand], declaration).tolist() == [1]
    assert not declaration.can_go_out(exchanges(declaration.pack, hand, 1)).any()
    with_wild = replace(declaration, pack=Pack(specials=("WILD",)))
    assert melds.distance([hand], with_wild).tolist() == [1]
    assert with_wild.can_go_out(exchanges(with_wild.pack, hand, 1)).any()


def test_no_meld_stays_and_is_left_over() -> None:
    hands = ["7c 7d 7h 8s 9s NO_MELD", "7c 7d 7h 7s 8s NO_MELD", "7c 7d 7h 7s WILD NO_MELD"]
    found = melds.distance([hand.split() for hand in hands], SPECIALS)
    assert found.tolist() == [2, 1, 0]  # five cards have to be one meld
    whole = replace(SPECIALS, leftover="none")
    assert melds.distance([["7c", "7d", "7h", "NO_MELD"]], whole).tolist() == [UNREACHABLE]


def test_a_hand_that_cannot_go_out_never_will() -> None:
    hands = [["CANT_GO_OUT", "5h", "6h", "7h"], ["NO_MELD", "CANT_GO_OUT", "5h", "6h", "7h"]]
    assert melds.distance(hands, SPECIALS).tolist() == [UNREACHABLE, UNREACHABLE]


def test_a_rummy_card_may_come_to_finish_a_hand_of_two() -> None:
    assert melds.distance([["5h", "9s"]], SPECIALS).tolist() == [1]
    assert melds.distance([["WILD", "9s"], ["RUMMY", "9s"]], SPECIALS).tolist() == [1, 0]


def test_hands_of_all_sizes_are_told_at_once() -> None:
    written = ["", "5c", "5c 6c", "5c 6c 7c 9d", "5c 6c 8d 9d Js Kh 2s 2h"]
    hands = [hand.split() for hand in written]
    alone = [int(melds.distance([hand], WILDS)[0]) for hand in hands]
    assert melds.distance(hands, WILDS).tolist() == alone == [0, 0, UNREACHABLE, 0, 3]
    assert melds.distance([], WILDS).tolist() == []


def test_the_distance_of_too_large_a_hand_is_refused() -> None:
    hand = random_hand(WILDS.pack, LARGEST_HAND + 1, random.Random(0))
    with pytest.raises(ValueError, match=r"hand 1 has 12 cards: .* at most 11"):
        melds.distance([hand[:5], hand], WILDS)


# Hands that are still to draw or to discard


def coming(declaration: Declaration, hand: list[str]) -> list[str]:
    """The different cards that may come to a hand."""
    pack = declaration.pack.cards
    return [card for card in dict.fromkeys(pack) if hand.count(card) < pack.count(card)]


def least_after_a_draw(declaration: Declaration, hand: list[str]) -> int:
    """The least distance with any card that may come."""
    more = [[*hand, card] for card in coming(declaration, hand)]
    return int(melds.distance(more, declaration).min())


@declarations
def test_a_blank_is_a_card_that_has_to_go(declaration: Declaration, thorough: bool) -> None:
    """The first exchange is for the blank: so the distance is that of the best card and one."""
    for size in (2, 3, 5, 7, 10) if thorough else (2, 5, 10):
        hands = hands_as_text(declaration, size, 6 if thorough else 4)
        hands += special_hands(declaration, size)
        found = MinDist(declaration, size + 1).distance(hands_of(declaration, hands).with_blank())
        best = [least_after_a_draw(declaration, hand) for hand in hands]
        wanted = np.minimum(np.array(best) + 1, UNREACHABLE)
        doubtful = whole_rank(declaration, hands)
        assert np.array_equal(found[~doubtful], wanted[~doubtful])
        assert (found <= wanted).all()


def test_tables_for_larger_hands_say_the_same() -> None:
    declaration = DECLARATIONS[9]
    hands = hands_of(declaration, hands_as_text(declaration, 6))
    small, large = (min_dist(declaration, largest).distance(hands) for largest in (6, 11))
    assert np.array_equal(small, large)


def test_cards_are_added_and_taken_away_one_by_one() -> None:
    pack = Pack(2, ("WILD", "WILD", "RUMMY"))
    declaration = Declaration(pack)
    hand = hands_of(declaration, [["7c", "WILD"]])
    codes = [pack.code(card) for card in ("7c", "WILD", "RUMMY")] + [NO_CARD]
    for code in codes:
        hand = hand.plus(pack, np.array([code], np.uint8))
    whole = hands_of(declaration, [["7c", "7c", "WILD", "WILD", "RUMMY"]]).with_blank()
    assert hand.size.tolist() == whole.size.tolist() == [6]
    for name in ("naturals", "wild", "rummy", "blanks"):
        assert np.array_equal(getattr(hand, name), getattr(whole, name))
    assert hand.without("WILD").wild.tolist() == [1]
