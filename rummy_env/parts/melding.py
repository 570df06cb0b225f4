"""Melds on the table: laying them down and laying off on them.

No play may leave its maker unable to end the turn. Only two things can go wrong: the hand comes
down to nothing where the last card must be discarded, or it comes down to the one card that was
taken from the discard pile in this turn, which may not be discarded. Both concern the play of one
certain set of cards (the whole hand, or all but the taken card), which is then struck out.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rummy_env.core.bits import BIT, ZERO, Bools, Rows, Words, word
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, Pack, regular_text
from rummy_env.core.part import Action, Move
from rummy_env.core.table import as_laid, sequence_cards
from rummy_env.core.turn import Turn
from rummy_env.melds.patterns import (
    fits_groups,
    fits_sequences,
    groups,
    laid_off,
    sequence_starts,
    squeeze_starts,
    starts_per_suit,
)
from rummy_env.parts.table_melds import Melding


@dataclass(frozen=True)
class Play(Move):
    """Laying cards on the table."""

    melding: Melding

    @property
    @abstractmethod
    def _sizes(self) -> tuple[int, ...]:
        """Cards of the plays in each of the words of `widths`."""

    @abstractmethod
    def _plays(self, turn: Turn, cards: Words) -> tuple[Words, ...]:
        """The plays that can be made of the cards, one word for each of `widths`."""

    @abstractmethod
    def _can_follow(self, turn: Turn, cards: Words, card: Words) -> Bools:
        """bool[R], whether a card could be laid off on what the play of `cards` lays down.

        Asked only where one may lay off, so a sequence has three cards.
        """

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        words = self._plays(turn, turn.hand)
        for items, cards in self._dead_ends(turn):
            self._strike(words, turn.only(items), items, cards)
        return words

    def _strike(self, words: tuple[Words, ...], turn: Turn, items: Rows, cards: Words) -> None:
        """Takes the play of exactly the given cards out of the words."""
        size = np.bitwise_count(cards)
        for found, made, play_size in zip(
            words, self._plays(turn, cards), self._sizes, strict=True
        ):
            found[items] &= ~np.where(size == play_size, made, ZERO)

    def _dead_ends(self, turn: Turn) -> Iterator[tuple[Rows, Words]]:
        """The games, and in each the cards, whose play would leave no legal end of the turn.

        Source: docs/rules/basic.md#no-dead-ends
        """
        fewest, most = self._sizes[0], self._sizes[-1]
        if self.melding.final_discard:
            items = ((turn.hand_size >= fewest) & (turn.hand_size <= most)).nonzero()[0]
            if items.size:
                yield items, turn.hand.take(items)
        if not turn.taken_held.any():
            return
        near = (turn.hand_size > fewest) & (turn.hand_size <= most + 1)
        items = (near & (turn.taken_held != ZERO)).nonzero()[0]
        if not items.size:
            return
        few, taken = turn.only(items), turn.taken_held.take(items)
        rest = few.hand & ~taken
        if self.melding.lay_off and not self.melding.final_discard:
            state, rows = few.state, few.rows
            fits = self.melding.fits(state.grouped.take(rows), state.sequenced.take(rows))
            saved = (fits & taken != ZERO) | self._can_follow(few, rest, taken)
            items, rest = items[~saved], rest[~saved]
        yield items, rest

    def _note_play(self, turn: Turn) -> None:
        """Remembers the turn in which a seat first lays cards down."""
        if not self.melding.recalls_plays:
            return
        first, at = turn.state.first_play, (turn.rows, turn.seat)
        first[at] = np.where(first[at] < 0, turn.state.turn_number.take(turn.rows), first[at])


class Meld(Play):
    """Laying down a new meld."""

    preference = 3.0

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        words = super().legal(turn)
        limit = self.melding.melds_per_turn
        if limit is None:
            return words
        allowed = turn.state.melds_made.take(turn.rows) < limit
        return tuple(found * allowed for found in words)

    def _note_play(self, turn: Turn) -> None:
        super()._note_play(turn)
        if self.melding.melds_per_turn is not None:
            turn.state.melds_made[turn.rows] += 1


@dataclass(frozen=True)
class MeldGroup(Meld):
    """Lay down three or four cards of one rank.

    Source: docs/rules/basic.md#melds
    """

    @cached_property
    def _cards(self) -> list[list[int]]:
        """The cards of every action: threes by the suit left out, spades first, then fours."""
        suits = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3], [0, 1, 2, 3]]
        return [[NUM_RANKS * s + rank for s in some] for some in suits for rank in range(NUM_RANKS)]

    @cached_property
    def _laid(self) -> Words:
        return np.array([word(bits) for bits in self._cards])

    @property
    def _sizes(self) -> tuple[int, ...]:
        return 3, 4

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return tuple(Action("meld_group", tuple(map(regular_text, bits))) for bits in self._cards)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return 4 * NUM_RANKS, NUM_RANKS

    def _plays(self, turn: Turn, cards: Words) -> tuple[Words, ...]:
        return groups(cards)

    def _can_follow(self, turn: Turn, cards: Words, card: Words) -> Bools:
        return fits_groups(cards) & card != ZERO

    def apply(self, turn: Turn, choice: Rows) -> None:
        cards = self._laid.take(choice)
        turn.lose(cards)
        turn.state.grouped[turn.rows] |= cards
        self._note_play(turn)


@dataclass(frozen=True)
class MeldSequence(Meld):
    """Lay down consecutive cards of one suit: three, or three and more where nobody lays off.

    Source: docs/rules/basic.md#melds
    """

    @cached_property
    def _cards(self) -> list[list[int]]:
        """The cards of every action, by length, suit and lowest rank."""
        high = self.melding.ace_high
        return [
            sequence_cards(NUM_RANKS * suit + rank, length)
            for length in self._sizes
            for suit in range(4)
            for rank in range(starts_per_suit(length, ace_high=high))
        ]

    @cached_property
    def _held(self) -> Words:
        return np.array([word(bits) for bits in self._cards])

    @cached_property
    def _laid(self) -> Words:
        return np.array([as_laid(bits) for bits in self._cards])

    @cached_property
    def _start(self) -> Words:
        return np.array([word(bits[:1]) for bits in self._cards])

    @property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(self.melding.sequence_lengths)

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return tuple(
            Action("meld_sequence", tuple(map(regular_text, bits))) for bits in self._cards
        )

    def widths(self, pack: Pack) -> tuple[int, ...]:
        high = self.melding.ace_high
        return tuple(4 * starts_per_suit(length, ace_high=high) for length in self._sizes)

    def _plays(self, turn: Turn, cards: Words) -> tuple[Words, ...]:
        high = self.melding.ace_high
        return tuple(
            squeeze_starts(sequence_starts(cards, length, ace_high=high), length, ace_high=high)
            for length in self._sizes
        )

    def _can_follow(self, turn: Turn, cards: Words, card: Words) -> Bools:
        return sequence_starts(cards | card, 4, ace_high=self.melding.ace_high) != ZERO

    def apply(self, turn: Turn, choice: Rows) -> None:
        turn.lose(self._held.take(choice))
        turn.state.sequenced[turn.rows] |= self._laid.take(choice)
        turn.state.starts[turn.rows] |= self._start.take(choice)
        self._note_play(turn)


@dataclass(frozen=True)
class LayOff(Play):
    """Adding one card to a meld on the table."""

    preference = 2.0

    @property
    def _sizes(self) -> tuple[int, ...]:
        return (1,)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (NUM_REGULAR,)


@dataclass(frozen=True)
class LayOffGroup(LayOff):
    """Add the fourth card to a group, whoever made it.

    Source: docs/rules/basic.md#laying-off
    """

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return tuple(Action("lay_off_group", (regular_text(b),)) for b in range(NUM_REGULAR))

    def _plays(self, turn: Turn, cards: Words) -> tuple[Words, ...]:
        return (cards & fits_groups(turn.state.grouped.take(turn.rows)),)

    def _can_follow(self, turn: Turn, cards: Words, card: Words) -> Bools:
        return np.zeros(len(cards), np.bool_)

    def apply(self, turn: Turn, choice: Rows) -> None:
        cards = BIT.take(choice)
        turn.lose(cards)
        turn.state.grouped[turn.rows] |= cards
        self._note_play(turn)


@dataclass(frozen=True)
class LayOffSequence(LayOff):
    """Add a card to either end of a sequence, whoever made it.

    Source: docs/rules/basic.md#laying-off
    """

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return tuple(Action("lay_off_sequence", (regular_text(b),)) for b in range(NUM_REGULAR))

    def _plays(self, turn: Turn, cards: Words) -> tuple[Words, ...]:
        laid = turn.state.sequenced.take(turn.rows)
        return (cards & fits_sequences(laid, ace_high=self.melding.ace_high),)

    def _can_follow(self, turn: Turn, cards: Words, card: Words) -> Bools:
        laid = turn.state.sequenced.take(turn.rows)
        mark, _ = laid_off(laid, cards, ace_high=self.melding.ace_high)
        return fits_sequences(mark, ace_high=self.melding.ace_high) & card != ZERO

    def apply(self, turn: Turn, choice: Rows) -> None:
        state, rows = turn.state, turn.rows
        cards = BIT.take(choice)
        mark, below = laid_off(state.sequenced.take(rows), cards, ace_high=self.melding.ace_high)
        turn.lose(cards)
        state.sequenced[rows] |= mark
        state.starts[rows] = state.starts.take(rows) & ~(below << np.uint64(1)) | below
        self._note_play(turn)
