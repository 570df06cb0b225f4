"""Scoring of a hand by the cards left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rummy_env.core.arrays import Bools, Int32s, Rows, Words
from rummy_env.core.bits import ZERO
from rummy_env.core.cards import RANKS, card_flags
from rummy_env.core.checks import check_flag, check_range, shown
from rummy_env.core.features import Feature
from rummy_env.core.fields import Field
from rummy_env.core.part import Result, Scoring
from rummy_env.core.rules import MOST, Rules
from rummy_env.core.state import State
from rummy_env.parts.table_melds import FIRST_PLAY, Melding, has_played


@dataclass(frozen=True)
class CardValues:
    """Points of a card by its rank: A 2 3 ... Q K; a ValueError if there is not one for each."""

    by_rank: tuple[int, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.by_rank, tuple) or len(self.by_rank) != len(RANKS):
            raise ValueError(
                f"by_rank={shown(self.by_rank)}: give a tuple of {len(RANKS)} values, ace to king"
            )
        for value in self.by_rank:
            check_range("by_rank", value, -MOST, MOST)

    @cached_property
    def by_card(self) -> Int32s:
        """The points of each card, int32[52]."""
        return np.tile(np.array(self.by_rank, np.int32), 4)

    def total(self, hands: Words) -> Int32s:
        """Return the points of all cards in each hand, int32[...]; uint64[...] of any shape."""
        return card_flags(hands) @ self.by_card


FIVE_TEN_FIFTEEN = CardValues((15, 5, 5, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10))
"""Ace 15, two to ten 5, court cards 10. Source: docs/rules/basic.md#score"""

PIP_VALUES = CardValues((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10))
"""Ace 1, two to ten their number, court cards 10. Source: docs/rules/classic.md#score"""


@dataclass(frozen=True)
class CardsLeft(Scoring):
    """The seat that empties its hand gets the value of the cards left in the other hands.

    A hand that ends otherwise has no winner, and nobody gains or loses.

    With `going_rummy`, emptying the hand in one turn, without having melded or laid off in an
    earlier turn of the hand, doubles the score.

    Source: docs/rules/basic.md#score, docs/rules/bonus.md#going-rummy
    """

    values: CardValues
    going_rummy: bool

    def __post_init__(self) -> None:
        check_flag("going_rummy", self.going_rummy)

    @property
    def state_fields(self) -> tuple[Field, ...]:  # type: ignore[override]  # by its options
        """First plays, if going rummy counts."""
        return (FIRST_PLAY,) if self.going_rummy else ()

    def check_rules(self, rules: Rules) -> None:
        recalls = any(melding.recalls_plays for melding in rules.parts_of(Melding))
        if self.going_rummy and not recalls:
            raise ValueError(
                "going_rummy=True: the moves do not record when cards are laid down; give them a "
                "Melding with recalls_plays=True"
            )

    def score(self, state: State, rows: Rows) -> Result:
        seat = state.to_move[rows]
        items = np.arange(len(rows))
        winners = np.zeros((len(rows), state.num_players), np.bool_)
        went_out = self.went_out(state, rows)
        winners[items, seat] = went_out
        losses = self.values.total(state.hands[rows]).sum(2, dtype=np.int32) * went_out[:, None]
        if self.going_rummy:
            first = state.first_play[rows, seat]
            doubled = (first < 0) | (first == state.turn_number[rows])
            losses <<= doubled[:, None].astype(np.int32)
        points = np.where(winners, losses.sum(1, keepdims=True, dtype=np.int32), 0)
        return Result(winners, points, (points - losses).astype(np.float64))

    def went_out(self, state: State, rows: Rows) -> Bools:
        """Return bool[R], True where the seat to move has won the hand, which has just ended."""
        return (state.hands[rows, state.to_move[rows]] == ZERO).all(axis=1)

    def caught(self) -> Int32s:
        return self.values.by_card

    def features(self, rules: Rules) -> Sequence[Feature]:
        return [has_played(s) for s in range(rules.num_players)] if self.going_rummy else ()
