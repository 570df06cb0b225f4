"""The fewest exchanges for hands whose groups are settled, from tables.

Let u cards be in no meld, of which one may be left over in the end; then u cards come for them,
less the one left over, each as good as a WILDCARD. If j of the u are regular cards, what is lacking
when j are left out has to be found among these and the WILDCARDs held:

    lacking(j)  <=  WILDCARDs + u - left over,  or  lacking(j) - j  <=  a number, the *slack*

What is lacking drops with j, so the least j that will do is one look-up for the class of the
sequences (`suit_classes.py`) and the slack. Special cards may be used in several ways.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from rummy_env.core.bits import Bools, Rows
from rummy_env.melds.declaration import WILD, Declaration
from rummy_env.melds.min_dist.near_hands import Hands
from rummy_env.melds.min_dist.suit_classes import (
    Classes,
    SuitClasses,
    pure_suit_classes,
    suit_classes,
    with_stand_in,
)
from rummy_env.melds.suit_tables import IMPOSSIBLE, Counts

FAR = 99
"""The distance of hands that no number of draws finishes, and of cards that are not held."""

_SLACKS = range(-10, 16)
_MOST_BOUGHT = 3
"""Positions of the sequence without any WILDCARD that may be filled by new cards."""
_ONE_MELD = 5
"""So many places are one meld."""


@dataclass(frozen=True)
class Way:
    """A way to use the special cards.

    Attributes:
        group: Whether GROUP is in a meld.
        sequence: Whether SEQUENCE is.
        left: How many cards are over in the end.
        there: bool[N], whether a hand can go this way.
        slack: int8[N], how many more stand-ins there are than regular cards left out.
        idle: int8[N], special cards and blanks in no meld.
        gone: int8[N], those of them that have to go.
        one_meld: bool[N], whether all places are one meld, and too many for a group.
    """

    group: bool
    sequence: bool
    left: int
    there: Bools
    slack: Counts
    idle: Counts
    gone: Counts
    one_meld: Bools


@dataclass(frozen=True)
class Division:
    """What is settled of each hand: its groups, and which cards are left for sequences.

    Attributes:
        row: intp[M, ...], whose cards they are.
        lacks: int8[M, ...], stand-ins that the groups need.
        grouped: bool[M, ...], whether there are groups.
        base: intp[M, ...], where the class of the other cards begins in the tables; several for
            each of the other entries, where these have axes of length 1.
    """

    row: Rows
    lacks: Counts
    grouped: Bools
    base: Rows

    def take(self, rows: Rows) -> "Division":
        """Some of them."""
        return Division(
            self.row.take(rows, axis=0),
            self.lacks.take(rows, axis=0),
            self.grouped.take(rows, axis=0),
            self.base.take(rows, axis=0),
        )


class Ways:
    """The ways to finish a hand, and how many cards each exchanges.

    Attributes:
        classes: The classes of suits.
    """

    def __init__(self, declaration: Declaration, largest: int) -> None:
        """Makes the tables.

        Args:
            declaration: What a finished hand is.
            largest: The most cards of a hand.
        """
        self._declaration = declaration
        pack = declaration.pack
        self._small_groups = pack.decks == 1 and WILD not in pack.specials
        self._fewest_places = 6 if declaration.sequences_rummy else 3
        if declaration.sequences_rummy:
            self.classes = pure_suit_classes(largest, _MOST_BOUGHT)
            kinds = list(self.classes.lacks[1:])
        else:
            self.classes = suit_classes(pack.decks, largest)
            kinds = _with_group_and_sequence(self.classes)
        self._least_out = np.stack([_least_out(kind) for kind in kinds])
        """int8[K, U * slacks], the least number of cards to leave out."""

    def division(self, row: Rows, lacks: Counts, grouped: Bools, classes: Classes) -> Division:
        """A division by the classes of the cards that are not grouped."""
        return Division(row, lacks, grouped, classes.astype(np.intp) * len(_SLACKS) - _SLACKS[0])

    def of(self, hands: Hands, size: Counts) -> Iterator[Way]:
        """All ways that any of the hands, of given sizes, can go."""
        cards = hands.cards
        stuck = cards.no_meld.astype(np.int8) + cards.cant_go_out + hands.blanks
        gone = hands.blanks + cards.cant_go_out
        for group, sequence, rummy, left in product(
            _both(cards.group),
            _both(cards.sequence),
            range(int(cards.rummy.max(initial=0)) + 1),
            self._declaration.lefts,
        ):
            places = size - left - np.int8(rummy)
            there = (cards.group | (not group)) & (cards.sequence | (not sequence))
            there &= (cards.rummy >= rummy) & (places >= self._fewest_places)
            if left == 0:
                there &= ~cards.no_meld
            if not there.any():
                continue
            idle = stuck + (cards.rummy - np.int8(rummy))
            idle += (cards.group & (not group)).astype(np.int8)
            idle += cards.sequence & (not sequence)
            slack = cards.wild + idle - np.int8(left)
            yield Way(group, sequence, left, there, slack, idle, gone, places == _ONE_MELD)

    def exchanged(self, ways: Iterable[Way], division: Division) -> Counts:
        """int8[M], the fewest exchanges for each division, over all ways."""
        best = np.full(division.base.shape, FAR, np.int8)
        for way in ways:
            there = way.there.take(division.row)
            if self._small_groups:
                there &= ~(way.one_meld.take(division.row) & division.grouped)
            if there.all():
                np.minimum(best, self._by(way, division), out=best)
                continue
            at = np.flatnonzero(there)
            best[at] = np.minimum(best[at], self._by(way, division.take(at)))
        return best

    def _by(self, way: Way, division: Division) -> Counts:
        """int8[M], the fewest exchanges for each division, if hands go one way."""
        slack = way.slack.take(division.row) - division.lacks
        idle = way.idle.take(division.row)
        out = self._left_out(way, division, slack, idle)
        found = np.maximum(out + idle - np.int8(way.left), way.gone.take(division.row))
        return np.where(out < FAR, found, np.int8(FAR))

    def _left_out(self, way: Way, division: Division, slack: Counts, idle: Counts) -> Counts:
        """int8[M], the fewest regular cards to be left out; `FAR` where it cannot be done."""
        base = division.base
        if self._declaration.sequences_rummy:
            return self._beside_pure(way, base, slack, idle)
        kind = 2 * way.sequence
        if not way.group:
            return self._least(kind, base, slack)
        joins = np.where(division.grouped, np.minimum(division.lacks, 1), np.int8(-2))
        joined = self._least(kind, base, slack + joins)
        return np.minimum(joined, self._least(kind + 1, base, slack))

    def _beside_pure(self, way: Way, base: Rows, slack: Counts, idle: Counts) -> Counts:
        """The same where one sequence has no WILDCARD and so many new cards are bought for it.

        WILDCARDs too many are given up like regular cards.
        """
        best = np.full(base.shape, FAR, np.int8)
        for bought in range(_MOST_BOUGHT + 1):
            out = self._least(bought, base, slack)
            np.minimum(best, np.maximum(out, np.int8(bought + way.left) - idle), out=best)
        return best

    def _least(self, kind: int, base: Rows, slack: Counts) -> Counts:
        """int8[M], by class, given as `base`, and slack."""
        return self._least_out[kind].take(base + np.maximum(slack, np.int8(_SLACKS[0])))


def _both(held: Bools) -> tuple[bool, ...]:
    """Whether a card is in a meld: no, or either where anybody holds it."""
    return (False, True) if held.any() else (False,)


def _with_group_and_sequence(classes: SuitClasses) -> list[Counts]:
    """What is lacking in sequences, as it is and if GROUP joins a card that would be left out.

    Returns:
        Four int8[J, U]: these two, and the same with SEQUENCE.
    """
    (plain,) = classes.lacks
    kinds = []
    for lacks in (plain, with_stand_in(plain)):
        beside_one = np.full_like(lacks, IMPOSSIBLE)
        beside_one[:-1] = lacks[1:] + 1
        kinds += [lacks, beside_one]
    return kinds


def _least_out(lacks: Counts) -> Counts:
    """int8[U * slacks], for every class and slack the fewest cards to leave out; `FAR` where that
    does not help, and at the lowest slack.

    Args:
        lacks: int8[J, U].
    """
    over = lacks - np.arange(len(lacks), dtype=np.int8)[:, None]
    enough = over[:, :, None] <= np.array(_SLACKS, np.int8)
    least = np.where(enough.any(axis=0), enough.argmax(axis=0), FAR).astype(np.int8)
    least[:, 0] = FAR
    return least.reshape(-1)
