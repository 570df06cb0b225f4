"""Games that are written down as they are played."""

import codecs
import errno
import json
import re
import subprocess
import sys
import warnings
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import Greedy
from rummy_env.envs import gin_rummy_v4
from rummy_env.envs.recording import RecordedEngine, close_records, engine_for
from rummy_env.records import Record, play, read
from rummy_env.records.record import Outcome, check_recordable
from rummy_env.version import __version__
from tests.conftest import few_or_all
from tests.recorded import recorded, some_play
from tests.rollout import COPIES, choices, finish

pytestmark = pytest.mark.adapter

BASIC = rummy_env.rules("basic", hand_size=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where records go."""
    return tmp_path / "games.jsonl"


def test_a_game_is_read_back_as_it_was_played(rules: Rules, path: Path) -> None:
    names = [f"é{seat}" for seat in range(rules.num_players)]
    engine = RecordedEngine(rules, seed=3, path=path, agents=names)
    engine.reset()
    actions = some_play(engine)
    engine.close()
    (record,) = read(path)
    assert record.rules == rules
    assert record.seed == engine.seeds[0]
    assert record.actions == tuple(actions)
    assert record.agents == tuple(names)
    assert record.version == __version__
    assert Record.from_line(record.to_line()) == record
    *_, again = play(record)
    assert again.snapshot(0) == engine.snapshot(0)


def test_what_came_out_is_told(variant: str, path: Path) -> None:
    engine = RecordedEngine(rummy_env.rules(variant), 12, seed=3, path=path)
    engine.reset()
    sums, rows = np.zeros((12, 2)), np.arange(12)
    while rows.size:
        view = engine.look(engine.to_move[rows], rows)
        engine.step(Greedy().act(view, engine.legal_mask(rows), engine.random(rows)), rows)
        sums[rows] += engine.rewards[rows]
        rows = rows[~engine.finished[rows]]
    records = {record.seed: record.outcome for record in read(path)}
    for row in range(12):
        outcome, table = records[int(engine.seeds[row])], engine.snapshot(row)
        assert outcome.end == ("cut off" if table["truncated"] else "finished")
        assert list(outcome.winners) == table["winners"]
        assert list(outcome.scores) == table["scores"]
        assert list(outcome.rewards) == sums[row].tolist()
    assert "finished" in {outcome.end for outcome in records.values()}
    assert np.abs(sums).sum()


def test_games_of_a_batch_are_recorded_as_if_each_were_alone(rules: Rules, path: Path) -> None:
    engine = RecordedEngine(rules, 3, seed=3, path=path)
    engine.reset()
    some_play(engine)
    engine.close()
    batch = read(path)
    assert {record.seed for record in batch} == set(engine.seeds.tolist())
    for i, record in enumerate(batch):
        alone = path.with_name(f"{i}.jsonl")
        single = RecordedEngine(rules, seed=np.array([record.seed], np.uint64), path=alone)
        single.reset()
        some_play(single)
        single.close()
        assert read(alone) == [record]


def test_rows_stepped_in_any_order_are_recorded_each_by_itself(path: Path) -> None:
    engine = RecordedEngine(BASIC, 4, seed=1, path=path, agents=lambda row: (f"a{row}", f"b{row}"))
    engine.reset()
    rows, rng = np.arange(4), np.random.default_rng(0)
    while rows.size:
        some = rng.permutation(rows)[: rng.integers(1, len(rows) + 1)]
        engine.step(choices(engine, some), some)
        rows = rows[~engine.finished.take(rows)]
    records = {record.agents: record for record in read(path)}
    assert len(records) == 4
    for row in range(4):
        record = records[f"a{row}", f"b{row}"]
        *_, again = play(record)
        assert again.snapshot(0) == engine.snapshot(row)


def test_every_game_has_rewards_of_its_own(path: Path) -> None:
    engine = RecordedEngine(rummy_env.rules("gin", knock_card=60), 8, seed=1, path=path)
    for _ in range(2):
        engine.reset()
        finish(engine)
    records = read(path)
    assert [sum(1 for _ in play(r)) for r in records] == [len(r.actions) + 1 for r in records]
    assert sum(any(record.outcome.rewards) for record in records) > 3


def test_names_are_asked_for_when_a_game_ends(path: Path) -> None:
    names = ["first", "second"]
    engine = RecordedEngine(BASIC, path=path, agents=lambda row: names)
    for _ in range(2):
        engine.reset()
        finish(engine)
        names.reverse()
    assert [r.agents for r in read(path)] == [("first", "second"), ("second", "first")]


def test_unfinished_games_are_written_when_dealt_anew_and_at_close(path: Path) -> None:
    engine = RecordedEngine(BASIC, 2, seed=1, path=path)
    engine.reset()
    engine.step(choices(engine))
    engine.step(choices(engine, np.array([1])), [1])
    assert path.read_text() == ""
    engine.reset([0])
    assert [len(record.actions) for record in read(path)] == [1]
    engine.close()
    engine.close()
    records = read(path)
    assert [(len(r.actions), r.outcome.end) for r in records] == [
        (1, "unfinished"),
        (2, "unfinished"),
    ]
    assert [sum(1 for _ in play(record)) for record in records] == [2, 3]


def test_games_in_which_nothing_was_played_are_not_written(path: Path) -> None:
    engine = RecordedEngine(BASIC, path=path)
    engine.reset()
    engine.reset()
    engine.close()
    assert path.read_text() == ""


def test_after_close_games_dealt_anew_are_recorded_and_others_are_not(path: Path) -> None:
    engine = RecordedEngine(BASIC, path=path)
    engine.reset()
    engine.step(choices(engine))
    engine.close()
    finish(engine)
    engine.reset()
    finish(engine)
    assert [record.outcome.end for record in read(path)] == [
        "unfinished",
        Outcome.of(engine, 0, np.zeros(2)).end,
    ]


@pytest.mark.parametrize("way", COPIES)
def test_copies_play_on_and_record_nothing(way: str, path: Path) -> None:
    engine = RecordedEngine(BASIC, path=path, agents=lambda row: "ab")
    engine.reset()
    twin = COPIES[way](engine)
    finish(twin)
    twin.reset()
    twin.step(choices(twin))
    twin.restore(0, twin.snapshot(0))
    twin.close()
    assert path.read_text() == ""
    finish(engine)
    assert len(read(path)) == 1


def test_lines_are_appended_to_what_the_file_holds(path: Path) -> None:
    first = recorded(BASIC, path)
    second = recorded(rummy_env.rules("gin"), path)
    assert second[:1] == first
    assert [record.rules.name for record in second] == ["basic", "gin"]


def test_without_a_file_nothing_is_recorded(path: Path) -> None:
    assert type(engine_for(BASIC, 2, 5)) is Engine
    engine = engine_for(BASIC, 2, 5, record=path)
    engine.reset()
    engine.step(choices(engine))
    close_records(engine)
    close_records(Engine(BASIC))
    assert len(read(path)) == 2


def test_an_illegal_action_is_not_recorded(path: Path) -> None:
    engine = RecordedEngine(BASIC, path=path)
    engine.reset()
    illegal = int((~engine.legal_mask()[0]).argmax())
    with pytest.raises(rummy_env.IllegalAction):
        engine.step([illegal])
    finish(engine)
    (record,) = read(path)
    assert sum(1 for _ in play(record)) == len(record.actions) + 1


def test_a_table_laid_by_hand_is_not_recorded(path: Path) -> None:
    engine = RecordedEngine(BASIC, path=path)
    engine.reset()
    with pytest.raises(ValueError, match=r"games are recorded to .*games.jsonl"):
        engine.restore(0, engine.snapshot(0))
    with pytest.raises(ValueError, match=r"games are recorded to .*games.jsonl"):
        engine.lay(engine.state.copy())


@pytest.mark.parametrize(
    "rules",
    [
        replace(BASIC, first_discard=False),
        replace(BASIC, name="mine"),
        replace(BASIC, options=()),
        replace(BASIC, options=(*BASIC.options, ("odd", (1, 2)))),
    ],
    ids=["changed", "unknown name", "no options", "odd option"],
)
def test_rules_made_by_hand_are_refused_at_once(rules: Rules, path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot be recorded: .* give rules of the catalogue"):
        RecordedEngine(rules, path=path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("agents", "fault"),
    [
        (["one"], r"agents=\['one'\]: give a name for each of 2 seats"),
        (["one", 2], "2 is no name: give text"),
        ("ab", "agents='ab': give a name for each of 2 seats"),
    ],
)
def test_names_that_do_not_fit_are_refused_at_once(agents: Any, fault: str, path: Path) -> None:
    with pytest.raises(ValueError, match=fault):
        RecordedEngine(BASIC, path=path, agents=agents)


def test_a_file_that_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        RecordedEngine(BASIC, path=tmp_path / "nowhere" / "games.jsonl")
    with pytest.raises(OSError, match="directory"):
        RecordedEngine(BASIC, path=tmp_path)


@pytest.mark.parametrize("record", [5, True, ["games.jsonl"], ""])
def test_what_is_no_path_is_refused(record: Any) -> None:
    with pytest.raises(TypeError, match=r"record=.*: give the path of a file"):
        engine_for(BASIC, 2, record=record)


def test_games_without_a_seed_differ_from_one_engine_to_the_next() -> None:
    one, other = engine_for(BASIC, 2), engine_for(BASIC, 2)
    one.reset()
    other.reset()
    assert not (one.seeds == other.seeds).any()


def test_nothing_is_appended_to_a_line_that_is_cut_short(path: Path) -> None:
    recorded(BASIC, path)
    path.write_text(path.read_text()[:-30])
    with pytest.raises(ValueError, match=r"games.jsonl ends within a line: if that line is whole"):
        RecordedEngine(BASIC, path=path)


def test_games_are_appended_behind_a_mark_of_byte_order(path: Path) -> None:
    recorded(BASIC, path)
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    recorded(BASIC, path)
    assert len(read(path)) == 2


def test_every_rules_of_the_catalogue_can_be_recorded(rules: Rules) -> None:
    check_recordable(rules)
    assert json.loads(json.dumps(dict(rules.options))) == dict(rules.options)


def test_the_former_gin_records_on_request(path: Path) -> None:
    env = gin_rummy_v4.env(record=path)
    for _ in range(2):
        env.reset()
        for agent in env.agent_iter():
            mask = env.observe(agent)["action_mask"]
            env.step(None if env.terminations[agent] else int(mask.argmax()))
    env.reset()
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    env.close()
    records = read(path)
    assert [record.outcome.end for record in records] == ["finished"] * 2 + ["unfinished"]
    assert all(sum(1 for _ in play(r)) == len(r.actions) + 1 for r in records)
    assert records[0].agents == ("player_0", "player_1")


# A disk that is full


def full_disk(patch: pytest.MonkeyPatch, room: int) -> None:
    """Lets every file of records take so many bytes more, and then no more."""
    real, left = Path.open, [room]

    class Full:
        def __init__(self, file: Any) -> None:
            self.file = file

        def __enter__(self) -> "Full":
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def write(self, content: bytes) -> int:
            if not left[0]:
                raise OSError(errno.ENOSPC, "no space left")
            written = self.file.write(content[: left[0]])
            left[0] -= written
            return int(written)

    patch.setattr(Path, "open", lambda self, *given, **how: Full(real(self, *given, **how)))


@few_or_all("room", few=[0, 100], every=[0, 1, 100, 700])
def test_games_wait_for_a_disk_with_room_and_are_written_once(
    room: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = path.with_name("usual.jsonl")
    for where in (usual, path):
        engine = RecordedEngine(BASIC, 6, seed=1, path=where)
        engine.reset()
        with monkeypatch.context() as patch, warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            if where == path:
                full_disk(patch, room)
            for _ in range(3):
                finish(engine)
                engine.reset()
                engine.step(choices(engine))
            if where == path:
                why = f"no space left: '{path}'"
                assert f"{why}; later steps and close() try again" in str(told[0].message)
                with pytest.raises(OSError, match=re.escape(why)):
                    engine.close()
                assert path.read_bytes()[-1:] in (b"", b"\n")
        engine.close()
        engine.close()
    assert read(path) == read(usual)
    assert len(read(path)) == 24


def test_a_disk_that_stays_full_is_tried_ever_less_often(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = RecordedEngine(BASIC, 64, seed=1, path=path)
    with monkeypatch.context() as patch, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        full_disk(patch, 0)
        for _ in range(4):
            engine.reset()
            finish(engine)
    counts = [int(str(each.message).split()[0]) for each in told]
    assert len(counts) > 2
    assert all(later >= 2 * earlier for earlier, later in pairwise(counts))
    engine.close()
    assert len(read(path)) == 4 * 64


def test_a_limit_of_the_system_leaves_whole_lines(path: Path) -> None:
    program = """
import resource, sys, warnings
import rummy_env
from rummy_env.envs.recording import RecordedEngine
from tests.rollout import finish
warnings.simplefilter("ignore")
engine = RecordedEngine(rummy_env.rules("basic", hand_size=3), 4, seed=1, path=sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
for _ in range(3):
    engine.reset()
    finish(engine)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
engine.close()
"""
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    records = read(path)
    assert len({record.seed for record in records}) == len(records) == 12


def test_names_that_fail_leave_the_game_to_be_written_later(path: Path) -> None:
    names: list[str] = []
    engine = RecordedEngine(BASIC, path=path, agents=lambda row: names)
    engine.reset()
    with pytest.raises(ValueError, match="give a name for each of 2 seats"):
        finish(engine)
    assert engine.finished.all()
    with pytest.raises(ValueError, match="give a name for each of 2 seats"):
        engine.reset()
    engine.step([0])
    names += ["a", "b"]
    engine.reset()
    (record,) = read(path)
    assert sum(1 for _ in play(record)) == len(record.actions) + 1


def test_games_recorded_by_row_are_dealt_once(path: Path) -> None:
    engine = RecordedEngine(rummy_env.rules("going_out"), 3, path=path, by_row=True)
    engine.reset()
    finish(engine)
    with pytest.raises(ValueError, match="by_row: each game is dealt once"):
        engine.reset([1])
    engine.close()
    assert len(read(path)) == 3


@pytest.mark.parametrize("text", ["x = 1\n", '{"other": 1}\n', "\n# notes\n"])
def test_a_file_of_something_else_is_not_recorded_to(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"mine\.py holds something else, which begins with"):
        rummy_env.env("gin", record=path)
    assert path.read_text() == text
