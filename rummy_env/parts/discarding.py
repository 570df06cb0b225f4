"""The move that ends a turn: discarding a card."""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import BIT, Rows, Words
from rummy_env.core.cards import NUM_REGULAR, REGULAR, Pack, regular_text
from rummy_env.core.rules import Action, Move
from rummy_env.core.state import Turn


@dataclass(frozen=True)
class Discard(Move):
    """Put a card on the discard pile.

    Attributes:
        return_taken: Whether the card taken from the pile in this turn may be put back.

    Source: docs/rules/basic.md#the-turn
    """

    return_taken: bool = False

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return tuple(Action("discard", (regular_text(bit),)) for bit in range(NUM_REGULAR))

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (NUM_REGULAR,)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        cards = turn.hand & REGULAR
        return (cards if self.return_taken else cards & ~turn.taken_held,)

    def apply(self, turn: Turn, choice: Rows) -> None:
        turn.lose(BIT.take(choice))
        turn.state.discard(turn.rows, choice.astype(np.uint8))
