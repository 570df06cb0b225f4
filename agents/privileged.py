"""What only the critic may see: what the next player sees, all hands, and what the stock will give.

Values that know the hidden cards say less of luck, so that advantages say more of the decision. And
what a discard gives the next player shows at once in what that player observes, a solver's answers
included, where the end of the hand would tell of it under much noise. The actor never sees any of
this, and such a critic is not part of a model.
"""

from typing import Any

import numpy as np

from rummy_env.baselines.networks import Empty, Shapes, Wiring, by_suit
from rummy_env.core.arrays import Float32s, Rows
from rummy_env.core.bits import WORD_BITS
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, card_flags
from rummy_env.core.engine import Engine
from rummy_env.core.features import GRADES
from rummy_env.core.state import State
from rummy_env.views.features import Features
from rummy_env.views.observing import AnyObserver

_DEEPEST = int(GRADES)
"""Cards of the stock that are told."""


class Hidden:
    """The entries that only the critic reads, as `hidden_entries` returns them."""

    def __init__(self, wired: Wiring, num_players: int) -> None:
        """Take the wiring of what every player observes."""
        self._wired, self._num_players = wired, num_players

    @property
    def scale(self) -> Float32s:
        """float32[13 * P], the factors of the entries about a suit, by part and rank."""
        factors = np.array([1] * (self._num_players - 1) + [1 / GRADES], np.float32)
        return np.concatenate([self._wired.scale, np.repeat(factors, NUM_RANKS)])

    def widened(self, shapes: Shapes) -> Shapes:
        """Return the shapes of a network's arrays with rows for these entries, behind its own."""
        found = dict(shapes)
        more = dict.fromkeys(("suit_others", "pooled_others"), self._wired.num_others)
        for name, rows in {**more, "suit_cards": len(self.scale)}.items():
            found[name] = (shapes[name][0] + rows, *shapes[name][1:])
        return found

    def inputs(self, entries: Any, empty: Empty) -> tuple[Any, Any]:
        """[4 * N, 13 * P], the cards by suit, and [N, S], the others, from int8[N, H]."""
        wired = self._wired
        hands = entries[:, wired.size :]
        seen = [entries[:, wired.planes], entries[:, wired.graded]]
        others = empty((len(entries), wired.num_others))
        others[:] = entries[:, wired.others]
        return by_suit([*seen, hands], empty), others


def hidden_size(observed: int, num_players: int) -> int:
    """Return H, the number of these entries, from that of those that a player observes."""
    return observed + num_players * NUM_REGULAR


def hidden_entries(engine: Engine, observer: AnyObserver, seats: Rows) -> Features:
    """int8[B, H], what the critic alone reads when it values games for seats, intp[B].

    It is what the player after each of them observes, and then `hidden_cards`.
    """
    after = engine.state.next_seat(np.arange(len(seats)), seats.astype(np.int8))
    theirs = observer(engine.look(after))
    return np.concatenate([theirs, hidden_cards(engine.state, seats)], axis=1)


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
