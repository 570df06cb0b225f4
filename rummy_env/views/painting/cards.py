"""Cards as sprites, painted once for every size."""

from collections import Counter
from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache
from itertools import chain

from rummy_env.core.cards import SUITS
from rummy_env.core.display import Cards
from rummy_env.core.naming import card_name
from rummy_env.views.painting.emblems import crown, emblem
from rummy_env.views.painting.layout import Box, Place, card_width, flow
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.paint import FINENESS, Surface, box, plain, put, smooth, suit_sprite
from rummy_env.views.painting.palette import (
    BACK,
    BACK_LINE,
    GOLD,
    OTHER_SPECIAL,
    PAPER,
    PAPER_EDGE,
    SHADOW,
    SPECIAL_COLOURS,
    SUIT_COLOURS,
    VEIL,
    Colour,
)

HIDDEN = ""
"""A card whose back is seen."""


class Look(Enum):
    """How a card looks: as it is, as one that was just moved, as one that is out of play."""

    PLAIN = auto()
    LIT = auto()
    DIM = auto()


def put_card(
    ground: Surface, card: str, height: int, x: float, y: float, look: Look = Look.PLAIN
) -> None:
    """Lay a card, or the back of one where it is `HIDDEN`, with its shadow."""
    margin = _margin(height)
    put(ground, _sprite(card, height, look), round(x) - margin, round(y) - margin)


def lay(
    ground: Surface,
    melds: Sequence[Cards],
    loose: Sequence[str],
    place: Box,
    most: float,
    *,
    aside: Sequence[str] = (),
    moved: Sequence[str] = (),
) -> Box | None:
    """Lay melds, cards in no meld, and cards laid aside into a box; see `flow`.

    Those that were just `moved` are lit. Return the least box around them, None without any.
    """
    laid = flow(list(map(len, melds)), place, most, loose=len(loose), aside=len(aside))
    cards = (*chain(*melds), *loose)
    looks = [*_looks(cards, moved), *[Look.DIM] * len(aside)]
    for card, look, spot in zip((*cards, *aside), looks, laid.places, strict=True):
        put_card(ground, card, laid.height, spot.x, spot.y, look)
    lit = [spot for look, spot in zip(looks, laid.places, strict=True) if look == Look.LIT]
    return _outline(lit, laid.height) if lit else None


def _outline(places: Sequence[Place], height: int) -> Box:
    """Return the least box around cards of one height."""
    left, top = (min(sides) for sides in zip(*places, strict=True))
    right, bottom = (max(sides) for sides in zip(*places, strict=True))
    return Box(left, top, right - left + card_width(height), bottom - top + height)


def _looks(cards: Cards, moved: Sequence[str]) -> list[Look]:
    """Return how cards look: of equal ones, the last are those that were moved."""
    left, looks = Counter(moved), []
    for card in reversed(cards):
        looks.append(Look.LIT if left[card] > 0 else Look.PLAIN)
        left[card] -= 1
    return looks[::-1]


