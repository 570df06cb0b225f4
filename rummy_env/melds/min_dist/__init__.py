"""Minimum distance (MinDist): the fewest exchanges with which a hand becomes a finished one.

An exchange is a draw and a discard: any card of the pack comes, another one goes. NO_MELD and
CANT_GO_OUT may not be discarded: the one has to be the card left over in the end, and with the
other a hand is never finished.

    5h 6h 9c 9d Ks 2c        4h or 7h for Ks, 9h or 9s for 2c: distance 2

The idea: every card that comes is taken for a WILDCARD, since a regular card does as well. If a
sequence wants one that lies in a group of the hand, the sequence may have it, and another card of
the rank comes to the group; a card too many comes to a group, or to the end of a sequence. So the
distance follows from how many stand-ins the cards lack to be melds, when some are left out:

    groupings    every choice of groups among equal ranks               `groupings.py`
    classes      what the cards of no group lack to be sequences        `suit_classes.py`
    exchanges    how many follow from both, and from the special cards  `exchanges.py`
    distance     the fewest of all groupings                            here

Where the pack has WILD or GROUP this is exact. Without them it may be one too few for a hand that
holds all cards of a rank: no further card of it can come. In 7c 7d 7h 7s 6h 8h 6s 8s Kd both
sequences want a seven, and two sevens lack a third one. Tables by suit cannot see that; it concerns
one in 100,000 random hands of ten cards, and none below nine.

A hand that is still to draw has a *blank*: a card that fits nowhere and has to go. So

    distance(hand of eight)                        exchanges that it takes after this discard
    distance(hand of seven and a blank)            exchanges that it takes, this turn's included
    distance(hand of eight, one of them a blank)   exchanges that it takes after that discard
"""

from functools import lru_cache, wraps
from typing import Any

import numpy as np

from rummy_env.core.bits import Kernel, Rows, Words
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, card_flags, slots_of
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.declaration.groupings import Groupings, all_groupings, nothing_grouped
from rummy_env.melds.hands import Hands, lower_rows
from rummy_env.melds.min_dist.exchanges import UNREACHABLE, Exchanges, Use
from rummy_env.melds.min_dist.suit_classes import Classes
from rummy_env.melds.rank_groups import ranks_held
from rummy_env.melds.suit_tables import Counts, by_suit, powers

__all__ = ["LARGEST_HAND", "UNREACHABLE", "MinDist", "distance", "min_dist"]

LARGEST_HAND = 11
"""The most cards of a hand; for larger ones there would be too many classes."""

_MOST_PAIRS = np.int8(6)
"""The most groups of two cards, each short of one; hands of eleven cards have five."""

_CHUNK = 1024
"""Hands at a time, so that what is computed stays in the processor's cache."""


def distance(declaration: Declaration, words: Words) -> Counts:
    """The MinDist of hands of up to `LARGEST_HAND` cards, given as uint64[N, W].

    Returns:
        int8[N]; 0 where the hand is finished, `UNREACHABLE` where it never can be.

    Raises:
        ValueError: If a hand is too large.
    """
    sizes = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    largest = int(sizes.max(initial=0))
    if largest > LARGEST_HAND:
        raise ValueError(
            f"hand {int(sizes.argmax())} has {largest} cards: "
            f"distances are worked out for hands of at most {LARGEST_HAND}"
        )
    return min_dist(declaration, largest).distance(declaration.hands(words))


def _in_chunks(kernel: Kernel) -> Kernel:
    """Lets a method work on some hands at a time."""

    @wraps(kernel)
    def chunked(self: "MinDist", hands: Hands, *more: Rows) -> Any:
        if len(hands) <= _CHUNK:
            return kernel(self, hands, *more)
        rows = np.arange(len(hands))
        chunks = [rows[start : start + _CHUNK] for start in range(0, len(hands), _CHUNK)]
        return np.concatenate(
            [kernel(self, hands.take(some), *(array[some] for array in more)) for some in chunks]
        )

    return chunked  # type: ignore[return-value]


