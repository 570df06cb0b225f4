"""Decisions of recorded games, side by side as one by one."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.core.arrays import Array
from rummy_env.core.visibility import SeatView
from rummy_env.envs.recording import RecordedEngine
from rummy_env.records import Decisions, Record, decisions, play, read
from rummy_env.views.observing import Entry, observer_for
from tests.recorded import recorded, well_played
from tests.rollout import choices, fitting

BASIC = rummy_env.rules("basic", hand_size=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where records go."""
    return tmp_path / "games.jsonl"


def quick(variant: str, **options: Any) -> Rules:
    return fitting(variant, max_turns=30, **options)


def one_by_one(records: Sequence[Record], observation: str = "hints") -> Decisions:
    """The same decisions as `play` goes through them, one game after the other."""
    rows: list[list[Any]] = []
    for game, record in enumerate(records):
        observer = observer_for(record.rules, observation)
        latest: dict[int, list[Any]] = {}
        for step, engine in enumerate(play(record)):
            for seat, row in latest.items():
                row[6] += np.float64(engine.rewards[0, seat])
            if step == len(record.actions):
                break
            seat, action = int(engine.to_move[0]), record.actions[step]
            seen, mask = observer(engine.look(seat))[0].copy(), engine.legal_mask()[0].copy()
            if seat in latest:
                latest[seat][7] = len(rows)
            latest[seat] = [game, step, seat, seen, mask, action, np.float64(0), -1, False, False]
            rows.append(latest[seat])
        for row in latest.values():
            row[8:] = True, record.outcome.end == "finished"
    kinds = (np.intp, np.intp, np.int8, None, np.bool_, np.intp, np.float32, np.intp)
    dtypes = (*kinds, np.bool_, np.bool_)
    columns = zip(*rows, strict=True)
    return Decisions(*(np.array(c, d) for c, d in zip(columns, dtypes, strict=True)))


def joined(some: Iterator[Decisions]) -> Decisions:
    """All batches as one."""
    each = list(some)
    starts = np.cumsum([0, *map(len, each)])
    for found, start in zip(each, starts, strict=False):
        found.next[found.next >= 0] += start
    return Decisions(*(np.concatenate([getattr(d, f.name) for d in each]) for f in fields(each[0])))


def assert_same(found: Decisions, expected: Decisions) -> None:
    for field in fields(Decisions):
        mine, other = getattr(found, field.name), getattr(expected, field.name)
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape), field.name
        assert mine.tobytes() == other.tobytes(), field.name


def left(rules: Rules, path: Path, steps: int) -> list[Record]:
    """A game that was left after some steps."""
    engine = RecordedEngine(rules, seed=8, path=path)
    engine.reset()
    for _ in range(steps):
        engine.step(choices(engine))
    engine.close()
    return read(path)


@pytest.mark.parametrize("observation", ["plain", "hints"])
def test_games_side_by_side_give_the_decisions_of_games_one_by_one(
    variant: str, observation: str, path: Path
) -> None:
    recorded(quick(variant), path, num_envs=3)
    records = left(quick(variant), path, steps=5)
    assert [record.outcome.end for record in records].count("unfinished") == 1
    found = joined(decisions(records, observation=observation))
    assert_same(found, one_by_one(records, observation))
    assert len(found) == sum(len(record.actions) for record in records)


def test_the_decisions_of_a_match_are_paid_by_every_hand(variant: str, path: Path) -> None:
    rules = fitting(variant, match="match", deals=3)
    records = well_played(rules, path, num_envs=3)
    found = joined(decisions(records))
    assert_same(found, one_by_one(records))
    for game, record in enumerate(records):
        for seat, reward in enumerate(record.outcome.rewards):
            own = (found.game == game) & (found.seat == seat)
            assert found.rewards[own].sum() == pytest.approx(reward)


def test_a_hand_of_a_match_pays_decisions_that_are_not_the_last(path: Path) -> None:
    rules = fitting("basic", match="match", deals=3)
    found = joined(decisions(well_played(rules, path)))
    assert np.count_nonzero(found.rewards[~found.last]) == 2 * rules.num_players
    assert np.count_nonzero(found.rewards[found.last]) == rules.num_players


def test_a_game_that_an_agent_has_left_by_an_illegal_action_is_unfinished(path: Path) -> None:
    env = rummy_env.env("basic", record=path)
    env.reset(seed=1)
    for _ in range(4):
        mask = env.last()[0]["action_mask"]
        env.step(int(mask.argmax()))
    env.step(int(env.last()[0]["action_mask"].argmin()))
    env.close()
    records = read(path)
    assert [record.outcome.end for record in records] == ["unfinished"]
    found = joined(decisions(records))
    assert_same(found, one_by_one(records))
    assert found.last.sum() == len({*found.seat.tolist()})
    assert not found.rewards.any()


