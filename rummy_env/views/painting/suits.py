"""The shapes of the suits, in a square from (0, 0), left above, to (1, 1)."""

from functools import cache
from math import cos, pi, sin

Shape = tuple[tuple[float, float], ...]

_TURNS = [2 * pi * step / 48 for step in range(48)]


@cache
def suit_parts(suit: str) -> tuple[Shape, ...]:
    """Return the polygons that make up a suit, one of the letters `"cdhs"`."""
    if suit == "d":
        return (((0.5, 0.0), (0.87, 0.5), (0.5, 1.0), (0.13, 0.5)),)
    if suit == "c":
        circles = [_circle(x, y, 0.235) for x, y in ((0.5, 0.245), (0.245, 0.57), (0.755, 0.57))]
        return (*circles, _circle(0.5, 0.48, 0.15), _stem(0.45))
    if suit == "h":
        return (_heart(),)
    return tuple((x, 0.84 - 0.86 * y) for x, y in _heart()), _stem(0.5)


def _heart() -> Shape:
    return tuple(
        (
            0.5 + 0.47 * sin(turn) ** 3,
            0.47
            - (13 * cos(turn) - 5 * cos(2 * turn) - 2 * cos(3 * turn) - cos(4 * turn)) * 0.0295,
        )
        for turn in _TURNS
    )


def _circle(x: float, y: float, radius: float) -> Shape:
    return tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in _TURNS)


def _stem(top: float) -> Shape:
    """Return a foot that widens towards the ground."""
    return ((0.47, top), (0.53, top), (0.56, 0.84), (0.7, 0.98), (0.3, 0.98), (0.44, 0.84))
