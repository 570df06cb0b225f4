"""Minimum distance (MinDist): the fewest exchanges with which a hand becomes a finished one.

An exchange is a draw and a discard: any card of the pack comes, another goes. NO_MELD and
CANT_GO_OUT cannot be discarded: the one stays to be the card left over, and with the other a hand
is never finished.

    5h 6h 9c 9d Ks 2c       2h or 7h for Ks or 2c, then 4h, 7h or a nine: distance 2

The idea: a card that comes is taken for a WILDCARD. A regular card does as well: if a sequence
wants one that lies in a group of the hand, it may have it, and another of that rank comes into the
group instead; a card too many comes into a group, or at the end of a sequence. So the distance
follows from how many stand-ins the cards lack to be melds, for every number of cards left out:

    groupings     every choice of groups among equal ranks           `declaration/groupings.py`
    classes       what the other cards lack to be sequences          `suit_classes.py`
    exchanges     the fewest for both, by uses of special cards      `exchanges.py`
    distance      the least of all groupings                         here

Where the pack has a WILDCARD that is exact. Without any it may be one too few, if all cards of a
rank are held and two sequences want this rank besides its group: 7c 7d 7h 7s 6h 8h 6s 8s Kd lacks
more than one card, as neither the sequences' second 7 nor the group's third can come. Of random
hands of ten cards that is one in 100,000; no table by suits can see it.

A hand that is still to draw has a *blank*: a card that fits nowhere and has to go. So

    distance(hand of eight)                        draws that it takes after this discard
    distance(hand of seven and a blank)            draws that it takes, this turn's included
    distance(hand of eight, one of them a blank)   draws that it takes after that very discard
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
from rummy_env.melds.patterns import ranks_held
from rummy_env.melds.suit_tables import Counts, by_suit, powers

__all__ = ["LARGEST_HAND", "UNREACHABLE", "MinDist", "distance", "min_dist"]

LARGEST_HAND = 11
"""Of larger hands there are too many classes."""

_MOST_PAIRS = np.int8(6)
"""Groups of two cards, each short of one; more there are not in hands of eleven cards."""

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
        row, lacks, classes = groupings.row, groupings.lacks, self._class_of(groupings)
        uses = self._exchanges.uses(hands, hands.size)
        found = self._exchanges.fewest(uses, row, lacks, groupings.size, classes)
        np.minimum.at(best, row, found)
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
        row, lacks, size = groupings.row[at], groupings.lacks[at], groupings.size[at]
        uses = self._exchanges.uses(hands.with_blank(), hands.size)
        found = self._exchanges.fewest(uses, row, lacks, size, classes)
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
        """int8[M, 4, 13], the fewest exchanges if the new card is not grouped."""
        worth, last = powers(self._decks), len(self._classes.of_suit) - 1
        classes = np.empty((len(groupings.row), 4, NUM_RANKS), np.int16)
        for suit, others in enumerate(self._others(groupings)):
            # A card of which all are held carries into the next digit: any class will do for it.
            more = np.minimum(groupings.suits[suit][:, None] + worth, last)
            here = self._classes.of_suit.take(more)
            classes[:, suit] = self._classes.together(here, others[:, None])
        row, lacks = groupings.row[:, None, None], groupings.lacks[:, None, None]
        return self._exchanges.fewest(uses, row, lacks, groupings.size[:, None, None], classes)

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
        # Only a group of two lacks a card, and the new one is that card.
        lacks = groupings.lacks.take(at) - (of_rank[at, rank] == 2)
        row, classes = groupings.row.take(at), self._class_of(groupings).take(at)
        size = groupings.size.take(at) + np.int8(1)
        found = self._exchanges.fewest(uses, row, lacks, size, classes)
        np.minimum.at(best, (row, rank), found)

    def _draw_for_pairs(
        self, best: Counts, uses: list[Use], groupings: Groupings, naturals: Words
    ) -> None:
        """Puts the new card beside another that is not grouped yet; lowers `best` in place."""
        slots = slots_of(np.bitwise_or.reduce(naturals, axis=0))
        at, slot, classes = self._class_without(groupings, slots)
        row, lacks = groupings.row.take(at), groupings.lacks.take(at) + np.int8(1)
        size = groupings.size.take(at) + np.int8(2)
        found = self._exchanges.fewest(uses, row, lacks, size, classes)
        np.minimum.at(best, (row, slots[row, slot] % NUM_RANKS), found)

    def _groupings(self, hands: Hands) -> Groupings:
        """Every grouping, first those of nothing."""
        naturals = hands.naturals
        if self._pure:
            return nothing_grouped(naturals, np.zeros_like(naturals[0]))
        start = nothing_grouped(naturals, ranks_held(naturals)[0])
        stand_ins = np.full(len(start.row), _MOST_PAIRS)
        return Groupings.join([start, *all_groupings(naturals, start, stand_ins)])

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
