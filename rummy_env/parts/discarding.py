"""The move that ends a turn: discarding a card."""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.core.movers import Movers
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.parts.card_move import CardMove


@dataclass(frozen=True)
class Discard(CardMove):
    """Put a card on the discard pile.

    Attributes:
        return_taken: True if the card taken from the pile in this turn may be put back.

    Source: docs/rules/basic.md#the-turn, docs/rules/going_out.md#the-turn
    """

    return_taken: bool = False
    kind = "discard"
    preference = 1.0

    def wanted(self, view: SeatView) -> Bools:
        """Cards that could not be laid down in a later turn."""
        keep = view.rules.playable(view, view.hand[:, 0])
        wanted = np.ones((len(view), len(self._cards)), np.bool_)
        wanted[:, :NUM_REGULAR] = ~card_flags(keep)
        return wanted

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        words = self._choices(movers.cards)
        if self.return_taken:
            return words
        return (words[0] & ~movers.taken_held, *words[1:])

    def apply(self, movers: Movers, choice: Rows) -> None:
        codes = self._codes.take(choice)
        if self.pack.has_equals:
            codes = movers.give_up(self.pack.copies[codes])
        else:
            movers.lose(CODE_BIT.take(codes))
        movers.state.discard(movers.rows, codes)
