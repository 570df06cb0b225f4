"""Every choice of groups in hands, as sets of ranks and of the cards left.

These are the groupings of `declaration/groupings.py`, in which a group of two may need a third
card, but as words instead of suit indices, because the results here are sets of cards.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from rummy_env.core.arrays import Int8s, Rows, Words
from rummy_env.core.bits import WORD_BITS, bit_index, lowest, positions, word
from rummy_env.core.cards import LANE_OF_ONE, LANES_OF_ONE, NUM_RANKS
from rummy_env.melds.declaration.groupings import PAIRS_TOO, options, pattern_of
from rummy_env.melds.hands import Batch, spread


@dataclass(frozen=True)
class Groups(Batch):
    """A batch of groupings; those of one hand are adjacent."""

    row: Rows  # intp[M], the hand
    free: Words  # uint64[W, M], the cards that are not grouped
    pairs: Words  # uint64[M], ranks of the groups of two, which need a card, as bits 0 to 12
    full: Words  # uint64[M], ranks of the larger groups
    size: Int8s  # int8[M], cards grouped

    @cached_property
    def lacks(self) -> Int8s:
        """The number of stand-ins that the groups need, int8[M]."""
        return np.bitwise_count(self.pairs).view(np.int8)


def nothing_grouped(naturals: Words) -> Groups:
    """Return the grouping of each hand, uint64[W, N], that groups nothing."""
    none = np.zeros_like(naturals[0])
    return Groups(np.arange(len(none)), naturals, none, none, none.astype(np.int8))


def all_groups(naturals: Words, ranks: Words) -> Groups:
    """Return every grouping of hands, uint64[W, N]; `ranks`, uint64[N], have two or more cards.

    Every round chooses for one rank of each hand. Hands of many ranks come first, so that those
    that are left for the next round are always the first ones.
    """
    start, changes = _choices(len(naturals))
    order = np.argsort(-np.bitwise_count(ranks).view(np.int8), kind="stable")
    hands, ranks = naturals.take(order, axis=1), ranks.take(order)
    row = np.arange(len(order))
    # cards of each deck, pairs, full
    found = np.concatenate([hands, np.zeros((2, len(order)), np.uint64)])
    done: list[tuple[Rows, Words]] = []
    while count := np.count_nonzero(ranks):
        left = int(np.searchsorted(row, count))
        done.append((row[left:], found[:, left:]))
        row, found, hands, ranks = row[:left], found[:, :left], hands[:, :count], ranks[:count]
        bit = lowest(ranks)
        rank = bit_index(bit).astype(np.uint64)
        pattern = pattern_of(hands, rank) + PAIRS_TOO
        parent, option = spread(start.take(pattern).take(row), start.take(pattern + 1).take(row))
        row = row.take(parent)
        found = found.take(parent, axis=1) ^ (changes.take(option, axis=1) << rank.take(row))
        ranks = ranks ^ bit
    rows, parts = zip(*done, (row, found), strict=True)
    row, found = order.take(np.concatenate(rows)), np.concatenate(parts, axis=1)
    free = found[:-2]
    held = np.bitwise_count(naturals).sum(axis=0, dtype=np.int8)
    size = held.take(row) - np.bitwise_count(free).sum(axis=0, dtype=np.int8)
    return Groups(row, free, found[-2], found[-1], size)


def all_groups_of_one(naturals: int, decks: int) -> list[int]:
    """Return every grouping of one hand, as in `Hand`; the first groups nothing.

    A grouping is one number: a word for each deck with the cards left, one with the `pairs`, and
    one with the larger groups.
    """
    cards = [naturals >> WORD_BITS * deck + lane for deck in range(decks) for lane in LANES_OF_ONE]
    one = two = 0
    for suit in cards:
        two |= one & suit
        one |= suit
    found, choices = [naturals], _choices_of_one(decks)
    for rank in positions(two & LANE_OF_ONE):
        pattern = sum((suit >> rank & 1) << place for place, suit in enumerate(cards))
        found = [before ^ choice << rank for before in found for choice in choices[pattern]]
    return found


@cache
def _choices_of_one(decks: int) -> list[list[int]]:
    """Return the ways to group the cards of an ace for each pattern, as changes of a grouping."""
    start, changes = _choices(decks)
    words = [sum(int(w) << WORD_BITS * i for i, w in enumerate(each)) for each in changes.T]
    return [words[start[p] : start[p + 1]] for p in range(PAIRS_TOO, 2 * PAIRS_TOO)]


@cache
def _choices(decks: int) -> tuple[Rows, Words]:
    """Return the ways to group the cards of one rank, as in `Options`, written for aces.

    Returns:
        intp[513], where the ways of each pattern begin; and uint64[decks + 2, E]: the cards that
        each way groups, one row per deck, then a row with 1 for two cards and one for more.
    """
    table = options()
    pattern = np.repeat(np.arange(len(table.start) - 1), np.diff(table.start))
    second = (pattern >> 4)[None] >> np.arange(4)[:, None] & 1
    # Of two equal cards, that of the second deck is grouped first.
    of_second = np.minimum(table.cards, second)
    parts = (table.cards - of_second, of_second)[:decks]
    ace = np.array([word([NUM_RANKS * suit]) for suit in range(4)])[:, None]
    cards = [(part.astype(np.uint64) * ace).sum(axis=0, dtype=np.uint64) for part in parts]
    sizes = [some.astype(np.uint64) for some in (table.size == 2, table.size > 2)]
    return table.start, np.stack([*cards, *sizes])
