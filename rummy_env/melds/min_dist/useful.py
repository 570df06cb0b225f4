"""The cards that save a draw, for hands whose groups are already chosen.

An incoming card goes into a sequence or is left out, or joins a group, or makes a group of two
with an ungrouped card. Each case is a question about the class of the other cards (`changes.py`),
and the answers for all cards together are a set of cards.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Int16s, Ints, Rows, UInt16s, Words
from rummy_env.core.bits import ZERO
from rummy_env.core.cards import LANES
from rummy_env.melds.declaration import GROUP, SEQUENCE, Declaration
from rummy_env.melds.hands import Batch, Hands
from rummy_env.melds.min_dist.changes import changes
from rummy_env.melds.min_dist.exchanges import Exchanges
from rummy_env.melds.min_dist.groups import Groups
from rummy_env.melds.min_dist.ways import GROUP_BESIDE_ONE, SEQUENCE_JOINS, Profiles
from rummy_env.melds.patterns import RANK_IN_EACH_SUIT
from rummy_env.melds.suit_tables import by_suit

NO_GROUP = np.int8(-2)
"""What GROUP adds to the slack without any group, where it needs two wildcards."""
_ONE_MELD, _TWO_MELDS = 5, 9
"""The numbers of places that make one meld of five, or two melds of which one has five cards."""
_PAIR = 2


@dataclass(frozen=True)
class Rests(Groups):
    """Groupings of hands, each with a way to use the special cards and a limit."""

    way: Rows  # intp[M], the number of the way
    slack: Int8s  # int8[M], the surplus of stand-ins, less those that groups need
    most: Int8s  # int8[M], the most regular cards that may be left out


@dataclass(frozen=True)
class Useful(Batch):
    """The cards that save a draw."""

    cards: Words  # uint64[K], regular cards
    group: Bools  # bool[K], True if GROUP saves one
    sequence: Bools  # bool[K], True if SEQUENCE saves one

    @classmethod
    def nothing(cls, count: int) -> "Useful":
        """Return an instance for `count` hands to which no card is useful."""
        return cls(np.zeros(count, np.uint64), *(np.zeros(count, np.bool_) for _ in range(2)))

    def add(self, places: Rows, more: "Useful") -> None:
        """Add useful cards to the hands at `places`, intp[K], which may repeat, in place."""
        np.bitwise_or.at(self.cards, places, more.cards)
        self.group[places[more.group]] = True
        self.sequence[places[more.sequence]] = True

    def count(self, live: Hands) -> Ints:
        """Count the live cards, given as hands, that are useful or wildcards; int64[K]."""
        outs = np.bitwise_count(self.cards & live.naturals).sum(axis=0, dtype=np.int64)
        outs += self.group & live.group
        outs += self.sequence & live.sequence
        return outs + live.wild


class Helpful:
    """Finds the cards that save a draw, and those that can be discarded, for chosen groups."""

    def __init__(self, declaration: Declaration, exchanges: Exchanges, profiles: Profiles) -> None:
        self._exchanges, self._classes = exchanges, exchanges.classes
        self._ways, self._full_groups = profiles.ways, profiles.full_groups
        self._groups = not declaration.sequences_rummy
        self._specials = declaration.pack.specials
        self._more = changes(exchanges, 1)
        self._less = changes(exchanges, -1)

    def can_go(self, rests: Rests) -> Words:
        """Return the cards of `free` without which at most `most` are left out, uint64[M]."""
        suits = by_suit(rests.free)
        others = self.others(self._classes.of_suit.take(suits))
        # The blank that replaces the card adds one to the slack.
        slack = rests.slack + self.joined(rests, slice(None), rests.way) + np.int8(1)
        question = self._exchanges.question(self._ways.kind.take(rests.way), slack, rests.most)
        return _cards(self._less.ranks(question, others, suits))

    def useful(self, rests: Rests) -> Useful:
        """Return the cards after whose arrival at most `most` cards are left out."""
        suits = by_suit(rests.free)
        of_suit = self._classes.of_suit.take(suits)
        others = self.others(of_suit)
        every = self._classes.together(of_suit[0], others[0])
        kind, joined = self._ways.kind.take(rests.way), self.joined(rests, slice(None), rests.way)
        slack = rests.slack + joined
        question = self._exchanges.question(kind, slack, rests.most)
        cards = _cards(self._more.ranks(question, others, suits))
        if self._groups:
            ranks = self._beside_one(rests, question, joined, others, suits)
            cards |= (ranks | self._joining(rests, kind, slack, every)) * RANK_IN_EACH_SUIT
        return Useful(cards, *self._special_cards(rests, kind, slack, every))

    def others(self, of_suit: Int16s) -> Int16s:
        """Return the class of the three other suits, for each suit, int16[4, M]."""
        together = self._classes.together
        # Six look-ups are enough for the four triples, as each pair of suits is combined once.
        low, high = together(of_suit[0], of_suit[1]), together(of_suit[2], of_suit[3])
        first = together(of_suit[1::-1], high[None])
        return np.concatenate([first, together(of_suit[:1:-1], low[None])])

    def joined(self, groups: Groups, at: Rows | slice, way: Rows) -> Int8s:
        """Return what GROUP adds to the slack of groupings in the ways where it joins, int8[K]."""
        if GROUP not in self._specials:
            return np.zeros(1, np.int8)
        return self._ways.joins.take(way) * _gained(groups)[at]

    def _beside_one(
        self, rests: Rests, question: Rows, joined: Int8s, others: Int16s, suits: Rows
    ) -> Words:
        """Return the ranks where a new card makes a pair with an ungrouped one, uint64[M]."""
        less = np.ones(1, np.int8)
        if GROUP in self._specials:
            # The new group needs a card, but GROUP takes its place.
            less = np.where(self._ways.joins.take(rests.way), joined, less)
        ranks = np.bitwise_or.reduce(self._less.ranks(question - less, others, suits), axis=0)
        found = ranks.astype(np.uint64)
        if self._full_groups:
            found[too_full(rests, self._ways.places.take(rests.way), come=_PAIR)] = ZERO
        return found

    def _joining(self, rests: Rests, kind: Rows, slack: Int8s, every: Int16s) -> Words:
        """Return the ranks of groups that a card may join, uint64[M]."""
        gains = np.ones(1, np.int8)
        if GROUP in self._specials:
            # If GROUP already takes the place of the new card, another group must lack one.
            others_lack = np.bitwise_count(rests.pairs) > 1
            gains = (others_lack | ~self._ways.joins.take(rests.way)).astype(np.int8)
        two = self._exchanges.least_out(kind, slack + gains, every) <= rests.most
        more = self._exchanges.least_out(kind, slack, every) <= rests.most
        found: Words = np.where(two, rests.pairs, ZERO)
        found |= np.where(more, rests.full, ZERO)
        if self._full_groups:
            found[too_full(rests, self._ways.places.take(rests.way), come=1)] = ZERO
        return found

    def _special_cards(
        self, rests: Rests, kind: Rows, slack: Int8s, every: Int16s
    ) -> tuple[Bools, Bools]:
        """Return whether GROUP, and whether SEQUENCE, saves a draw when it comes; two bool[M]."""
        nothing = np.zeros(len(kind), np.bool_)
        if not {GROUP, SEQUENCE} & set(self._specials):
            return nothing, nothing
        least, most = self._exchanges.least_out, rests.most
        # Either may be left over, or be exchanged for another card.
        idle = least(kind, slack + np.int8(1), every) < most
        group = sequence = idle
        if GROUP in self._specials:
            joins = least(kind, rests.slack + _gained(rests), every) <= most
            group = idle | joins | (least(kind | GROUP_BESIDE_ONE, rests.slack, every) <= most)
        if SEQUENCE in self._specials:
            sequence = idle | (least(kind | SEQUENCE_JOINS, slack, every) <= most)
        return group, sequence


def too_full(groups: Any, places: Any, *, come: int = 0) -> Any:
    """Return True where a group needs a fifth card, which one deck does not have; bool[M].

    This is so if the places are one meld of five and it is a group, or nine in two groups. If
    `come` is 1, one more card joins a group; if it is 2, two cards make a new group. A grouping of
    one hand, with its places, gives a flag.
    """
    in_one = (places == _ONE_MELD) & (groups.size + come > 0)
    if come == _PAIR:
        return in_one
    in_two = (places == _TWO_MELDS) & (groups.size == 8 - come) & (groups.pairs == 0)
    return in_one | in_two


def _gained(groups: Groups) -> Int8s:
    """Return what GROUP adds to the slack by replacing a card that a group needs, int8[M]."""
    return np.where(groups.size > 0, (groups.pairs != ZERO).astype(np.int8), NO_GROUP)


def _cards(ranks: UInt16s) -> Words:
    """Return the cards of given ranks, uint16[4, M], of the four suits; uint64[M]."""
    return np.bitwise_or.reduce(ranks.astype(np.uint64) << LANES[:, None], axis=0)
