"""Deadwood of hands, in batches: the points outside melds for the best way to meld a hand.

Once the groups are chosen, no choice is left: every other card in a run of three or more goes into
a sequence at no cost. So only groups are searched, and only where it matters. A rank with three or
more cards is grouped at once if none of its cards is in a run; otherwise it is *disputed*.

    hand        3c 4c  7c 7d 7h 8h 9h            7h is in a run: the rank 7 is disputed
    grouped     nothing      7h 8h 9h            left 3c 4c 7c 7d    21
                7c 7d 7h                         left 3c 4c 8h 9h    24

A *grouping* says which cards are in groups. Few hands need more than one to be tried.

A single hand may be given as a scalar; the result then has no hands' axis.
"""

import numpy as np

from rummy_env.core.arrays import Int16s, Rows, Words
from rummy_env.core.bits import ONE, ZERO, lowest, positions
from rummy_env.core.cards import NUM_RANKS, rank_word
from rummy_env.core.one_or_many import any_set, count_bits, lean_on_one
from rummy_env.melds.patterns import RANK_IN_EACH_SUIT, fits_groups, groups, sequence_starts

MOST_CARDS = 21
"""The largest hand for which batches stay small: each disputed rank multiplies the work."""

_ONES, _TWOS = rank_word("A3579"), rank_word("2367TJQK")
_FOURS, _EIGHTS = rank_word("4567"), rank_word("89TJQK")
_TWO, _FOUR = np.uint8(2), np.uint8(4)
_EIGHT = np.int16(8)
_RANK = int(RANK_IN_EACH_SUIT)


@lean_on_one
def points(cards: Words) -> Int16s:
    """Return the points of sets of cards, int16[N]: aces 1, court cards 10, others their number.

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
    """Return the cards in runs of three or more of a suit, uint64[N]; the ace is low.

    Source: docs/rules/gin.md#deadwood
    """
    starts: Words = sequence_starts(cards, 3, ace_high=False)
    above = starts << ONE
    return starts | above | above << ONE


@lean_on_one
def split(hands: Words) -> tuple[Words, Words, Words]:
    """Return the cards that are grouped at once, disputed, and in runs, as three uint64[N]."""
    runs = in_sequences(hands)
    grouped = in_groups(hands)
    disputed = grouped & fits_groups(grouped & runs)
    return grouped ^ disputed, disputed, runs


@lean_on_one
def in_groups(hands: Words) -> Words:
    """Return the cards of ranks that a hand holds three or four times, uint64[N]."""
    threes, _ = groups(hands)
    return hands & fits_groups(threes)


def groupings(cards: Words, spare: Words) -> tuple[Rows, Words]:
    """Return every choice of groups among cards, uint64[N], of ranks held three or four times.

    A group of four may leave out one of its cards in `spare`, uint64[N]. Each grouping is returned
    as the row of its hand, intp[M], and the cards in groups, uint64[M]. The first N are the hands
    in order, with nothing grouped. The order of a hand's groupings depends on that hand alone.
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
    """Return the groups of three or four cards of a rank: row, intp[K], and group, uint64[K]."""
    rows, found = [np.arange(len(rank))], [rank]
    # A spare card may stay out of a group of four, to extend a sequence or to be discarded.
    left_out = np.where(np.bitwise_count(rank) == 4, rank & spare, ZERO)
    while (at := left_out.nonzero()[0]).size:
        card = lowest(left_out[at])
        rows.append(at)
        found.append(rank[at] ^ card)
        left_out[at] ^= card
    return np.concatenate(rows), np.concatenate(found)


def groupings_of_one(cards: int, spare: int) -> list[int]:
    """Return the choices of `groupings` for one hand, as sets; the first groups nothing."""
    found = [0]
    while cards:
        rank = cards & _RANK << ((cards & -cards).bit_length() - 1) % NUM_RANKS
        cards ^= rank
        left_out = positions(rank & spare) if rank.bit_count() == 4 else []
        chosen = [rank, *[rank ^ 1 << bit for bit in left_out]]
        found += [before | group for before in found for group in chosen]
    return found


def deadwood(hands: Words) -> Int16s:
    """Return the points outside melds for the best way to meld each hand, int16[N].

    Each hand has at most `MOST_CARDS` regular cards of one deck; 0 is gin.

    Source: docs/rules/gin.md#deadwood
    """
    settled, disputed, runs = split(hands)
    least: Int16s = points(hands & ~(settled | runs))
    if not any_set(disputed):
        return least
    if not hands.ndim:
        choices = map(np.uint64, groupings_of_one(int(disputed), int(runs)))
        rests = [hands & ~(settled | some) for some in choices]
        return min(points(rest & ~in_sequences(rest)) for rest in rests)
    rows = disputed.nonzero()[0]
    row, grouped = groupings(disputed[rows], runs[rows])
    rows = rows[row]
    rest = hands[rows] & ~(settled[rows] | grouped)
    np.minimum.at(least, rows, points(rest & ~in_sequences(rest)))
    return least
