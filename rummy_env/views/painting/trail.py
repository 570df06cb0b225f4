"""The trail of the last move: an arrow from where cards lay to where they lie."""

from math import atan2, cos, hypot, pi, sin

from rummy_env.views.painting.layout import Box, Place
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.paint import FINENESS, Surface, put, smooth
from rummy_env.views.painting.palette import TRAIL
from rummy_env.views.painting.scale import Scale

_HEAD = 0.45
"""Half the angle of the head, in radians."""


def paint_trail(ground: Surface, start: Box | None, end: Box | None, scale: Scale) -> None:
    """Draw an arrow from the edge of a box to that of another; nothing if there is no room."""
    if start is None or end is None:
        return
    tail, head = _edge(start, end.centre, scale.gap), _edge(end, start.centre, scale.gap)
    forward = (head.x - tail.x) * (end.centre.x - start.centre.x)
    forward += (head.y - tail.y) * (end.centre.y - start.centre.y)
    if forward > 0 and hypot(head.x - tail.x, head.y - tail.y) > 2 * scale.gap:
        _arrow(ground, tail, head, scale.gap)


def _edge(box: Box, to: Place, gap: float) -> Place:
    """Return the point, beyond a gap, where a line from a box to another point leaves it."""
    x, y = box.centre
    along, down = to.x - x, to.y - y
    far = hypot(along, down) or 1.0
    share = min(
        box.width / 2 / abs(along) if along else 1.0, box.height / 2 / abs(down) if down else 1.0
    )
    share += gap / far
    return Place(x + share * along, y + share * down)


def _arrow(ground: Surface, tail: Place, head: Place, size: int) -> None:
    """Draw an arrow between two points, its head a few times `size` long."""
    left, top = min(tail.x, head.x) - size, min(tail.y, head.y) - size
    width = round(abs(head.x - tail.x) + 2 * size)
    height = round(abs(head.y - tail.y) + 2 * size)
    turn = atan2(head.y - tail.y, head.x - tail.x)

    def paint(canvas: Surface) -> None:
        def at(point: Place, angle: float, far: float) -> tuple[float, float]:
            x = point.x - left + far * cos(angle)
            y = point.y - top + far * sin(angle)
            return x * FINENESS, y * FINENESS

        thick, side = size / 5, turn + pi / 2
        neck = Place(head.x - 1.5 * size * cos(turn), head.y - 1.5 * size * sin(turn))
        shaft = [at(tail, side, thick), at(neck, side, thick), at(neck, side, -thick)]
        pygame.draw.polygon(canvas, TRAIL, [*shaft, at(tail, side, -thick)])
        barbs = [at(head, turn + pi + angle, 2 * size) for angle in (-_HEAD, _HEAD)]
        pygame.draw.polygon(canvas, TRAIL, [at(head, 0, 0), *barbs])

    put(ground, smooth(width, height, paint), left, top)
