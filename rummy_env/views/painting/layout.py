"""Layout: seats around the middle, cards within a box. Numbers alone, in pixels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from operator import itemgetter
from typing import NamedTuple

_RING = {
    **{2: (1, 0, 1), 3: (1, 0, 2), 4: (1, 0, 3), 5: (3, 0, 2), 6: (3, 0, 3), 7: (3, 0, 4)},
    **{8: (3, 1, 3), 9: (3, 1, 4), 10: (3, 2, 3)},
}
"""Seats below, at each side and above, by their number."""
_ROW = {0: 0.26, 1: 0.28, 2: 0.25}
"""The height of rows of seats by the seats at a side, as shares of the table."""
_SIDE = 0.26
"""The width of seats at the sides, as a share of the table; less where the rows have more."""

SHAPE = 0.7
"""The width of a card by its height."""
STEP = 0.45
"""The least visible share of a card's width, which shows the index in its corner."""
_LOOSE = 1.06
"""The distance of cards that have room, by their width, and of lines, by the height of a card."""
_BETWEEN = 0.4
"""The gap between melds, by the width of a card."""
_LEAST_CARD = 12
_MOST_LINES = 4
"""Lines of melds that room is left for below loose cards, at most."""


def card_width(height: int) -> int:
    """Return the width of a card, in pixels."""
    return round(height * SHAPE)


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    def inset(self, by: float) -> "Box":
        """Return the same without a margin."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def rows(self, count: int) -> list["Box"]:
        """Parts one below the other."""
        height = self.height / count
        return [Box(self.x, self.y + i * height, self.width, height) for i in range(count)]

    def columns(self, count: int) -> list["Box"]:
        """Parts side by side."""
        width = self.width / count
        return [Box(self.x + i * width, self.y, width, self.height) for i in range(count)]

    def cut_top(self, height: float) -> tuple["Box", "Box"]:
        """Return an upper part and the rest."""
        rest = Box(self.x, self.y + height, self.width, self.height - height)
        return Box(self.x, self.y, self.width, height), rest

    def cut_bottom(self, height: float) -> tuple["Box", "Box"]:
        """All but a lower part, and that part."""
        return self.cut_top(self.height - height)

    def narrowed(self, width: float) -> "Box":
        """Return the middle of it, no wider than that."""
        spare = max(0.0, self.width - width)
        return self._replace(x=self.x + spare / 2, width=self.width - spare)

    def cut_left(self, width: float) -> tuple["Box", "Box"]:
        """Return a left part and the rest."""
        rest = Box(self.x + width, self.y, self.width - width, self.height)
        return Box(self.x, self.y, width, self.height), rest

    @property
    def centre(self) -> "Place":
        """Its middle."""
        return Place(self.x + self.width / 2, self.y + self.height / 2)


class Place(NamedTuple):
    """A point; of a card, its left upper corner."""

    x: float
    y: float


@dataclass(frozen=True)
class Laid:
    """Cards of one height.

    Attributes:
        height: Of every card.
        places: Their places, in their order.
    """

    height: int
    places: tuple[Place, ...]


def around(table: Box, players: int) -> tuple[list[Box], Box]:
    """Boxes for the seats, clockwise from the one below, and for the middle."""
    below, side, above = _RING[players]
    row = table.height * _ROW[side]
    top, rest = table.cut_top(row)
    middle, bottom = rest.cut_top(rest.height - row)
    lower = bottom.columns(below)[::-1]
    first = below // 2
    if not side:
        return [*lower[first:], *top.columns(above), *lower[:first]], middle
    width = table.width / 3 if side > 1 else table.width * _SIDE
    left, rest = middle.cut_left(width)
    middle, right = rest.cut_left(rest.width - width)
    sides = left.rows(side)[::-1], right.rows(side)
    return [*lower[first:], *sides[0], *top.columns(above), *sides[1], *lower[:first]], middle


def flow(melds: Sequence[int], box: Box, most: float, *, loose: int = 0, aside: int = 0) -> Laid:
    """Lay out melds of some lengths, cards in no meld and cards laid aside, by lines in a box.

    The cards are as large as they fit, at most `most` high: in a line they overlap where that makes
    them larger, and lie apart where there is room; lines never overlap, and are about equally long.
    No meld is broken over two lines.
    """
    for height in range(max(_LEAST_CARD, int(min(most, box.height))), _LEAST_CARD - 1, -1):
        room = box.width / card_width(height)
        lengths = [*melds, *_pieces(loose, room), *_pieces(aside, room)]
        lines = _lines(lengths, room)
        if _widest(lines) <= room and 1 + (len(lines) - 1) * _LOOSE <= box.height / height:
            break
    return Laid(height, tuple(_places(_balanced(lengths, lines), height, box)))


def parted(
    box: Box, loose: int, melds: Sequence[int], most: float, gap: float
) -> tuple[Box, Box, float]:
    """Return a box for loose cards, one below it for melds, and the height of cards in both.

    The height is the greatest, up to `most`, that all cards can have alike, a `gap` away from the
    edges of the boxes, in pixels.
    """
    if not melds:
        return box, box, most
    parts = []
    for lines in range(1, _MOST_LINES + 1):
        above, below = box.cut_top(box.height / (1 + lines))
        height = flow((), above.inset(gap), most, loose=loose).height
        parts.append((above, below, min(height, flow(melds, below.inset(gap), most).height)))
    return max(parts, key=itemgetter(2))


def _lines(lengths: Sequence[int], room: float) -> list[list[int]]:
    """Return the lengths of each line, which is `room` cards wide."""
    lines: list[list[int]] = [[]]
    for length in lengths:
        if lines[-1] and _width([*lines[-1], length]) > room:
            lines.append([])
        lines[-1].append(length)
    return lines


def _balanced(lengths: Sequence[int], lines: list[list[int]]) -> list[list[int]]:
    """Return as many lines, of which the widest is as narrow as can be."""
    narrower = _lines(lengths, _widest(lines) - 0.01)
    if len(narrower) > len(lines) or _widest(narrower) >= _widest(lines):
        return lines
    return _balanced(lengths, narrower)


def _widest(lines: Sequence[Sequence[int]]) -> float:
    return max(map(_width, lines))


def _pieces(cards: int, room: float) -> list[int]:
    """Return the lengths of as few pieces as possible, each of which fits a line."""
    pieces = ceil(cards / (1 + max(0, int((room - 1) / STEP))))
    return [(cards + i) // pieces for i in range(pieces)]


def _width(line: Sequence[int], step: float = STEP) -> float:
    """Return the width of a line, in cards that lie a `step` apart."""
    return len(line) + (sum(line) - len(line)) * step + max(0, len(line) - 1) * _BETWEEN


def _places(lines: Sequence[Sequence[int]], height: int, box: Box) -> Iterator[Place]:
    card = card_width(height)
    room = box.width / card
    steps = (
        (room - _width(line, 0)) / overlaps for line in lines if (overlaps := sum(line) - len(line))
    )
    step = min([_LOOSE, *steps])
    line_step = min(_LOOSE * height, (box.height - height) / max(1, len(lines) - 1))
    y = box.y + (box.height - height - (len(lines) - 1) * line_step) / 2
    for line in lines:
        x = box.x + (box.width - _width(line, step) * card) / 2
        for length in line:
            yield from (Place(x + place * step * card, y) for place in range(length))
            x += card * (1 + (length - 1) * step + _BETWEEN)
        y += line_step
