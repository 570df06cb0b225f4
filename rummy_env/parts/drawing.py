"""Moves that begin a turn by taking a card."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rummy_env.core.arrays import Bools, Rows, UInt8s, Words
from rummy_env.core.bits import ZERO
from rummy_env.core.display import Spot
from rummy_env.core.movers import Movers
from rummy_env.core.one_or_many import any_set, as_words, chosen, places
from rummy_env.core.own import check_flags
from rummy_env.core.part import Condition, Move, Restock
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.parts.discarding import CardMove
from rummy_env.parts.recall import PASSED, recall


@dataclass(frozen=True)
class DrawStock(Move):
    """Take the top card of the stock.

    An empty stock is renewed by `restock` if that does so for a draw; others do so when a turn
    begins, and a second draw in a turn finds no card.

    Source: docs/rules/basic.md#the-turn
    """

    kind = "draw_stock"
    path = Spot.STOCK, Spot.HAND
    restock: Restock
    preference = 4.0
    state_fields: ClassVar = (PASSED,)

    @property
    def lean(self) -> bool:  # type: ignore[override]  # by its part
        """True if `restock` is lean."""
        return self.restock.lean

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        can_draw = self.restock.can_draw(movers.state, movers.rows)
        check_flags(self.restock, "can_draw", can_draw, movers.rows)
        return (as_words(can_draw),)

    def apply(self, movers: Movers, choice: Rows) -> None:
        state, rows = movers.state, movers.rows
        recall(PASSED, movers, state.pile_top(rows))
        empty = chosen(rows, state.stock_left(rows) == 0)
        if empty.size:
            self.restock.on_draw(state, empty.reshape(-1))
        take_next(movers)


def take_next(movers: Movers) -> None:
    """Let the movers take the top cards of the stock; of one turned over, everybody knows them."""
    codes = movers.state.pop_stock(movers.rows)
    movers.gain(codes)
    seen = movers.state.stock_open[movers.rows]
    if any_set(seen):
        items = places(seen)
        movers.only(items).reveal(codes[items])


def take_top(movers: Movers) -> UInt8s:
    """Let the movers take the top discards, seen by everybody; return the codes, uint8[R]."""
    codes = movers.state.pop_pile(movers.rows)
    movers.gain(codes)
    movers.reveal(codes)
    return codes


def take_discard(movers: Movers) -> None:
    """Let the movers take the top discards as their draws."""
    movers.state.taken[movers.rows] = take_top(movers)
    movers.state.taken_count[movers.rows] = 1


def top_playable(view: SeatView) -> Bools:
    """Return True where the viewer could lay down the top discard at once, bool[N]."""
    top = CODE_BIT[view.top]
    return view.rules.playable(view, view.hand[:, 0] | top) & top != ZERO


@dataclass(frozen=True)
class DrawDiscard(Move):
    """Take the top card of the discard pile, seen by everybody.

    Source: docs/rules/basic.md#the-turn
    """

    kind = "draw_discard"
    path = Spot.DISCARDS, Spot.HAND
    preference = 5.0
    lean = True

    def wanted(self, view: SeatView) -> Bools:
        """Return True where the top discard could be laid down at once, bool[N, 1]."""
        return top_playable(view)[:, None]

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        return (as_words(movers.state.pile_size[movers.rows] > 0),)

    def apply(self, movers: Movers, choice: Rows) -> None:
        take_discard(movers)


@dataclass(frozen=True)
class TakePile(CardMove):
    """Take any card of a discard pile that lies open, and all cards above it.

    Of equal cards, the topmost is taken.

    Source: docs/rules/rummy_cards.md#spread-out-discards
    """

    kind = "take_pile"
    path = Spot.DISCARDS, Spot.HAND
    takes_several = True

    def check_rules(self, rules: Rules) -> None:
        """Refuse a pile that is covered: what can be taken would tell what lies in it."""
        super().check_rules(rules)
        if not rules.sight.pile_known:
            raise ValueError(
                f"{type(self).__name__} takes from an open pile: give sight=Sight(pile_known=True)"
            )

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        return self._choices([*movers.state.piled[movers.rows].T])

    def apply(self, movers: Movers, choice: Rows) -> None:
        wanted = self._codes.take(choice)
        pile = movers.state.pile.take(movers.rows, axis=0)
        like = self.pack.lowest_codes.take(pile) == wanted[:, None]
        place = pile.shape[1] - 1 - like[:, ::-1].argmax(axis=1)
        movers.state.taken[movers.rows] = pile[np.arange(len(pile)), place]
        count = movers.state.pile_size[movers.rows] - place
        movers.state.taken_count[movers.rows] = count
        for taken in range(int(count.max())):  # one after the other, from the top
            take_top(movers.only((count > taken).nonzero()[0]))
        movers.hold_again()


@dataclass(frozen=True)
class TwoMoreCards(Condition):
    """Holds if only the top discard was taken, and pile and stock have another card each.

    Source: docs/rules/rummy_cards.md#three-card-draw
    """

    def holds(self, movers: Movers) -> Bools:
        state, rows = movers.state, movers.rows
        top_alone = state.taken_count[rows] == 1
        left = (state.pile_size[rows] > 0) & (state.stock_left(rows) > 0)
        return top_alone & left


@dataclass(frozen=True)
class ExtraDraw(Move):
    """After the top discard, take the next one and the top card of the stock as well.

    It is legal where `TwoMoreCards` holds.

    Source: docs/rules/rummy_cards.md#three-card-draw
    """

    kind = "extra_draw"
    path = Spot.STOCK, Spot.HAND
    takes_several = True

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        return (as_words(TwoMoreCards().holds(movers)),)

    def apply(self, movers: Movers, choice: Rows) -> None:
        take_top(movers)
        movers.state.taken_count[movers.rows] += 1
        take_next(movers)
