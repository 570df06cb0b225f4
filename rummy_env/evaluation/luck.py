"""The luck of draws, told apart from play and taken off the points.

Whoever draws from the stock could have drawn any of its cards, each with the same chance. What a
critic says after the card that came, less the mean of what it says after each that could have come,
is luck: its expectation is 0 whatever the critic says, since given all that happened before, every
order of the stock is as likely as any other. So points less luck have the expectation of points,
and scatter less, as far as the critic is right. It is the part of AIVAT (Burch, Schmid, Moravcik,
Morrill and Bowling, 2018) that is about chance.
"""

from typing import Any

import numpy as np

from rummy_env.baselines.policies import resolve
from rummy_env.core.bits import Rows
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.evaluation.arena import Floats
from rummy_env.parts.drawing import DrawStock
from rummy_env.parts.match import SingleHand

AT_ONCE = 256
"""Draws that are valued side by side, each with all cards that could have come."""


class Luck:
    """Tells the luck of draws, by the critic of the trained model that comes with the package."""

    def __init__(self, rules: Rules) -> None:
        """Find the critic.

        Raises:
            ValueError: If there is none for the rules, or an episode is a match.
        """
        if not isinstance(rules.episode, SingleHand):
            raise ValueError(
                f"adjust_luck: luck is told in the points of a hand, and {rules!r} ranks by "
                f"matches won; leave it out, or compare single hands"
            )
        self._rules = rules
        games = Engine(rules)
        games.reset()
        try:
            critic: Any = resolve("trained", rules)
            critic.values(games.look(games.to_move))
        except ValueError as error:
            raise ValueError(
                f"adjust_luck takes the critic of a trained model; leave it out here: {error}"
            ) from None
        self._values = critic.values

    def of_draws(self, engine: Engine, rows: Rows, actions: Rows) -> Floats:
        """float64[R, P], the luck of every seat in the actions, intp[R], that are about to be made.

        Only draws from the stock have any, and only where nobody knows its order. By as much as a
        seat is lucky, it is ahead of the others on average; of a table it adds up to 0.
        """
        state, luck = engine.state, np.zeros((len(rows), self._rules.num_players))
        unknown = (state.stock_left(rows) > 0) & (state.stock_open[rows] == 0)
        draws = ((actions == engine.space.index(DrawStock.kind)) & unknown).nonzero()[0]
        for start in range(0, len(draws), AT_ONCE):
            some = draws[start : start + AT_ONCE]
            ahead = self._ahead(state.take(rows[some]))
            luck[some] -= ahead[:, None] / luck.shape[1]
            luck[some, engine.to_move[rows[some]]] += ahead
        return luck

    def _ahead(self, games: State) -> Floats:
        """float64[N], what the next card brings the mover of each of N games beside the mean."""
        left = games.stock_left(np.arange(len(games.seed))).astype(np.intp)
        game = np.arange(len(left)).repeat(left)
        place = np.arange(len(game)) - (left.cumsum() - left)[game]  # of a card, from the top
        tables = Engine(self._rules, len(game))
        tables.lay(_with_next(games.take(game), place))
        movers = tables.to_move.astype(np.intp)
        tables.step(np.full(len(game), tables.space.index(DrawStock.kind)))
        worth = self._values(tables.look(movers)).astype(np.float64)
        return worth[place == 0] - np.bincount(game, worth) / left


def _with_next(games: State, place: Rows) -> State:
    """The games, with the cards at these places of their stocks, intp[N], on top of them."""
    rows, top = np.arange(len(place)), games.stock_at.astype(np.intp)
    next_card = games.stock[rows, top].copy()
    games.stock[rows, top] = games.stock[rows, top + place]
    games.stock[rows, top + place] = next_card
    return games
