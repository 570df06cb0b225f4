"""Arrows in pictures: where they begin and end, and what they go around."""

import numpy as np
import pytest

pytest.importorskip("pygame")

from rummy_env.core.arrays import Bools
from rummy_env.views.painting.layout import Box
from rummy_env.views.painting.way import Way, way_between
from tests.boxes import TABLE

GAP = 8
STOCK, PILE, SEAT = Box(40, 250, 80, 140), Box(160, 250, 80, 140), Box(550, 60, 240, 130)


def taken(*boxes: Box) -> Bools:
    """A table on which some boxes are taken."""
    found = np.zeros((round(TABLE.x + TABLE.width), round(TABLE.y + TABLE.height)), bool)
    for x, y, width, height in boxes:
        found[round(x) : round(x + width), round(y) : round(y + height)] = True
    return found


def points(way: Way | None, count: int = 200) -> list[tuple[float, float]]:
    """Points of a way, from its beginning to its end."""
    assert way is not None
    (x, y), (to_x, to_y) = way
    return [(x + i / count * (to_x - x), y + i / count * (to_y - y)) for i in range(count + 1)]


def crosses(way: Way | None, box: Box) -> bool:
    """Whether a way leads through a box."""
    return any(0 < x - box.x < box.width and 0 < y - box.y < box.height for x, y in points(way))


@pytest.mark.parametrize("seat", [SEAT, SEAT._replace(y=450), SEAT._replace(y=250)])
def test_an_arrow_from_the_stock_goes_around_the_pile_beside_it(seat: Box) -> None:
    for start, end in ((STOCK, seat), (seat, STOCK)):
        way = way_between(start, end, taken(STOCK, PILE), GAP)
        assert not any(crosses(way, box) for box in (STOCK, PILE, seat))


def test_an_arrow_begins_and_ends_a_gap_away_from_its_boxes() -> None:
    way = way_between(STOCK, SEAT, taken(STOCK, PILE), GAP)
    assert way is not None
    assert way.tail == (STOCK.x + STOCK.width / 2, STOCK.y - GAP)  # the middle of a short side
    assert way.head.x == SEAT.x - GAP


def test_an_arrow_takes_the_gap_between_melds() -> None:
    melds = Box(100, 400, 280, 60), Box(400, 400, 300, 60)
    pile, hand = Box(100, 200, 600, 100), Box(10, 500, 780, 90)
    way = way_between(hand, pile, taken(*melds), GAP)
    assert not any(crosses(way, meld) for meld in melds)


def test_an_arrow_crosses_what_it_cannot_go_around() -> None:
    wall = Box(0, 300, 800, 60)
    start, end = Box(300, 100, 100, 100), Box(300, 450, 100, 100)
    way = way_between(start, end, taken(wall), GAP)
    assert crosses(way, wall)
    assert not crosses(way, start)
    assert not crosses(way, end)


def test_there_is_no_arrow_without_room() -> None:
    upper, lower = Box(0, 0, 800, 299), Box(0, 301, 800, 299)
    assert way_between(upper, lower, taken(), GAP) is None
