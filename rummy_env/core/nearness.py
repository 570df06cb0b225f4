"""How many draws hands are short of finished: of a hand, after every discard, after every draw.

As in `exchanging.py`, the fewest exchanges follow from what the cards lack if every new card is
taken for a WILDCARD; here that is all, and the numbers are read from tables made for speed. Let u
cards be in no meld, of which one may be left over in the end; then u cards come for them, less the
one left over. If j of the u are regular cards, what is lacking when j are left out has to be found
among these and the WILDCARDs held:

    lacking(j)  <=  WILDCARDs + u - left over,  or  lacking(j) - j  <=  a number, the *slack*

What is lacking drops with j, so the least j that will do is one look-up for the class of the
sequences (`suit_classes.py`) and the slack. Every grouping of equal ranks is tried.

A hand that is still to draw has a *blank*: a card that fits nowhere and always has to go. So

    distance(hand of eight)                        draws that it takes after this discard
    distance(hand of seven and a blank)            draws that it takes, this turn's included
    distance(hand of eight, one of them a blank)   draws that it takes after that very discard
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from rummy_env.core.bits import Bools, Rows
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR
from rummy_env.core.declaring import WILD, Declaration
from rummy_env.core.grouping import Groupings, all_groupings, join, nothing_grouped
from rummy_env.core.near_hands import Hands, card_flags, slots_of
from rummy_env.core.rank_groups import ranks_held
from rummy_env.core.suit_classes import (
    Classes,
    SuitClasses,
    pure_suit_classes,
    suit_classes,
    with_stand_in,
)
from rummy_env.core.suit_tables import IMPOSSIBLE, Counts, by_suit, powers

FAR = 99
"""The distance of hands that no number of draws finishes, and of cards that are not held."""

_SLACKS = range(-10, 16)
_MOST_PAIRS = np.int8(6)
"""Groups of two cards, each short of one; more there are not in hands of eleven cards."""
_MOST_BOUGHT = 3
_ONE_MELD = 5

_CHUNK = 1024
"""Hands at a time, so that what is computed stays in the processor's cache."""


@dataclass(frozen=True)
class _Way:
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
class _Division:
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

    def take(self, rows: Rows) -> "_Division":
        """Some of them."""
        return _Division(
            self.row.take(rows, axis=0),
            self.lacks.take(rows, axis=0),
            self.grouped.take(rows, axis=0),
            self.base.take(rows, axis=0),
        )


