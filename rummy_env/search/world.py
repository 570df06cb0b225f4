"""Games in worlds that a seat may believe in."""

from rummy_env.core.bits import Rows, Words
from rummy_env.core.determinising import determinise
from rummy_env.core.engine import Engine
from rummy_env.core.visibility import SeatView


def worlds(view: SeatView, seeds: Words, items: Rows | None = None) -> Engine:
    """Games that agree with what a seat knows, hidden cards being dealt at random.

    The viewer has seat 0 of each, and the others follow clockwise. Two worlds of the same view and
    the same seed are alike, and so are all cards that come later, whatever is played: what two
    moves lead to in the same world differs by the moves.

    Args:
        view: The knowledge of a seat in each of N games.
        seeds: uint64[M], a random word for each world.
        items: intp[M], the games of which the worlds are; unless given, one of each, M = N.
    """
    engine = Engine(view.rules, len(seeds), seeds)
    engine.lay(determinise(view, seeds, items))
    return engine
