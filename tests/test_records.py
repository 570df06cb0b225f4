"""Records: read back, played again; and whatever else stands in a file."""

import codecs
import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.envs.recording import RecordedEngine
from rummy_env.records import KNOWN, Record, play, read, read_game
from rummy_env.records.record import check_recordable
from rummy_env.variants.former_gin import former_gin
from rummy_env.version import __version__
from tests.recorded import recorded
from tests.rollout import finish

BASIC = rummy_env.rules("basic", hand_size=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where records go."""
    return tmp_path / "games.jsonl"


def values_of(record: Record) -> dict[str, Any]:
    """What the line of a record holds."""
    values: dict[str, Any] = json.loads(record.to_line())
    return values


def blind(*, hand_size: int = 4) -> Rules:
    """A variant of somebody's own: nobody may take a discard."""
    usual = rummy_env.rules("basic", hand_size=hand_size)
    draw, play = usual.turn
    moves = {move: then for move, then in draw.moves if "Stock" in type(move).__name__}
    return replace(
        usual, name="blind", options=(("hand_size", hand_size),), turn=(replaced(draw, moves), play)
    )


def replaced(phase: Any, moves: dict[Any, str]) -> Any:
    return type(phase)(phase.name, moves)


def test_the_former_gin_can_be_recorded(path: Path) -> None:
    (record,) = recorded(former_gin(), path)
    assert record.rules == former_gin()
    assert record.actions


def test_a_variant_of_ones_own_is_read_only_if_it_is_given(path: Path) -> None:
    name = "tests.test_records:blind"
    rules = rummy_env.rules(name, hand_size=5)
    engine = RecordedEngine(rules, path=path)
    engine.reset()
    finish(engine)
    with pytest.raises(
        ValueError, match=rf"line 1: variant='{name}'.* beside the record, by variants="
    ):
        read(path)
    (record,) = read(path, variants={**KNOWN, name: blind})
    assert record.rules == rules
    assert sum(1 for _ in play(record)) == len(record.actions) + 1


def teams(*, sizes: tuple[int, ...] = (2, 2)) -> Rules:
    """A variant of somebody's own, one of whose options is a tuple."""
    return replace(rummy_env.rules("basic"), name="teams", options=(("sizes", sizes),))


def test_options_that_are_tuples_are_recorded(path: Path) -> None:
    name = "tests.test_records:teams"
    rules = rummy_env.rules(name, sizes=(1, 3))
    engine = RecordedEngine(rules, path=path)
    engine.reset()
    finish(engine)
    (record,) = read(path, variants={**KNOWN, name: teams})
    assert record.rules == rules


def test_why_rules_cannot_be_recorded_is_told() -> None:
    rules = rummy_env.rules("tests.test_records:teams", sizes=(1, 1j))
    with pytest.raises(ValueError, match=r"same rules \(Object of type complex is not JSON"):
        check_recordable(rules)


@pytest.mark.parametrize("variants", [["my_games:sets"], "my_games:sets"])
def test_variants_that_are_no_functions_by_name_are_refused(variants: Any, path: Path) -> None:
    recorded(BASIC, path)
    with pytest.raises(TypeError, match="give functions by import string, as in"):
        read(path, variants=variants)


def test_a_record_may_be_made_of_numbers_of_numpys(path: Path) -> None:
    (record,) = recorded(BASIC, path)
    seed: Any = np.uint64(record.seed)
    actions: Any = tuple(map(np.int64, record.actions))
    assert replace(record, seed=seed, actions=actions).to_line() == record.to_line()


def test_every_cut_of_a_line_is_refused(variant: str, path: Path) -> None:
    (record,) = recorded(rummy_env.rules(variant, max_turns=2), path)
    line = record.to_line()
    for end in range(1, len(line)):
        with pytest.raises(
            ValueError, match=r"cut short or altered: it ends with .*; delete it, or take"
        ):
            Record.from_line(line[:end])


def test_lines_that_are_no_records_are_refused_early() -> None:
    with pytest.raises(ValueError, match="begins no record"):
        Record.from_line("[1, 2]")
    with pytest.raises(ValueError, match="no record, or is cut short or altered"):
        Record.from_line('{"format":' + "[" * 100_000)


def test_a_byte_order_mark_does_no_harm(path: Path) -> None:
    before = recorded(BASIC, path)
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert [*read(path)] == before


def test_blanks_around_a_line_do_no_harm(path: Path) -> None:
    (record,) = recorded(BASIC, path)
    assert Record.from_line(f"  {record.to_line()} \r\n") == record


def test_messages_name_the_file_and_the_line(path: Path) -> None:
    recorded(BASIC, path, num_envs=3)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "", lines[1][:-40], lines[2]]))
    with pytest.raises(ValueError, match=r"games.jsonl, line 3: the line is no record, or is cut"):
        read(path)
    assert read_game(path, 3).to_line() == lines[2]
    with pytest.raises(ValueError, match=r"line 3: the line is no record, or is cut"):
        read_game(path, 2)
    for outside in (0, 4):
        with pytest.raises(
            ValueError, match=rf"game={outside}: give a whole number from 1 to 3 wi"
        ):
            read_game(path, outside)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "holds no record"),
        (b"\n\n", "holds no record"),
        (b"\x89PNG\xff\n", "line 1: the line is no record"),
    ],
)
def test_files_without_records_are_refused(content: bytes, fault: str, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(ValueError, match=fault):
        read(path)


def test_lines_with_windows_ends_are_read(path: Path) -> None:
    records = recorded(BASIC, path, num_envs=2)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read(path) == records


def test_another_version_that_plays_the_same_is_welcome(variant: str, path: Path) -> None:
    (record,) = recorded(rummy_env.rules(variant), path)
    older = Record.from_line(replace(record, version="0.0.7").to_line())
    assert older.version == "0.0.7"
    assert sum(1 for _ in play(older)) == len(record.actions) + 1


def drain(record: Record) -> int:
    return sum(1 for _ in play(record))


def test_another_version_that_departs_says_so(path: Path) -> None:
    (record,) = recorded(BASIC, path)
    both = rf"\(written by rummy_env 0\.0\.7, read by {__version__}\) does not replay: it departs"
    older = replace(record, version="0.0.7")
    count = len(record.actions)
    with pytest.raises(ValueError, match=rf"{both} at action \d+ of {count}: .* is not legal; leg"):
        drain(replace(older, seed=record.seed ^ 1))
    with pytest.raises(ValueError, match=rf"{both} at action 2 of {count}: .*none of 0 to"):
        drain(replace(older, actions=(*record.actions[:2], 999, *record.actions[3:])))
    longer = (*record.actions, 0)
    with pytest.raises(
        ValueError, match=rf"{both} at action {count} of {count + 1}: the game is ov"
    ):
        drain(replace(older, actions=longer))
    with pytest.raises(ValueError, match=rf"{both} after its {count - 1} actions: end is 'unfini"):
        drain(replace(older, actions=record.actions[:-1]))


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("end", "unfinished"),
        ("winners", (0, 1)),
        ("scores", (9, 9)),
        ("rewards", (0.25, -0.25)),
    ],
)
def test_another_outcome_is_named(key: str, other: object, path: Path) -> None:
    (record,) = recorded(BASIC, path)
    changed = replace(record, outcome=replace(record.outcome, **{key: other}))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=rf"actions: {key} is .*, recorded as [^;]*$"):
        drain(changed)


@pytest.mark.parametrize("change", [{"actions": [0]}, {"agents": ["a", "b"]}, {"outcome": None}])
def test_a_record_that_could_not_be_read_back_is_refused(
    change: dict[str, Any], path: Path
) -> None:
    (record,) = recorded(BASIC, path)
    (name,) = change
    with pytest.raises(TypeError, match=f"{name}=.*: give a value of type"):
        replace(record, **change)


def test_rewards_may_differ_by_rounding(path: Path) -> None:
    (record,) = recorded(BASIC, path)
    near = tuple(reward + 1e-7 for reward in record.outcome.rewards)
    assert drain(replace(record, outcome=replace(record.outcome, rewards=near)))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            {"format": 3, "rummy_env": "9.0"},
            "format=3, written by rummy_env '9.0': .* reads format 2",
        ),
        ({"variant": "contract"}, "variant='contract': known are basic, bonus"),
        (
            {"options": {"jokers": 2}},
            "basic of the record cannot be made: .*no option jokers=2; it has num_players",
        ),
        ({"options": {"hand_size": 99}}, "basic of the record cannot be made: hand_size=99"),
        (
            {"options": {"hand_size": 99}, "rummy_env": "0.0.7"},
            r"basic of the record \(written by rummy_env 0\.0\.7, read by .*\) cannot be made",
        ),
        ({"rummy_env": "9" * 200}, "version='9+\\.\\.\\.9+': give a short text"),
        ({"seed": -1}, "seed=-1: give a whole number from 0"),
        ({"seed": 1.5}, "seed=1.5: give a value of type int"),
        ({"actions": [0, "1"]}, r"actions\[1\]='1': give a whole number"),
        ({"actions": 7}, "actions=7: give a value of type list"),
        ({"agents": ["one"]}, "give a name for each of 2 seats"),
        ({"scores": [1, 2, 3]}, "scores=.* give one for each of 2 seats"),
        ({"rewards": [1]}, "rewards=.* give one for each of 2 seats"),
        ({"end": "won"}, "end='won': give one of 'finished', 'cut off', 'unfinished'"),
        ({"mood": "good"}, r"the record has \['mood'\] besides: it must have format"),
    ],
)
def test_values_that_make_no_record_are_named(
    change: dict[str, Any], fault: str, path: Path
) -> None:
    (record,) = recorded(BASIC, path)
    with pytest.raises(ValueError, match=fault):
        Record.from_line(json.dumps({**values_of(record), **change}))


def test_a_key_that_is_missing_is_told(path: Path) -> None:
    (record,) = recorded(BASIC, path)
    values = values_of(record)
    del values["seed"]
    with pytest.raises(ValueError, match="lacks seed: it must have format, rummy_env, var"):
        Record.from_line(json.dumps(values))


def test_records_can_be_pickled_and_compared(path: Path) -> None:
    (record,) = recorded(BASIC, path)
    assert pickle.loads(pickle.dumps(record)) == copy.copy(record) == record
    assert replace(record, seed=record.seed ^ 1) != record
