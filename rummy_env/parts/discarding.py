"""The move that ends a turn: discarding a card."""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.core.state import CODE_BIT
from rummy_env.core.turn import Turn
from rummy_env.core.visibility import SeatView
from rummy_env.parts.faces import CardMove


@dataclass(frozen=True)
class Discard(CardMove):
    """Put a card on the discard pile.

    Attributes:
        return_taken: Whether the card taken from the pile in this turn may be put back.

    Source: docs/rules/basic.md#the-turn, docs/rules/going_out.md#the-turn
    """

    return_taken: bool = False
    preference = 1.0

    def wanted(self, view: SeatView) -> Bools:
        """Cards that could not be laid down in a later turn."""
        keep = view.rules.playable(view, view.hand[:, 0])
        wanted = np.ones((len(view), len(self._faces)), np.bool_)
        wanted[:, :NUM_REGULAR] = ~card_flags(keep)
        return wanted

    @property
    def _kind(self) -> str:
        return "discard"

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        words = self._choices(turn.cards)
        if self.return_taken:
            return words
        return (words[0] & ~turn.taken_held, *words[1:])

    def apply(self, turn: Turn, choice: Rows) -> None:
        codes = self._codes.take(choice)
        if self.pack.has_equals:
            codes = turn.give_up(self.pack.copies[codes])
        else:
            turn.lose(CODE_BIT.take(codes))
        turn.state.discard(turn.rows, codes)