class Nearness:
    """The distances of hands of up to so many cards."""

    def __init__(self, declaration: Declaration, largest: int) -> None:
        """Makes the tables.

        Args:
            declaration: What a finished hand is.
            largest: The most cards of a hand, at most `exchanging.LARGEST_HAND`.
        """
        self._declaration = declaration
        self._decks = declaration.pack.decks
        self._fewest_places = 6 if declaration.sequences_rummy else 3
        if declaration.sequences_rummy:
            self._classes = pure_suit_classes(largest, _MOST_BOUGHT)
            kinds = list(self._classes.lacks[1:])
        else:
            self._classes = suit_classes(self._decks, largest)
            kinds = _with_group_and_sequence(self._classes)
        self._least_out = np.stack([_least_out(kind) for kind in kinds])
        """int8[K, U * slacks], the least number of cards to leave out."""

    def distance(self, hands: Hands) -> Counts:
        """How many draws each hand is short of finished.

        Returns:
            int8[N]; 0 where the hand is finished, `FAR` where none of its size can be.
        """
        return _in_chunks(self._distance, hands)

    def _distance(self, hands: Hands) -> Counts:
        best = np.full(len(hands), FAR, np.int8)
        groupings = self._groupings(hands)
        base = _base(self._class_of(groupings))
        division = _Division(groupings.row, groupings.lacks, groupings.size > 0, base)
        found = self._exchanged(self._ways(hands, hands.size), division)
        np.minimum.at(best, groupings.row, found)
        return best

    def after_discards(self, hands: Hands, slots: Rows) -> Counts:
        """How many draws each hand is short after the discard of some regular cards.

        Args:
            hands: The hands, before the discard.
            slots: intp[N, K], for each hand cards that it holds, by their bits.

        Returns:
            int8[N, K], as `distance`; `FAR` also where a card is not held.
        """
        return _in_chunks(self._after_discards, hands, slots)

    def _after_discards(self, hands: Hands, slots: Rows) -> Counts:
        best = np.full(slots.size, FAR, np.int8)
        groupings = self._groupings(hands)
        at, slot, klass = self._class_without(groupings, slots)
        row, grouped = groupings.row.take(at), groupings.size.take(at) > 0
        division = _Division(row, groupings.lacks.take(at), grouped, _base(klass))
        found = self._exchanged(self._ways(hands.with_blank(), hands.size), division)
        np.minimum.at(best, row * slots.shape[1] + slot, found)
        return best.reshape(slots.shape)

    def after_draws(self, hands: Hands) -> Counts:
        """How many draws each hand is short after every regular card that it may draw.

        Args:
            hands: The hands, before the draw.

        Returns:
            int8[N, 52], as `distance`; `FAR` also where all cards that look like it are held.
        """
        return _in_chunks(self._after_draws, hands)

    def _after_draws(self, hands: Hands) -> Counts:
        ways = list(self._ways(hands, hands.size + np.int8(1)))
        groupings = self._groupings(hands)
        best = np.full((len(hands), 4, NUM_RANKS), FAR, np.int8)
        _lower(best, groupings.row, self._drawn_for_sequences(ways, groupings))
        if not self._declaration.sequences_rummy:
            in_groups = np.full((len(hands), NUM_RANKS), FAR, np.int8)
            self._draw_for_groups(in_groups, ways, groupings, hands)
            self._draw_for_pairs(in_groups, ways, groupings, hands)
            np.minimum(best, in_groups[:, None], out=best)
        all_held = np.bitwise_and.reduce(hands.cards.naturals, axis=0)
        return np.where(card_flags(all_held), np.int8(FAR), best.reshape(-1, NUM_REGULAR))

    def _drawn_for_sequences(self, ways: list[_Way], groupings: Groupings) -> Counts:
        """int8[M, 4, 13], the fewest exchanges if the new card is not grouped."""
        worth, last = powers(self._decks), len(self._classes.of_suit) - 1
        base = np.empty((len(groupings.row), 4, NUM_RANKS), np.intp)
        for suit, others in enumerate(self._others(groupings)):
            more = np.minimum(groupings.suits[suit][:, None] + worth, last)
            klass = self._classes.together(self._classes.of_suit.take(more), others[:, None])
            base[:, suit] = _base(klass)
        deep = (slice(None), None, None)
        grouped = groupings.size > 0
        division = _Division(groupings.row[deep], groupings.lacks[deep], grouped[deep], base)
        return self._exchanged(ways, division)

    def _draw_for_groups(
        self, best: Counts, ways: list[_Way], groupings: Groupings, hands: Hands
    ) -> None:
        """Puts the new card into a group that there is."""
        held = by_suit(hands.cards.naturals)
        digits = powers(self._decks), self._decks + 1
        grouped = np.zeros((len(groupings.row), NUM_RANKS), np.int8)
        for suit, free in zip(held, groupings.suits, strict=True):
            in_groups = (suit.take(groupings.row) - free)[:, None] // digits[0] % digits[1]
            grouped += in_groups.astype(np.int8)
        at, rank = np.nonzero(grouped)
        lacks = groupings.lacks.take(at) - (grouped[at, rank] == 2)
        base = _base(self._class_of(groupings)).take(at)
        division = _Division(groupings.row.take(at), lacks, np.ones(len(at), np.bool_), base)
        np.minimum.at(best, (division.row, rank), self._exchanged(ways, division))

    def _draw_for_pairs(
        self, best: Counts, ways: list[_Way], groupings: Groupings, hands: Hands
    ) -> None:
        """Puts the new card beside another that is not grouped yet."""
        slots = slots_of(np.bitwise_or.reduce(hands.cards.naturals, axis=0))
        at, slot, klass = self._class_without(groupings, slots)
        row, lacks = groupings.row.take(at), groupings.lacks.take(at) + np.int8(1)
        division = _Division(row, lacks, np.ones(len(at), np.bool_), _base(klass))
        rank = slots[row, slot] % NUM_RANKS
        np.minimum.at(best, (row, rank), self._exchanged(ways, division))

    def _groupings(self, hands: Hands) -> Groupings:
        """All ways to group cards of a rank, and to group nothing."""
        naturals = hands.cards.naturals
        if self._declaration.sequences_rummy:
            return nothing_grouped(naturals, np.zeros_like(naturals[0]))
        start = nothing_grouped(naturals, ranks_held(naturals)[0])
        several = start.take(np.flatnonzero(start.ranks))
        stand_ins = np.full(len(start.row), _MOST_PAIRS)
        return join([start, *all_groupings(naturals, several, stand_ins)])

    def _class_of(self, groupings: Groupings) -> Classes:
        """int16[M], the class of the cards that are not grouped."""
        classes = self._classes
        first, second, third, fourth = (classes.of_suit.take(suit) for suit in groupings.suits)
        return classes.together(classes.together(first, second), classes.together(third, fourth))

    def _class_without(self, groupings: Groupings, slots: Rows) -> tuple[Rows, Rows, Classes]:
        """The classes after the discard of each card that is not grouped.

        Returns:
            intp[Q], the grouping; intp[Q], the slot of the card; int16[Q], the class.
        """
        suits, worth = np.stack(groupings.suits), powers(self._decks)
        bits = slots.take(groupings.row, axis=0)
        suit, rank = np.divmod(bits, NUM_RANKS)
        of_suit = np.take_along_axis(suits, suit.T, axis=0).T
        free = of_suit // worth.take(rank) % (self._decks + 1) > 0
        at, slot = np.nonzero(free)
        left = self._classes.of_suit.take(of_suit[at, slot] - worth.take(rank[at, slot]))
        others = self._others(groupings)[suit[at, slot], at]
        return at, slot, self._classes.together(left, others)

    def _others(self, groupings: Groupings) -> Classes:
        """int16[4, M], the class of the three other suits."""
        together = self._classes.together
        first, second, third, fourth = (
            self._classes.of_suit.take(suit) for suit in groupings.suits
        )
        low, high = together(first, second), together(third, fourth)
        return np.stack(
            [
                together(second, high),
                together(first, high),
                together(low, fourth),
                together(low, third),
            ]
        )

    def _ways(self, hands: Hands, size: Counts) -> Iterator[_Way]:
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
            yield _Way(group, sequence, left, there, slack, idle, gone, places == _ONE_MELD)

    def _exchanged(self, ways: Iterable[_Way], division: _Division) -> Counts:
        """int8[M], the fewest exchanges for each division, over all ways."""
        best = np.full(division.base.shape, FAR, np.int8)
        for way in ways:
            there = way.there.take(division.row)
            if self._no_stand_ins:
                there &= ~(way.one_meld.take(division.row) & division.grouped)
            if there.all():
                np.minimum(best, self._by(way, division), out=best)
                continue
            at = np.flatnonzero(there)
            best[at] = np.minimum(best[at], self._by(way, division.take(at)))
        return best

    def _by(self, way: _Way, division: _Division) -> Counts:
        """int8[M], the fewest exchanges for each division, if hands go one way."""
        slack = way.slack.take(division.row) - division.lacks
        idle = way.idle.take(division.row)
        out = self._left_out(way, division, slack, idle)
        found = np.maximum(out + idle - np.int8(way.left), way.gone.take(division.row))
        return np.where(out < FAR, found, np.int8(FAR))

    @cached_property
    def _no_stand_ins(self) -> bool:
        """Whether no group of more than four cards can ever be."""
        return self._decks == 1 and WILD not in self._declaration.pack.specials

    def _left_out(self, way: _Way, division: _Division, slack: Counts, idle: Counts) -> Counts:
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

    def _beside_pure(self, way: _Way, base: Rows, slack: Counts, idle: Counts) -> Counts:
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


