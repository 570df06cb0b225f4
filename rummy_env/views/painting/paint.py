"""Smooth shapes and words on transparent ground.

Everything is painted several times as large and scaled down. Sprites have their colours multiplied
by their opacity, so that edges stay clean when they are scaled and laid over each other.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from rummy_env.core.naming import SIGNS
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.palette import RED_ON_FELT, RED_SUIT, SUIT_COLOURS, Colour
from rummy_env.views.painting.suits import suit_parts

Surface = pygame.Surface
Paint = Colour | tuple[int, int, int, int]

FINENESS = 4
"""The factor by which shapes and words are painted larger."""
_FONT_SCALE = 16 / 11
"""The size to ask of the default font, by the size that it then has."""
_SUIT_SIGN = {sign: suit for suit, sign in SIGNS.items()}
_PARTS = re.compile(f"([{''.join(_SUIT_SIGN)}])")


def put(ground: Surface, sprite: Surface, x: float, y: float) -> None:
    """Lay a sprite onto a surface, its left upper corner at (x, y)."""
    ground.blit(sprite, (round(x), round(y)), special_flags=pygame.BLEND_PREMULTIPLIED)


def smooth(width: int, height: int, paint: Callable[[Surface], None]) -> Surface:
    """Return a sprite from what is painted `FINENESS` times as large."""
    canvas = Surface((width * FINENESS, height * FINENESS), pygame.SRCALPHA)
    paint(canvas)
    return pygame.transform.smoothscale(canvas.premul_alpha(), (width, height))


@lru_cache(maxsize=256)
def box(width: int, height: int, radius: int, fill: Paint, edge: Colour | None = None) -> Surface:
    """Return a rounded rectangle, with an edge or without."""

    def paint(canvas: Surface) -> None:
        whole, line = canvas.get_rect(), max(FINENESS, radius * FINENESS // 5)
        if edge is not None:
            pygame.draw.rect(canvas, edge, whole, border_radius=radius * FINENESS)
            whole = whole.inflate(-2 * line, -2 * line)
        corner = max(1, whole.height * radius // height)
        pygame.draw.rect(canvas, fill, whole, border_radius=corner)

    return smooth(width, height, paint)


@lru_cache(maxsize=512)
def suit_sprite(suit: str, size: int, colour: Colour) -> Surface:
    """Return a suit in a square of `size` pixels."""

    def paint(canvas: Surface) -> None:
        for part in suit_parts(suit):
            pygame.draw.polygon(
                canvas, colour, [(x * size * FINENESS, y * size * FINENESS) for x, y in part]
            )

    return smooth(size, size, paint)


_LEAST_TEXT = 9
"""The least size of text that is still read."""
_NARROWEST = 2
"""Pixels that a letter has at least; what cannot fit in any case is not drawn to be measured."""


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(None, size)


@lru_cache(maxsize=2048)
def plain(text: str, size: int, colour: Colour) -> Surface:
    """Words without suits; an em is `size` pixels."""
    large = _font(round(size * FINENESS * _FONT_SCALE)).render(text, True, colour)
    width, height = (max(1, round(side / FINENESS)) for side in large.get_size())
    return pygame.transform.smoothscale(large.premul_alpha(), (width, height))


def line_height(size: int) -> int:
    """Return the height of a line of words, in pixels; an em is `size` pixels."""
    return plain("X", size, RED_ON_FELT).get_height()


@lru_cache(maxsize=2048)
def words(text: str, size: int, colour: Colour) -> Surface:
    """Return a line of words in which suits are drawn; an em is `size` pixels."""
    parts = [_part(part, size, colour) for part in _PARTS.split(text) if part]
    gap = max(1, size // 12)
    width = sum(part.get_width() + gap for part in parts) - gap
    height = line_height(size)
    line = Surface((max(1, width), height), pygame.SRCALPHA)
    x = 0
    for part in parts:
        put(line, part, x, (height - part.get_height()) / 2)
        x += part.get_width() + gap
    return line


def _part(part: str, size: int, colour: Colour) -> Surface:
    if part not in _SUIT_SIGN:
        return plain(part, size, colour)
    suit = _SUIT_SIGN[part]
    red = SUIT_COLOURS[suit] == RED_SUIT
    return suit_sprite(suit, round(size * 0.8), RED_ON_FELT if red else colour)


def fitting(text: str, size: int, colour: Colour, width: float) -> Surface:
    """Return a line no wider than `width` pixels: set smaller if need be, then cut short."""
    text = text[: max(1, int(width / _NARROWEST))]
    for smaller in range(size, _LEAST_TEXT - 1, -1):
        if words(text, smaller, colour).get_width() <= width:
            return words(text, smaller, colour)
    while len(text) > 1 and words(f"{text}...", _LEAST_TEXT, colour).get_width() > width:
        text = text[:-1]
    return words(f"{text}...", _LEAST_TEXT, colour)


DOT = "  ·  "
"""What stands between words about different things in one line."""


def wrapped(parts: Sequence[str], size: int, width: float, between: str = DOT) -> list[str]:
    """Lines that no part is broken in, each as long as `width` pixels allow."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{between}{part}" if lines else part
        if lines and words(longer, size, RED_ON_FELT).get_width() <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines
