"""Steps that Ctrl-C cuts short, and readers who go before the work is done."""

import errno
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.core.keys import game_seeds
from rummy_env.envs.recording import RecordedEngine
from rummy_env.evaluation import console
from rummy_env.records import read
from tests.rollout import choices
from training import phases, session
from training.expert import RANGES
from training.seeds import EVALUATIONS, SELF_PLAY, seed_apart

BASIC = rummy_env.rules("basic", hand_size=3)


def interrupt(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Step all games of an engine; the user interrupts once the moves are made."""
    play = engine._flow.play

    def made(actions: Any, rows: Any) -> None:
        play(actions, rows)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(engine._flow, "play", made)
        with pytest.raises(KeyboardInterrupt):
            engine.step(choices(engine))


@pytest.mark.parametrize("num_envs", [1, 5])
def test_an_engine_whose_step_was_cut_short_asks_for_a_reset(
    num_envs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(BASIC, num_envs, seed=1)
    engine.reset()
    interrupt(engine, monkeypatch)
    for ask in (engine.legal_mask, lambda: engine.look(0), lambda: engine.step(np.zeros(num_envs))):
        with pytest.raises(RuntimeError, match="did not come to its end: call reset"):
            ask()
    if num_envs > 1:
        engine.reset([0])
        with pytest.raises(RuntimeError, match="did not come to its end: call reset"):
            engine.legal_mask([0])
    engine.reset()
    engine.step(choices(engine))
    assert (engine.state.decisions == 1).all()


def test_records_have_no_games_that_moved_on_without_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = RecordedEngine(BASIC, 4, seed=1, path=tmp_path / "games.jsonl")
    engine.reset()
    engine.step(choices(engine))
    engine.step(choices(engine)[:1], [0])
    interrupt(engine, monkeypatch)
    engine.close()
    assert (tmp_path / "games.jsonl").read_bytes() == b""
    engine.reset()
    engine.step(choices(engine))
    engine.close()
    assert len(read(tmp_path / "games.jsonl")) == 4


@pytest.mark.parametrize("to_errors", [True, False])
def test_a_console_outlives_its_reader(to_errors: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[Any] = []
    monkeypatch.setattr(console, "nobody_reads", gone.append)
    table = console.LastingConsole(stderr=to_errors)
    table.on_broken_pipe()
    table.print("nobody reads this")
    assert gone == [sys.stderr if to_errors else sys.stdout]


class Deaf:
    """A stream that cannot be written to."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def write(self, text: str) -> int:
        """Fail."""
        raise self.error

    def flush(self) -> None:
        """Fail."""
        raise self.error


def test_lines_that_nobody_can_read_stop_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[Any] = []
    monkeypatch.setattr(phases, "nobody_reads", gone.append)
    full: Any = Deaf(OSError(errno.ENOSPC, "No space left on device"))
    phases.tell("a line", full)
    assert not gone
    closed: Any = Deaf(BrokenPipeError(errno.EPIPE, "Broken pipe"))
    phases.tell("a line", closed)
    assert gone == [closed]


def test_a_terminal_that_hangs_up_stops_a_run_unless_that_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_DFL)
    assert {*session._stops()} == {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    assert {*session._stops()} == {signal.SIGINT, signal.SIGTERM}


def test_models_are_chosen_by_other_deals_than_those_of_reports() -> None:
    assert 2 * RANGES["rounds"][1] < EVALUATIONS < SELF_PLAY  # nor are these learned from
    chosen_by = {*game_seeds(seed_apart(6, EVALUATIONS), 500).tolist()}
    for seed in range(10):
        assert chosen_by.isdisjoint(game_seeds(seed, 500).tolist())
