"""Melds on the table: laying them down and laying off on them.

No play may leave the mover unable to end the turn. Only two things can go wrong: the hand becomes
empty where the last card must be discarded, or only the card taken from the discard pile in this
turn is left, where that may not be discarded. Both concern the play of one particular set of cards
(the whole hand, or all but the taken card), which is then removed from the legal plays.
"""

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import ClassVar, NamedTuple

import numpy as np

from rummy_env.core.arrays import Bools, Rows, UInt8s, Words
from rummy_env.core.bits import ZERO, word
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, Pack, regular_text
from rummy_env.core.display import Spot
from rummy_env.core.movers import Movers
from rummy_env.core.one_or_many import any_set, count_bits, places, put, select
from rummy_env.core.part import Action, Move
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.core.table import as_laid, sequence_cards
from rummy_env.melds.patterns import (
    FOURS,
    THREES,
    fits_groups,
    fits_sequences,
    groups,
    laid_off,
    sequence_starts,
    squeeze_starts,
    starts_per_suit,
)
from rummy_env.parts.table_melds import Melding


class Laid(NamedTuple):
    """The melds on the tables of R games, as in `State`: uint64[R] each."""

    grouped: Words
    sequenced: Words
    starts: Words

    @classmethod
    def of(cls, state: State, rows: Rows) -> "Laid":
        """Return those of some games, intp[R]."""
        return cls(state.grouped[rows], state.sequenced[rows], state.starts[rows])


@dataclass(frozen=True)
class Play(Move):
    """A move that lays cards on the table."""

    path = Spot.HAND, Spot.MELDS
    melding: Melding

    @property
    @abstractmethod
    def _cards(self) -> list[list[int]]:
        """The bits of the cards of every action, ordered by number of cards."""

    @cached_property
    def _held(self) -> Words:
        """The cards of every action as a set, uint64[actions]."""
        return np.array([word(bits) for bits in self._cards])

    @cached_property
    def _sizes(self) -> Counter[int]:
        """The number of actions for each number of cards; each has its own legal-action word."""
        return Counter(map(len, self._cards))

    @cached_property
    def _first_choices(self) -> list[int]:
        """The choice that the lowest bit of each legal-action word stands for."""
        return np.cumsum([0, *self._sizes.values()])[:-1].tolist()

    def check_rules(self, rules: Rules) -> None:
        if rules.pack.decks > 1:
            raise ValueError(
                f"pack={rules.pack}: laying melds on the table is worked out for one pack"
            )

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return tuple(Action(self.kind, tuple(map(regular_text, bits))) for bits in self._cards)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return tuple(self._sizes.values())

    @abstractmethod
    def _plays(self, movers: Movers, cards: Words) -> tuple[Words, ...]:
        """Return the plays that can be made with the cards, one word for each of `widths`."""

    @abstractmethod
    def _can_follow(self, movers: Movers, cards: Words, card: Words) -> Bools:
        """Return True where `card` could be laid off on what playing `cards` lays down, bool[R].

        Only called where laying off is allowed, so a sequence has three cards.
        """

    def _with(self, laid: Laid, choice: Rows) -> Laid:
        """Return the melds on the tables with the chosen cards; by default, in groups."""
        return laid._replace(grouped=laid.grouped | self._held[choice])

    def apply(self, movers: Movers, choice: Rows) -> None:
        movers.lose(self._held[choice])
        state, rows = movers.state, movers.rows
        laid = self._with(Laid.of(state, rows), choice)
        state.grouped[rows], state.sequenced[rows], state.starts[rows] = laid
        self._note_play(movers)

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        words = self._plays(movers, movers.hand)
        possible = reduce(or_, words) != ZERO
        if not any_set(possible):
            return words
        if self.melding.final_discard:
            whole = possible & self._has_size(movers.hand_size)
            words = self._without_dead_ends(words, movers, whole, movers.hand)
        if self.melding.return_taken:
            return words
        beside_taken = possible & self._has_size(movers.size_beside_taken)
        return self._without_dead_ends(words, movers, beside_taken, movers.beside_taken)

    def _has_size(self, size: UInt8s) -> Bools:
        """Return True where a play may have this number of cards, bool[R]."""
        return (size >= min(self._sizes)) & (size <= max(self._sizes))

    def _without_dead_ends(
        self, words: tuple[Words, ...], movers: Movers, suspect: Bools, cards: Words
    ) -> tuple[Words, ...]:
        """Remove the play of all the given cards where it leaves no way to end the turn.

        Only games that are `suspect`, bool[R], are checked; few of them have such a play at all.

        Source: docs/rules/basic.md#no-dead-ends
        """
        if not any_set(suspect):
            return words
        items = places(suspect)
        few, cards = movers.only(items), cards[items]
        size = count_bits(cards)
        plays = zip(self._sizes, self._plays(few, cards), strict=True)
        dead = tuple(select(size == play_size, made, ZERO) for play_size, made in plays)
        if not any(map(any_set, dead)):
            return words
        if self.melding.lay_off and not self.melding.final_discard:
            lost = self._loses_taken(few, cards)
            dead = tuple(select(lost, play, ZERO) for play in dead)
        both = zip(words, dead, strict=True)
        return tuple(put(found, items, found[items] & ~play) for found, play in both)

    def _loses_taken(self, movers: Movers, cards: Words) -> Bools:
        """Return bool[R], True where the taken card fits no meld, not even after the play."""
        state, rows, taken = movers.state, movers.rows, movers.taken_held
        fits = self.melding.fits(state.grouped[rows], state.sequenced[rows])
        return (fits & taken == ZERO) & ~self._can_follow(movers, cards, taken)

    def _note_play(self, movers: Movers) -> None:
        """Record the turn in which a seat first lays cards down."""
        if self.melding.recalls_plays:
            first, at = movers.state.first_play, (movers.rows, movers.seat)
            now = movers.state.turn_number[movers.rows]
            first[at] = select(first[at] < 0, now, first[at])


@dataclass(frozen=True)
class LayOff(Play):
    """A move that adds one card to a meld on the table."""

    preference = 2.0

    def check_rules(self, rules: Rules) -> None:
        super().check_rules(rules)
        if not self.melding.lay_off:
            raise ValueError(f"{self.kind} with {self.melding}: leave the move out, or lay_off")

    @cached_property
    def _cards(self) -> list[list[int]]:
        return [[bit] for bit in range(NUM_REGULAR)]


@dataclass(frozen=True)
class LayOffGroup(LayOff):
    """Add the fourth card to a group, whoever made it.

    Source: docs/rules/basic.md#laying-off
    """

    kind = "lay_off_group"
    lean = True

    def _plays(self, movers: Movers, cards: Words) -> tuple[Words, ...]:
        return (cards & fits_groups(movers.state.grouped[movers.rows]),)

    def _can_follow(self, movers: Movers, cards: Words, card: Words) -> Bools:
        return cards != cards  # never: a group of four takes no more


@dataclass(frozen=True)
class LayOffSequence(LayOff):
    """Add a card to either end of a sequence, whoever made it.

    Source: docs/rules/basic.md#laying-off
    """

    kind = "lay_off_sequence"
    lean = True

    def _plays(self, movers: Movers, cards: Words) -> tuple[Words, ...]:
        laid = movers.state.sequenced[movers.rows]
        return (cards & fits_sequences(laid, ace_high=self.melding.ace_high),)

    def _can_follow(self, movers: Movers, cards: Words, card: Words) -> Bools:
        laid = movers.state.sequenced[movers.rows]
        mark, _ = laid_off(laid, cards, ace_high=self.melding.ace_high)
        return fits_sequences(mark, ace_high=self.melding.ace_high) & card != ZERO

    def _with(self, laid: Laid, choice: Rows) -> Laid:
        high = self.melding.ace_high
        mark, below = laid_off(laid.sequenced, self._held[choice], ace_high=high)
        starts = laid.starts & ~(below << np.uint64(1)) | below
        return Laid(laid.grouped, laid.sequenced | mark, starts)


class Meld(Play):
    """A move that lays down a new meld."""

    preference = 3.0
    _extended_by: ClassVar[type[LayOff] | None] = None
    """The move that lays off on such melds, on which they rely to leave no dead ends."""

    def check_rules(self, rules: Rules) -> None:
        super().check_rules(rules)
        move = self._extended_by if self.melding.lay_off else None
        if move is not None and not rules.parts_of(move):
            raise ValueError(
                f"{self.kind} with {self.melding}: the turn lacks {move.kind}, on which it relies "
                f"to leave no dead ends; give that move too, or lay_off=False"
            )

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        words = super().legal(movers)
        limit = self.melding.melds_per_turn
        if limit is None:
            return words
        allowed = movers.state.melds_made[movers.rows] < limit
        return tuple(found * allowed for found in words)

    def _note_play(self, movers: Movers) -> None:
        super()._note_play(movers)
        if self.melding.melds_per_turn is not None:
            movers.state.melds_made[movers.rows] += 1


@dataclass(frozen=True)
class MeldGroup(Meld):
    """Lay down three or four cards of one rank.

    Source: docs/rules/basic.md#melds
    """

    kind = "meld_group"
    lean = True
    _extended_by = LayOffGroup

    @cached_property
    def _cards(self) -> list[list[int]]:
        """The cards of every action."""
        return [*THREES, *FOURS]

    def _plays(self, movers: Movers, cards: Words) -> tuple[Words, ...]:
        return groups(cards)

    def _can_follow(self, movers: Movers, cards: Words, card: Words) -> Bools:
        return fits_groups(cards) & card != ZERO


@dataclass(frozen=True)
class MeldSequence(Meld):
    """Lay down consecutive cards of one suit: three, or three and more where nobody lays off.

    Source: docs/rules/basic.md#melds
    """

    kind = "meld_sequence"
    lean = True
    _extended_by = LayOffSequence

    @cached_property
    def _cards(self) -> list[list[int]]:
        """The cards of every action, by length, suit and lowest rank."""
        return [
            sequence_cards(NUM_RANKS * suit + rank, length)
            for length in self.melding.sequence_lengths
            for suit in range(4)
            for rank in range(starts_per_suit(length, ace_high=self.melding.ace_high))
        ]

    @cached_property
    def _laid(self) -> Words:
        return np.array([as_laid(bits) for bits in self._cards])

    @cached_property
    def _start(self) -> Words:
        return np.array([word(bits[:1]) for bits in self._cards])

    def _plays(self, movers: Movers, cards: Words) -> tuple[Words, ...]:
        high = self.melding.ace_high
        return tuple(
            squeeze_starts(sequence_starts(cards, length, ace_high=high), length, ace_high=high)
            for length in self._sizes
        )

    def _can_follow(self, movers: Movers, cards: Words, card: Words) -> Bools:
        return sequence_starts(cards | card, 4, ace_high=self.melding.ace_high) != ZERO

    def _with(self, laid: Laid, choice: Rows) -> Laid:
        sequenced, starts = laid.sequenced | self._laid[choice], laid.starts | self._start[choice]
        return Laid(laid.grouped, sequenced, starts)
