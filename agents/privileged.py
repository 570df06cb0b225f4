"""What the critic alone may see: the hands of the others, and what the stock will give.

Values that know the hidden cards say less of luck, so that advantages say more of the decision. The
actor never sees them, and such a critic is not part of a model.
"""

import numpy as np

from rummy_env.core.arrays import Float32s, Rows
from rummy_env.core.bits import WORD_BITS
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.core.features import GRADES
from rummy_env.core.state import State
from rummy_env.views.features import Features

_DEEPEST = int(GRADES)
"""Cards of the stock that are told."""


def hidden_factors(num_players: int) -> Float32s:
    """Return float32[P], what the entries of each plane of `hidden_cards` are multiplied by."""
    return np.array([1] * (num_players - 1) + [1 / GRADES], np.float32)


def hidden_cards(state: State, seats: Rows) -> Features:
    """int8[B, P * 52], what each seat, intp[B], does not see: in planes of the regular cards.

    First the hands, clockwise from the next seat: copies held. Then the stock: `GRADES` for
    the next card, one less for each card above it, and 0 for those that lie deep.
    """
    games, players = len(seats), state.num_players
    found = np.zeros((games, players, NUM_REGULAR), np.int8)
    rows = np.arange(games)
    for after in range(1, players):
        hands = state.hands[rows, (seats + after) % players]
        for deck in range(hands.shape[1]):
            found[:, after - 1] += card_flags(hands[:, deck])
    depths = np.arange(_DEEPEST)[::-1]  # of two copies of a card the one above is written last
    at = state.stock_at[:, None] + depths
    codes = state.stock[rows[:, None], np.minimum(at, state.stock.shape[1] - 1)] % WORD_BITS
    row, depth = ((at < state.stock_end[:, None]) & (codes < NUM_REGULAR)).nonzero()
    found[row, -1, codes[row, depth]] = _DEEPEST - depths[depth]
    return found.reshape(games, -1)
