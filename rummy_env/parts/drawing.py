"""Moves that begin a turn: taking a card."""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import Rows, Words
from rummy_env.core.cards import Pack
from rummy_env.core.rules import Action, Move, Restock
from rummy_env.core.state import Turn


@dataclass(frozen=True)
class DrawStock(Move):
    """Take the top card of the stock.

    Attributes:
        restock: Where the card comes from when the stock is empty.

    Source: docs/rules/basic.md#the-turn
    """

    restock: Restock

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return (Action("draw_stock"),)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (1,)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        return (self.restock.can_draw(turn.state, turn.rows).astype(np.uint64),)

    def apply(self, turn: Turn, choice: Rows) -> None:
        empty = turn.rows[turn.state.stock_left(turn.rows) == 0]
        if empty.size:
            self.restock.on_draw(turn.state, empty)
        codes = turn.state.pop_stock(turn.rows)
        turn.gain(codes)
        seen = turn.state.stock_open.take(turn.rows).nonzero()[0]
        if seen.size:
            turn.only(seen).reveal(codes[seen])


@dataclass(frozen=True)
class DrawDiscard(Move):
    """Take the top card of the discard pile, seen by everybody.

    Source: docs/rules/basic.md#the-turn
    """

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return (Action("draw_discard"),)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (1,)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        return ((turn.state.pile_size.take(turn.rows) > 0).astype(np.uint64),)

    def apply(self, turn: Turn, choice: Rows) -> None:
        codes = turn.state.pop_pile(turn.rows)
        turn.gain(codes)
        turn.reveal(codes)
        turn.state.taken[turn.rows] = codes
