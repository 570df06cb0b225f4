"""Tables of how many stand-ins each set of cards of a suit needs to form sequences.

The cards of a suit are encoded as one number, the suit's *index*: digit r, in base `decks + 1`,
counts the cards of rank r.

    rank     A 2 3 4 5 6 7 8 9 T J Q K
    digits   0 0 0 0 1 1 0 0 0 0 1 1 0        5, 6 and J, Q with one deck: bits 4, 5, 10, 11
             [     . 5 6 .     . J Q .]       each pair lacks one card: two stand-ins

The cards of one sequence are its *core*. Stand-ins fill the positions between them and extend
shorter sequences to three positions, so a core of c cards that spans s positions needs
`max(3, s) - c`. Three facts keep the computation small: a core that spans six or more positions
can be split in two; between its first and last card, a core may as well take every available card;
and the lowest card of all begins some core. So the least number of stand-ins of a set follows from
those of smaller sets.
"""

from functools import cache, reduce

import numpy as np

from rummy_env.core.arrays import Int8s, Rows, Words
from rummy_env.core.cards import LANE, LANES, NUM_RANKS

POSITIONS = NUM_RANKS + 1
"""Positions of a sequence: A 2 ... Q K A."""

LONGEST_CORE = 5
"""The most positions of a core; longer sequences can be split in two."""

IMPOSSIBLE = 30
"""Marks what cannot be done: more stand-ins than any hand could have."""


def powers(decks: int) -> Rows:
    """Return the place value of each rank in a suit's index, intp[13]."""
    return np.array([(decks + 1) ** rank for rank in range(NUM_RANKS)], np.intp)


def counts_of(indices: Rows, decks: int) -> Rows:
    """Return the number of cards of suits, intp[N], from their indices: the sum of the digits."""
    count = np.zeros_like(indices)
    for worth in powers(decks).tolist():  # one after the other: there are 3**13 of two decks
        count += indices // worth % (decks + 1)
    return count


@cache
def lacking(decks: int, depth: int) -> Int8s:
    """Return the fewest stand-ins that put all cards of a suit except a few into sequences.

    Returns:
        int8[depth, S], by the number of cards left out, from 0, and by suit index; `IMPOSSIBLE`
        where the suit has fewer cards.
    """
    if depth == 1:
        return _fold_aces(_lacking_by_position(decks), decks)[None]
    before = lacking(decks, depth - 1)
    return np.concatenate([before, _one_left_out(before[-1], decks)[None]])


@cache
def lacking_beside_pure(depth: int, bought: int) -> Int8s:
    """Return `lacking` for one deck if one sequence must have no wildcard, int8[depth, 8192].

    Regular cards from elsewhere may fill up to `bought` positions of that sequence; they count as
    stand-ins.
    """
    whole = lacking(1, depth)
    best = np.full_like(whole, IMPOSSIBLE)
    index = np.arange(whole.shape[1])
    for length in range(3, LONGEST_CORE + 1):
        for start in range(POSITIONS + 1 - length):
            ranks = [position % NUM_RANKS for position in range(start, start + length)]
            # The sequence takes every available card; the other places are bought.
            taken = index & sum(1 << rank for rank in ranks)
            lacks = length - np.bitwise_count(taken).astype(np.int8)
            found = np.where(lacks <= bought, whole[:, index - taken] + lacks, IMPOSSIBLE)
            best = np.minimum(best, found)
    return best


def _lacking_by_position(decks: int) -> Int8s:
    """Return the fewest stand-ins by cards at positions, int8[(decks + 1) ** 14]."""
    base = decks + 1
    table = np.zeros(base**POSITIONS, np.int8)
    # From the top down, so that the smaller sets that are looked up are filled in already.
    for first in reversed(range(POSITIONS)):
        above = np.arange(base ** (POSITIONS - 1 - first)) * base ** (first + 1)
        for copies in range(1, base):
            index = above + copies * base**first
            table[index] = _best_core(table, index, first, base)
    return table