class MinDist:
    """The MinDist of hands of up to `largest` cards, and of all hands that they may become.

    Hands after a draw or a discard are looked up together, since these change one suit or group.
    """

    def __init__(self, declaration: Declaration, largest: int) -> None:
        self._pure = declaration.sequences_rummy
        self._decks = declaration.pack.decks
        self._exchanges = Exchanges(declaration, largest)
        self._classes = self._exchanges.classes

    @_in_chunks
    def distance(self, hands: Hands) -> Counts:
        """int8[N], the distance; 0 of finished hands, `UNREACHABLE` of those that never can be."""
        best = np.full(len(hands), UNREACHABLE, np.int8)
        groupings = self._groupings(hands)
        classes = self._class_of(groupings)
        settled = self._exchanges.settled(groupings.row, groupings.lacks, groupings.size, classes)
        found = self._exchanges.fewest(self._exchanges.uses(hands, hands.size), settled)
        np.minimum.at(best, groupings.row, found)
        return best

    @_in_chunks
    def after_discards(self, hands: Hands, slots: Rows) -> Counts:
        """int8[N, K], as `distance`, after the discard of some cards, intp[N, K], by their bits.

        `UNREACHABLE` also where a card is not held.
        """
        best = np.full(slots.size, UNREACHABLE, np.int8)
        groupings = self._groupings(hands)
        # A card that is discarded is in no group, so only the class of its suit changes.
        at, slot, classes = self._class_without(groupings, slots)
        row, size = groupings.row.take(at), groupings.size.take(at)
        settled = self._exchanges.settled(row, groupings.lacks.take(at), size, classes)
        found = self._exchanges.fewest(
            self._exchanges.uses(hands.with_blank(), hands.size), settled
        )
        np.minimum.at(best, row * slots.shape[1] + slot, found)
        return best.reshape(slots.shape)

    @_in_chunks
    def after_draws(self, hands: Hands) -> Counts:
        """int8[N, 52], the distance of each hand after every regular card that it may draw.

        `UNREACHABLE` also where all cards of that face are held.
        """
        uses = list(self._exchanges.uses(hands, hands.size + np.int8(1)))
        groupings = self._groupings(hands)
        # The new card goes into a sequence or nowhere, into a group, or makes one with another.
        best = np.full((len(hands), 4, NUM_RANKS), UNREACHABLE, np.int8)
        lower_rows(best, groupings.row, self._drawn_for_sequences(uses, groupings))
        if not self._pure:
            in_groups = np.full((len(hands), NUM_RANKS), UNREACHABLE, np.int8)
            self._draw_for_groups(in_groups, uses, groupings, hands.naturals)
            self._draw_for_pairs(in_groups, uses, groupings, hands.naturals)
            np.minimum(best, in_groups[:, None], out=best)
        all_held = card_flags(np.bitwise_and.reduce(hands.naturals, axis=0))
        return np.where(all_held, np.int8(UNREACHABLE), best.reshape(-1, NUM_REGULAR))

    def _drawn_for_sequences(self, uses: list[Use], groupings: Groupings) -> Counts:
        """int8[M, 4, 13], the fewest exchanges if the card drawn is in no group."""
        worth, last = powers(self._decks), len(self._classes.of_suit) - 1
        classes = np.empty((len(groupings.row), 4, NUM_RANKS), np.int16)
        for suit, others in enumerate(self._others(groupings)):
            # Where all such cards are held the sum is another set, and is put right at the end.
            more = np.minimum(groupings.suits[suit][:, None] + worth, last)
            here = self._classes.of_suit.take(more)
            classes[:, suit] = self._classes.together(here, others[:, None])
        row, lacks = groupings.row[:, None, None], groupings.lacks[:, None, None]
        settled = self._exchanges.settled(row, lacks, groupings.size[:, None, None], classes)
        return self._exchanges.fewest(uses, settled)

    def _draw_for_groups(
        self, best: Counts, uses: list[Use], groupings: Groupings, naturals: Words
    ) -> None:
        """Puts the new card into a group that there is; lowers `best`, int8[N, 13], in place."""
        worth, base = powers(self._decks), self._decks + 1
        of_rank = np.zeros((len(groupings.row), NUM_RANKS), np.int8)
        for suit, free in zip(by_suit(naturals), groupings.suits, strict=True):
            # Digits of the difference of two indices: the cards of each rank that are grouped.
            grouped = (suit.take(groupings.row) - free)[:, None] // worth % base
            of_rank += grouped.astype(np.int8)
        at, rank = np.nonzero(of_rank)
        # Only a group of two lacks a card, and the card drawn is that one.
        lacks = groupings.lacks.take(at) - (of_rank[at, rank] == 2)
        row, classes = groupings.row.take(at), self._class_of(groupings).take(at)
        size = groupings.size.take(at) + np.int8(1)
        settled = self._exchanges.settled(row, lacks, size, classes)
        np.minimum.at(best, (row, rank), self._exchanges.fewest(uses, settled))

    def _draw_for_pairs(
        self, best: Counts, uses: list[Use], groupings: Groupings, naturals: Words
    ) -> None:
        """Puts the new card beside another that is not grouped yet; lowers `best` in place."""
        slots = slots_of(np.bitwise_or.reduce(naturals, axis=0))
        at, slot, classes = self._class_without(groupings, slots)
        row, lacks = groupings.row.take(at), groupings.lacks.take(at) + np.int8(1)
        size = groupings.size.take(at) + np.int8(2)
        settled = self._exchanges.settled(row, lacks, size, classes)
        rank = slots[row, slot] % NUM_RANKS
        np.minimum.at(best, (row, rank), self._exchanges.fewest(uses, settled))

    def _groupings(self, hands: Hands) -> Groupings:
        """Every grouping of the hands; in Sequences Rummy there are no groups."""
        naturals = hands.naturals
        if self._pure:
            return nothing_grouped(naturals, np.zeros_like(naturals[0]))
        start = nothing_grouped(naturals, ranks_held(naturals)[0])
        several = start.take(np.flatnonzero(start.ranks))
        stand_ins = np.full(len(start.row), _MOST_PAIRS)
        return Groupings.join([start, *all_groupings(naturals, several, stand_ins)])

    def _class_of(self, groupings: Groupings) -> Classes:
        """int16[M], the class of the cards that are not grouped."""
        classes = self._classes
        first, second, third, fourth = classes.of_suit.take(groupings.suits)
        return classes.together(classes.together(first, second), classes.together(third, fourth))

    def _class_without(self, groupings: Groupings, slots: Rows) -> tuple[Rows, Rows, Classes]:
        """Grouping and slot, intp[Q], of each ungrouped card, and the class after its discard."""
        suits, worth = groupings.suits, powers(self._decks)
        bits = slots.take(groupings.row, axis=0)
        suit, rank = np.divmod(bits, NUM_RANKS)
        of_suit = np.take_along_axis(suits, suit.T, axis=0).T
        # The digit of the card in the index of its suit counts its ungrouped copies.
        free = of_suit // worth.take(rank) % (self._decks + 1) > 0
        at, slot = np.nonzero(free)
        left = self._classes.of_suit.take(of_suit[at, slot] - worth.take(rank[at, slot]))
        others = self._others(groupings)[suit[at, slot], at]
        return at, slot, self._classes.together(left, others)

    def _others(self, groupings: Groupings) -> Classes:
        """int16[4, M], for each suit the class of the three others."""
        together = self._classes.together
        first, second, third, fourth = self._classes.of_suit.take(groupings.suits)
        # Six look-ups for the four triples, since each pair of suits is put together once.
        low, high = together(first, second), together(third, fourth)
        pairs = ((second, high), (first, high), (low, fourth), (low, third))
        return np.stack([together(*pair) for pair in pairs])


@lru_cache(maxsize=64)
def min_dist(declaration: Declaration, largest: int) -> MinDist:
    """The tables for a declaration and hands of up to `largest` cards, made once."""
    return MinDist(declaration, largest)
