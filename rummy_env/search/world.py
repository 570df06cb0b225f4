"""Games in worlds that a seat may believe in."""

import numpy as np

from rummy_env.core.bits import Rows, Words
from rummy_env.core.determinising import determinise
from rummy_env.core.engine import Engine
from rummy_env.core.visibility import SeatView
from rummy_env.melds.beliefs import odds_held
from rummy_env.melds.card_worth import Planes


def worlds(
    view: SeatView, seeds: Words, items: Rows | None = None, *, beliefs: bool = False
) -> Engine:
    """Games that agree with what a seat knows, hidden cards being dealt at random.

    The viewer has seat 0 of each, and the others follow clockwise. Two worlds of the same view and
    the same seed are alike, and so are all cards that come later, whatever is played: what two
    moves lead to in the same world differs by the moves.

    Args:
        view: The knowledge of a seat in each of N games.
        seeds: uint64[M], a random word for each world.
        items: intp[M], the games of which the worlds are; unless given, one of each, M = N.
        beliefs: True to deal the others what they are likely to hold by what they took, threw
            away and left (`melds.beliefs`); False for all hands alike.
    """
    engine = Engine(view.rules, len(seeds), seeds)
    engine.lay(determinise(view, seeds, items, _odds(view) if beliefs else None))
    return engine


def _odds(view: SeatView) -> Planes:
    """float32[52, N], the odds of each card to be in another hand: the mean of the hands'."""
    others = range(1, view.rules.num_players)
    return np.stack([odds_held(view, seat) for seat in others]).mean(axis=0)
