"""A table in the terminal: whole games by keys."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.keys import Keys

import rummy_env
from rummy_env.play.offer import Offer
from rummy_env.play.orders import Order, order_of
from rummy_env.play.seats import Agent, Person
from rummy_env.play.terminal import COACHED, HELP, OVER, Sitting, _lesson
from rummy_env.records import Record, read
from tests.play_tables import order

MOST = 2000
SIZES = [Size(rows=24, columns=80), Size(rows=24, columns=40), Size(rows=40, columns=120)]
MARKED = re.compile(r"^> +(\d+)  ")


def sitting(variant: str, *agents: str, **options: Any) -> Sitting:
    return Sitting(order_of(order(variant, *agents, **options), Offer()))


class Breaks:
    """A policy that fails."""

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        raise RuntimeError("out of order")


def with_an_agent_that_breaks(*people: str, seed: int) -> Sitting:
    rules = rummy_env.rules("basic", num_players=len(people) + 1)
    return Sitting(Order(rules, (*map(Person, people), Agent("brk", Breaks(), "brk")), seed))


def rows_of(game: Sitting, size: Size) -> list[str]:
    """The rows of a screen, none of which is cut off."""
    rows = game.text(size).split("\n")
    assert len(rows) == size.rows
    assert max(map(len, rows)) <= size.columns
    return rows


def foot_of(rows: list[str]) -> str:
    return " ".join(row.strip() for row in rows[-6:])


def marked_in(rows: list[str]) -> list[int]:
    return [int(found[1]) for row in rows if (found := MARKED.match(row))]


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
def test_a_whole_game_is_played_by_keys(variant: str) -> None:
    game = sitting(variant, max_turns=20)
    assert game.text().endswith(HELP)
    for _ in range(MOST):
        if game.table.finished:
            break
        game.press(Keys.Down)
        game.press(Keys.Enter)
    assert game.text().endswith(OVER)
    assert "the game is over" in game.text()
    game.press("c")
    assert "decisions as greedy would" in game.text()
    game.press(Keys.Enter)
    assert game.table.number == 2


def test_a_move_is_chosen_by_its_number() -> None:
    game = sitting("basic", seed=None)
    game.press("1")
    game.press(Keys.Enter)
    game.press("1")
    game.press("0")
    assert ">  10" in game.text()
    game.press(Keys.Backspace)
    assert ">   1" in game.text()
    game.press("0")
    game.press(Keys.Up)
    assert ">   9" in game.text()


@pytest.mark.parametrize("number", ["0", "99", "13"])
def test_a_number_that_is_none_plays_nothing(number: str) -> None:
    game = sitting("basic")
    before, most = game.table.engine.snapshot(0), len(game.legal())
    assert most < 13
    for _ in range(2):
        for key in number:
            game.press(key)
        game.press(Keys.Enter)
        assert f"there is no number {number}, but 1 to {most}" in game.text()
        assert game.table.engine.snapshot(0) == before
    game.press("1")
    game.press(Keys.Enter)
    assert game.table.engine.snapshot(0) != before


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    ("variant", "players"),
    [("gin", 2), ("rummy500", 2), ("rummy500", 4), ("rummy500", 5), ("rummy_cards", 2)],
)
def test_the_marked_move_the_note_and_the_help_are_on_every_screen(
    variant: str, players: int, size: Size
) -> None:
    game = sitting(variant, *["greedy"] * (players - 1), max_turns=30)
    for turn in range(60):
        if game.table.finished:
            break
        count = len(game.legal())
        at = turn % count
        for key in ("h", *str(at + 1)):
            game.press(key)
            rows = rows_of(game, size)
        assert marked_in(rows) == [at + 1]
        assert sum(bool(re.match(r"[> ] +\d+  ", row)) for row in rows) >= min(count, 4)
        assert foot_of(rows).endswith(HELP)
        game.press("h")
        assert f"{game.note} {HELP}" in foot_of(rows_of(game, size))
        game.press(Keys.Enter)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_coach_is_read_from_the_first_decision_to_the_last(size: Size) -> None:
    game = sitting("gin", "strong")
    while not game.table.finished:
        game.press(Keys.Enter)
    over = game.text()
    game.press("C")
    told = int(re.findall(r"^ +(\d+)  turn", game.text(), re.MULTILINE)[-1])
    assert told > 10
    for at in (*range(1, told + 1), 1):
        rows = rows_of(game, size)
        assert marked_in(rows) == [at]
        assert "decisions as strong would" in rows[0]
        assert foot_of(rows).endswith(COACHED)
        game.press(Keys.Down)
    game.press("c")
    assert game.text() == over


def test_a_number_marks_a_lesson_and_deals_nothing() -> None:
    game = sitting("gin", "strong")
    while not game.table.finished:
        game.press(Keys.Enter)
    game.press("c")
    for number in "21":
        game.press(number)
        game.press(Keys.Enter)
        assert marked_in(rows_of(game, SIZES[0])) == [int(number)]
    assert game.table.number == 1
    game.press(Keys.Enter)
    assert game.table.number == 2


@pytest.mark.parametrize(
    ("hand", "cost", "told"),
    [
        (1, None, "turn 3: draw stock; it: draw discard"),
        (2, None, "hand 2, turn 3: draw stock; it: draw discard"),
        (2, 1.5, "hand 2, turn 3: draw stock; it: draw discard (by 1.50 points)"),
    ],
)
def test_a_lesson_tells_the_hand_where_there_are_several_and_the_cost(
    hand: int, cost: float | None, told: str
) -> None:
    line = {"hand": hand, "turn": 3, "yours": "draw stock", "coach": "draw discard"}
    assert _lesson({**line, "cost": cost, "unit": "points"}, hand > 1) == told


def test_an_agent_that_fails_is_named_and_the_game_stays() -> None:
    game = with_an_agent_that_breaks("Ann", seed=2)
    while game.table.mover == 0:
        game.press(Keys.Enter)
    for key in (Keys.Down, Keys.Enter):
        game.press(key)
        assert "brk cannot go on: RuntimeError" in foot_of(rows_of(game, SIZES[0]))
    game.press("u")
    assert game.table.mover == 0
    assert "cannot go on" not in game.text()


def test_an_agent_that_fails_when_it_is_asked_is_named() -> None:
    game = with_an_agent_that_breaks("Ann", seed=2)
    game.press("h")
    assert game.note == "brk cannot say: RuntimeError: out of order"


def test_the_cards_of_an_agent_that_fails_are_not_shown() -> None:
    game = with_an_agent_that_breaks("Ann", "Bob", seed=3)
    game.press(" ")
    while game.table.mover == 1:
        game.press(Keys.Enter)
    for _ in range(2):
        (row,) = re.findall(r"^> player_2 \(brk\).*", game.text(), re.MULTILINE)
        assert row.endswith("hidden")
        game.press(Keys.Enter)


@pytest.mark.parametrize("key", "mhu")
def test_capital_letters_do_what_small_ones_do(key: str) -> None:
    small, capital = sitting("gin", "strong"), sitting("gin", "strong")
    small.press(key)
    capital.press(key.upper())
    assert small.note
    assert capital.text() == small.text()


def test_a_slip_is_undone_and_a_drawn_card_is_not() -> None:
    game = sitting("basic")
    while "draw discard" not in game.text():
        game.press(Keys.Enter)
    before = game.text()
    game.press("2")
    game.press(Keys.Enter)
    game.press("u")
    assert game.text() == before
    game.press("1")
    game.press(Keys.Enter)
    game.press("u")
    assert "nothing to undo" in game.note


def test_a_hint_and_melds_are_told() -> None:
    game = sitting("gin", "strong")
    game.press("m")
    assert game.note.startswith("melds: ")
    game.press("h")
    assert game.note.startswith("strong would ")


def test_people_at_one_terminal_do_not_see_each_others_cards() -> None:
    rules = rummy_env.rules("basic", num_players=3)
    game = Sitting(Order(rules, tuple(Person(name) for name in ("Ann", "Bob", "Cleo")), 3))
    assert game.text().endswith("when you are alone.")
    game.press(" ")
    while not game.text().endswith("when you are alone."):
        game.press(Keys.Enter)
    covered = game.text()
    assert "♥" not in covered
    assert game.table.names[game.table.mover] in covered
    game.press("x")
    assert game.text().endswith(HELP)
    assert game.table.log[-1].words.startswith("discard")


def test_between_people_a_page_covers_the_next_deal_whoever_begins() -> None:
    for seed in range(6):
        people = (Person("Ann"), Person("Bob"))
        game = Sitting(Order(rummy_env.rules("basic"), people, seed))
        while not game.table.finished:
            if "press a key" in game.text():
                game.press("x")
            game.press(Keys.Enter)
        game.press(Keys.Enter)
        assert "press a key when you are alone" in game.text()


def test_finished_games_are_told_to_who_records_them() -> None:
    told: list[Record] = []
    game = Sitting(order_of(order("basic", "greedy"), Offer()), told.append)
    for finished in (1, 2):
        while not game.table.finished:
            game.press(Keys.Enter)
        assert len(told) == finished
        assert told[-1] == game.table.record()
        game.press(Keys.Enter)
    assert len(told) == 2


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_a_game_that_agents_end_before_anybody_moves_is_told_once(seed: int) -> None:
    told: list[Record] = []
    rules = rummy_env.rules("basic", max_turns=1)
    seats = (Person("Ann"), Offer().seat("greedy", rules))
    game = Sitting(Order(rules, seats, seed), told.append)
    assert game.table.finished
    assert told == [game.table.record()]


def test_a_number_of_many_digits_is_no_number() -> None:
    game = sitting("basic", "greedy")
    for _ in range(5000):
        game.press("9")
    assert "there is no number 999999999, but" in game.note


def test_a_line_may_be_the_words_of_a_move() -> None:
    game = sitting("basic", "greedy", seed=3)
    while len(game.legal()) < 2:
        game.press(Keys.Enter)
    words = game._choices()[1]
    before = len(game.table.actions)
    chosen = game.legal()[1]
    game.take_line(words.upper())
    assert game.table.actions[before] == chosen


@pytest.mark.parametrize(
    ("line", "words"),
    [("abc", "abc is no move here"), ("?", "no key '?' here"), ("999", "there is no number 999")],
)
def test_a_line_that_says_nothing_is_answered(line: str, words: str) -> None:
    game = sitting("basic", "greedy", seed=3)
    before = [*game.table.actions]
    game.take_line(line)
    assert words in game.note
    assert game.table.actions == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_command_plays_in_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "rummy_env", "play", "basic", "--terminal", "--seed", "3"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "60"}
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        cwd=Path(__file__).parents[1],
    )
    os.close(theirs)

    def until(words: str) -> str:
        told, end = "", time.monotonic() + 60
        while words not in told and time.monotonic() < end:
            if select.select([ours], [], [], 0.2)[0]:
                told += os.read(ours, 65536).decode(errors="replace")
        return told

    try:
        assert "draw stock" in until("quit")
        os.write(ours, b"q")
        assert process.wait(30) == 0
    finally:
        process.kill()
        os.close(ours)


def test_without_a_terminal_lines_are_read_in_place_of_keys(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rummy_env", "play", "basic", "--terminal", "--seed", "3"]
    command += ["--folder", str(tmp_path)]
    typed = "h\n99\n" + "1\n" * 60 + "q\n1\n"
    done = subprocess.run(command, capture_output=True, text=True, input=typed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "patient would" in done.stdout
    assert "there is no number 99" in done.stdout
    kept = [*read(tmp_path / "games.jsonl")]
    assert f"games kept: {len(kept)}; rummy-env replay" in done.stdout
    assert {record.agents for record in kept} == {("You", "patient")}
