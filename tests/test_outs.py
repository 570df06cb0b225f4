"""Discards and outs, all of a hand at once, against the distance after each discard and draw."""

from dataclasses import replace

import numpy as np

from rummy_env.core.arrays import Rows, Words
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.melds import UNREACHABLE
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist import MinDist
from tests.declarations import declarations, hands_as_text, hands_of
from tests.fuzz_declaring import encode

COUNTED = {"GROUP", "SEQUENCE"}
"""Special cards that are outs where they help. A WILDCARD always does; the others are none."""


def after_every_discard(hands: Hands) -> tuple[Rows, Rows, Hands]:
    """Hand and bit, intp[M], of every discard of a regular card, and the hands without these."""
    row, bit = np.nonzero(card_flags(np.bitwise_or.reduce(hands.naturals, axis=0)))
    return row, bit, without_one(hands.take(row), np.uint64(1) << bit.astype(np.uint64))


def without_one(hands: Hands, card: Words) -> Hands:
    """The hands without one copy of a card that they hold, uint64[N], the last copy of several."""
    naturals = hands.naturals.copy()
    for deck in reversed(range(len(naturals))):
        here = naturals[deck] & card
        naturals[deck] &= ~card
        card = card & ~here
    return replace(hands, naturals=naturals)


@declarations
def test_discards_leave_the_distance_of_the_rest_and_a_blank(
    declaration: Declaration, thorough: bool
) -> None:
    for size in (4, 6, 9):
        hands = hands_of(declaration, hands_as_text(declaration, size, 60 if thorough else 12))
        tables = MinDist(declaration, size)
        row, bit, left = after_every_discard(hands)
        wanted = np.full((len(hands), NUM_REGULAR), UNREACHABLE, np.int8)
        wanted[row, bit] = tables.distance(left.with_blank())
        assert np.array_equal(tables.discards(hands).distance(), wanted)


def rest_of_the_pack(declaration: Declaration, hands: Hands) -> Hands:
    """All cards that are not in the hands, as hands."""
    pack = declaration.hands(np.repeat(declaration.pack.everything[None], len(hands), axis=0))
    rest = {name: getattr(pack, name) ^ getattr(hands, name) for name in ("group", "sequence")}
    return replace(
        pack, naturals=pack.naturals ^ hands.naturals, wild=pack.wild - hands.wild, **rest
    )


def plain_outs(declaration: Declaration, tables: MinDist, hands: Hands, live: Hands) -> Rows:
    """intp[N], the live cards with which the distance is less than with a blank, one by one."""
    short = tables.distance(hands.with_blank())
    outs = live.wild.astype(np.intp)
    pack = declaration.pack
    for code in pack.codes.tolist():
        if code % 64 < NUM_REGULAR:
            lives = live.naturals[code // 64] >> np.uint64(code % 64) & np.uint64(1) > 0
        elif pack.text(code) in COUNTED:
            lives = getattr(live, pack.text(code).lower())
        else:
            continue
        some = np.flatnonzero(lives)
        more = hands.take(some).plus(pack, np.full(len(some), code, np.uint8))
        outs[some] += tables.distance(more) < short[some]
    return np.where(short < UNREACHABLE, outs, 0)


@declarations
def test_outs_are_the_cards_with_which_the_distance_is_less(
    declaration: Declaration, thorough: bool
) -> None:
    """Every draw after every discard, one by one, against all of them at once."""
    for size in (3, 5, 8, 10) if thorough else (3, 8):
        hands = hands_of(declaration, hands_as_text(declaration, size, 15 if thorough else 4))
        live = rest_of_the_pack(declaration, hands)
        tables = MinDist(declaration, size)
        row, bit, left = after_every_discard(hands)
        wanted = np.zeros((len(hands), NUM_REGULAR), np.int64)
        wanted[row, bit] = plain_outs(declaration, tables, left, live.take(row))
        discards = tables.discards(hands)
        assert np.array_equal(discards.outs(live, discards.held), wanted)


@declarations
def test_a_hand_that_is_to_draw_has_the_outs_of_its_draws(
    declaration: Declaration, thorough: bool
) -> None:
    for size in (2, 5, 8):
        hands = hands_of(declaration, hands_as_text(declaration, size, 60 if thorough else 12))
        live = rest_of_the_pack(declaration, hands)
        tables = MinDist(declaration, size + 1)
        short = tables.distance(hands.with_blank())
        outs = np.where(short < UNREACHABLE, tables.draws(hands)[1].count(live), 0)
        assert np.array_equal(outs, plain_outs(declaration, tables, hands, live))


@declarations
def test_one_hand_by_itself_is_told_the_same(declaration: Declaration, thorough: bool) -> None:
    pack = declaration.pack
    for size in (1, 3, 4, 6, 8, 10) if thorough else (3, 5, 8):
        dealt = hands_as_text(declaration, size, 40 if thorough else 10)
        hands, tables = hands_of(declaration, dealt), MinDist(declaration, size + 1)
        discards, blank = tables.discards(hands), tables.distance(hands.with_blank())
        for i, decks in enumerate(pack.alike(encode(pack, dealt))):
            hand = declaration.hand(decks)
            one = tables.one(hand)
            assert (one.best, one.keeping) == (discards.best[i], discards.keeping[i]), dealt[i]
            assert tables.one(hand.with_blank()).best == blank[i], dealt[i]
            assert (hand.size, hand.faces) == (hands.size[i], discards.held[i])


@declarations
def test_one_hand_gets_a_card_as_many_do(declaration: Declaration) -> None:
    pack = declaration.pack
    every = list(pack.cards)
    for before in hands_as_text(declaration, 5, 3):
        for card in {card for card in every if before.count(card) < every.count(card)}:
            without, with_it = pack.alike(encode(pack, [before, [*before, card]]))
            more = declaration.hand(without).plus(pack, pack.code(card))
            assert more == declaration.hand(with_it), (before, card)


@declarations
def test_outs_of_some_discards_are_the_same(declaration: Declaration) -> None:
    hands = hands_of(declaration, hands_as_text(declaration, 6, 10))
    live = rest_of_the_pack(declaration, hands)
    discards = MinDist(declaration, 6).discards(hands)
    least = card_flags(discards.keeping)
    outs = discards.outs(live, discards.held)
    assert np.array_equal(discards.outs(live, discards.keeping), np.where(least, outs, 0))
