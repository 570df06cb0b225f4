"""Pages of text: what a terminal of a given size shows of them."""

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from rummy_env.replay.screen import screen
from rummy_env.replay.text_page import TextPage, shortened

TABLE = "the headline\n\nown cards of many suits\nother cards\n\nstock"
LOG = [f"log {number}" for number in range(9)]
MOVES = [f"move {number}" for number in range(9)]


FOOT = ["the note", "the help"]


def page(marked: int = 8) -> TextPage:
    return TextPage(TABLE, LOG, MOVES, marked, "9 in all", note="the note", help="the help")


def shown(rows: int, columns: int = 40, marked: int = 8) -> list[str]:
    return page(marked).text(Size(rows=rows, columns=columns)).split("\n")


def test_the_whole_page_is_shown_where_there_is_room_and_the_foot_at_the_bottom() -> None:
    above = [*TABLE.split("\n"), "", *LOG, "", *MOVES]
    assert page().text().split("\n") == [*above, "", *FOOT]
    assert shown(40) == [*above, *[""] * 12, *FOOT]


def test_the_log_is_shortened_first_then_the_moves_then_the_table() -> None:
    table, last = TABLE.split("\n"), [*MOVES[5:], "9 in all"]
    assert shown(24) == [*table, "", *LOG[-5:], "", *MOVES, *FOOT]
    assert shown(19) == [*table, "", *LOG[-2:], "", *MOVES[3:], "9 in all", *FOOT]
    assert shown(14) == [*table, "", *last, *FOOT]
    assert shown(12) == [*filter(None, table), "", *last, *FOOT]
    assert shown(10) == ["the headline", "own cards of many suits", "", *last, *FOOT]


@pytest.mark.parametrize("columns", [3, 10, 40])
@pytest.mark.parametrize("rows", [1, 2, 3, 5, 24])
def test_no_terminal_is_too_small(rows: int, columns: int) -> None:
    screens = [shown(rows, columns, marked) for marked in range(len(MOVES))]
    assert {len(screen) for screen in screens} == {rows}
    if columns >= 10 and rows >= 5:
        assert all(MOVES[marked] in screen for marked, screen in enumerate(screens))


def test_where_a_text_is_too_long_its_lines_are_cut_from_below() -> None:
    text = "one two three four\n\nfive six seven"
    whole = ["one two", "    three", "    four", "", "five six", "    seven"]
    assert shortened(text, 6, 9) == whole
    assert shortened(text, 5, 9) == [*filter(None, whole)]
    assert shortened(text, 4, 9) == [*whole[:3], "five si …"]
    assert shortened(text, 3, 9) == ["one two", "    thr …", "five si …"]
    assert shortened(text, 1, 9) == ["one two …"]
    assert shortened(text, 0, 9) == []


def test_wide_characters_take_two_columns() -> None:
    assert shortened("花子 draw and discard", 9, 21) == ["花子 draw and discard"]
    assert shortened("花子 draw and discard", 9, 20) == ["花子 draw and", "    discard"]
    assert shortened("花子花子", 9, 7) == ["花子花", "    子"]  # no row ends in half of one


def test_a_line_takes_no_more_rows_for_its_wide_characters_than_they_need() -> None:
    line = " ".join(["花" * 20] * 3)
    assert shortened(line, 99, 50) == ["花" * 20, *["    " + "花" * 20] * 2]


class Small(DummyOutput):
    """A terminal of a size that no other has."""

    def get_size(self) -> Size:
        return Size(rows=7, columns=31)


@pytest.mark.parametrize("quit_key", ["q", "Q"])
def test_a_screen_asks_for_the_text_of_its_size_until_q_is_pressed(quit_key: str) -> None:
    sizes, pressed = set[Size](), list[str]()

    def text(size: Size) -> str:
        sizes.add(size)
        return "text"

    with create_pipe_input() as keys, create_app_session(input=keys, output=Small()):
        keys.send_text(f"x{quit_key}")
        screen(text, pressed.append, (Keys.Any,)).run()
    assert (sizes, pressed) == ({Size(rows=7, columns=31)}, ["x"])
