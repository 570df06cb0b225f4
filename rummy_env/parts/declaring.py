"""Moves that end a hand at once: going out, both RUMMY cards, the four sevens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Rows, Words
from rummy_env.core.cards import Pack, rank_word
from rummy_env.core.display import Hand
from rummy_env.core.features import Feature
from rummy_env.core.part import Action, Move, Result, Scoring
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.core.turn import Turn
from rummy_env.core.visibility import SeatView
from rummy_env.melds import arrange
from rummy_env.melds.declaration import RUMMY, Declaration
from rummy_env.parts.claims import CLAIM, CLAIMANT, claim_hand
from rummy_env.parts.declared_features import declared_features

SHARED, ALONE, SEVENS = 1, 2, 3
"""The claims: going out, both RUMMY cards, which win alone, and the four sevens."""
_ENDINGS = ("stock exhausted", "went out", "both RUMMY cards", "four sevens")

_SEVENS = rank_word("7")


@dataclass(frozen=True)
class GoOut(Move):
    """Show a finished hand.

    Attributes:
        declaration: What a finished hand is.

    Source: docs/rules/going_out.md#a-finished-hand
    """

    declaration: Declaration
    state_fields: ClassVar = (CLAIM, CLAIMANT)

    def features(self, rules: Rules) -> Sequence[Feature]:
        return declared_features(rules, self.declaration)

    def shown_hand(self, view: SeatView, place: int, cards: Words) -> Hand | None:
        """The hand that ended the game by going out, as the melds that it falls into."""
        whole = np.bitwise_count(cards).sum() == view.hand_sizes[0, place]
        if view.phase[0] >= 0 or place != view.to_move[0] or not whole:
            return None
        arranged = arrange(cards, self.declaration)
        if arranged is None:
            return None
        return Hand(cards=tuple(arranged.left), melds=tuple(map(tuple, arranged.melds)))

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return (Action("go_out"),)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (1,)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        return (self.declaration.can_go_out(turn.cards).astype(np.uint64),)

    def apply(self, turn: Turn, choice: Rows) -> None:
        claim_hand(turn, SHARED)
        turn.show()


@dataclass(frozen=True)
class LayDownRummy(Move):
    """Lay down both RUMMY cards, before or after the draw, and be the only winner.

    Attributes:
        cards: The two cards, a set of the first deck.

    Source: docs/rules/rummy_cards.md#both-rummy-cards
    """

    cards: np.uint64
    state_fields: ClassVar = (CLAIM, CLAIMANT)

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return (Action("lay_down_rummy"),)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (1,)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        return ((turn.hand & self.cards == self.cards).astype(np.uint64),)

    def apply(self, turn: Turn, choice: Rows) -> None:
        claim_hand(turn, ALONE)
        turn.show()


@dataclass(frozen=True)
class FourSevens(Move):
    """Lay down the natural sevens of all four suits, before or after the draw.

    Source: docs/rules/going_out.md#four-sevens
    """

    state_fields: ClassVar = (CLAIM, CLAIMANT)

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return (Action("four_sevens"),)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (1,)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        held = np.bitwise_or.reduce(turn.cards, axis=1)
        return ((held & _SEVENS == _SEVENS).astype(np.uint64),)

    def apply(self, turn: Turn, choice: Rows) -> None:
        claim_hand(turn, SEVENS)
        turn.show()


@dataclass(frozen=True)
class WinsCounted(Scoring):
    """Every winner of a hand gets one game point.

    Attributes:
        rummy: The RUMMY cards, a set of the first deck: whoever holds one wins too.
        zero_sum_scale: Game points that make a reward of 1.

    Source: docs/rules/going_out.md#score, docs/rules/rummy_cards.md#score
    """

    rummy: np.uint64
    zero_sum_scale: float = 1.0
    unit = "game point"
    state_fields: ClassVar = (CLAIM, CLAIMANT)

    def how_ended(self, view: SeatView) -> str:
        return _ENDINGS[int(view.claim[0])]

    def score(self, state: State, rows: Rows) -> Result:
        claim = state.claim[rows, None]
        winners = (state.hands[rows, :, 0] & self.rummy != 0) & (claim != ALONE)
        declared = (claim[:, 0] > 0).nonzero()[0]
        winners[declared, state.claimant[rows[declared]]] = True
        losers = ~winners & ~state.sits_out[rows]
        count = losers.sum(axis=1, keepdims=True)
        each = winners.sum(axis=1, keepdims=True) / np.maximum(count, 1)
        gains: npt.NDArray[np.float64] = np.where(losers, -each, winners * (count > 0))
        return Result(winners, winners.astype(np.int32), gains)


def rummy_set(pack: Pack) -> np.uint64:
    """The RUMMY cards of a pack, as a set of its first deck."""
    return pack.words([RUMMY] * pack.specials.count(RUMMY))[0]
