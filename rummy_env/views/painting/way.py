"""The way of an arrow from one box to another: numbers alone, in pixels.

Many straight ways lead from the edges of one box to those of another. The arrow takes a short one
that crosses as little as can be: over a pile, it would seem to begin there.
"""

from typing import NamedTuple

import numpy as np

from rummy_env.core.arrays import Bools, Float64s
from rummy_env.views.painting.layout import Box, Place

_LEAST = 3
"""The least length of a way, in gaps."""
_STEP = 3
"""The distance of the points of an edge at which a way may begin or end, in gaps."""
_SAMPLES = 64
"""Points of a way at which it is looked up whether something lies there."""
_PRICE = 20
"""How many times as long a way counts where it crosses something."""


class Way(NamedTuple):
    """Where an arrow begins, and where it points to."""

    tail: Place
    head: Place


def way_between(start: Box, end: Box, taken: Bools, gap: int) -> Way | None:
    """Return a way from a box to another; None if there is no room.

    Args:
        start: The one box.
        end: The other.
        taken: bool[width, height], the pixels that are better not crossed.
        gap: How far from the boxes it begins and ends.
    """
    tails, heads = _free(_points(start, gap), taken), _inside(_points(end, gap), taken)
    tails, heads = tails.repeat(len(heads), axis=0), np.tile(heads, (len(tails), 1))
    length = np.hypot(*(heads - tails).T)
    good = (length >= _LEAST * gap) & _away(tails, heads, start) & _away(heads, tails, end)
    if not good.any():
        return None
    tails, heads, length = tails[good], heads[good], length[good]
    best = (length * (1 + _PRICE * _crossed(tails, heads, taken))).argmin()
    return Way(Place(*tails[best]), Place(*heads[best]))


def _points(box: Box, gap: int) -> Float64s:
    """Return float64[N, 2], points a gap away from the edges: of short ones the middle alone."""
    across, down = (_along(side, gap) for side in (box.width, box.height))
    x, y = box.centre
    beside, above = box.width / 2 + gap, box.height / 2 + gap
    rows = [(x + by, y + to) for by in across for to in (-above, above)]
    columns = [(x + to, y + by) for by in down for to in (-beside, beside)]
    return np.array(rows + columns)


def _along(side: float, gap: int) -> Float64s:
    """Return float64[N], points of an edge that are not near its ends, from its middle."""
    most = max(0, int((side / 2 - _STEP * gap) / (_STEP * gap)))
    return _STEP * gap * np.arange(-most, most + 1.0)


def _inside(points: Float64s, taken: Bools) -> Float64s:
    """Return those points that lie in the picture."""
    inside: Float64s = points[((points >= 0) & (points < np.array(taken.shape) - 1)).all(axis=1)]
    return inside


def _free(points: Float64s, taken: Bools) -> Float64s:
    """Return those points in the picture that lie on nothing; all in it if there is none."""
    points = _inside(points, taken)
    x, y = np.rint(points).astype(np.intp).T
    free = ~taken[x, y]
    return points[free] if free.any() else points


def _away(points: Float64s, others: Float64s, box: Box) -> Bools:
    """Return bool[N], whether ways lead from points around a box to others on the same side."""
    from_centre = points - box.centre
    beyond = np.abs(from_centre) > (box.width / 2, box.height / 2)
    onwards = (others - points) * from_centre >= 0
    away: Bools = np.logical_and(*(onwards | ~beyond).T)
    return away


def _crossed(tails: Float64s, heads: Float64s, taken: Bools) -> Float64s:
    """Return float64[N], the share of each way that is taken."""
    ways = tails + np.linspace(0, 1, _SAMPLES)[:, None, None] * (heads - tails)
    x, y = np.moveaxis(np.rint(ways).astype(np.intp), -1, 0)
    crossed: Float64s = taken[x, y].mean(axis=0)
    return crossed
