"""Where things lie in a picture: nothing overlaps that should not, nothing leaves its place."""

from itertools import combinations, pairwise

import pytest

pytest.importorskip("pygame")

from rummy_env.views.painting.layout import (
    SHAPE,
    STEP,
    Box,
    Laid,
    around,
    card_width,
    flow,
    parted,
)
from tests.boxes import TABLE, overlap

BOXES = [Box(10, 20, 760, 110), Box(10, 20, 140, 60), Box(3, 4, 190, 220), Box(0, 0, 90, 45)]


def within(laid: Laid, box: Box) -> bool:
    """Whether all cards lie in a box, up to a pixel."""
    width = card_width(laid.height)
    return all(
        box.x - 1 <= place.x <= box.x + box.width - width + 1
        and box.y - 1 <= place.y <= box.y + box.height - laid.height + 1
        for place in laid.places
    )


@pytest.mark.parametrize("players", range(2, 11))
def test_seats_and_the_middle_share_the_table(players: int) -> None:
    seats, middle = around(TABLE, players)
    assert len(seats) == players
    for box in (*seats, middle):
        assert box.x >= TABLE.x - 1e-6
        assert box.y >= TABLE.y - 1e-6
        assert box.x + box.width <= TABLE.x + TABLE.width + 1e-6
        assert box.y + box.height <= TABLE.y + TABLE.height + 1e-6
        assert box.width > 150
        assert box.height > 100
    assert not any(overlap(*pair) for pair in combinations([*seats, middle], 2))


@pytest.mark.parametrize("players", range(2, 11))
def test_seats_go_round_clockwise_from_the_one_below(players: int) -> None:
    seats, middle = around(TABLE, players)
    assert seats[0].y > middle.y
    assert abs(seats[0].x + seats[0].width / 2 - 400) < 1
    x, y = middle.x + middle.width / 2, middle.y + middle.height / 2
    turns = []
    for one, other in pairwise(seats):
        ax, ay = one.x + one.width / 2 - x, one.y + one.height / 2 - y
        bx, by = other.x + other.width / 2 - x, other.y + other.height / 2 - y
        turns.append(ax * by - ay * bx)
    assert all(turn > -1e-6 for turn in turns)


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("count", [1, 2, 5, 10, 13, 26, 40])
def test_a_hand_lies_in_its_place_with_every_index_in_sight(count: int, box: Box) -> None:
    laid = flow((), box, most=118, loose=count)
    assert len(laid.places) == count
    assert within(laid, box)
    assert laid.height <= 118
    if laid.height > 12:
        for one, other in pairwise(laid.places):
            assert one.y != other.y or other.x - one.x >= STEP * SHAPE * laid.height - 1


@pytest.mark.parametrize("box", BOXES[:3])
@pytest.mark.parametrize("lengths", [[3], [3, 4, 13], [3] * 12, [4, 3, 5, 3, 7, 3], [1, 3, 10]])
def test_melds_lie_in_their_place_and_apart(lengths: list[int], box: Box) -> None:
    laid = flow(lengths, box, most=94)
    assert len(laid.places) == sum(lengths)
    assert within(laid, box)
    places = iter(laid.places)
    melds = [[next(places) for _ in range(length)] for length in lengths]
    for one, other in pairwise(melds):
        gap = other[0].x - one[-1].x
        assert other[0].y > one[-1].y or gap > card_width(laid.height)
        assert len({place.y for place in one}) == 1


def test_a_larger_place_never_makes_cards_smaller() -> None:
    for count in (3, 11, 26):
        heights = [
            flow((), Box(0, 0, 100 + by, 60 + by), 200, loose=count).height
            for by in range(0, 300, 20)
        ]
        assert heights == sorted(heights)


@pytest.mark.parametrize("box", BOXES[:3])
def test_cards_in_no_meld_lie_apart_from_the_melds(box: Box) -> None:
    laid = flow([3, 4], box, most=118, loose=3)
    assert len(laid.places) == 10
    assert within(laid, box)
    for last, first in ((2, 3), (6, 7)):
        one, other = laid.places[last], laid.places[first]
        assert other.y > one.y or other.x - one.x > 1.3 * card_width(laid.height)


def test_cards_that_have_room_do_not_overlap() -> None:
    laid = flow([3], Box(0, 0, 900, 118), most=118, loose=2)
    steps = [other.x - one.x for one, other in pairwise(laid.places)]
    assert min(steps) > card_width(laid.height)
    assert max(steps) == steps[2] > 1.3 * card_width(laid.height)


def lines_of(laid: Laid) -> list[float]:
    """The height on the table of each line, from above."""
    return sorted({place.y for place in laid.places})


@pytest.mark.parametrize("box", [TABLE, *BOXES[:3]])
@pytest.mark.parametrize("lengths", [[3] * 5, [3, 4, 13], [3] * 12, [4, 3, 5, 3, 7, 3]])
def test_lines_never_overlap(lengths: list[int], box: Box) -> None:
    laid = flow(lengths, box, most=94, loose=4, aside=1)
    assert all(other - one >= laid.height for one, other in pairwise(lines_of(laid)))


def test_no_meld_is_left_alone_in_a_line_where_others_could_join_it() -> None:
    laid = flow([3] * 5, Box(0, 0, 500, 200), most=94)
    first, second = lines_of(laid)
    counts = [sum(place.y == line for place in laid.places) for line in (first, second)]
    assert counts == [9, 6]


@pytest.mark.parametrize("melds", [[3], [3, 4, 3], [3, 4, 7, 3, 3, 4], [3] * 12])
@pytest.mark.parametrize("loose", [0, 1, 9, 30])
def test_loose_cards_above_melds_are_as_large_as_these(loose: int, melds: list[int]) -> None:
    box, gap = Box(10, 20, 640, 210), 2
    above, below, height = parted(box, loose, melds, 94, gap)
    assert above.y == box.y
    assert below.y == above.y + above.height
    assert below.y + below.height == pytest.approx(box.y + box.height)
    assert flow((), above.inset(gap), height, loose=loose).height == height
    assert flow(melds, below.inset(gap), height).height == height >= 44


def test_loose_cards_have_all_the_room_where_no_meld_lies() -> None:
    assert parted(TABLE, 5, [], 94, 2) == (TABLE, TABLE, 94)
