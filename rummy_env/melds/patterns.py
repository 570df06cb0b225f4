"""Melds of regular cards, and cards close to a meld, for whole batches of hands at once.

All functions are pure and take words as in `cards.py`. A sequence is identified by the bit of its
lowest card; the ace of queen-king-ace is located through the bit of the king.

    hand             .  5h 6h 7h 8h  .
    hand >> 1        5h 6h 7h 8h  .  .
    hand >> 2        6h 7h 8h  .  .  .
    all three        .  5h 6h  .  .  .      two sequences of three: one from 5h, one from 6h

The last functions are for hands that may hold stand-ins, of one deck or two, with high aces:

    hand 5h 6h 9c 9d        wanted   4h 7h | 9h 9s          a meld with two of the cards
                            joining  3h 4h 7h 8h ...        a meld with one of them and a stand-in
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from rummy_env.core.arrays import Words
from rummy_env.core.bits import ONE, WORD_BITS, ZERO, word
from rummy_env.core.cards import ACES, KING, KINGS, LANE, LANES, NUM_RANKS, NUM_REGULAR, REGULAR
from rummy_env.core.one_or_many import lean_on_one, select

_SUIT = np.uint64(NUM_RANKS)
_TWO_SUITS, _THREE_SUITS = np.uint64(2 * NUM_RANKS), np.uint64(3 * NUM_RANKS)
_TO_ACE = np.uint64(KING)
RANK_IN_EACH_SUIT = ACES
"""Times a set of ranks, bits 0 to 12: the cards of these ranks in all suits."""
_NOT_ACES, _NOT_KINGS = REGULAR & ~ACES, REGULAR & ~KINGS

MAX_SEQUENCE = NUM_RANKS
"""The length of the longest sequence: a suit has one ace, which lies at one end."""


def starts_per_suit(length: int, *, ace_high: bool) -> int:
    """Return the number of different sequences of a given length in a suit."""
    return NUM_RANKS + 1 - length + int(ace_high)


_START_MASKS = {
    (length, high): word(range(starts_per_suit(length, ace_high=high))) * RANK_IN_EACH_SUIT
    for length in range(3, MAX_SEQUENCE + 1)
    for high in (False, True)
}
_LANE_STARTS = [
    [word(range(NUM_RANKS * suit, NUM_RANKS * suit + keep)) for suit in range(4)]
    for keep in range(NUM_RANKS + 1)
]
"""At `[keep][suit]`, the `keep` lowest cards of the suit."""
_SHIFTS = [np.uint64(i) for i in range(WORD_BITS)]


@lean_on_one
def sequence_starts(hands: Words, length: int, *, ace_high: bool) -> Words:
    """Return the lowest card of each sequence of `length` cards, 3 to 13, in each hand; uint64[N].

    Source: docs/rules/basic.md#melds
    """
    links = hands & (hands >> ONE)
    found, linked = links, 2
    while 2 * linked - 1 < length:
        found = found & (found >> _SHIFTS[linked - 1])
        linked = 2 * linked - 1
    if linked < length:
        found = found & (found >> _SHIFTS[length - linked])
    low = found & _START_MASKS[length, False]
    if not ace_high:
        return low
    high = (hands & KINGS) & ((hands & ACES) << _TO_ACE)  # kings below their aces
    for below in range(1, length - 1):
        high = high & (hands << _SHIFTS[below])
    return low | high >> _SHIFTS[length - 2]


@lean_on_one
def squeeze_starts(starts: Words, length: int, *, ace_high: bool) -> Words:
    """Remove from start bits, uint64[N], the ranks where no sequence of this length can start.

    Takes the result of `sequence_starts`; returns uint64[N] with `4 * starts_per_suit` bits, suit
    by suit.
    """
    keep = starts_per_suit(length, ace_high=ace_high)
    out = starts & _LANE_STARTS[keep][0]
    for suit in range(1, 4):
        out = out | (starts & _LANE_STARTS[keep][suit]) >> _SHIFTS[(NUM_RANKS - keep) * suit]
    return out


THREES, FOURS = (
    [[NUM_RANKS * suit + rank for suit in suits] for suits in some for rank in range(NUM_RANKS)]
    for some in (((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)), ((0, 1, 2, 3),))
)
"""The cards of every group of three and of four; suits are clubs, diamonds, hearts and spades."""


@lean_on_one
def groups(hands: Words) -> tuple[Words, Words]:
    """Return the groups of three and the groups of four in each hand, two uint64[N].

    Bit i is the i-th of `THREES` and of `FOURS`: those without spades first, then without hearts...

    Source: docs/rules/basic.md#melds
    """
    clubs = hands & LANE
    diamonds = (hands >> _SUIT) & LANE
    hearts = (hands >> _TWO_SUITS) & LANE
    spades = (hands >> _THREE_SUITS) & LANE
    minor: Words = clubs & diamonds
    major: Words = hearts & spades
    threes = (
        (minor & hearts)
        | (minor & spades) << _SUIT
        | (clubs & major) << _TWO_SUITS
        | (diamonds & major) << _THREE_SUITS
    )
    return threes, minor & major


@lean_on_one
def fits_groups(grouped: Words) -> Words:
    """Return all cards of the ranks of grouped cards, uint64[N]: those that can be laid off.

    Source: docs/rules/basic.md#laying-off
    """
    folded = grouped | (grouped >> _TWO_SUITS)
    ranks = (folded | (folded >> _SUIT)) & LANE
    return ranks * RANK_IN_EACH_SUIT


@lean_on_one
def fits_sequences(laid: Words, *, ace_high: bool) -> Words:
    """Return the cards that can be laid off on sequences, uint64[N].

    The result may include cards inside the sequences. `laid`, uint64[N], contains all cards in
    sequences, with high aces marked as `HIGH_ACES`.

    Source: docs/rules/basic.md#laying-off
    """
    low = laid & REGULAR
    fits: Words = (low << ONE) & _NOT_ACES | (low >> ONE) & _NOT_KINGS
    return fits | (low & KINGS) >> _TO_ACE if ace_high else fits


def fits_after_one(laid: Words, hands: Words, *, ace_high: bool) -> Words:
    """Return the cards that fit a sequence after a card of the hand is laid off on it, uint64[N].

    `laid`, uint64[N], is as for `fits_sequences`.

    Source: docs/rules/rummy500.md#the-turn
    """
    low = laid & REGULAR
    on_top, under = hands & low << ONE & _NOT_ACES, hands & low >> ONE & _NOT_KINGS
    behind: Words = on_top << ONE & _NOT_ACES | under >> ONE & _NOT_KINGS
    return behind | (on_top & KINGS) >> _TO_ACE if ace_high else behind


@lean_on_one
def in_melds(hands: Words, *, ace_high: bool) -> Words:
    """Return the cards of each hand that are in at least one of its possible melds, uint64[N].

    Source: docs/rules/basic.md#melds
    """
    threes, _ = groups(hands)
    return hands & (fits_groups(threes) | completing_sequences(hands, ace_high=ace_high))


@lean_on_one
def completing(hands: Words, *, ace_high: bool) -> Words:
    """Return the cards not in a hand that would make a meld with two of its cards, uint64[N].

    Source: docs/rules/basic.md#melds
    """
    return (pairing(hands) | completing_sequences(hands, ace_high=ace_high)) & ~hands


@lean_on_one
def pairing(hands: Words) -> Words:
    """Return all cards of the ranks that a hand of one deck holds at least twice, uint64[N]."""
    low, high = hands | (hands >> _SUIT), hands & (hands >> _SUIT)
    pairs = high | (high >> _TWO_SUITS) | (low & (low >> _TWO_SUITS))
    return (pairs & LANE) * RANK_IN_EACH_SUIT


@lean_on_one
def completing_sequences(hands: Words, *, ace_high: bool) -> Words:
    """Return all cards, held or not, that make a sequence of three with two held ones, uint64[N].

    Source: docs/rules/basic.md#melds
    """
    below: Words = (hands << ONE) & _NOT_ACES
    above: Words = (hands >> ONE) & _NOT_KINGS
    found = (below & (below << ONE)) | (below & above) | (above & (above >> ONE))
    return found | _completing_at_high_ace(hands) if ace_high else found


def _completing_at_high_ace(hands: Words) -> Words:
    """Return the cards that would make queen-king-ace with two cards of each hand."""
    aces, kings = (hands & ACES) << _TO_ACE, hands & KINGS
    queens = (hands << ONE) & KINGS
    return (kings & queens) >> _TO_ACE | (aces & queens) | (aces & kings) >> ONE


def laid_off(laid: Words, cards: Words, *, ace_high: bool) -> tuple[Words, Words]:
    """Lay single cards off on sequences.

    A card that fits between two sequences extends the lower one; an ace that fits at both ends is
    laid low.

    Args:
        laid: uint64[N], as for `fits_sequences`.
        cards: uint64[N], one card each, which must fit.
        ace_high: True if an ace may be laid above a king.

    Returns:
        Two uint64[N]: the mark to add to `laid`, and the new start of the sequence where it now
        begins with this card (0 where the card goes on top).

    Source: docs/rules/basic.md#laying-off
    """
    low = laid & REGULAR
    on_top = cards & (low << ONE) & _NOT_ACES
    below: Words = select(on_top == ZERO, cards & (low >> ONE) & _NOT_KINGS, ZERO)
    if not ace_high:
        return cards, below
    high = select((on_top | below) == ZERO, cards, ZERO)
    return select(high != ZERO, _high_mark(high), cards), below


def _high_mark(aces: Words) -> Words:
    """Return the mark of an ace laid above its king: one of `HIGH_ACES` for one of `ACES`."""
    marks = aces & ZERO
    for suit in range(4):
        ace = (aces >> _SHIFTS[NUM_RANKS * suit]) & ONE
        marks = marks | ace << _SHIFTS[NUM_REGULAR + suit]
    return marks


def ranks_held(naturals: Iterable[Words]) -> tuple[Words, Words]:
    """Return the ranks held at least twice, and at least thrice, in W uint64[N]: two uint64[N]."""
    none: Any = ZERO  # becomes an array with the first operand
    one = two = three = none
    for cards in naturals:
        for lane in LANES:
            suit = cards >> lane
            three = three | two & suit
            two = two | one & suit
            one = one | suit
    return two & LANE, three & LANE


def of_rank(hands: Iterable[Words], fewest: int) -> Words:
    """Return all cards of the ranks that a hand holds at least `fewest` times, 2 or 3; uint64[N].

    The hands are W times uint64[N], one deck after the other.
    """
    two, three = ranks_held(cards & REGULAR for cards in hands)
    return fits_groups({2: two, 3: three}[fewest])


@lean_on_one
def near(cards: Words, *, ace_high: bool) -> Words:
    """Return the cards at most two positions away from any of these in the same suit, uint64[N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    up, down = cards << ONE & _NOT_ACES, cards >> ONE & _NOT_KINGS
    found: Words = up | up << ONE & _NOT_ACES | down
    if ace_high:
        # The high ace lies above the king: seen from it, the king is one down and the queen two.
        down = down | (cards & ACES) << _TO_ACE
        found = found | down | ((cards | up) & KINGS) >> _TO_ACE
    return found | down >> ONE & _NOT_KINGS


def meldable(hands: Sequence[Words] | Words, *, groups: bool) -> Words:
    """Return the cards that are in a meld of regular cards, uint64[N], of hands, uint64[W, N].

    `groups` says whether groups count as melds.

    Source: docs/rules/going_out.md#a-finished-hand
    """
    cards = reduce(or_, hands) & REGULAR
    melded = completing_sequences(cards, ace_high=True)
    return cards & (melded | of_rank(hands, 3) if groups else melded)


def wanted(hands: Words, *, groups: bool) -> Words:
    """Return the cards that would make a meld with two regular cards, uint64[N].

    Of equal cards in `hands`, uint64[W, N], the first word has one, as in `SeatView.hand`.
    """
    cards = hands[0] & REGULAR
    found = completing_sequences(cards, ace_high=True) & ~cards
    return found | of_rank(hands, 2) & ~hands[-1] if groups else found


def joining(hands: Words, *, groups: bool) -> Words:
    """Return the cards that would make a meld with one regular card and a stand-in, uint64[N].

    The hands are as for `wanted`.
    """
    cards = hands[0] & REGULAR
    found = near(cards, ace_high=True) & ~cards
    return found | fits_groups(cards) & ~hands[-1] if groups else found
