"""The luck of draws, separated from play and subtracted from the points.

A player who draws from the stock could have drawn any of its cards, each with the same chance. The
luck of a draw is the value that a critic gives after the card that came, less the mean of its
values after each card that could have come. Its expectation is 0 whatever the critic says, because
every order of the stock is equally likely given all that happened before. Points less luck thus
have the same expectation as points, and scatter less to the extent that the critic is right. This
is the part of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, 2018) that deals with chance.
"""

import numpy as np

from rummy_env.baselines.asking import values_of
from rummy_env.baselines.policies import resolve
from rummy_env.core.arrays import Float64s, Rows
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.evaluation.comparison import measure_of
from rummy_env.melds.hands import spread
from rummy_env.parts.drawing import DrawStock
from rummy_env.variants import in_short

AT_ONCE = 256
"""Draws valued side by side, each with all cards that could have come."""


class Luck:
    """Computes the luck of draws with the critic of the trained model in the package."""

    def __init__(self, rules: Rules) -> None:
        """Find the critic.

        Raises:
            ValueError: If there is none for the rules, or if these rank by hands or matches won.
        """
        if (measure := measure_of(rules)) != "points":
            raise ValueError(
                f"adjust_luck: luck is told in the points of a hand, and {in_short(rules)} ranks "
                f"by {measure} won; leave it out, or compare single hands for their points"
            )
        self._rules = rules
        try:
            self._values = values_of(resolve("trained", rules), rules)
        except ValueError as error:
            raise ValueError(
                f"adjust_luck takes the critic of a trained model; leave it out here: {error}"
            ) from None

    def of_draws(self, engine: Engine, rows: Rows, actions: Rows) -> Float64s:
        """float64[R, P], the luck of every seat in the actions, intp[R], that are about to be made.

        Only draws from the stock involve luck, and only if nobody knows its order. The luck of the
        seat that draws exceeds that of each other seat by the lead over them that the card brings
        on average; at each table, luck adds up to 0.
        """
        state, luck = engine.state, np.zeros((len(rows), self._rules.num_players))
        unknown = (state.stock_left(rows) > 0) & ~state.stock_open[rows]
        draws = ((actions == engine.space.index(DrawStock.kind)) & unknown).nonzero()[0]
        for start in range(0, len(draws), AT_ONCE):
            some = draws[start : start + AT_ONCE]
            ahead = self._ahead(state.take(rows[some]))
            luck[some] -= ahead[:, None] / luck.shape[1]
            luck[some, engine.to_move[rows[some]]] += ahead
        return luck

    def _ahead(self, games: State) -> Float64s:
        """float64[N], the worth of the next card to each mover, less the mean of all cards left."""
        left = games.stock_left(np.arange(len(games.seed))).astype(np.intp)
        game, place = spread(np.zeros_like(left), left)  # of every card, from the top
        tables = Engine(self._rules, len(game))
        tables.lay(_with_next(games.take(game), place))
        movers = tables.to_move.astype(np.intp)
        tables.step(np.full(len(game), tables.space.index(DrawStock.kind)))
        worth = self._values(tables.look(movers)).astype(np.float64)
        return worth[place == 0] - np.bincount(game, worth) / left


def _with_next(games: State, place: Rows) -> State:
    """Return the games with the cards at these places of the stock, intp[N], moved to the top."""
    rows, top = np.arange(len(place)), games.stock_at.astype(np.intp)
    next_card = games.stock[rows, top].copy()
    games.stock[rows, top] = games.stock[rows, top + place]
    games.stock[rows, top + place] = next_card
    return games
