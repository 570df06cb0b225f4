"""Ways to renew an empty stock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from rummy_env.core.arrays import Bools, Rows, UInt8s
from rummy_env.core.cards import NO_CARD
from rummy_env.core.checks import check_range
from rummy_env.core.dealing import next_shuffle
from rummy_env.core.display import Spot
from rummy_env.core.features import FLAG, Feature, Plane, Scalar
from rummy_env.core.part import Restock
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import shuffled_at
from rummy_env.core.state import CODE_BIT, State


def _take_up_pile(state: State, rows: Rows) -> tuple[UInt8s, Rows]:
    """Remove the discard piles: return uint8[R, C], oldest card first, and the sizes, intp[R]."""
    size = state.pile_size[rows].astype(np.intp)
    cards = state.pile[rows]
    state.pile[rows] = NO_CARD
    state.pile_size[rows] = 0
    state.recycled[rows] = state.piled[rows]
    state.piled[rows] = 0
    return cards, size


def _turn_up(state: State, rows: Rows, codes: UInt8s) -> None:
    """Begin the discard piles with one card each."""
    state.discard(rows, codes)
    state.recycled[rows] &= ~state.piled[rows]


def _shuffle(state: State, rows: Rows, cards: UInt8s) -> UInt8s:
    """Shuffle cards, uint8[R, C], without distinguishing equal cards."""
    places = np.where(cards == NO_CARD, cards, np.arange(cards.shape[1], dtype=np.uint8))
    return shuffled_at(next_shuffle(state, rows), places, cards)


def _lay_stock(state: State, rows: Rows, cards: UInt8s, size: Rows) -> None:
    """Put new stocks on the tables."""
    state.stock[rows] = cards
    state.stock_at[rows] = 0
    state.stock_end[rows] = size


@dataclass(frozen=True)
class ShuffleKeepTop(Restock):
    """All discards but the top one are shuffled when a turn begins with an empty stock.

    Source: docs/rules/basic.md#empty-stock
    """

    lean = True
    renews = True

    def before_turn(self, state: State, rows: Rows) -> None:
        rows = rows[state.pile_size[rows] > 1]
        if not rows.size:
            return
        cards, size = _take_up_pile(state, rows)
        last = (np.arange(len(rows)), size - 1)
        _turn_up(state, rows, cards[last])
        cards[last] = NO_CARD
        _lay_stock(state, rows, _shuffle(state, rows, cards), size - 1)


@dataclass(frozen=True)
class ShuffleAll(Restock):
    """The whole discard pile is shuffled when a turn begins with an empty stock.

    The last card of the new stock is turned up to begin the discard pile.

    Source: docs/rules/bonus.md#empty-stock
    """

    lean = True
    renews = True

    def before_turn(self, state: State, rows: Rows) -> None:
        rows = rows[state.pile_size[rows] > 1]
        if not rows.size:
            return
        cards, size = _take_up_pile(state, rows)
        cards = _shuffle(state, rows, cards)
        _turn_up(state, rows, cards[np.arange(len(rows)), size - 1])
        _lay_stock(state, rows, cards, size - 1)


@dataclass(frozen=True)
class TurnOver(Restock):
    """The discard pile is turned over, unshuffled, when a player draws from an empty stock.

    Source: docs/rules/classic.md#empty-stock
    """

    lean = True
    renews = True

    def features(self, rules: Rules) -> Sequence[Feature]:
        coming = "it is the next card of a stock turned over"
        return [
            Plane("next", coming, lambda v: CODE_BIT[v.stock.T[0]]),
            Scalar("open", "the stock was turned over", lambda v: v.stock_open, FLAG),
        ]

    def can_draw(self, state: State, rows: Rows) -> Bools:
        return (state.stock_left(rows) > 0) | (state.pile_size[rows] > 0)

    def on_draw(self, state: State, rows: Rows) -> None:
        _lay_stock(state, rows, *_take_up_pile(state, rows))
        state.stock_open[rows] = True


@dataclass(frozen=True)
class HandEnds(Restock):
    """The hand ends with a turn that leaves `ends_hand_at` cards in the stock, by default none.

    Source: docs/rules/rummy_cards.md#empty-stock, docs/rules/gin.md#the-wall
    """

    lean = True
    ends_hand_at: int = 0

    def check_rules(self, rules: Rules) -> None:
        super().check_rules(rules)
        dealt = rules.num_players * rules.hand_size + rules.first_discard
        beside = f"num_players={rules.num_players} and hand_size={rules.hand_size}"
        stock = rules.pack.num_cards - dealt
        check_range("ends_hand_at", self.ends_hand_at, -1, stock - 1, beside=beside)

    def check_table(self, state: State, rules: Rules) -> None:
        left, least = int(state.stock_left(np.arange(1))[0]), self.ends_hand_at + 1
        if state.finished[0] or left >= least:
            return
        moves = [move for move, _ in rules.turn[int(state.phase[0])].moves]
        if any(move.path and move.path[0] is Spot.STOCK for move in moves):
            raise ValueError(
                f"stock: {left} cards; the hand ends with a turn that leaves so few, so nobody "
                f"draws next: give at least {least}"
            )


RESTOCKS: Mapping[str, Restock] = MappingProxyType(
    {"shuffle_keep_top": ShuffleKeepTop(), "shuffle_all": ShuffleAll(), "turn_over": TurnOver()}
)
"""The ways to renew a stock by their names in the option `restock`."""
