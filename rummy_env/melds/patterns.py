"""Melds of regular cards, for whole batches of hands at once.

Pure functions on words of `cards.py`. A sequence is named by the bit of its lowest card; the high
ace of queen-king-ace is found from the bit of the king.

    hand             .  5h 6h 7h 8h  .
    hand >> 1        5h 6h 7h 8h  .  .
    hand >> 2        6h 7h 8h  .  .  .
    all three        .  5h 6h  .  .  .      two sequences of three: one from 5h, one from 6h
"""

import numpy as np

from rummy_env.core.bits import ONE, WORD_BITS, ZERO, Words, lean_on_one, word
from rummy_env.core.cards import (
    ACES,
    KING,
    KINGS,
    NUM_RANKS,
    NUM_REGULAR,
    REGULAR,
)

_SUIT = np.uint64(NUM_RANKS)
_TWO_SUITS, _THREE_SUITS = np.uint64(2 * NUM_RANKS), np.uint64(3 * NUM_RANKS)
_ONE_SUIT_MASK = word(range(NUM_RANKS))
_TO_ACE = np.uint64(KING)
_ONE_OF_EACH_SUIT = word([0, 13, 26, 39])
_NOT_ACES, _NOT_KINGS = REGULAR & ~ACES, REGULAR & ~KINGS

MAX_SEQUENCE = NUM_RANKS
"""The longest sequence: a suit has one ace, which lies at one end."""


def starts_per_suit(length: int, *, ace_high: bool) -> int:
    """The number of sequences of one length in a suit."""
    return NUM_RANKS + 1 - length + int(ace_high)


def _start_mask(length: int, *, ace_high: bool) -> np.uint64:
    count = starts_per_suit(length, ace_high=ace_high)
    return word([NUM_RANKS * suit + rank for suit in range(4) for rank in range(count)])


_START_MASKS = {
    (length, high): _start_mask(length, ace_high=high)
    for length in range(3, MAX_SEQUENCE + 1)
    for high in (False, True)
}
_SHIFTS = [np.uint64(i) for i in range(WORD_BITS)]


