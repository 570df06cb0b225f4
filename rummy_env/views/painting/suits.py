"""The shapes of the suits, in a square from (0, 0), left above, to (1, 1)."""

from functools import cache
from math import cos, pi, sin

Shape = tuple[tuple[float, float], ...]

_STEPS = 48


@cache
def suit_parts(suit: str) -> tuple[Shape, ...]:
    """The polygons that make up a suit, one of the letters `"cdhs"`."""
    return _SHAPES[suit]()


def _heart() -> Shape:
    turns = [2 * pi * step / _STEPS for step in range(_STEPS)]
    return tuple(
        (
            0.5 + 0.47 * sin(turn) ** 3,
            0.47
            - (13 * cos(turn) - 5 * cos(2 * turn) - 2 * cos(3 * turn) - cos(4 * turn)) * 0.0295,
        )
        for turn in turns
    )


def _diamonds() -> tuple[Shape, ...]:
    """Four sides that are drawn in a little towards the middle."""
    corners = ((0.5, 0.0), (0.89, 0.5), (0.5, 1.0), (0.11, 0.5))
    points = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        mx, my = 0.5 + ((ax + bx) / 2 - 0.5) * 0.86, 0.5 + ((ay + by) / 2 - 0.5) * 0.86
        points += [_between((ax, ay), (mx, my), (bx, by), step / 8) for step in range(8)]
    return (tuple(points),)


def _between(
    start: tuple[float, float], pull: tuple[float, float], end: tuple[float, float], t: float
) -> tuple[float, float]:
    """A point of a quadratic curve."""
    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
    return a * start[0] + b * pull[0] + c * end[0], a * start[1] + b * pull[1] + c * end[1]


def _spades() -> tuple[Shape, ...]:
    body = tuple((x, 0.84 - 0.86 * y) for x, y in _heart())
    return body, _stem(0.5)


def _clubs() -> tuple[Shape, ...]:
    circles = [_circle(x, y, 0.235) for x, y in ((0.5, 0.245), (0.245, 0.57), (0.755, 0.57))]
    return (*circles, _circle(0.5, 0.48, 0.15), _stem(0.45))


def _circle(x: float, y: float, radius: float) -> Shape:
    turns = [2 * pi * step / _STEPS for step in range(_STEPS)]
    return tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns)


def _stem(top: float) -> Shape:
    """A foot that widens towards the ground."""
    right = [_between((0.53, top), (0.54, 0.88), (0.7, 0.98), step / 8) for step in range(9)]
    return (*right, *((1 - x, y) for x, y in reversed(right)))


_SHAPES = {"c": _clubs, "d": _diamonds, "h": lambda: (_heart(),), "s": _spades}
