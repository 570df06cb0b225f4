"""Distances of hands by every grouping and every way to use their special cards.

hand 0    grouping 0    way 0    found 3
          grouping 0    way 1    found 2
          grouping 1    way 0    found 2      the least of all is the distance of the hand: 2
          grouping 1    way 1    found 4
"""

from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from rummy_env.core.arrays import Array, Bools, Int8s, Rows, Words
from rummy_env.melds.declaration import GROUP, Declaration
from rummy_env.melds.hands import Hands, spread
from rummy_env.melds.min_dist.exchanges import UNREACHABLE, exchanges_of
from rummy_env.melds.min_dist.groups import Groups, all_groups, nothing_grouped
from rummy_env.melds.min_dist.useful import Helpful, Rests, too_full
from rummy_env.melds.min_dist.ways import Profiles
from rummy_env.melds.patterns import ranks_held
from rummy_env.melds.suit_tables import by_suit

AnyArray = TypeVar("AnyArray", bound=Array)


class Tables:
    """The tables used for hands of up to `largest` cards."""

    def __init__(self, declaration: Declaration, largest: int) -> None:
        self.largest = largest
        self.pure = declaration.sequences_rummy
        self.several_counts = self.pure or GROUP in declaration.pack.specials
        """True if a use of the special cards can be counted in several ways."""
        self.profiles = Profiles(declaration, largest)
        self.exchanges = exchanges_of(declaration, largest)
        self.helpful = Helpful(declaration, self.exchanges, self.profiles)


class Reach:
    """The distances of hands by each grouping and way; a pair of these is an *entry*.

    Attributes:
        row: intp[E], the hand of each entry.
        found: int8[E], the fewest exchanges over all ways to count the same use.
        best: int8[N], the distance of each hand.
    """

    def __init__(self, known: Tables, hands: Hands) -> None:
        self._known = known
        self._groups = _groups_of(hands, pure=known.pure)
        profile = known.profiles.of(hands).take(self._groups.row)
        start, self._ways = known.profiles.start, known.profiles.ways
        self._at, self._way = spread(start.take(profile), start.take(profile + 1))
        self.row: Rows = self._groups.row.take(self._at)
        self._blanks = hands.blanks.take(self.row)
        self._slack = self._ways.slack.take(self._way) + self._blanks
        self._slack -= self._groups.lacks.take(self._at)
        self._idle = self._ways.idle.take(self._way) + self._blanks
        self.found = self._fewest()
        self.best = np.full(len(hands), UNREACHABLE, np.int8)
        np.minimum.at(self.best, self.row, self.found)
        if known.several_counts:
            self.found = _over_runs(np.minimum, self.found, self._run)

    def near(self, short: Int8s) -> Rows:
        """Return the entries that finish a hand within `short` exchanges, int8[N]; intp[K]."""
        limit = np.where(short < UNREACHABLE, short, np.int8(-1))
        return np.flatnonzero(self.found <= limit.take(self.row))

    def waiting(self, entries: Rows, short: Int8s, *, blank: int) -> Rests:
        """Return the cards and limits of some entries, for hands that are about to receive a card.

        Args:
            entries: intp[K], the numbers of the entries.
            short: int8[K], the exchanges that may be made, including that of the incoming card.
            blank: Blanks that the hands do not have yet: 1 if a card has yet to be discarded.
        """
        at, way, groups = self._at.take(entries), self._way.take(entries), self._groups
        most = short - self._idle.take(entries) - np.int8(blank)
        return Rests(
            row=groups.row.take(at),
            free=groups.free.take(at, axis=1),
            pairs=groups.pairs.take(at),
            full=groups.full.take(at),
            size=groups.size.take(at),
            way=way,
            slack=self._slack.take(entries) + np.int8(blank - 1),
            most=np.minimum(most, np.int8(self._known.largest)),
        )

    def can_go(self, entries: Rows, short: Int8s) -> Words:
        """Return the cards whose discard leaves at most `short`, int8[K], per entry; uint64[K]."""
        # A discard leaves a blank, which must be exchanged, so one card fewer may be left out.
        needed = np.maximum(self._idle, self._blanks).take(entries) + np.int8(1)
        bought = self._ways.bought.take(self._way.take(entries))
        some = np.flatnonzero(np.maximum(needed, bought) <= short)
        cards = np.zeros(len(entries), np.uint64)
        rests = self.waiting(entries.take(some), short.take(some), blank=1)
        cards[some] = self._known.helpful.can_go(rests)
        if self._known.several_counts:
            cards = _over_runs(np.bitwise_or, cards, self._run.take(entries))
        return cards

    def can_wait(self, entries: Rows, short: Int8s) -> Bools:
        """Return True where an entry buys fewer than `short` cards, int8[N]; bool[K].

        Then one exchange is free for the card that comes first.
        """
        bought = self._ways.bought.take(self._way.take(entries))
        return bought < short.take(self.row.take(entries))

    def _fewest(self) -> Int8s:
        """Return the fewest exchanges for each grouping and way, int8[E]."""
        known, ways, way = self._known, self._ways, self._way
        classes = known.exchanges.classes.of_all(by_suit(self._groups.free)).take(self._at)
        slack = self._slack + known.helpful.joined(self._groups, self._at, way)
        out = known.exchanges.least_out(ways.kind.take(way), slack, classes)
        floor = np.maximum(ways.bought.take(way), self._blanks)
        found = np.maximum(out + self._idle, floor)
        found[out == UNREACHABLE] = UNREACHABLE
        if known.profiles.full_groups:
            groups = self._groups.take(self._at)
            found[too_full(groups, ways.places.take(way))] = UNREACHABLE
        return found

    @cached_property
    def _run(self) -> Rows:
        """A number shared by all ways to count the same use of the same grouping, intp[E]."""
        use = self._ways.use.take(self._way)
        return self._at * (int(self._ways.use.max(initial=0)) + 1) + use


def _groups_of(hands: Hands, *, pure: bool) -> Groups:
    """Return every grouping of hands; only the empty ones if `pure`."""
    if pure:
        return nothing_grouped(hands.naturals)
    return all_groups(hands.naturals, ranks_held(hands.naturals)[0])


def _over_runs(union: np.ufunc, values: AnyArray, run: Rows) -> AnyArray:
    """Combine the values of neighbouring entries with the same number in `run`."""
    first = np.flatnonzero(np.diff(run, prepend=-1))
    if not len(first):
        return values
    whole: Any = np.repeat(union.reduceat(values, first), np.diff(first, append=len(run)))
    return whole