def _in_chunks(kernel: Callable[..., Counts], hands: Hands, *more: Rows) -> Counts:
    """What a kernel finds for some hands at a time."""
    if len(hands) <= _CHUNK:
        return kernel(hands, *more)
    rows = np.arange(len(hands))
    chunks = [rows[start : start + _CHUNK] for start in range(0, len(hands), _CHUNK)]
    return np.concatenate(
        [kernel(hands.take(chunk), *(array[chunk] for array in more)) for chunk in chunks]
    )


@lru_cache(maxsize=64)
def nearness(declaration: Declaration, largest: int) -> Nearness:
    """The tables for a declaration, made once."""
    return Nearness(declaration, largest)


def _base(classes: Classes) -> Rows:
    """intp[M], where the entries of classes begin in `Nearness._least_out`, at slack 0."""
    return classes.astype(np.intp) * len(_SLACKS) - _SLACKS[0]


def _lower(best: Counts, rows: Rows, found: Counts) -> None:
    """Puts the least that is found for each row into its place, many entries at a time."""
    order = np.argsort(rows, kind="stable")
    first = np.flatnonzero(np.diff(rows[order], prepend=-1))
    some = rows[order][first]
    best[some] = np.minimum(best[some], np.minimum.reduceat(found[order], first, axis=0))


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