def radius_of(height: int) -> int:
    """Return the radius of a card's corners."""
    return max(2, height // 12)


def _margin(height: int) -> int:
    return max(2, height // 16)


@lru_cache(maxsize=1024)
def _sprite(card: str, height: int, look: Look) -> Surface:
    """Return a card with its shadow around it, or a glow."""
    width, margin = card_width(height), _margin(height)
    sprite = Surface((width + 2 * margin, height + 2 * margin), pygame.SRCALPHA)
    radius = radius_of(height)
    put(sprite, box(width, height, radius, SHADOW), margin, margin + margin / 3)
    sprite = pygame.transform.gaussian_blur(sprite, max(1, margin // 2))
    if look == Look.LIT:
        rim = max(2, height // 28)
        glow = box(width + 2 * rim, height + 2 * rim, radius + rim, GOLD)
        put(sprite, glow, margin - rim, margin - rim)
    put(sprite, _face(card, height) if card else _back(height), margin, margin)
    if look == Look.DIM:
        put(sprite, box(width, height, radius, VEIL), margin, margin)
    return sprite


def _back(height: int) -> Surface:
    """Return a lattice within a frame."""
    width, radius = card_width(height), radius_of(height)
    back = box(width, height, radius, PAPER, PAPER_EDGE).copy()
    inset = _margin(height)
    inner = (width - 2 * inset, height - 2 * inset)

    def paint(canvas: Surface) -> None:
        canvas.fill(BACK)
        wide, high = canvas.get_size()
        step = max(4 * FINENESS, high // 9)
        for start in range(-high, wide, step):
            line = max(FINENESS // 2, step // 9)
            pygame.draw.line(canvas, BACK_LINE, (start, 0), (start + high, high), line)
            pygame.draw.line(canvas, BACK_LINE, (start, high), (start + high, 0), line)
        pygame.draw.rect(canvas, BACK_LINE, canvas.get_rect(), max(FINENESS, high // 40))

    put(back, smooth(*inner, paint), inset, inset)
    return back


def _face(card: str, height: int) -> Surface:
    face = box(card_width(height), height, radius_of(height), PAPER, PAPER_EDGE).copy()
    if card[1:] in SUITS:
        _regular(face, card, height)
    else:
        _special(face, card, height)
    return face


def _regular(face: Surface, card: str, height: int) -> None:
    """Paint the index in the corner, and a large suit; court cards wear a crown."""
    suit, colour = card[1], SUIT_COLOURS[card[1]]
    index = _index(card_name(card)[:-1], height, colour)
    middle = 0.06 * height + 0.12 * height
    put(face, index, middle - index.get_width() / 2, 0.06 * height)
    small = round(0.18 * height)
    put(face, suit_sprite(suit, small, colour), middle - small / 2, 0.29 * height)
    court = card[0] in "JQK"
    large = round((0.3 if court else 0.36) * height)
    x, y = 0.44 * height - large / 2, 0.72 * height - large / 2
    put(face, suit_sprite(suit, large, colour), x, y)
    if court:
        size = round(0.34 * height)
        put(face, crown(card[0], size), 0.44 * height - size / 2, 0.36 * height)


def _index(rank: str, height: int, colour: Colour) -> Surface:
    """Return the rank, cut to the height of its capitals, two digits drawn together."""
    letters = plain(rank, max(6, round(0.29 * height)), colour)
    return _squeezed(letters, round(0.235 * height))


def _squeezed(letters: Surface, widest: int) -> Surface:
    """Return letters without the space around them, made narrower where they are too wide."""
    letters = letters.subsurface(letters.get_bounding_rect())
    if letters.get_width() <= widest:
        return letters
    return pygame.transform.smoothscale(letters, (widest, letters.get_height()))


def _special(face: Surface, card: str, height: int) -> None:
    """Paint a coloured ground, an emblem in the corner and a large one, and the name."""
    width, colour = card_width(height), SPECIAL_COLOURS.get(card, OTHER_SPECIAL)
    inset = max(1, height // 24)
    inner = box(width - 2 * inset, height - 2 * inset, max(1, height // 16), colour)
    put(face, inner, inset, inset)
    small = round(0.21 * height)
    put(face, emblem(card, small, PAPER), 0.075 * height, 0.075 * height)
    name = _name(card_name(card), height)
    put(face, name, 0.175 * height - name.get_width() / 2, 0.94 * height - name.get_height())
    large = round(0.32 * height)
    put(face, emblem(card, large, PAPER), 0.485 * height - large / 2, 0.52 * height - large / 2)


def _name(name: str, height: int) -> Surface:
    """Return the name of a special card, read from the foot to the head of it."""
    letters = plain(name, max(6, round(0.15 * height)), PAPER)
    return pygame.transform.rotate(_squeezed(letters, round(0.6 * height)), 90)
