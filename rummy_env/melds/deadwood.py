"""Deadwood: the least points of a hand that lie in no meld, for whole batches at once.

Once it is settled which cards lie in groups, nothing is left to choose: of the others, every card
in a run of three or more goes into a sequence, since that costs nothing. So the search is over
groups alone, and only where it matters: a rank of which no card is in a run is grouped without
question, the other ranks with three cards or more are *disputed*.

    hand        3c 4c  7c 7d 7h 8h 9h            7h is in a run: the rank 7 is disputed
    grouped     nothing      7h 8h 9h            left 3c 4c 7c 7d    21
                7c 7d 7h                         left 3c 4c 8h 9h    24

A *grouping* says which cards lie in groups. Few hands have more than one to be looked at.

Of one hand, a scalar, the answer is that of a batch without the axis of hands.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import (
    BIT,
    ONE,
    ZERO,
    Rows,
    Words,
    any_set,
    count_bits,
    lean_on_one,
    lowest,
    pack_rows,
    places,
    positions,
    put,
)
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, rank_word
from rummy_env.melds.hands import lower_rows
from rummy_env.melds.patterns import fits_groups, groups, in_melds, sequence_starts
from rummy_env.melds.suit_tables import LANE, LANES

Points = npt.NDArray[np.int16]

HIGHEST = np.int16(10)
"""Points of the dearest card."""

NOT_HELD = np.int16(1000)
"""Stands for the deadwood after discarding a card that is not in the hand; more than any is."""

MOST_CARDS = 21
"""The largest hand for which the batch stays small: each disputed rank multiplies the work."""

_ONES, _TWOS = rank_word("A3579"), rank_word("2367TJQK")
_FOURS, _EIGHTS = rank_word("4567"), rank_word("89TJQK")
_TWO, _FOUR = np.uint8(2), np.uint8(4)
_EIGHT = np.int16(8)


@lean_on_one
def points(cards: Words) -> Points:
    """The points of sets of cards, int16[N]: aces 1, court cards 10, the others their number.

    Source: docs/rules/gin.md#deadwood
    """
    small = (
        count_bits(cards & _ONES)
        + count_bits(cards & _TWOS) * _TWO
        + count_bits(cards & _FOURS) * _FOUR
    )
    return count_bits(cards & _EIGHTS) * _EIGHT + small


@lean_on_one
def in_sequences(cards: Words) -> Words:
    """The cards in runs of three or more of a suit; uint64[N], the ace is low.

    Source: docs/rules/gin.md#deadwood
    """
    starts: Words = sequence_starts(cards, 3, ace_high=False)
    above = starts << ONE
    return starts | above | above << ONE


@lean_on_one
def split(hands: Words) -> tuple[Words, Words, Words]:
    """Of each hand the cards grouped without question, disputed, and in runs; three uint64[N]."""
    runs = in_sequences(hands)
    grouped = in_groups(hands)
    disputed = grouped & fits_groups(grouped & runs)
    return grouped ^ disputed, disputed, runs


@lean_on_one
def in_groups(hands: Words) -> Words:
    """The cards of ranks of which a hand holds three or four; uint64[N]."""
    threes, _ = groups(hands)
    return hands & fits_groups(threes)


def groupings(cards: Words, spare: Words) -> tuple[Rows, Words]:
    """Every choice of groups among cards, uint64[N], of ranks that are held three or four times.

    A group of four may do without one of the cards `spare`, uint64[N]. Returns intp[M] and
    uint64[M], the hand and its cards in groups. The first N are all hands in order with nothing
    grouped; those of one hand stand in an order that depends on it alone.
    """
    row, grouped, open_cards = np.arange(len(cards)), np.zeros_like(cards), cards.copy()
    while (active := open_cards.nonzero()[0]).size:
        here = open_cards[active]
        rank = here & fits_groups(lowest(here))
        open_cards[active] = here ^ rank
        at, taken = _groups_of_rank(rank, spare[row[active]])
        states = active[at]
        row = np.concatenate([row, row[states]])
        grouped = np.concatenate([grouped, grouped[states] | taken])
        open_cards = np.concatenate([open_cards, open_cards[states]])
    return row, grouped


def _groups_of_rank(rank: Words, spare: Words) -> tuple[Rows, Words]:
    """The groups of three or four cards of one rank: intp[K], the row, and uint64[K], the group."""
    rows, found = [np.arange(len(rank))], [rank]
    # Of four cards one may stay out if it is spare: it may extend a sequence, or be discarded.
    left_out = np.where(np.bitwise_count(rank) == 4, rank & spare, ZERO)
    while (at := left_out.nonzero()[0]).size:
        card = lowest(left_out[at])
        rows.append(at)
        found.append(rank[at] ^ card)
        left_out[at] ^= card
    return np.concatenate(rows), np.concatenate(found)


def _groupings_of_one(cards: Words, spare: Words) -> list[Words]:
    """The choices of `groupings` for one hand by numbers, nothing grouped first."""
    found = [cards & ZERO]
    while cards:
        rank = cards & fits_groups(lowest(cards))
        cards = cards ^ rank
        left_out = positions(int(rank & spare)) if count_bits(rank) == 4 else []
        chosen = [rank, *(rank ^ BIT[bit] for bit in left_out)]
        found += [before | group for before in found for group in chosen]
    return found


def deadwood(hands: Words) -> Points:
    """The least points of cards outside of melds, int16[N], over all ways to meld each hand.

    At most `MOST_CARDS` regular cards of one pack each; 0 is gin.

    Source: docs/rules/gin.md#deadwood
    """
    settled, disputed, runs = split(hands)
    least: Points = points(hands & ~(settled | runs))
    if not any_set(disputed):
        return least
    if not hands.ndim:
        rests = [hands & ~(settled | some) for some in _groupings_of_one(disputed, runs)]
        return min([least, *(points(rest & ~in_sequences(rest)) for rest in rests)])
    rows = disputed.nonzero()[0]
    row, grouped = groupings(disputed[rows], runs[rows])
    rows = rows[row]
    rest = hands[rows] & ~(settled[rows] | grouped)
    np.minimum.at(least, rows, points(rest & ~in_sequences(rest)))
    return least


def deadwood_after(hands: Words) -> Points:
    """int16[N, 52], the least deadwood of each hand after each discard, by the bit of its card.

    At most `MOST_CARDS` cards each; `NOT_HELD` where the hand has no such card.

    Source: docs/rules/gin.md#deadwood
    """
    after = _left_after(hands)
    grouped = in_groups(hands)
    # Any card of four may be spare here: the discard itself can leave the group.
    if any_set(grouped) and not hands.ndim:
        for taken in _groupings_of_one(grouped, grouped)[1:]:
            np.minimum(after, _left_after(hands & ~taken), out=after)
    elif any_set(grouped):
        rows = grouped.nonzero()[0]
        row, taken = groupings(grouped[rows], grouped[rows])
        row, taken = rows[row[len(rows) :]], taken[len(rows) :]
        lower_rows(after, row, _left_after(hands[row] & ~taken))
    return np.minimum(after, NOT_HELD, out=after)


def _left_after(cards: Words) -> Points:
    """int16[N, 52], the points outside of sequences after each discard of cards without groups.

    Where there is no such card it is `NOT_HELD` or more.
    """
    suits = (cards[..., None] >> LANES & LANE).astype(np.intp)
    after: Points = _change_in_suit().take(suits, axis=0).reshape(*cards.shape, NUM_REGULAR)
    after += points(cards & ~in_sequences(cards))[..., None]
    return after


@cache
def _change_in_suit() -> Points:
    """int16[8192, 13], the points outside of sequences of a suit that discarding a rank adds.

    Negative for a card that was outside; `NOT_HELD` where the suit's cards lack the rank.
    """
    suits = np.arange(int(LANE) + 1)
    words = suits.astype(np.uint64)
    left = points(words & ~in_sequences(words))
    ranks = 1 << np.arange(NUM_RANKS)
    after = left.take(suits[:, None] & ~ranks) - left[:, None]
    return np.where(suits[:, None] & ranks, after, NOT_HELD)


def knockable(hands: Words, limit: npt.NDArray[np.integer]) -> tuple[Words, Words]:
    """The cards after whose discard each hand has at most `limit` deadwood, int[N], or none at all.

    Two uint64[N]. A bound settles most hands: a discard lowers deadwood by its own points at most.

    Source: docs/rules/gin.md#knocking
    """
    knocks, gin = hands & ZERO, hands & ZERO
    in_no_meld = hands & ~in_melds(hands, ace_high=False)
    # Cards in no possible meld are deadwood in every division: too many of them rule a knock out.
    few = points(in_no_meld) <= limit + HIGHEST
    if not any_set(few):
        return knocks, gin
    rows = places(few)
    after = deadwood_after(hands[rows])
    low = after <= limit[rows][..., None]
    found, none = pack_rows(np.stack([low, after == 0]))[..., 0]
    return put(knocks, rows, found), put(gin, rows, none)
