"""The fewest exchanges for hands whose groups are settled, from tables.

Let u cards be in no meld, of which one may be left over in the end; then u cards come for them,
less the one left over, each taken for a WILDCARD. If j of the u are regular cards, what the
sequences lack when j are left out has to be found among these and the WILDCARDs held:

    lacking(j)      <=  WILDCARDs + u - left over
    lacking(j) - j  <=  WILDCARDs + (u - j) - left over,  a number without j: the *slack*

So the least j that will do is one look-up, for the class of the sequences (`suit_classes.py`) and
the slack. What groups lack is taken off the slack. The special cards may be used in several ways,
with GROUP in a meld or not and so on; each of them is tried:

    5h 6h 9c 9d Ks GROUP    GROUP in a meld    u = Ks         slack 1: 5h 6h lack one, 9c 9d none
                            GROUP in none      u = Ks GROUP   slack 2, 9c 9d lack one, 5h 6h one
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from rummy_env.core.bits import Bools, Rows
from rummy_env.melds.declaration import GROUP, RUMMY, WILD, Declaration
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist.suit_classes import (
    Classes,
    SuitClasses,
    pure_suit_classes,
    suit_classes,
)
from rummy_env.melds.suit_tables import IMPOSSIBLE, Counts

UNREACHABLE = 127
"""The distance of hands that no exchange finishes, and of cards that are not held."""

_SLACKS = range(-10, 16)
_MOST_BOUGHT = 3
"""Places of the sequence without any WILDCARD that may be filled by cards that come."""
_ONE_MELD = 5
"""This number of places is one meld."""
_SMALLEST = 4
"""From this size on a finished hand needs no RUMMY card that it does not hold yet."""


@dataclass(frozen=True)
class Use:
    """One use of the special cards."""

    group: bool  # True if GROUP is in a meld
    sequence: bool  # True if SEQUENCE is
    left: int  # the number of cards left over in the end
    possible: Bools  # bool[N], the hands that can use them so
    places: Counts  # int8[N], places in melds
    slack: Counts  # int8[N], the surplus of stand-ins over regular cards left out
    idle: Counts  # int8[N], special cards and blanks in no meld
    blanks: Counts  # int8[N], those of them that cannot be left over


class Settled(NamedTuple):
    """The settled part of each hand, as `Exchanges.fewest` is given it."""

    row: Rows
    lacks: Counts
    grouped: Counts
    base: Rows  # where the class of the other cards begins in the tables

    def take(self, at: Rows) -> "Settled":
        """The entries of some rows."""
        row, lacks = self.row.take(at, axis=0), self.lacks.take(at, axis=0)
        return Settled(row, lacks, self.grouped.take(at, axis=0), self.base.take(at, axis=0))


class Exchanges:
    """The fewest exchanges by all uses of the special cards, for hands of up to `largest` cards."""

    def __init__(self, declaration: Declaration, largest: int) -> None:
        self._pure, self._lefts = declaration.sequences_rummy, declaration.lefts
        pack = declaration.pack
        self._rummies = pack.specials.count(RUMMY)
        self._full_groups = pack.decks == 1 and not {WILD, GROUP} & set(pack.specials)
        if self._pure:
            self.classes = pure_suit_classes(largest, _MOST_BOUGHT)
            kinds = list(self.classes.lacks[1:])
        else:
            self.classes = suit_classes(pack.decks, largest)
            kinds = _with_group_and_sequence(self.classes)
        self._least_out = np.stack([_least_out(kind) for kind in kinds])
        """int8[K, U * slacks], the least number of cards to leave out."""

    def uses(self, hands: Hands, size: Counts) -> Iterator[Use]:
        """Every use of the special cards that any of the hands can make.

        `size`, int8[N], is that of each hand, a card more where one is about to come.
        """
        rummies = int(hands.rummy.max(initial=0))
        may_come = self._full_groups or int(size.min(initial=_SMALLEST)) < _SMALLEST
        if may_come:
            rummies = self._rummies
        stuck = hands.blanks + hands.no_meld
        for group, sequence, rummy, left in product(
            _both(hands.group), _both(hands.sequence), range(rummies + 1), self._lefts
        ):
            places = size - np.int8(left + rummy)
            possible = self._possible(hands, places, group=group, sequence=sequence, left=left)
            # RUMMY cards that are to be melded but not held have to come, each by an exchange.
            coming = np.maximum(np.int8(rummy) - hands.rummy, 0)
            if not may_come:
                possible &= coming == 0
            if not possible.any():
                continue
            idle = stuck + (hands.rummy + coming - np.int8(rummy))
            idle += hands.group & (not group)
            idle += hands.sequence & (not sequence)
            slack = hands.wild + idle - coming - np.int8(left)
            # Without any meld even WILDCARDs are cards that have to go.
            idle += hands.wild * (places == 0)
            yield Use(group, sequence, left, possible, places, slack, idle, hands.blanks)

    def _possible(
        self, hands: Hands, places: Counts, *, group: bool, sequence: bool, left: int
    ) -> Bools:
        """bool[N], the hands with these places in melds that can use the special cards so."""
        possible = (hands.group | (not group)) & (hands.sequence | (not sequence))
        possible &= ~hands.cant_go_out
        if left == 0:
            possible &= ~hands.no_meld
        if self._pure:
            return possible & (places >= 6)
        return possible & ((places >= 3) | (places == 0))

    def fewest(
        self, uses: Iterable[Use], row: Rows, lacks: Counts, grouped: Counts, classes: Classes
    ) -> Counts:
        """The fewest exchanges over all uses of the special cards, by what is settled of hands.

        Args:
            uses: The uses, of N hands.
            row: intp[M], the hand.
            lacks: int8[M], stand-ins that its groups need.
            grouped: int8[M], cards in groups.
            classes: int16[M], the class of the cards that are not grouped; or int16[M, 4, 13],
                several for each of the other entries, where these are [M, 1, 1].

        Returns:
            int8, an entry for each class.
        """
        base = classes.astype(np.intp) * len(_SLACKS) - _SLACKS[0]
        settled = Settled(row, lacks, grouped, base)
        best = np.full(base.shape, UNREACHABLE, np.int8)
        for use in uses:
            possible = use.possible.take(row)
            if self._full_groups:
                possible &= ~_needs_a_fifth(use.places.take(row), settled)
            if possible.all():
                np.minimum(best, self._by(use, settled), out=best)
                continue
            at = np.flatnonzero(possible)
            best[at] = np.minimum(best[at], self._by(use, settled.take(at)))
        return best

    def _by(self, use: Use, settled: Settled) -> Counts:
        """int8[M], the fewest exchanges by one use of the special cards."""
        slack = use.slack.take(settled.row) - settled.lacks
        idle = use.idle.take(settled.row)
        out = self._left_out(use, settled, slack, idle)
        found = np.maximum(out + idle - np.int8(use.left), use.blanks.take(settled.row))
        return np.where(out < UNREACHABLE, found, np.int8(UNREACHABLE))

    def _left_out(self, use: Use, settled: Settled, slack: Counts, idle: Counts) -> Counts:
        """int8[M], the fewest regular cards to be left out; `UNREACHABLE` where none will do."""
        base = settled.base
        if self._pure:
            return self._beside_pure(use, base, slack, idle)
        kind = 2 * use.sequence
        if not use.group:
            return self._least(kind, base, slack)
        # GROUP takes the place of a card that a group lacks. Where there is no group it takes one
        # with two WILDCARDs, or with one and a card that would be left out: `kind + 1`.
        joins = np.where(settled.grouped > 0, np.minimum(settled.lacks, 1), np.int8(-2))
        joined = self._least(kind, base, slack + joins)
        return np.minimum(joined, self._least(kind + 1, base, slack))

    def _beside_pure(self, use: Use, base: Rows, slack: Counts, idle: Counts) -> Counts:
        """The same where one sequence has no WILDCARD and some cards that come lie in it.

        These are regular cards, so at least as many exchanges are made, even where the hand has
        more WILDCARDs than it needs: then some WILDCARDs are given up.
        """
        best = np.full(base.shape, UNREACHABLE, np.int8)
        for bought in range(_MOST_BOUGHT + 1):
            out = self._least(bought, base, slack)
            np.minimum(best, np.maximum(out, np.int8(bought + use.left) - idle), out=best)
        return best

    def _least(self, kind: int, base: Rows, slack: Counts) -> Counts:
        """int8[M], by class, given as `base`, and slack."""
        return self._least_out[kind].take(base + np.maximum(slack, np.int8(_SLACKS[0])))


def _both(held: Bools) -> tuple[bool, ...]:
    """The possible values of "it is in a meld": False, and True if any hand holds it."""
    return (False, True) if held.any() else (False,)


def _needs_a_fifth(places: Counts, settled: Settled) -> Bools:
    """bool[M], where a group needs a fifth card, as it and another of four have all places.

    So does any group where all places are one meld.
    """
    two_groups = (places == 9) & (settled.grouped == 8) & (settled.lacks == 0)
    return (places == _ONE_MELD) & (settled.grouped > 0) | two_groups


def _with_group_and_sequence(classes: SuitClasses) -> list[Counts]:
    """The stand-ins lacking in sequences in four ways, int8[J, U] each.

    As it is; if GROUP joins a card that would be left out; and the same two with SEQUENCE.
    """
    (plain,) = classes.lacks
    kinds = []
    for lacks in (plain, _with_stand_in(plain)):
        beside_one = np.full_like(lacks, IMPOSSIBLE)
        beside_one[:-1] = lacks[1:] + 1
        kinds += [lacks, beside_one]
    return kinds


def _with_stand_in(lacks: Counts) -> Counts:
    """int8[J, U], the stand-ins still lacking when SEQUENCE joins a sequence, or makes its own.

    It joins where a card is melded, and takes two WILDCARDs where all cards are left out.
    """
    left = np.arange(len(lacks))[:, None]
    melded = left < (lacks < IMPOSSIBLE).sum(axis=0) - 1
    return np.where(melded, np.maximum(lacks - 1, 0), np.minimum(lacks + 2, IMPOSSIBLE))


def _least_out(lacks: Counts) -> Counts:
    """int8[U * slacks], the fewest cards to leave out, from what is lacking, int8[J, U].

    `UNREACHABLE` where that does not help, and at the lowest slack, which stands for all below.
    """
    # For each card left out another comes, so it is lacking(j) - j that the slack has to cover.
    over = lacks - np.arange(len(lacks), dtype=np.int8)[:, None]
    enough = over[:, :, None] <= np.array(_SLACKS, np.int8)
    least = np.where(enough.any(axis=0), enough.argmax(axis=0), UNREACHABLE).astype(np.int8)
    least[:, 0] = UNREACHABLE
    return least.reshape(-1)
