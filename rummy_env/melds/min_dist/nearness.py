"""How many draws hands are short of finished: of a hand, after every discard, after every draw.

As in `exchanging.py`, the fewest exchanges follow from what the cards lack if every new card is
taken for a WILDCARD. Here that is all: where all cards of a rank are held and the pack has not
enough WILDCARDs, the truth may be a draw more. NO MELD stays, as it cannot be discarded. The
numbers are read from tables made for speed (`near_ways.py`), for every grouping of equal ranks.

A hand that is still to draw has a *blank*: a card that fits nowhere and always has to go. So

    distance(hand of eight)                        draws that it takes after this discard
    distance(hand of seven and a blank)            draws that it takes, this turn's included
    distance(hand of eight, one of them a blank)   draws that it takes after that very discard
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from rummy_env.core.bits import Rows
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, card_flags
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.declaration.grouping import Groupings, all_groupings, join, nothing_grouped
from rummy_env.melds.min_dist.near_hands import Hands, slots_of
from rummy_env.melds.min_dist.near_ways import FAR, Way, Ways
from rummy_env.melds.min_dist.suit_classes import Classes
from rummy_env.melds.rank_groups import ranks_held
from rummy_env.melds.suit_tables import Counts, by_suit, powers

__all__ = ["FAR", "Nearness", "nearness"]

_MOST_PAIRS = np.int8(6)
"""Groups of two cards, each short of one; more there are not in hands of eleven cards."""

_CHUNK = 1024
"""Hands at a time, so that what is computed stays in the processor's cache."""


class Nearness:
    """The distances of hands of up to so many cards; where RUMMY cards are, of four or more."""

    def __init__(self, declaration: Declaration, largest: int) -> None:
        """Makes the tables.

        Args:
            declaration: What a finished hand is.
            largest: The most cards of a hand, at most `exchanging.LARGEST_HAND`.
        """
        self._pure = declaration.sequences_rummy
        self._decks = declaration.pack.decks
        self._ways = Ways(declaration, largest)
        self._classes = self._ways.classes

    def distance(self, hands: Hands) -> Counts:
        """How many draws each hand is short of finished.

        Returns:
            int8[N]; 0 where the hand is finished, `FAR` where none of its size can be.
        """
        return _in_chunks(self._distance, hands)

    def _distance(self, hands: Hands) -> Counts:
        best = np.full(len(hands), FAR, np.int8)
        groupings = self._groupings(hands)
        classes = self._class_of(groupings)
        division = self._ways.division(groupings.row, groupings.lacks, groupings.size > 0, classes)
        found = self._ways.exchanged(self._ways.of(hands, hands.size), division)
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
        division = self._ways.division(row, groupings.lacks.take(at), grouped, klass)
        found = self._ways.exchanged(self._ways.of(hands.with_blank(), hands.size), division)
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
        ways = list(self._ways.of(hands, hands.size + np.int8(1)))
        groupings = self._groupings(hands)
        best = np.full((len(hands), 4, NUM_RANKS), FAR, np.int8)
        _lower(best, groupings.row, self._drawn_for_sequences(ways, groupings))
        if not self._pure:
            in_groups = np.full((len(hands), NUM_RANKS), FAR, np.int8)
            self._draw_for_groups(in_groups, ways, groupings, hands)
            self._draw_for_pairs(in_groups, ways, groupings, hands)
            np.minimum(best, in_groups[:, None], out=best)
        all_held = np.bitwise_and.reduce(hands.cards.naturals, axis=0)
        return np.where(card_flags(all_held), np.int8(FAR), best.reshape(-1, NUM_REGULAR))

    def _drawn_for_sequences(self, ways: list[Way], groupings: Groupings) -> Counts:
        """int8[M, 4, 13], the fewest exchanges if the new card is not grouped."""
        worth, last = powers(self._decks), len(self._classes.of_suit) - 1
        classes = np.empty((len(groupings.row), 4, NUM_RANKS), np.int16)
        for suit, others in enumerate(self._others(groupings)):
            more = np.minimum(groupings.suits[suit][:, None] + worth, last)
            here = self._classes.of_suit.take(more)
            classes[:, suit] = self._classes.together(here, others[:, None])
        row, lacks = groupings.row[:, None, None], groupings.lacks[:, None, None]
        grouped = groupings.size[:, None, None] > 0
        division = self._ways.division(row, lacks, grouped, classes)
        return self._ways.exchanged(ways, division)

    def _draw_for_groups(
        self, best: Counts, ways: list[Way], groupings: Groupings, hands: Hands
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
        row, classes = groupings.row.take(at), self._class_of(groupings).take(at)
        division = self._ways.division(row, lacks, np.ones(len(at), np.bool_), classes)
        np.minimum.at(best, (row, rank), self._ways.exchanged(ways, division))

    def _draw_for_pairs(
        self, best: Counts, ways: list[Way], groupings: Groupings, hands: Hands
    ) -> None:
        """Puts the new card beside another that is not grouped yet."""
        slots = slots_of(np.bitwise_or.reduce(hands.cards.naturals, axis=0))
        at, slot, klass = self._class_without(groupings, slots)
        row, lacks = groupings.row.take(at), groupings.lacks.take(at) + np.int8(1)
        division = self._ways.division(row, lacks, np.ones(len(at), np.bool_), klass)
        rank = slots[row, slot] % NUM_RANKS
        np.minimum.at(best, (row, rank), self._ways.exchanged(ways, division))

    def _groupings(self, hands: Hands) -> Groupings:
        """All ways to group cards of a rank, and to group nothing."""
        naturals = hands.cards.naturals
        if self._pure:
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


def _lower(best: Counts, rows: Rows, found: Counts) -> None:
    """Puts the least that is found for each row into its place, many entries at a time."""
    order = np.argsort(rows, kind="stable")
    first = np.flatnonzero(np.diff(rows[order], prepend=-1))
    some = rows[order][first]
    best[some] = np.minimum(best[some], np.minimum.reduceat(found[order], first, axis=0))
