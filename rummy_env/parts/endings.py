"""What ends a hand, besides moves that do."""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import ZERO, Bools, Rows
from rummy_env.core.rules import Ending
from rummy_env.core.state import State


@dataclass(frozen=True)
class EmptiedHand(Ending):
    """The hand ends when its mover holds no card any more.

    Source: docs/rules/basic.md#going-out
    """

    def ends(self, state: State, rows: Rows) -> Bools:
        decks = state.hands.shape[2]
        at = (rows * state.num_players + state.to_move.take(rows)) * decks
        flat = state.hands.reshape(-1)
        empty = flat.take(at) == ZERO
        for deck in range(1, decks):
            empty &= flat.take(at + deck) == ZERO
        return np.asarray(empty)