@lean_on_one
def sequence_starts(hands: Words, length: int, *, ace_high: bool) -> Words:
    """The sequences of 3 to 13 cards in each hand; uint64[N], the bits of their lowest cards.

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
    return low | _ending_in_high_ace(hands, length)


def _ending_in_high_ace(hands: Words, length: int) -> Words:
    """The start of the sequence of this length that ends king-ace, for each suit that has it."""
    found = (hands & KINGS) & ((hands & ACES) << _TO_ACE)
    for below in range(1, length - 1):
        found = found & (hands << _SHIFTS[below])
    return found >> _SHIFTS[length - 2]


@lean_on_one
def squeeze_starts(starts: Words, length: int, *, ace_high: bool) -> Words:
    """Start bits without the ranks from which no sequence of this length can start.

    Args:
        starts: uint64[N], as `sequence_starts` gives them.
        length: Cards of the sequence.
        ace_high: As given to `sequence_starts`.

    Returns:
        uint64[N], `4 * starts_per_suit` bits, suit by suit.
    """
    if not starts.any():
        return starts
    keep = starts_per_suit(length, ace_high=ace_high)
    lane = word(range(keep))
    gap = NUM_RANKS - keep
    out = starts & lane
    for suit in range(1, 4):
        lane_here = lane << _SHIFTS[NUM_RANKS * suit]
        out = out | ((starts & lane_here) >> _SHIFTS[gap * suit])
    return out


@lean_on_one
def groups(hands: Words) -> tuple[Words, Words]:
    """The groups in each hand.

    Returns:
        Two uint64[N]. Threes: bit `13 * missing + rank`, where `missing` counts the suit left out
        (0 spades, 1 hearts, 2 diamonds, 3 clubs). Fours: bit `rank`.

    Source: docs/rules/basic.md#melds
    """
    clubs = hands & _ONE_SUIT_MASK
    diamonds = (hands >> _SUIT) & _ONE_SUIT_MASK
    hearts = (hands >> _TWO_SUITS) & _ONE_SUIT_MASK
    spades = (hands >> _THREE_SUITS) & _ONE_SUIT_MASK
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
    """All cards of the ranks of cards in groups, uint64[N]: those that could be laid off there.

    Source: docs/rules/basic.md#laying-off
    """
    folded = grouped | (grouped >> _TWO_SUITS)
    ranks = (folded | (folded >> _SUIT)) & _ONE_SUIT_MASK
    return ranks * _ONE_OF_EACH_SUIT


@lean_on_one
def fits_sequences(laid: Words, *, ace_high: bool) -> Words:
    """The cards that could be laid off on sequences.

    Args:
        laid: uint64[N], all cards that lie in sequences, high aces as `HIGH_ACES`.
        ace_high: True if an ace may be laid above a king.

    Returns:
        uint64[N], the cards at either end (cards inside sequences may be among them).

    Source: docs/rules/basic.md#laying-off
    """
    low = laid & REGULAR
    fits: Words = (low << ONE) & _NOT_ACES | (low >> ONE) & _NOT_KINGS
    return fits | (low & KINGS) >> _TO_ACE if ace_high else fits


@lean_on_one
def in_melds(hands: Words, *, ace_high: bool) -> Words:
    """The cards of each hand that are in at least one of its melds; uint64[N].

    Source: docs/rules/basic.md#melds
    """
    threes, _ = groups(hands)
    return hands & (fits_groups(threes) | completing_sequences(hands, ace_high=ace_high))


@lean_on_one
def completing(hands: Words, *, ace_high: bool) -> Words:
    """The cards outside of each hand that would make a meld with two of its cards; uint64[N].

    Source: docs/rules/basic.md#melds
    """
    low, high = hands | (hands >> _SUIT), hands & (hands >> _SUIT)
    pairs = high | (high >> _TWO_SUITS) | (low & (low >> _TWO_SUITS))
    grouping = (pairs & _ONE_SUIT_MASK) * _ONE_OF_EACH_SUIT
    return (grouping | completing_sequences(hands, ace_high=ace_high)) & ~hands


@lean_on_one
def completing_sequences(hands: Words, *, ace_high: bool) -> Words:
    """The cards, held or not, that make a sequence of three with two cards of each hand; uint64[N].

    Source: docs/rules/basic.md#melds
    """
    below: Words = (hands << ONE) & _NOT_ACES
    above: Words = (hands >> ONE) & _NOT_KINGS
    found = (below & (below << ONE)) | (below & above) | (above & (above >> ONE))
    return found | _completing_at_high_ace(hands) if ace_high else found


def _completing_at_high_ace(hands: Words) -> Words:
    """The cards that would make queen-king-ace with two cards of each hand."""
    aces, kings = (hands & ACES) << _TO_ACE, hands & KINGS
    queens = (hands << ONE) & KINGS
    return (kings & queens) >> _TO_ACE | (aces & queens) | (aces & kings) >> ONE


def laid_off(laid: Words, cards: Words, *, ace_high: bool) -> tuple[Words, Words]:
    """Single cards put on sequences.

    A card between two sequences continues the lower one; an ace that fits both ends is laid low.

    Args:
        laid: uint64[N], all cards that lie in sequences.
        cards: uint64[N], one card each, among `fits_sequences`.
        ace_high: True if an ace may be laid above a king.

    Returns:
        Two uint64[N]: the mark to add to `laid`, and the start of the sequence that begins with
        this card from now on (0 where the card goes on top).

    Source: docs/rules/basic.md#laying-off
    """
    low = laid & REGULAR
    on_top = cards & (low << ONE) & _NOT_ACES
    below: Words = np.where(on_top == ZERO, cards & (low >> ONE) & _NOT_KINGS, ZERO)
    if not ace_high:
        return cards, below
    high = np.where((on_top | below) == ZERO, cards, ZERO)
    return np.where(high != ZERO, _high_mark(high), cards), below


def _high_mark(aces: Words) -> Words:
    """The mark of an ace laid above its king: one of `HIGH_ACES` for one of `ACES`."""
    marks = np.zeros_like(aces)
    for suit in range(4):
        ace = (aces >> _SHIFTS[NUM_RANKS * suit]) & ONE
        marks |= ace << _SHIFTS[NUM_REGULAR + suit]
    return marks
