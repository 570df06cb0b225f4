"""The whole table."""

from rummy_env.core.display import Spot
from rummy_env.views.painting.layout import Box, around
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.middle import paint_middle
from rummy_env.views.painting.paint import Surface, fitting, put
from rummy_env.views.painting.palette import FELT, HEADER, IVORY, SAGE
from rummy_env.views.painting.scale import Scale, scale_of
from rummy_env.views.painting.seats import paint_seats
from rummy_env.views.painting.trail import paint_trail
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
    spots, trace = paint_middle(laid, scene, middle, scale), scene.trace
    ends: tuple[Box | None, Box | None] = (None, None)
    if trace is not None:
        spots[Spot.HAND] = places[trace.seat]
        ends = spots.get(trace.start), spots.get(trace.end)
    paint_trail(ground, *ends, scale)
    put(ground, laid, 0, 0)
    paint_trail(ground, *ends, scale)  # again: once, it is so faint that cards can be read below
    return ground


def _paint_head(ground: Surface, headline: str, last: str, place: Box, scale: Scale) -> None:
    pygame.draw.rect(ground, HEADER, tuple(map(round, place)))
    inner = place.inset(scale.gap / 2)
    y = inner.y
    for text, size, colour in ((headline, scale.large, IVORY), (last, scale.small, SAGE)):
        if text:
            line = fitting(text, size, colour, inner.width)
            put(ground, line, inner.x + scale.gap, y)
            y += line.get_height() + scale.gap / 4
