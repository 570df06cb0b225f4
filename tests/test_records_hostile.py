"""Records that are made to do harm: refused early, and nothing in them is run or obeyed."""

import contextlib
import json
import tracemalloc
from collections import deque
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import rummy_env
from rummy_env.core.naming import printable, seat_names
from rummy_env.envs import recording
from rummy_env.envs.recording import RecordedEngine
from rummy_env.records import play, read
from rummy_env.records.reading import read_game
from rummy_env.records.record import MAX_ACTIONS, MAX_LINE, MOST_NAME_LETTERS, Record
from rummy_env.replay import Replay, command
from tests.conftest import few_or_all, side_by_side
from tests.recorded import recorded
from tests.rollout import finish

BASIC = rummy_env.rules("basic", hand_size=3)
LIMIT = 100 << 20
"""Bytes that reading a bad file may take at most."""
Line = dict[str, Any]
Spoil = Callable[[Line], str]
ESCAPES = "\x1b[2J\x1b]0;title\x07\u202egnp\r\n\x9b31m"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where records go."""
    return tmp_path / "games.jsonl"


@pytest.fixture(scope="module")
def good_line(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The line of a good record."""
    (record,) = recorded(BASIC, tmp_path_factory.mktemp("good") / "games.jsonl")
    return record.to_line()


@pytest.fixture
def line(good_line: str) -> Line:
    """Its values, which a test may spoil."""
    values: Line = json.loads(good_line)
    return values


def deep(depth: int) -> str:
    return "[" * depth + "]" * depth


def with_raw(line: Line, key: str, raw: str) -> str:
    """The line with raw JSON under a key."""
    return json.dumps({**line, key: "HERE"}).replace('"HERE"', raw)


