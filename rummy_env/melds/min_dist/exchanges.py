"""The fewest exchanges for hands whose groups are settled, from tables.

Let u cards be in no meld, of which one may be left over in the end; then u cards come for them,
less the one left over, each taken for a WILDCARD. If j of the u are regular cards, what the
sequences lack without these j has to be found among the cards that come and the WILDCARDs held:

    lacking(j)      <=  WILDCARDs + u - left over
    lacking(j) - j  <=  WILDCARDs + (u - j) - left over,  which j does not change: the *slack*

So the least j that will do is one look-up, by the class of the sequences (`suit_classes.py`) and
the slack. What groups lack is taken off the slack. The special cards may be used in several ways,
each of which has its slack:

    5h 6h 9c 9d Ks GROUP     GROUP in a meld, none left over: slack 0, the group lacks nothing
                             lacking(0) = 3, lacking(1) = 1 without Ks: j = 1, one exchange
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

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
"""All that occur; the lowest stands for those with which no hand can be finished."""
_MOST_BOUGHT = 3
"""Places of the sequence without any WILDCARD that may be filled by cards that come."""
_SMALLEST = 4
"""From this size on no hand is finished by RUMMY cards and a card left over alone."""


@dataclass(frozen=True)
class Use:
    """One use of the special cards.

    Attributes:
        group: Whether GROUP is in a meld.
        sequence: Whether SEQUENCE is in a meld.
        left: Cards left over in the end.
        possible: bool[N], the hands that can use them so.
        places: int8[N], places in melds.
        slack: int8[N], how many more stand-ins there are than regular cards left out.
        idle: int8[N], special cards and blanks in no meld.
        blanks: int8[N], those of them that cannot be left over.
    """

    group: bool
    sequence: bool
    left: int
    possible: Bools
    places: Counts
    slack: Counts
    idle: Counts
    blanks: Counts


@dataclass(frozen=True)
class Settled:
    """The groups of each hand, and the cards left for sequences.

    Attributes:
        row: intp[M, ...], whose cards they are.
        lacks: int8[M, ...], stand-ins that the groups need.
        grouped: int8[M, ...], cards in groups.
        base: intp[M, ...], where the class of the other cards begins in the tables; several for
            each of the other entries, where these have axes of length 1.
    """

    row: Rows
    lacks: Counts
    grouped: Counts
    base: Rows

    def take(self, rows: Rows) -> "Settled":
        """Some of them."""
        return Settled(
            self.row.take(rows, axis=0),
            self.lacks.take(rows, axis=0),
            self.grouped.take(rows, axis=0),
            self.base.take(rows, axis=0),
        )


class Exchanges:
    """The fewest exchanges by every use of the special cards.

    Attributes:
        classes: The classes of suits.
    """

    def __init__(self, declaration: Declaration, largest: int) -> None:
        """Makes the tables.

        Args:
            declaration: What a finished hand is.
            largest: The most cards of a hand.
        """
        self._pure, self._lefts = declaration.sequences_rummy, declaration.lefts
        pack = declaration.pack
        self._rummies = pack.specials.count(RUMMY)
        self._no_fifth = pack.decks == 1 and not {WILD, GROUP} & set(pack.specials)
        self._fewest_places = 6 if self._pure else 3
        if self._pure:
            self.classes = pure_suit_classes(largest, _MOST_BOUGHT)
            kinds = list(self.classes.lacks[1:])
        else:
            self.classes = suit_classes(pack.decks, largest)
            kinds = _with_group_and_sequence(self.classes)
        self._least_out = np.stack([_least_out(kind) for kind in kinds])
        """int8[K, U * slacks], the least number of cards to leave out."""

    def settled(self, row: Rows, lacks: Counts, grouped: Counts, classes: Classes) -> Settled:
        """Puts together what is settled; `classes` are those of the cards in no group."""
        return Settled(row, lacks, grouped, classes.astype(np.intp) * len(_SLACKS) - _SLACKS[0])

    def uses(self, hands: Hands, size: Counts) -> Iterator[Use]:
        """Every use of the special cards that any of the hands can make.

        Args:
            hands: The hands.
            size: int8[N], their sizes, a card more where one is about to come.
        """
        tiny = not self._pure and int(size.min(initial=_SMALLEST)) < _SMALLEST
        # A RUMMY card that comes is better than a WILDCARD only where a place less is welcome.
        come = tiny or self._no_fifth
        rummies = self._rummies if come else int(hands.rummy.max(initial=0))
        for group, sequence in product(_both(hands.group), _both(hands.sequence)):
            held = (hands.group | (not group)) & (hands.sequence | (not sequence))
            held &= ~hands.cant_go_out
            stuck = hands.blanks + hands.rummy + hands.no_meld
            stuck += hands.group & (not group)
            stuck += hands.sequence & (not sequence)
            for rummy, left in product(range(rummies + 1), self._lefts):
                coming = np.maximum(np.int8(rummy) - hands.rummy, 0) if come else np.int8(0)
                places = size - np.int8(left + rummy)
                possible = places >= self._fewest_places
                if tiny:
                    possible |= places == 0
                possible &= held & (hands.rummy + coming >= rummy)
                if left == 0:
                    possible &= ~hands.no_meld
                if possible.any():
                    idle = stuck + coming - np.int8(rummy)
                    slack = hands.wild + idle - coming - np.int8(left)
                    # Without any meld no WILDCARD has a place.
                    idle = idle + hands.wild * (places == 0) if tiny else idle
                    yield Use(group, sequence, left, possible, places, slack, idle, hands.blanks)

    def fewest(self, uses: Iterable[Use], settled: Settled) -> Counts:
        """int8[M], the fewest exchanges over all uses of the special cards."""
        best = np.full(settled.base.shape, UNREACHABLE, np.int8)
        for use in uses:
            possible = use.possible.take(settled.row)
            if self._no_fifth:
                possible &= ~_needs_a_fifth(use.places.take(settled.row), settled)
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
        """As `_left_out`, where one sequence has no WILDCARD and some cards that come lie in it.

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
    """The ways to use a card: in no meld, or in a meld too where any hand holds it."""
    return (False, True) if held.any() else (False,)


