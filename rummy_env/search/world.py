"""Games in worlds that a seat may believe in."""

import numpy as np
import numpy.typing as npt

from rummy_env.core.arrays import Float32s, Rows
from rummy_env.core.checks import are_whole, check_flag, shown
from rummy_env.core.determinising import determinise
from rummy_env.core.engine import Engine
from rummy_env.core.keys import as_seeds
from rummy_env.core.visibility import EVERY, SeatView
from rummy_env.melds.beliefs import odds_held


def worlds(
    view: SeatView,
    seeds: npt.ArrayLike,
    items: npt.ArrayLike | None = None,
    *,
    beliefs: bool = False,
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
        ValueError: If there is not one seed for each world, or no game for one, or `beliefs` is
            neither True nor False.
        TypeError: If the view is none.
    """
    if not isinstance(view, SeatView):
        raise TypeError(f"view={shown(view)}: give a view, as engine.look(engine.to_move)")
    if not np.ndim(view.to_move):
        raise ValueError("a view of one game without the games' axis: give the one with it, N = 1")
    check_flag("beliefs", beliefs)
    if items is not None:
        items = _as_items(items, len(view))
    count = len(view) if items is None else len(items)
    if not count:
        raise ValueError("no worlds: give a seed for each, one at least")
    if np.shape(seeds) != (count,):
        raise ValueError(
            f"seeds of shape {np.shape(seeds)} for {count} worlds: give a whole number for each"
        )
    seeds = as_seeds(seeds)
    engine = Engine(view.rules, count, seeds)
    engine.lay(determinise(view, seeds, items, _odds(view) if beliefs else None))
    return engine


def _as_items(items: npt.ArrayLike, games: int) -> Rows:
    """Return the games that worlds belong to, as intp[M]."""
    given = np.asarray(items)
    if given.ndim != 1 or not are_whole(given):
        raise ValueError(f"items={shown(items)}: give the number of a game for each world")
    if given.size and not (given.min() >= 0 and given.max() < games):
        raise ValueError(f"items from {given.min()} to {given.max()}: games are 0 to {games - 1}")
    return given.astype(np.intp)


def _odds(view: SeatView) -> Float32s:
    """float32[52, N], the odds that each card is in another hand: the mean over these hands."""
    others = range(1, view.rules.num_players)
    each = np.stack([odds_held(view, (EVERY, seat)) for seat in others])
    return each.mean(axis=0, where=~view.sits_out.T[1:, None])