HOSTILE: dict[str, tuple[Spoil, str]] = {
    "deep": (lambda line: deep(500_000), "no record"),
    "cut deep": (lambda line: "[" * 1_000_000, "no record"),
    "deep objects": (lambda line: '{"a":' * 200_000, "no record"),
    "deep rewards": (lambda line: with_raw(line, "rewards", f"[{deep(900)},1]"), r"rewards\[0\]="),
    "deep options": (
        lambda line: with_raw(line, "options", f'{{"ace":{deep(900)}}}'),
        "ace=",
    ),
    "deep agents": (lambda line: with_raw(line, "agents", f"[{deep(900)},1]"), "is no name"),
    "deep format": (lambda line: with_raw(line, "format", deep(900)), "format="),
    "deep version": (lambda line: with_raw(line, "rummy_env", deep(900)), "rummy_env="),
    "long": (lambda line: " " * (MAX_LINE + 1) + json.dumps(line), "more than 1,048,576 char"),
    "long name": (lambda line: json.dumps({**line, "variant": "x" * 900_000}), "variant='xx"),
    "many keys": (
        lambda line: json.dumps({**line, **dict.fromkeys(map(str, range(50_000)))}),
        "has",
    ),
    "many actions": (lambda line: json.dumps({**line, "actions": [0] * 300_000}), "number of acti"),
    "long seed": (lambda line: with_raw(line, "seed", "9" * 900_000), "no record"),
    "large seed": (lambda line: with_raw(line, "seed", "9" * 4000), "seed="),
    "text for rewards": (
        lambda line: json.dumps({**line, "rewards": ["1", 0]}),
        r"rewards\[0\]='1'",
    ),
    "no number": (
        lambda line: json.dumps({**line, "rewards": [0, float("nan")]}),
        r"rewards\[1\]=nan",
    ),
    "huge rewards": (lambda line: with_raw(line, "rewards", "[1e999, 0]"), r"rewards\[0\]=inf"),
    "flag for rewards": (
        lambda line: json.dumps({**line, "rewards": [0, True]}),
        r"rewards\[1\]=Tr",
    ),
    "text for scores": (lambda line: json.dumps({**line, "scores": ["1", 0]}), r"scores\[0\]='1'"),
    "none for scores": (
        lambda line: json.dumps({**line, "scores": [1, None]}),
        r"scores\[1\]=None",
    ),
    "no seat": (lambda line: json.dumps({**line, "winners": [7]}), r"winners\[0\]=7"),
    "text for winners": (lambda line: json.dumps({**line, "winners": ["x"]}), r"winners\[0\]='x'"),
    "flag for actions": (
        lambda line: json.dumps({**line, "actions": [True]}),
        r"actions\[0\]=True",
    ),
    "an import": (
        lambda line: json.dumps({**line, "variant": "tests.accidents:Crash"}),
        "variant=",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_line_is_refused_in_one_line_and_little_memory(
    case: str, line: Line, path: Path
) -> None:
    spoil, fault = HOSTILE[case]
    path.write_text(spoil(line))
    tracemalloc.start()
    with pytest.raises(ValueError, match=rf"games.jsonl, line 1: .*{fault}") as refused:
        read(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < LIMIT
    assert len(str(refused.value)) < 1500
    assert "\n" not in str(refused.value)


VALUES: list[Any] = [None, 3, -1, 1e9, "x", [], {}, [[]], {"a": {}}, True, 10**400]


@few_or_all(
    "value, variant",
    few=side_by_side(VALUES, rummy_env.VARIANTS),
    every=product(VALUES, rummy_env.VARIANTS),
)
def test_an_option_of_another_type_is_a_value_error(
    value: object, variant: str, line: Line, path: Path
) -> None:
    for option, _ in rummy_env.rules(variant).options:
        path.write_text(json.dumps({**line, "variant": variant, "options": {option: value}}))
        with contextlib.suppress(ValueError):
            assert read(path)[0].rules.name == variant


@pytest.mark.slow
def test_a_record_imports_nothing(line: Line, tmp_path: Path, path: Path, monkeypatch: Any) -> None:
    mark = tmp_path / "ran"
    (tmp_path / "hostile_rules.py").write_text(f"open({str(mark)!r}, 'w').close()")
    monkeypatch.syspath_prepend(tmp_path)
    for key, value in (
        ("variant", "hostile_rules:make"),
        ("agents", ["hostile_rules:make"] * 2),
        ("rummy_env", "hostile_rules:make"),
    ):
        path.write_text(json.dumps({**line, key: value}))
        with contextlib.suppress(SystemExit):
            command.main([str(path), "--plain"], "replay")
        assert not mark.exists()
    with contextlib.suppress(SystemExit):
        command.main([str(path), "--plain", "--variant", "hostile_rules:make"], "replay")
    assert mark.exists()


def test_a_long_game_is_replayed_with_few_tables(path: Path, monkeypatch: Any) -> None:
    (record,) = recorded(BASIC, path)
    whole = Replay(record)
    monkeypatch.setattr("rummy_env.replay.TABLES", 4)
    few = Replay(record)
    assert len(few.kept) <= 5 < len(whole.kept)
    for step in range(0, few.steps + 1, 9):
        assert few.at(step).snapshot(0) == whole.at(step).snapshot(0)
        assert few.said(step) == whole.said(step)


def test_a_game_of_too_many_actions_is_recorded_up_to_there(path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(recording, "MAX_ACTIONS", 7)
    engine = RecordedEngine(BASIC, path=path)
    engine.reset()
    finish(engine)
    engine.close()
    (record,) = read(path)
    assert len(record.actions) == 7
    assert record.outcome.end == "unfinished"
    assert sum(1 for _ in play(record)) == 8


def test_the_longest_record_is_short_enough_to_be_read() -> None:
    assert MAX_ACTIONS * len("9999, ") < MAX_LINE


@pytest.mark.parametrize(
    "character", ["\x1b", "\x07", "\r", "\n", "\x9b", "\u202e", "\u2066", "\x7f"]
)
def test_characters_that_terminals_obey_are_shown(character: str) -> None:
    assert printable(f"a{character}é♠ b") == f"a{ascii(character)[1:-1]}é♠ b"


@pytest.mark.parametrize("change", [{"variant": "unknown"}, {"actions": [99]}])
def test_a_version_forges_no_line_of_an_error(line: Line, change: Line) -> None:
    forged = json.dumps({**line, **change, "rummy_env": "9.9\nerror: none"})
    with pytest.raises(ValueError, match=r"9\.9\\nerror: none"):
        deque(play(Record.from_line(forged)), maxlen=0)


@pytest.mark.slow
def test_names_in_a_record_are_shown_and_not_obeyed(line: Line, path: Path, capsys: Any) -> None:
    line |= {"agents": [ESCAPES, "b"], "rummy_env": ESCAPES}
    for change in ({}, {"variant": ESCAPES}, {ESCAPES: 1}, {"end": ESCAPES}, {"actions": [99]}):
        path.write_text(json.dumps({**line, **change}))
        with contextlib.suppress(SystemExit):
            command.main([str(path), "--plain"], "replay")
    printed = "".join(capsys.readouterr())
    assert "\\x1b[2J" in printed
    assert all(c.isprintable() or c == "\n" for c in printed)
    assert seat_names(2, [ESCAPES, "b"])[0].isprintable()


def test_a_game_is_found_behind_a_line_of_any_length(line: Line, path: Path) -> None:
    told = json.dumps(line)
    path.write_text(f"{'x' * (3 * MAX_LINE)}\n{told}\n")
    assert read_game(path, 2) == Record.from_line(told)


def test_the_longest_name_is_recorded(path: Path) -> None:
    rules = rummy_env.rules("basic", hand_size=3)
    RecordedEngine(rules, path=path, agents=["x" * MOST_NAME_LETTERS, "b"]).close()
    with pytest.raises(ValueError, match="name"):
        RecordedEngine(rules, path=path, agents=["x" * (MOST_NAME_LETTERS + 1), "b"])


def test_rewards_that_are_hardly_off_do_not_replay(line: Line) -> None:
    rewards = [paid + 1e-3 for paid in line["rewards"]]
    with pytest.raises(ValueError, match="rewards is"):
        deque(play(Record.from_line(json.dumps({**line, "rewards": rewards}))), maxlen=0)
