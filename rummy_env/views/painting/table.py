"""The whole table."""

from functools import lru_cache

import numpy as np

from rummy_env.core.display import Spot
from rummy_env.views.painting.layout import Box, around
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.middle import moved_to, paint_middle
from rummy_env.views.painting.paint import Surface, fitting, put
from rummy_env.views.painting.palette import FELT, FELT_EDGE, HEADER, IVORY, SAGE
from rummy_env.views.painting.scale import Scale, scale_of
from rummy_env.views.painting.seats import paint_seat
from rummy_env.views.painting.trail import paint_trail
from rummy_env.views.scene import Scene


def paint_table(scene: Scene, last: str, width: int, height: int) -> Surface:
    """Return the picture of a scene, with the last action in words, in pixels."""
    scale, ground = scale_of(width, height), _felt(width, height).copy()
    head = round(scale.large * 1.4 + scale.small * 1.4 + scale.gap)
    _paint_head(ground, scene.headline, last, Box(0, 0, width, head), scale)
    table = Box(0, head, width, height - head).inset(scale.gap / 2)
    places, middle = around(table, len(scene.seats))
    laid = Surface((width, height), pygame.SRCALPHA)
    to_hand, trace = moved_to(scene, Spot.HAND), scene.trace
    for number, (seat, place) in enumerate(zip(scene.seats, places, strict=True)):
        moved = to_hand if trace is not None and number == trace.seat else ()
        paint_seat(laid, seat, place, scale, moved)
    spots = paint_middle(laid, scene, middle, scale)
    put(ground, laid, 0, 0)
    if trace is not None:  # it may pass over melds between a hand and the discards
        spots[Spot.HAND] = places[trace.seat]
        paint_trail(ground, spots.get(trace.start), spots.get(trace.end), scale)
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


@lru_cache(maxsize=8)
def _felt(width: int, height: int) -> Surface:
    """Green cloth, lighter in the middle."""
    x, y = np.linspace(-1, 1, width)[:, None], np.linspace(-1, 1, height)[None, :]
    far = np.clip((x**2 + y**2) / 2, 0, 1)[:, :, None]
    felt = np.array(FELT) * (1 - far) + np.array(FELT_EDGE) * far
    ground = Surface((width, height), depth=32)
    pygame.surfarray.blit_array(ground, felt.round().astype(np.uint8))
    return ground
