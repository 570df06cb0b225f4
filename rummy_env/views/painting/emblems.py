"""The emblems of special cards and court cards, painted in a square."""

from functools import lru_cache
from math import cos, pi, sin

from rummy_env.melds.declaration import CANT_GO_OUT, GROUP, NO_MELD, RUMMY, SEQUENCE, WILD
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.paint import FINENESS, Surface, smooth
from rummy_env.views.painting.palette import CROWN, Colour


@lru_cache(maxsize=256)
def emblem(card: str, size: int, colour: Colour) -> Surface:
    """Return the sign of a special card, a star if it is unknown, in a square of `size` pixels."""
    return smooth(
        size, size, lambda canvas: _EMBLEMS.get(card, _wild)(canvas, size * FINENESS, colour)
    )


@lru_cache(maxsize=256)
def crown(rank: str, size: int) -> Surface:
    """Return a crown for a jack, queen or king."""
    spikes = {"J": 2, "Q": 3, "K": 4}[rank]
    return smooth(size, size, lambda canvas: _crown(canvas, size * FINENESS, CROWN, spikes))


def _crown(canvas: Surface, unit: int, colour: Colour, spikes: int) -> None:
    """Paint a band with `spikes` gaps between its spikes, and pearls on all but the plainest."""
    points = [(0.94 * unit, 0.7 * unit), (0.06 * unit, 0.7 * unit)]
    for spike in range(spikes + 1):
        x = (0.06 + 0.88 * spike / spikes) * unit
        points.append((x, 0.16 * unit))
        if spikes > 2:
            pygame.draw.circle(canvas, colour, (x, 0.16 * unit), 0.06 * unit)
        if spike < spikes:
            points.append((x + 0.44 / spikes * unit, 0.46 * unit))
    pygame.draw.polygon(canvas, colour, points)


def _wild(canvas: Surface, unit: int, colour: Colour) -> None:
    """Paint a star of five points."""
    corners = []
    for corner in range(10):
        radius, turn = (0.21 if corner % 2 else 0.5) * unit, pi * corner / 5
        corners.append((unit / 2 + radius * sin(turn), unit / 2 - radius * cos(turn)))
    pygame.draw.polygon(canvas, colour, corners)


def _rummy(canvas: Surface, unit: int, colour: Colour) -> None:
    """Paint a crown on its cushion."""
    _crown(canvas, unit, colour, spikes=3)
    cushion = (0.06 * unit, 0.76 * unit, 0.88 * unit, 0.14 * unit)
    pygame.draw.rect(canvas, colour, cushion, border_radius=round(0.07 * unit))


def _group(canvas: Surface, unit: int, colour: Colour) -> None:
    """Paint three bars alike, side by side."""
    for column in range(3):
        left = (0.02 + 0.34 * column) * unit
        bar = (left, 0.16 * unit, 0.28 * unit, 0.68 * unit)
        pygame.draw.rect(canvas, colour, bar, border_radius=round(0.08 * unit))


def _sequence(canvas: Surface, unit: int, colour: Colour) -> None:
    """Paint three bars that rise."""
    for column in range(3):
        left, high = (0.02 + 0.34 * column) * unit, (0.36 + 0.26 * column) * unit
        bar = (left, 0.94 * unit - high, 0.28 * unit, high)
        pygame.draw.rect(canvas, colour, bar, border_radius=round(0.08 * unit))


def _barred(canvas: Surface, unit: int, colour: Colour) -> None:
    """Paint a ring with a bar across."""
    pygame.draw.circle(canvas, colour, (unit / 2, unit / 2), unit / 2, round(0.13 * unit))
    corners = (0.14, 0.24), (0.24, 0.14), (0.86, 0.76), (0.76, 0.86)
    pygame.draw.polygon(canvas, colour, [(x * unit, y * unit) for x, y in corners])


def _locked(canvas: Surface, unit: int, colour: Colour) -> None:
    """Paint a padlock."""
    bow = (0.22 * unit, 0.02 * unit, 0.56 * unit, 0.8 * unit)
    pygame.draw.ellipse(canvas, colour, bow, round(0.12 * unit))
    body = (0.1 * unit, 0.42 * unit, 0.8 * unit, 0.56 * unit)
    pygame.draw.rect(canvas, colour, body, border_radius=round(0.1 * unit))


_EMBLEMS = {
    WILD: _wild,
    GROUP: _group,
    SEQUENCE: _sequence,
    RUMMY: _rummy,
    NO_MELD: _barred,
    CANT_GO_OUT: _locked,
}