def test_batches_are_consecutive_games_of_equal_rules(path: Path) -> None:
    recorded(BASIC, path, num_envs=5)
    recorded(rummy_env.rules("gin", max_turns=20), path, num_envs=2)
    records = recorded(BASIC, path, num_envs=1, seed=9)
    found = list(decisions(iter(records), batch=3))
    games = [np.unique(each.game).tolist() for each in found]
    assert games == [[0, 1, 2], [3, 4], [5, 6], [7]]
    for each in found:
        part = records[each.game[0] : each.game[-1] + 1]
        expected = one_by_one(part)
        assert_same(replace(each, game=each.game - each.game[0]), expected)
    assert_same(joined(decisions(records[:5], batch=2)), joined(decisions(records[:5])))


def test_a_path_is_read(path: Path) -> None:
    records = recorded(BASIC, path, num_envs=3)
    assert_same(joined(decisions(path)), joined(decisions(records)))
    assert_same(joined(decisions(str(path))), joined(decisions(records)))


class Scores:
    """An observation of one's own: points, as floating-point numbers."""

    size, dtype, low, high = 2, np.float32, -1e6, 1e6

    def layout(self) -> list[Entry]:
        return [("scores", 0, 2, "points")]

    def __call__(self, view: SeatView) -> Array:
        return view.scores.astype(np.float32)


def test_an_observer_of_ones_own_keeps_its_dtype(path: Path) -> None:
    (each,) = decisions(recorded(BASIC, path, num_envs=2), observation=Scores())
    assert each.observations.dtype == np.float32
    assert each.observations.shape == (len(each), 2)


def test_a_record_without_actions_has_no_decisions(path: Path) -> None:
    (record,) = recorded(BASIC, path)
    nothing = replace(record.outcome, end="unfinished", winners=(), scores=(0, 0), rewards=(0, 0))
    (each,) = decisions([replace(record, actions=(), outcome=nothing)])
    assert len(each) == 0
    assert each.observations.shape == (0, observer_for(BASIC).size)


def test_no_records_give_no_batches() -> None:
    assert list(decisions([])) == []


def departed(record: Record) -> list[Record]:
    """The record with an illegal action, with one too many, and with another outcome."""
    return [
        replace(record, actions=(record.actions[0], 999, *record.actions[2:])),
        replace(record, actions=(*record.actions, 0)),
        replace(record, outcome=replace(record.outcome, scores=(9, 9))),
    ]


@pytest.mark.parametrize("fault", range(3))
def test_a_record_that_does_not_replay_is_refused_as_by_play_and_named(
    fault: int, path: Path
) -> None:
    records = recorded(BASIC, path, num_envs=6)
    records[4] = departed(records[4])[fault]
    with pytest.raises(ValueError, match="does not replay") as alone:
        list(play(records[4]))
    for batch in (1, 3, 512):
        with pytest.raises(ValueError, match="does not replay") as beside:
            list(decisions(records, batch=batch))
        assert str(beside.value) == f"records[4]: {alone.value}"
    path.write_text("".join(f"{record.to_line()}\n" for record in records))
    with pytest.raises(ValueError, match=r"games\.jsonl, game 5: the record does not replay"):
        list(decisions(path))


def test_what_is_no_record_is_refused(path: Path) -> None:
    (record,) = recorded(BASIC, path)
    no_record: Any = record
    with pytest.raises(TypeError, match=r"records=Record.*: give a path, or records, as in \[rec"):
        decisions(no_record)
    names: Any = ["games.jsonl"]
    with pytest.raises(TypeError, match=r"'games.jsonl' is no record: give one"):
        list(decisions(names))
    with pytest.raises(ValueError, match="batch=0: give a whole number from 1"):
        decisions([record], batch=0)
    with pytest.raises(ValueError, match="observation='cards': give one of plain, hints, outs"):
        list(decisions([record], observation="cards"))
    with pytest.raises(FileNotFoundError):
        next(decisions(path.with_name("nowhere.jsonl")))


def test_the_only_decision_of_a_game_is_its_last(path: Path) -> None:
    (found,) = decisions(left(rummy_env.rules("basic", hand_size=3), path, steps=1))
    assert found.last.tolist() == [True]
