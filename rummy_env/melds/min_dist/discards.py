"""Discards of hands: the distance that each leaves, and the cards that help after it."""

import numpy as np

from rummy_env.core.arrays import Int8s, Ints, Rows, Words
from rummy_env.core.bits import ONE, ZERO
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist.exchanges import UNREACHABLE
from rummy_env.melds.min_dist.reach import Reach, Tables
from rummy_env.melds.min_dist.useful import Rests, Useful


class DistancesAfter:
    """All discards of N hands.

    A discard either keeps the distance of a hand or increases it by one draw.

    Attributes:
        held: uint64[N], the regular cards.
        best: int8[N], the distances of the hands, which the best discards keep.
        keeping: uint64[N], the regular cards whose discard keeps the distance.
    """

    def __init__(self, known: Tables, hands: Hands) -> None:
        self._known = known
        self._reach = reach = Reach(known, hands)
        self.held: Words = np.bitwise_or.reduce(hands.naturals, axis=0)
        self.best = reach.best
        self._next = np.where(self.best < UNREACHABLE, self.best + np.int8(1), self.best)
        self._near = reach.near(self.best)
        row = reach.row.take(self._near)
        self._can_go = reach.can_go(self._near, self.best.take(row))
        self.keeping = np.zeros(len(hands), np.uint64)
        np.bitwise_or.at(self.keeping, row, self._can_go)

    def distance(self) -> Int8s:
        """Return the distance after each discard, int8[N, 52]; `UNREACHABLE` if it is not held."""
        found = np.where(card_flags(self.keeping), self.best[:, None], self._next[:, None])
        return np.where(card_flags(self.held), found, np.int8(UNREACHABLE))

    def outs(self, live: Hands, cards: Words) -> Ints:
        """Count the live cards that save a draw after each of some discards, int64[N, 52].

        Args:
            live: The cards that can still come, as hands.
            cards: uint64[N], the discards to evaluate, regular cards of the hands.
        """
        asked = card_flags(cards) & (self.best < UNREACHABLE)[:, None]
        places = np.flatnonzero(asked)
        outs = np.zeros(asked.shape, np.int64)
        some = live.take(places // NUM_REGULAR)
        outs.reshape(-1)[places] = self.useful(cards).take(places).count(some)
        return outs

    def useful(self, cards: Words) -> Useful:
        """Return the cards that save a draw after discards, uint64[N], in 52 entries per hand."""
        found = Useful.nothing(len(cards) * NUM_REGULAR)
        chosen = self._can_go & cards.take(self._reach.row.take(self._near))
        self._add(found, self._near, chosen, self.best)
        worse = cards & ~self.keeping
        if worse.any():
            entries = self._reach.near(np.where(worse != ZERO, self._next, np.int8(UNREACHABLE)))
            row = self._reach.row.take(entries)
            can_go = self._reach.can_go(entries, self._next.take(row))
            self._add(found, entries, can_go & worse.take(row), self._next)
        return found

    def _add(self, found: Useful, entries: Rows, cards: Words, short: Int8s) -> None:
        """Add to `found` the cards that are useful after discards, uint64[K], of some entries."""
        chosen = np.flatnonzero((cards != ZERO) & self._reach.can_wait(entries, short))
        at, slot = np.divmod(np.flatnonzero(card_flags(cards[chosen])), NUM_REGULAR)
        some = entries.take(chosen).take(at)
        row = self._reach.row.take(some)
        rests = self._reach.waiting(some, short.take(row), blank=1)
        rests = _without(rests, slot)
        found.add(row * NUM_REGULAR + slot, self._known.helpful.useful(rests))


def _without(rests: Rests, slot: Rows) -> Rests:
    """Remove one card, given by its bit number, from each grouping in place, and return them."""
    card = ONE << slot.astype(np.uint64)
    for deck in reversed(rests.free):
        here = deck & card
        deck ^= here
        card = card ^ here
    return rests
