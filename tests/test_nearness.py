"""Draws that hands are short of finished, against the distances of `melds` and the divider."""

import random
from dataclasses import replace

import numpy as np
import pytest

from rummy_env import melds
from rummy_env.core.bits import Bools, Words
from rummy_env.core.cards import NO_CARD, RANKS, Pack, rank_word
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.min_dist.near_hands import Hands, slots_of
from rummy_env.melds.min_dist.nearness import FAR, Nearness
from rummy_env.melds.suit_tables import Counts
from tests.fuzz_declaring import DECLARATIONS, encode, near_hand, pack_cards, random_hand, title
from tests.reference import divider

HANDS = 60
BLANK = "CANT_GO_OUT"
"""A card that fits nowhere and has to go, where it is not among the cards of the game."""

declarations = pytest.mark.parametrize("declaration", DECLARATIONS, ids=title)
sizes = pytest.mark.parametrize("size", [4, 6, 8, 11])


def texts(declaration: Declaration, size: int, *, without: str = "") -> list[list[str]]:
    """Hands of a size, half of them nearly finished, in none of them a certain card."""
    rng = random.Random(size)
    dealt = [random_hand(declaration.pack, size, rng) for _ in range(HANDS)]
    built = [near_hand(declaration, size, rng, rng.randrange(4)) for _ in range(HANDS)]
    return [hand for hand in dealt + built if without not in hand and "NO_MELD" not in hand]


def hands_of(declaration: Declaration, hands: list[list[str]]) -> Hands:
    words = declaration.pack.counted(encode(declaration.pack, hands))
    return Hands.of(declaration, words)


def exact(declaration: Declaration, hands: list[list[str]]) -> Counts:
    """The distances of `melds`."""
    found = melds.distance(hands, declaration)
    return np.where(found == melds.UNREACHABLE, FAR, found).astype(np.int8)


def whole_rank(words: Words) -> Bools:
    """Whether all cards of a rank are held: then new cards may be harder to place."""
    ranks = [rank_word(rank) for rank in RANKS]
    return np.any([(words & rank == rank).all(axis=1) for rank in ranks], axis=0)


@declarations
@sizes
def test_draws_short_are_the_distance(declaration: Declaration, size: int) -> None:
    hands = texts(declaration, size)
    found = Nearness(declaration, size).distance(hands_of(declaration, hands))
    true = exact(declaration, hands)
    whole = whole_rank(encode(declaration.pack, hands))
    assert (found <= true).all()
    assert np.array_equal(found[~whole], true[~whole])


@pytest.mark.parametrize("leftover", ["none", "at_most_one", "exactly_one"])
def test_the_smallest_hands_are_one_meld(leftover: str) -> None:
    declaration = Declaration(Pack(specials=("WILD",) * 3), leftover)
    hands = texts(declaration, 3)
    found = Nearness(declaration, 3).distance(hands_of(declaration, hands))
    assert np.array_equal(found, exact(declaration, hands))


@pytest.mark.parametrize(
    "declaration", [each for each in DECLARATIONS if not each.sequences_rummy], ids=title
)
def test_a_blank_is_a_card_that_has_to_go(declaration: Declaration) -> None:
    hands = texts(declaration, 7, without=BLANK)
    specials = tuple(name for name in declaration.pack.specials if name != BLANK)
    with_it = replace(declaration, pack=Pack(declaration.pack.decks, (*specials, BLANK)))
    found = Nearness(declaration, 8).distance(hands_of(declaration, hands).with_blank())
    true = exact(with_it, [[*hand, BLANK] for hand in hands])
    whole = whole_rank(encode(declaration.pack, hands))
    assert np.array_equal(found[~whole], true[~whole])


@declarations
@pytest.mark.parametrize("size", [6, 9])
def test_discards_leave_what_the_rest_and_a_blank_are_short(
    declaration: Declaration, size: int
) -> None:
    hands = hands_of(declaration, texts(declaration, size))
    slots = slots_of(np.bitwise_or.reduce(hands.cards.naturals, axis=0))
    near = Nearness(declaration, size)
    found = near.after_discards(hands, slots)
    for column, bits in enumerate(slots.T):
        card = np.uint64(1) << bits.astype(np.uint64)
        held = (hands.cards.naturals & card).any(axis=0)
        left = hands.take(held).minus(card[held]).with_blank()
        assert np.array_equal(found[held, column], near.distance(left))
        assert (found[~held, column] == FAR).all()


@declarations
@pytest.mark.parametrize("size", [5, 8])
def test_draws_leave_what_the_hand_and_the_card_are_short(
    declaration: Declaration, size: int
) -> None:
    hands = hands_of(declaration, texts(declaration, size))
    near = Nearness(declaration, size + 1)
    found = near.after_draws(hands)
    for bit in range(52):
        all_held = (hands.cards.naturals >> np.uint64(bit) & np.uint64(1)).all(axis=0)
        rows = np.flatnonzero(~all_held)
        more = hands.take(rows).plus(declaration.pack, np.full(len(rows), bit, np.uint8))
        assert np.array_equal(found[rows, bit], near.distance(more))
        assert (found[all_held, bit] == FAR).all()


@pytest.mark.parametrize("declaration", DECLARATIONS[::4], ids=title)
def test_one_draw_short_is_what_the_divider_finishes_with_one_card(
    declaration: Declaration,
) -> None:
    hands = texts(declaration, 5)[-40:]
    found = Nearness(declaration, 6).distance(hands_of(declaration, hands).with_blank())
    pack = pack_cards(declaration.pack)
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


def test_tables_for_larger_hands_say_the_same() -> None:
    declaration = DECLARATIONS[9]
    hands = hands_of(declaration, texts(declaration, 6))
    small, large = (Nearness(declaration, largest).distance(hands) for largest in (6, 11))
    assert np.array_equal(small, large)


def test_no_meld_stays_and_is_left_over() -> None:
    declaration = Declaration(Pack(specials=("WILD", "NO_MELD")))
    hands = [["7c", "7d", "7h", "8s", "9s", "NO_MELD"], ["7c", "7d", "7h", "7s", "8s", "NO_MELD"]]
    found = Nearness(declaration, 6).distance(hands_of(declaration, hands))
    assert found.tolist() == [2, 1]  # five cards have to be one meld


def test_cards_are_added_and_taken_away_one_by_one() -> None:
    pack = Pack(2, ("WILD", "WILD", "RUMMY"))
    declaration = Declaration(pack)
    hand = hands_of(declaration, [["7c", "WILD"]])
    codes = [pack.code(card) for card in ("7c", "WILD", "RUMMY")] + [NO_CARD]
    for code in codes:
        hand = hand.plus(pack, np.array([code], np.uint8))
    whole = hands_of(declaration, [["7c", "7c", "WILD", "WILD", "RUMMY"]]).with_blank()
    assert hand.size.tolist() == whole.size.tolist() == [6]
    assert hand.blanks.tolist() == [1]
    for name in ("naturals", "wild", "rummy"):
        assert np.array_equal(getattr(hand.cards, name), getattr(whole.cards, name))
    seven = np.array([1 << 6], np.uint64)
    assert hand.minus(seven).cards.naturals.tolist() == [[1 << 6], [0]]
    assert hand.without("WILD", np.array([True])).cards.wild.tolist() == [1]
    assert hand.without("WILD", np.array([False])).cards.wild.tolist() == [2]
