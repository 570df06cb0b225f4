"""The deadwood that discards leave, in batches.

With the groups of a hand chosen, its other cards form sequences suit by suit. So what a discard
adds depends on the cards of its suit alone, and tables of the 8,192 sets of a suit tell it:

    hand        7c 7d 7h  8h 9h  Kd
    ungrouped   discard 9h: 7h 8h are left, +15     discard Kd: -10
    grouped     discard 9h: 8h is left, -9          discard Kd: -10

Every way to choose the groups is tried, and a discard leaves the least of what they say. Of a group
of four any card may be spare, since it may be the discard.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from rummy_env.core.arrays import Array, Int16s, Rows, UInt16s, Words
from rummy_env.core.bits import ZERO, positions
from rummy_env.core.cards import LANE, LANE_OF_ONE, LANES, LANES_OF_ONE, NUM_RANKS, NUM_REGULAR
from rummy_env.core.one_or_many import NO_ROWS, any_set, places, put
from rummy_env.melds.deadwood import groupings, groupings_of_one, in_groups, in_sequences, points
from rummy_env.melds.patterns import in_melds

NOT_HELD = np.int16(1000)
"""Marks the deadwood after discarding a card that is not held; more than any real deadwood."""
_NONE = int(NOT_HELD)

_HIGHEST = 10
"""Points of the most expensive card."""
_SETS = np.arange(int(LANE) + 1)
"""The sets of cards of a suit."""
_RANKS = np.arange(NUM_RANKS)
_LANES: Words = LANES[:, None]


class Discards:
    """What hands can discard, and the deadwood left then.

    Source: docs/rules/gin.md#deadwood
    """

    def __init__(self, hands: Words) -> None:
        """Find the ways to choose the groups of hands.

        Args:
            hands: uint64[N], at most `MOST_CARDS` regular cards of one pack each.
        """
        rests = hands
        self._count, self._more = len(hands), NO_ROWS
        grouped = in_groups(hands)
        if any_set(grouped):
            rows = grouped.nonzero()[0]
            row, taken = groupings(grouped[rows], grouped[rows])
            # The first of these group nothing; the others follow the hands, as more ways.
            self._more = rows[row[len(rows) :]]
            rests = np.concatenate([rests, rests[self._more] & ~taken[len(rows) :]])
        self._suits: Rows = (rests >> _LANES & LANE).astype(np.intp)
        clubs, diamonds, hearts, spades = _outside().take(self._suits)
        self._left: Int16s = clubs + diamonds + hearts + spades

    def least(self, barred: Words) -> Int16s:
        """Return the deadwood that the best discard leaves, int16[N]; `NOT_HELD` if there is none.

        Args:
            barred: uint64[N], at most one card of each hand, which must not be discarded.
        """
        lanes = (barred >> _LANES & LANE).astype(np.uint16)
        # The rank of a lane's only bit is the number of bits below it, which are too many for none.
        ranks = np.minimum(np.bitwise_count(lanes - np.uint16(1)), np.uint8(NUM_RANKS))
        table = _least_changes()
        at = self._suits * np.intp(table.shape[1]) + self._of_ways(ranks)
        return self._lowest(table.take(at).min(axis=0))

    def after(self, cards: Array) -> Int16s:
        """Return the deadwood after discarding one card of each hand, int[N], its bit; int16[N]."""
        suits, ranks = np.divmod(self._of_ways(cards).astype(np.intp), NUM_RANKS)
        sets = self._suits.take(suits * len(suits) + np.arange(len(suits)))
        return self._lowest(_changes().take(sets * NUM_RANKS + ranks))

    @cached_property
    def each(self) -> Int16s:
        """The deadwood after each discard, int16[N, 52], by bit; `NOT_HELD` for other cards."""
        after = _changes().take(self._suits.T, axis=0).reshape(-1, NUM_REGULAR)
        after += self._left[:, None]
        np.minimum(after, NOT_HELD, out=after)
        best, found = np.split(after, [self._count])
        at = self._more[:, None] * NUM_REGULAR + np.arange(NUM_REGULAR)
        np.minimum.at(best.reshape(-1), at.reshape(-1), found.reshape(-1))  # flat is far faster
        return best

    def leaving(self, most: Sequence[Array]) -> Words:
        """Return the discards that leave at most `most` deadwood, K int[N]; uint64[K, N]."""
        spare = self._of_ways(np.array(most)) - self._left
        table = _within()
        levels = np.minimum(np.maximum(spare - _CHEAPEST, 0), table.shape[1] - 1)
        at = self._suits * np.intp(table.shape[1]) + levels[:, None]
        ways = np.bitwise_or.reduce(table.take(at).astype(np.uint64) << _LANES, axis=1)
        cards = ways[:, : self._count]
        for some, more in zip(cards, ways[:, self._count :], strict=True):
            np.bitwise_or.at(some, self._more, more)
        return cards

    def _of_ways(self, items: Array) -> Array:
        """Return for each way what its hand has, from [..., N]."""
        if not len(self._more):
            return items
        return np.concatenate([items, items[..., self._more]], axis=-1)

    def _lowest(self, change: Int16s) -> Int16s:
        """Return the least deadwood of all ways of each hand, int16[N], given what they add."""
        ways = np.minimum(self._left + change, NOT_HELD)
        best = ways[: self._count]
        np.minimum.at(best, self._more, ways[self._count :])
        return best


class DiscardsOfOne:
    """The same of one hand, a scalar, without the hands' axis.

    The tables are those of `Discards`, read in Python integers: far sooner for one hand.
    """

    def __init__(self, hand: Words) -> None:
        """Find the deadwood after each discard of a hand, uint64[]."""
        cards, grouped = int(hand), int(in_groups(hand))
        self._after: dict[int, int] = {}
        for some in groupings_of_one(grouped, grouped):
            suits = [_suit((cards ^ some) >> start & LANE_OF_ONE) for start in LANES_OF_ONE]
            outside = sum([points for points, _ in suits])
            for start, (_, changes) in zip(LANES_OF_ONE, suits, strict=True):
                for rank, change in changes:
                    left = outside + change
                    if left < self._after.get(start + rank, _NONE):
                        self._after[start + rank] = left

    def least(self, barred: Words) -> Int16s:
        """Return the deadwood that the best discard leaves, int16[]."""
        kept_out = int(barred).bit_length() - 1
        allowed = [left for bit, left in self._after.items() if bit != kept_out]
        least: Any = np.int16(min(allowed, default=NOT_HELD))
        return least

    def after(self, cards: Array) -> Int16s:
        """Return the deadwood after discarding one card, int16[]."""
        left: Any = np.int16(self._after.get(int(cards), NOT_HELD))
        return left

    @cached_property
    def each(self) -> Int16s:
        """The deadwood after each discard, int16[52]."""
        after = np.full(NUM_REGULAR, NOT_HELD)
        after[[*self._after]] = [*self._after.values()]
        return after

    def leaving(self, most: Sequence[Array]) -> list[Words]:
        """Return the discards that leave at most `most` deadwood, K int[]; K uint64[]."""
        after = self._after.items()
        limits = map(int, most)
        found = [sum([1 << bit for bit, left in after if left <= limit]) for limit in limits]
        words: list[Any] = [np.uint64(cards) for cards in found]
        return words


def discards_of(hands: Words) -> Discards | DiscardsOfOne:
    """Return what hands, uint64[N], or one hand, a scalar, can discard."""
    return Discards(hands) if hands.ndim else DiscardsOfOne(hands)


def knockable(hands: Words, limit: Array) -> tuple[Words, Words]:
    """Return the discards that leave at most `limit` deadwood, int[N], and those that leave none.

    The result is two uint64[N]. A bound rules out most hands: a discard lowers the deadwood by at
    most its own points.

    Source: docs/rules/gin.md#knocking
    """
    knocks, gin = hands & ZERO, hands & ZERO
    in_no_meld = hands & ~in_melds(hands, ace_high=False)
    # Cards in no possible meld are always deadwood; too many of them rule out a knock.
    few = points(in_no_meld) <= limit + _HIGHEST
    if not any_set(few):
        return knocks, gin
    rows = places(few)
    most = limit[rows]
    found, none = discards_of(hands[rows]).leaving([most, most & 0])
    return put(knocks, rows, found), put(gin, rows, none)


@cache
def _suit(cards: int) -> tuple[int, list[tuple[int, int]]]:
    """Return the points outside sequences of the cards of a suit, and what each discard adds."""
    changes = _changes()[cards].tolist()
    return int(_outside()[cards]), [(rank, changes[rank]) for rank in positions(cards)]


@cache
def _outside() -> Int16s:
    """Return the points outside the sequences of a suit, int16[8192]."""
    cards = _SETS.astype(np.uint64)
    return points(cards & ~in_sequences(cards))


@cache
def _changes() -> Int16s:
    """Return the points outside a suit's sequences that each discard adds, int16[8192, 13].

    Negative if the card was outside already; `NOT_HELD` if the suit has no card of the rank.
    """
    left = _outside()
    after = left.take(_SETS[:, None] & ~(1 << _RANKS)) - left[:, None]
    return np.where(_SETS[:, None] >> _RANKS & 1, after, NOT_HELD)


@cache
def _least_changes() -> Int16s:
    """Return the least of these changes without one rank, int16[8192, 14]; the last, of all."""
    barred = np.arange(NUM_RANKS + 1) == _RANKS[:, None]
    return np.where(barred, NOT_HELD, _changes()[:, :, None]).min(axis=1)


_CHEAPEST = -_HIGHEST - 1
"""The change of the first column of `_within`, which no discard is below."""


@cache
def _within() -> UInt16s:
    """Return the ranks that change a suit by a number of points at most, uint16[8192, L].

    The numbers begin with `_CHEAPEST` and go on to one that no discard is above.
    """
    changes = _changes()
    highest = changes[changes < NOT_HELD].max()
    numbers = np.arange(_CHEAPEST, highest + 1)
    enough = changes[:, None] <= numbers[:, None]
    return (enough << _RANKS).sum(axis=2).astype(np.uint16)
