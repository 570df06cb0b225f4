"""The worth of cards: the melds that they make, or could make.

Sets of cards are planes here, [52, N]: one row per card (clubs, diamonds, hearts, spades, each ace
to king) and one column per game, so that the cards of a suit are adjacent rows and every operation
runs over all games. Planes of numbers are float32; those of whole ones may be counts, int8, which
take a quarter of the time.
"""

from typing import TypeVar

import numpy as np

from rummy_env.core.arrays import Float32s, Int8s, Words
from rummy_env.core.bits import merged
from rummy_env.core.cards import KING, NUM_RANKS, NUM_REGULAR, REGULAR, SUITS
from rummy_env.core.visibility import SeatView

PlanesOrCounts = TypeVar("PlanesOrCounts", Float32s, Int8s)

_BYTES = -(-NUM_REGULAR // 8)
_PLACES = np.uint8(1) << np.arange(8, dtype=np.uint8)[:, None]
_STEPS = np.float32(1024)


def counts(cards: Words) -> Int8s:
    """Convert sets of cards, uint64[N], to planes of zeros and ones, int8[52, N].

    Bytes are transposed before their bits are unpacked, which copies an eighth of what transposing
    flags would.
    """
    packed = np.ascontiguousarray(cards, "<u8").view(np.uint8).reshape(-1, 8).T
    held = np.ascontiguousarray(packed[:_BYTES])[:, None] & _PLACES != 0
    return held.reshape(8 * _BYTES, -1)[:NUM_REGULAR].view(np.int8)


def planes(cards: Words) -> Float32s:
    """Convert sets of cards, uint64[N], to planes of zeros and ones, float32[52, N]."""
    return counts(cards).astype(np.float32)


def meld_chances(cards: PlanesOrCounts, *, ace_high: bool) -> PlanesOrCounts:
    """Return the expected number of melds of three that each card would complete.

    For every meld with the card, the chances of the other two are multiplied; the products are
    summed. For a hand this counts the melds that a card completes; for what another player may
    hold it measures how much that player needs the card.

    Args:
        cards: float32[52, N], the chance that each card is there, 0 to 1; or how many of it are
            there, int8[52, N], 0 to 2.
        ace_high: True if queen-king-ace is a sequence too.

    Returns:
        [52, N] of the same dtype; a card's own chance is ignored.
    """
    suits = cards.reshape(len(SUITS), NUM_RANKS, -1)
    made = _group_chances(suits) + _sequence_chances(suits, ace_high=ace_high)
    return made.reshape(NUM_REGULAR, -1)


def outs(held: Int8s, live: Int8s, *, faint: float, ace_high: bool) -> Float32s:
    """Count the live cards that complete a meld of three with each card and another held card.

    Args:
        held: int8[52, N], the cards of hands, 0 or 1.
        live: int8[52, N], the cards that may still come.
        faint: The weight of melds that lack two live cards, relative to those that lack one.
        ace_high: As for `meld_chances`.

    Returns:
        float32[52, N], for all cards, as if each were held.
    """
    lacking_two = meld_chances(live, ace_high=ace_high)
    # Of the pairs of cards that are held or live, those with one of each.
    lacking_one = meld_chances(held + live, ace_high=ace_high) - lacking_two
    lacking_one -= meld_chances(held, ace_high=ace_high)
    hoped = lacking_two * np.float32(faint)
    hoped += lacking_one
    return hoped


def chances_of_next(view: SeatView, *, ace_high: bool) -> Float32s:
    """Return the expected number of melds of the next player with each card, float32[52, N]."""
    return meld_chances(even_chances(view), ace_high=ace_high)


def regular(cards: Words) -> Words:
    """Return the regular cards of sets, uint64[N, W], with decks merged; uint64[N]."""
    return merged(cards) & REGULAR


def even_chances(view: SeatView) -> Float32s:
    """Return the chance that the next player holds each card, float32[52, N]; 1 for known cards.

    That player holds the cards that it was seen to take; each other card of its hand is assumed to
    be a random unseen one. Cards in a known discard pile are not unseen; nothing else is concluded
    from discards. Special cards are ignored: every hidden card is assumed to be a regular one.
    """
    unseen, known = regular(view.unseen), regular(view.known[view.next])
    hidden = view.hand_sizes[view.next] - np.bitwise_count(known)
    share = (hidden / np.maximum(np.bitwise_count(unseen), 1)).astype(np.float32)
    # A card with one known and one unseen copy may count only once.
    likely = counts(unseen) * share
    likely += counts(known)
    return np.minimum(likely, np.float32(1), out=likely)


def nearness(cards: Int8s) -> Int8s:
    """Return how many cards of sets are near each card, in halves, int8[52, N].

    A card of the same rank or adjacent in the suit counts 2, a card two away in the suit 1. The
    card itself does not count, and the ace is adjacent only to the two.
    """
    suits = cards.reshape(len(SUITS), NUM_RANKS, -1)
    clubs, diamonds, hearts, spades = suits
    near = (clubs + diamonds + hearts + spades - suits) * np.int8(2)
    for away, weight in ((1, np.int8(2)), (2, np.int8(1))):
        near[:, away:] += suits[:, :-away] * weight
        near[:, :-away] += suits[:, away:] * weight
    return near.reshape(NUM_REGULAR, -1)


def _group_chances(suits: PlanesOrCounts) -> PlanesOrCounts:
    """Return the sum of the products of every two of the three other cards of the rank.

    For a card of one pair of suits: both cards of the other pair, and its partner with either.
    """
    minor, major = suits[:2], suits[2:]
    return np.concatenate(
        [
            minor[::-1] * (major[0] + major[1]) + major[0] * major[1],
            major[::-1] * (minor[0] + minor[1]) + minor[0] * minor[1],
        ]
    )


def _sequence_chances(suits: PlanesOrCounts, *, ace_high: bool) -> PlanesOrCounts:
    """Return the sum of products of the two cards below, the two around, and the two above."""
    laid = np.concatenate([suits, suits[:, :1]], axis=1) if ace_high else suits
    neighbours = laid[:, 1:] * laid[:, :-1]
    around = laid[:, 2:] * laid[:, :-2]
    made = np.zeros_like(laid)
    made[:, 2:] += neighbours[:, :-1]
    made[:, 1:-1] += around
    made[:, :-2] += neighbours[:, 1:]
    if ace_high:
        made[:, 0] += made[:, KING + 1]
    return made[:, :NUM_RANKS]


def rounded(worths: Float32s) -> Float32s:
    """Return numbers rounded to 1/1024, whose sums depend on neither order nor batch."""
    return np.rint(worths * _STEPS) / _STEPS