def _best_core(table: Int8s, index: Rows, first: int, base: int) -> Int8s:
    """Return the fewest stand-ins for sets whose lowest card is at position `first`, int8[M]."""
    taken = np.full_like(index, base**first)
    count = np.ones(len(index), np.int8)
    # A core of one card needs two stand-ins; then try every longer core that begins with it.
    best = 2 + table[index - taken]
    for last in range(first + 1, min(first + LONGEST_CORE, POSITIONS)):
        here = index // base**last % base > 0
        taken += here * base**last
        count += here
        best = np.minimum(best, max(3, last - first + 1) - count + table[index - taken])
    return best


def _fold_aces(table: Int8s, decks: int) -> Int8s:
    """Return the table with each ace low or high as needs less, int8[(decks + 1) ** 13]."""
    size = (decks + 1) ** NUM_RANKS
    index = np.arange(size)
    aces = index % (decks + 1)
    best = table[:size].copy()
    for high in range(1, decks + 1):
        enough = aces >= high
        # An ace moved up loses the lowest digit, worth 1, and gains the highest, worth `size`.
        moved = index[enough] + high * (size - 1)
        best[enough] = np.minimum(best[enough], table[moved])
    return best


def _one_left_out(table: Int8s, decks: int) -> Int8s:
    """Return the table with one more card left out, whichever is best; int8[S]."""
    best = np.full_like(table, IMPOSSIBLE)
    for worth in powers(decks).tolist():
        # In the shape [higher digits, this digit, lower digits], one card less is one row up.
        by_digit, less = (array.reshape(-1, decks + 1, worth) for array in (best, table))
        np.minimum(by_digit[:, 1:], less[:, :-1], out=by_digit[:, 1:])
    return best


def by_suit(naturals: Words) -> Rows:
    """Return the suit indices, intp[4, N], of regular cards, uint64[W, N]."""
    lanes = (naturals[:, None] >> LANES[:, None] & LANE).astype(np.intp)
    if len(naturals) == 1:
        return lanes[0]
    return lane_worth(len(naturals))[lanes].sum(axis=0)


@cache
def lane_worth(decks: int) -> Rows:
    """Return the suit index of each set of distinct cards, intp[8192], by its thirteen bits."""
    bits = np.arange(1 << NUM_RANKS)[:, None] >> np.arange(NUM_RANKS) & 1
    return bits @ powers(decks)


def add_up(first: Int8s, second: Int8s) -> Int8s:
    """Return the fewest stand-ins of two parts together, int8[J, N], by cards left out."""
    best = np.full_like(first, IMPOSSIBLE)
    for left in range(len(first)):
        for of_first in range(left + 1):
            together = first[of_first] + second[left - of_first]
            np.minimum(best[left], together, out=best[left])
    return best


def sequences_lack(suits: Rows, decks: int, depth: int) -> Int8s:
    """Return `lacking` for whole hands, int8[depth, N], given by their suit indices."""
    return reduce(add_up, (lacking(decks, depth).take(suit, axis=1) for suit in suits))


def add_up_ways(first: Int8s, second: Int8s) -> Int8s:
    """Apply `add_up` to counts in K ways, int8[K, J, N].

    The first way is the plain one; each of the others need only hold in one of the parts.
    """
    plain = add_up(first[0], second[0])
    others = [
        np.minimum(add_up(mine, second[0]), add_up(first[0], theirs))
        for mine, theirs in zip(first[1:], second[1:], strict=True)
    ]
    return np.stack([plain, *others])


def sequences_lack_beside_pure(suits: Rows, depth: int) -> Int8s:
    """Return `sequences_lack` for one deck if one sequence is held complete, without wildcards."""
    ways = np.stack([lacking(1, depth), lacking_beside_pure(depth, bought=0)])
    return reduce(add_up_ways, (ways.take(suit, axis=2) for suit in suits))[1]