def _needs_a_fifth(places: Counts, settled: Settled) -> Bools:
    """bool[M], where only a fifth card in a group would fill all places.

    Five places are one meld, and nine with two groups of four leave one place to these.
    """
    two_groups = (places == 9) & (settled.grouped == 8) & (settled.lacks == 0)
    return (places == 5) & (settled.grouped > 0) | two_groups


def _with_group_and_sequence(classes: SuitClasses) -> list[Counts]:
    """The stand-ins that sequences lack, by the use of GROUP and SEQUENCE.

    Returns:
        Four int8[J, U]: as they are; if GROUP and a WILDCARD join a card that would be left out;
        and both with SEQUENCE in a sequence.
    """
    (plain,) = classes.lacks
    kinds = []
    for lacks in (plain, _with_stand_in(plain)):
        beside_one = np.full_like(lacks, IMPOSSIBLE)
        beside_one[:-1] = lacks[1:] + 1
        kinds += [lacks, beside_one]
    return kinds


def _with_stand_in(lacks: Counts) -> Counts:
    """int8[J, U], what is lacking still when SEQUENCE joins a sequence, or makes one of its own.

    It joins where a card is melded, and takes two WILDCARDs where all cards are left out.
    """
    left = np.arange(len(lacks))[:, None]
    melded = left < (lacks < IMPOSSIBLE).sum(axis=0) - 1
    return np.where(melded, np.maximum(lacks - 1, 0), np.minimum(lacks + 2, IMPOSSIBLE))


def _least_out(lacks: Counts) -> Counts:
    """The fewest cards to leave out for every class and slack.

    Args:
        lacks: int8[J, U].

    Returns:
        int8[U * slacks]; `UNREACHABLE` where that does not help, and at the lowest slack, which
        stands for all below.
    """
    over = lacks - np.arange(len(lacks), dtype=np.int8)[:, None]
    enough = over[:, :, None] <= np.array(_SLACKS, np.int8)
    least = np.where(enough.any(axis=0), enough.argmax(axis=0), UNREACHABLE).astype(np.int8)
    least[:, 0] = UNREACHABLE
    return least.reshape(-1)
