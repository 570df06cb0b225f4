"""The trail of the last move: an arrow from where cards lay to where they lie."""

from math import atan2, cos, hypot, sin, tan

from rummy_env.views.painting.layout import Place
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.paint import FINENESS, Surface, smooth
from rummy_env.views.painting.palette import TRAIL, TRAIL_EDGE
from rummy_env.views.painting.way import Way

_HEAD = 0.45
"""Half the angle of the head, in radians."""
_FAINT = 100
"""The opacity, of 255, of what can be looked through."""


def trail(way: Way, size: int) -> tuple[Surface, Place]:
    """Return an arrow with a dark edge, its head twice `size` long, and its left upper corner."""
    tail, head = way
    along, down = head.x - tail.x, head.y - tail.y
    length, turn = hypot(along, down), atan2(down, along)
    corner = Place(min(tail.x, head.x) - 2 * size, min(tail.y, head.y) - 2 * size)
    x, y = tail.x - corner.x, tail.y - corner.y

    def paint(canvas: Surface) -> None:
        for colour, edge in ((TRAIL_EDGE, size / 6), (TRAIL, 0.0)):
            corners = [
                (x + a * cos(turn) - b * sin(turn), y + a * sin(turn) + b * cos(turn))
                for a, b in _outline(length, size, edge)
            ]
            pygame.draw.polygon(canvas, colour, [(FINENESS * u, FINENESS * v) for u, v in corners])

    return smooth(round(abs(along)) + 4 * size, round(abs(down)) + 4 * size, paint), corner


def faint(sprite: Surface) -> Surface:
    """Return a sprite through which cards can be read."""
    seen = sprite.copy()
    seen.fill((_FAINT,) * 4, special_flags=pygame.BLEND_RGBA_MULT)
    return seen


def _outline(length: float, size: int, edge: float) -> list[tuple[float, float]]:
    """Return the corners of an arrow that points to the right, grown by an edge all around."""
    thick, tip = size / 4 + edge, length + edge / sin(_HEAD)
    base = length - 2 * size - edge
    half = [(-edge, thick), (base, thick), (base, (tip - base) * tan(_HEAD))]
    return [*half, (tip, 0.0), *[(x, -y) for x, y in reversed(half)]]
