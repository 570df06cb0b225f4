"""Games in worlds that a seat may believe in."""

import numpy as np

from rummy_env.core.arrays import Float32s, Rows, Words
from rummy_env.core.checks import shown
from rummy_env.core.determinising import determinise
from rummy_env.core.engine import Engine
from rummy_env.core.visibility import EVERY, SeatView
from rummy_env.melds.beliefs import odds_held


def worlds(
    view: SeatView, seeds: Words, items: Rows | None = None, *, beliefs: bool = False
) -> Engine:
    """Games that agree with what a seat knows, with hidden cards dealt at random.

    The viewer has seat 0 in each game, and the others follow clockwise. Two worlds of the same view
    and the same seed are identical, and so are all cards that come later, whatever is played: the
    outcomes of two moves in the same world differ because of the moves.

    Args:
        view: The knowledge of a seat in each of N games.
        seeds: uint64[M], a random word for each world.
        items: intp[M], the game that each world belongs to; by default one world per game, M = N.
        beliefs: True to deal the others what they are likely to hold, judging by what they took,
            threw away and left (`melds.beliefs`); False to make all hands equally likely.

    Raises:
        ValueError: If there is not one seed for each world, or no game for one.
        TypeError: If the view is none.
    """
    if not isinstance(view, SeatView):
        raise TypeError(f"view={shown(view)}: give a view, as engine.look(engine.to_move)")
    seeds = np.asarray(seeds)
    count = len(view) if items is None else np.size(items)
    if items is not None and count:
        low, high = np.min(items), np.max(items)
        if low < 0 or high >= len(view):
            raise ValueError(f"items from {low} to {high}: games are 0 to {len(view) - 1}")
    if seeds.dtype.kind not in "ui" or seeds.shape != (count,):
        raise ValueError(
            f"seeds of shape {seeds.shape} and dtype {seeds.dtype} for {count} worlds: give a "
            f"whole number for each"
        )
    seeds = seeds.astype(np.uint64, copy=False)
    engine = Engine(view.rules, len(seeds), seeds)
    engine.lay(determinise(view, seeds, items, _odds(view) if beliefs else None))
    return engine


def _odds(view: SeatView) -> Float32s:
    """float32[52, N], the odds that each card is in another hand: the mean over these hands."""
    others = range(1, view.rules.num_players)
    return np.stack([odds_held(view, (EVERY, seat)) for seat in others]).mean(axis=0)
