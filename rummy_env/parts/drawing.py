"""Moves that begin a turn: taking a card."""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import ZERO, Bools, Rows, Words
from rummy_env.core.cards import Pack
from rummy_env.core.part import Action, Condition, Move, Restock
from rummy_env.core.state import CODE_BIT
from rummy_env.core.turn import Turn
from rummy_env.core.visibility import SeatView
from rummy_env.parts.faces import CardMove


@dataclass(frozen=True)
class DrawStock(Move):
    """Take the top card of the stock.

    Attributes:
        restock: Where the card comes from when the stock is empty.

    Source: docs/rules/basic.md#the-turn
    """

    restock: Restock
    preference = 4.0

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

    preference = 5.0

    def wanted(self, view: SeatView) -> Bools:
        """The top discard, where it could be laid down at once."""
        top = CODE_BIT.take(view.top)
        useful = view.rules.playable(view, view.hand[:, 0] | top) & top
        return np.asarray(useful != ZERO)[:, None]

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
        turn.state.taken_count[turn.rows] = 1


@dataclass(frozen=True)
class TakePile(CardMove):
    """Take any card of a discard pile that lies open, and all cards above it.

    Of equal cards it is the topmost.

    Source: docs/rules/rummy_cards.md#spread-out-discards
    """

    takes_several = True

    @property
    def _kind(self) -> str:
        return "take_pile"

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        return self._choices(turn.state.piled.take(turn.rows, axis=0))

    def apply(self, turn: Turn, choice: Rows) -> None:
        wanted = self._codes.take(choice)
        pile = turn.state.pile.take(turn.rows, axis=0)
        like = self.pack.face_codes.take(pile) == wanted[:, None]
        place = pile.shape[1] - 1 - like[:, ::-1].argmax(axis=1)
        turn.state.taken[turn.rows] = pile[np.arange(len(pile)), place]
        self._lift(turn, place)

    @staticmethod
    def _lift(turn: Turn, place: Rows) -> None:
        """Takes the cards from a place of each pile on, one after the other from the top."""
        count = turn.state.pile_size.take(turn.rows) - place
        turn.state.taken_count[turn.rows] = count
        for taken in range(int(count.max())):
            some = turn.only((count > taken).nonzero()[0])
            codes = some.state.pop_pile(some.rows)
            some.gain(codes)
            some.reveal(codes)


@dataclass(frozen=True)
class TwoMoreCards(Condition):
    """Whether the top discard alone was taken, and pile and stock have another card each.

    Source: docs/rules/rummy_cards.md#three-card-draw
    """

    def holds(self, turn: Turn) -> Bools:
        state, rows = turn.state, turn.rows
        top_alone = state.taken_count.take(rows) == 1
        left = (state.pile_size.take(rows) > 0) & (state.stock_left(rows) > 0)
        return np.asarray(top_alone & left)


@dataclass(frozen=True)
class ExtraDraw(Move):
    """After the top discard, take the next one and the top card of the stock as well.

    Attributes:
        two_more: When it can be done.

    Source: docs/rules/rummy_cards.md#three-card-draw
    """

    two_more: Condition = TwoMoreCards()
    takes_several = True

    def actions(self, pack: Pack) -> tuple[Action, ...]:
        return (Action("extra_draw"),)

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return (1,)

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        return (self.two_more.holds(turn).astype(np.uint64),)

    def apply(self, turn: Turn, choice: Rows) -> None:
        codes = turn.state.pop_pile(turn.rows)
        turn.gain(codes)
        turn.reveal(codes)
        turn.gain(turn.state.pop_stock(turn.rows))
