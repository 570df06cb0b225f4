"""Shuffling and dealing."""

import numpy as np

from rummy_env.core.arrays import Rows, UInt8s, Words
from rummy_env.core.fields import Lasts
from rummy_env.core.keys import Purpose, one_way
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import shuffled
from rummy_env.core.state import State


def sample_dealer(state: State, rows: Rows) -> None:
    """Draw the first dealer of each game.

    Source: docs/rules/basic.md#the-deal
    """
    words = one_way(Purpose.DEALER, state.seed.take(rows))[:, 0]
    state.dealer[rows] = words % np.uint64(state.num_players)


def next_shuffle(state: State, rows: Rows) -> Words:
    """Return uint64[R], the random words of the next shuffle of each game, which is counted."""
    count = state.shuffles.take(rows)
    state.shuffles[rows] = count + 1
    seeds, hands = state.seed.take(rows), state.hand_number.take(rows)
    return one_way(Purpose.SHUFFLE, seeds, hands, count)[:, 0]


def deal(rules: Rules, state: State, rows: Rows) -> None:
    """Clear the tables and deal a hand, one card at a time, clockwise from the dealer's left.

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


def _deal_out(rules: Rules, state: State, rows: Rows, order: UInt8s, players: int) -> None:
    """Deal the cards of shuffled packs, uint8[R, C], to the `players` who play each game."""
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
