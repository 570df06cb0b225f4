"""Shuffling and dealing."""

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Rows, Words
from rummy_env.core.fields import Lasts
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import shuffled, stream
from rummy_env.core.state import State

_DEALER_DRAW = 0
Codes = npt.NDArray[np.uint8]


def draw_dealer(state: State, rows: Rows) -> None:
    """Draws the first dealer of each game.

    Source: docs/rules/basic.md#the-deal
    """
    words = stream(state.seed.take(rows), _DEALER_DRAW) >> np.uint64(32)
    state.dealer[rows] = words % np.uint64(state.num_players)


def next_shuffle(state: State, rows: Rows) -> Words:
    """uint64[R], the random words of the next shuffle of each game, which is counted."""
    count = state.shuffles.take(rows)
    state.shuffles[rows] = count + 1
    return stream(state.seed.take(rows), state.hand_number.take(rows) + 1, count)


def deal(rules: Rules, state: State, rows: Rows) -> None:
    """Clears the tables and deals a hand, one card at a time, clockwise from the dealer's left.

    Source: docs/rules/basic.md#the-deal
    """
    state.clear(rows, Lasts.HAND)
    state.clear(rows, Lasts.TURN)
    order = shuffled(next_shuffle(state, rows), rules.pack.codes)
    state.stock[rows] = order
    state.stock_end[rows] = order.shape[1]
    if not rules.episode.sends_out:
        _deal_out(rules, state, rows, order, rules.num_players)
        return
    playing = (~state.sits_out[rows]).sum(axis=1)
    for players in np.bincount(playing).nonzero()[0].tolist():
        items = (playing == players).nonzero()[0]
        _deal_out(rules, state, rows[items], order[items], players)


def _deal_out(rules: Rules, state: State, rows: Rows, order: Codes, players: int) -> None:
    """Deals the cards of shuffled packs, uint8[R, C], to those who play, so many in each game."""
    dealt = players * rules.hand_size
    seat = state.dealer[rows]
    for place in range(players):
        seat = state.next_seat(rows, seat)
        state.add_to_hands(rows, seat, order[:, place:dealt:players])
    state.stock_at[rows] = dealt + int(rules.first_discard)
    if rules.first_discard:
        state.discard(rows, order[:, dealt])
        state.upcard[rows] = order[:, dealt]
    state.to_move[rows] = state.next_seat(rows, state.dealer[rows])
