"""The discards of hands that are to discard: what they leave, and what may come after them."""

import numpy as np

from rummy_env.core.bits import ONE, ZERO, Ints, Rows, Words
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist.exchanges import UNREACHABLE
from rummy_env.melds.min_dist.reach import Reach, Tables
from rummy_env.melds.min_dist.useful import Rests, Useful
from rummy_env.melds.suit_tables import Counts


class Discards:
    """All discards of N hands.

    A discard leaves a hand as near as it is, or makes it one draw more.

    Attributes:
        held: uint64[N], the regular cards.
        best: int8[N], the distance of the hands, which the best discards leave.
        keeping: uint64[N], the regular cards whose discard leaves it.
    """

    def __init__(self, known: Tables, hands: Hands) -> None:
        self._known, self._hands = known, hands
        self._reach = reach = Reach(known, hands)
        self.held: Words = np.bitwise_or.reduce(hands.naturals, axis=0)
        self.best = reach.best
        self._next = np.where(self.best < UNREACHABLE, self.best + np.int8(1), self.best)
        self._near = reach.near(self.best)
        row = reach.row.take(self._near)
        self._can_go = reach.can_go(self._near, self.best.take(row))
        self.keeping = np.zeros(len(hands), np.uint64)
        np.bitwise_or.at(self.keeping, row, self._can_go)

    def distance(self) -> Counts:
        """int8[N, 52], the distance after each; `UNREACHABLE` also of cards that are not held."""
        found = np.where(card_flags(self.keeping), self.best[:, None], self._next[:, None])
        return np.where(card_flags(self.held), found, np.int8(UNREACHABLE))

    def outs(self, live: Hands, cards: Words) -> Ints:
        """int64[N, 52], the number of live cards that save a draw after some discards.

        Args:
            live: The cards that may come, as hands.
            cards: uint64[N], the discards, regular cards of the hands.
        """
        asked = card_flags(cards) & (self.best < UNREACHABLE)[:, None]
        places = np.flatnonzero(asked)
        outs = np.zeros(asked.shape, np.int64)
        some = live.take(places // NUM_REGULAR)
        outs.reshape(-1)[places] = self.useful(cards).take(places).count(some)
        return outs

    def useful(self, cards: Words) -> Useful:
        """What saves a draw after some discards, uint64[N]: 52 entries for each hand."""
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

    def _add(self, found: Useful, entries: Rows, cards: Words, short: Counts) -> None:
        """Adds what is useful after discards, by each of some entries uint64[K] cards, in place."""
        chosen = np.flatnonzero((cards != ZERO) & self._reach.can_wait(entries, short))
        at, slot = np.divmod(np.flatnonzero(card_flags(cards[chosen])), NUM_REGULAR)
        some = entries.take(chosen).take(at)
        row = self._reach.row.take(some)
        rests = self._reach.waiting(some, short.take(row), blank=1)
        rests = _without(rests, slot)
        found.add(row * NUM_REGULAR + slot, self._known.search.useful(rests))


def _without(rests: Rests, slot: Rows) -> Rests:
    """The same without a card each, by its bit."""
    card = ONE << slot.astype(np.uint64)
    for deck in reversed(rests.free):
        here = deck & card
        deck ^= here
        card = card ^ here
    return rests
