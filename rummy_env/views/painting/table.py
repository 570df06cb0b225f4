"""The whole table."""

from collections.abc import Mapping, Sequence

from rummy_env.core.display import Spot, Trace
from rummy_env.views.painting.layout import Box, around
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.middle import paint_middle
from rummy_env.views.painting.paint import Surface, fitting, put
from rummy_env.views.painting.palette import FELT, HEADER, IVORY, SAGE, SLOT
from rummy_env.views.painting.scale import Scale, scale_of
from rummy_env.views.painting.seats import paint_seats
from rummy_env.views.painting.trail import faint, trail
from rummy_env.views.painting.way import Way, way_between
from rummy_env.views.scene import Scene


def paint_table(scene: Scene, last: str, width: int, height: int) -> Surface:
    """Return the picture of a scene, with the last action in words, in pixels."""
    scale, ground = scale_of(width, height), Surface((width, height), depth=32)
    ground.fill(FELT)
    head = round(scale.large * 1.4 + scale.small * 1.4 + scale.gap)
    _paint_head(ground, scene.headline, last, Box(0, 0, width, head), scale)
    table = Box(0, head, width, height - head).inset(scale.gap / 2)
    places, middle = around(table, len(scene.seats))
    paint_seats(ground, scene, places, scale)
    laid = Surface((width, height), pygame.SRCALPHA)
    spots = paint_middle(laid, scene, middle, scale)
    way = _way(scene.trace, spots, places, laid, scale.gap)
    if way is None:
        put(ground, laid, 0, 0)
    else:
        arrow, corner = trail(way, scale.gap)
        put(ground, arrow, *corner)
        put(ground, laid, 0, 0)
        put(ground, faint(arrow), *corner)  # where cards lie on it, which can still be read
    return ground


def _way(
    trace: Trace | None, spots: Mapping[Spot, Box], seats: Sequence[Box], laid: Surface, gap: int
) -> Way | None:
    """Return the way of the cards that were moved, around what is laid and the other seats."""
    if trace is None:
        return None
    hand = seats[trace.seat].inset(1.5 * gap)  # a gap away from it is the edge of the panel
    ends = {**spots, Spot.HAND: hand}
    if trace.start not in ends or trace.end not in ends:
        return None
    taken = pygame.surfarray.pixels_alpha(laid) > SLOT[3]
    for x, y, width, height in (*seats[: trace.seat], *seats[trace.seat + 1 :]):
        taken[round(x) : round(x + width), round(y) : round(y + height)] = True
    return way_between(ends[trace.start], ends[trace.end], taken, gap)


def _paint_head(ground: Surface, headline: str, last: str, place: Box, scale: Scale) -> None:
    pygame.draw.rect(ground, HEADER, tuple(map(round, place)))
    inner = place.inset(scale.gap / 2)
    y = inner.y
    for text, size, colour in ((headline, scale.large, IVORY), (last, scale.small, SAGE)):
        if text:
            line = fitting(text, size, colour, inner.width)
            put(ground, line, inner.x + scale.gap, y)
            y += line.get_height() + scale.gap / 4
