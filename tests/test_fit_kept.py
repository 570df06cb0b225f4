"""A training run that dies at any moment: what is left of it goes on."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import rummy_env
from rummy_env.baselines.saved import SavedPolicy
from tests.test_fit import resumed, same_weights, small
from training import fit, summary
from training.callbacks import Clock, Stop

RULES = rummy_env.rules("basic")
TAUGHT: dict[str, Any] = {"teacher": "greedy", "teacher_decisions": 64, "total_timesteps": 1024}
TAUGHT |= {"eval_every": 512, "compare_deals": 2, "eval_deals": 2}


def watch_writing(folder: Path, moments: Path, patch: pytest.MonkeyPatch) -> list[Path]:
    """Keeps the folder as a process leaves it that dies at a step by which a file is written.

    The steps are writing half of a file, putting it in place, and removing one. Returns the list to
    which the copies of the folder are added, and lets nothing be written in another way.
    """
    kept: list[Path] = []
    write, replace, unlink = Path.write_bytes, Path.replace, Path.unlink

    def keep() -> None:
        if folder.exists():
            kept.append(moments / str(len(kept)))
            shutil.copytree(folder, kept[-1], ignore=shutil.ignore_patterns("logs"))

    def written(path: Path, content: bytes) -> int:
        assert path.suffix == ".new", f"{path} is not written beside and moved into place"
        write(path, content[: len(content) // 2])
        keep()
        return write(path, content)

    def moved(path: Path, target: Path) -> None:
        keep()
        replace(path, target)

    def removed(path: Path, missing_ok: bool = False) -> None:
        keep()
        unlink(path, missing_ok)

    patch.setattr(Path, "write_bytes", written)
    patch.setattr(Path, "replace", moved)
    patch.setattr(Path, "unlink", removed)
    return kept


def goes_on(folder: Path) -> fit.Session:
    """The session that the user gets who resumes a run, or gives its command again."""
    try:
        return fit.Session(RULES, resumed(folder), "again")
    except ValueError as error:
        assert "there is no checkpoint" in str(error)  # noqa: PT017
        return fit.Session(RULES, small(folder, **TAUGHT), "again")


def test_a_run_that_dies_at_any_moment_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        kept = watch_writing(folder, tmp_path / "kept", patch)
        assert fit.fit(RULES, small(folder, **TAUGHT), "the command") is not None
    found = {path.name for path in folder.rglob("*") if path.is_file()}
    assert len(kept) >= 2 * len(
        {name for name in found if "tfevents" not in name} - {"progress.csv"}
    )
    steps = []
    for moment in kept:
        session = goes_on(moment)
        steps.append(session.progress.curve[-1].steps if session.progress.curve else 0)
        assert (moment / "best.npz").exists() or not session.progress.best_steps
        if session.progress.best_steps:
            assert SavedPolicy(moment / "best.npz").plays(RULES)
            model = moment / "past" / f"{session.progress.best_steps:012d}.npz"
            for suffix in (".npz", ".json"):
                best = (moment / "best.npz").with_suffix(suffix)
                assert best.read_bytes() == model.with_suffix(suffix).read_bytes()
    assert steps == sorted(steps)
    assert {*steps} == {0, 512, 1024}
    for moment in (kept[1], kept[steps.index(512) - 1], kept[-1]):
        session = goes_on(moment)
        assert session.learn()
        summary.write(session)
        assert same_weights(folder, moment)
        assert {path.name for path in moment.rglob("*.*")} >= {"report.md", "compare.png"}


def test_a_best_model_of_another_version_is_not_lost_with_its_card(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert fit.fit(RULES, small(folder, total_timesteps=512), "the command") is not None
    (folder / "best.json").unlink()
    fit.Session(RULES, resumed(folder), "again")
    assert SavedPolicy(folder / "best.npz").plays(RULES)


def test_a_run_that_stops_where_an_evaluation_is_due_makes_up_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        on_rollout = Clock._on_rollout_start

        def stopped(clock: Clock) -> None:
            on_rollout(clock)
            if clock.num_timesteps == 512:
                clock.interrupted = True
                raise Stop

        patch.setattr(Clock, "_on_rollout_start", stopped)
        given = small(folder, eval_every=512, total_timesteps=1024)
        assert fit.fit(RULES, given, "the command") is None
    assert fit.fit(RULES, resumed(folder), "again") is not None
    session = fit.Session(RULES, resumed(folder), "again")
    assert [entry.steps for entry in session.progress.curve] == [512, 1024]


def test_a_run_stopped_in_its_demonstrations_is_begun_or_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "run"
    assert fit.fit(RULES, small(whole, **TAUGHT), "the command") is not None

    def stopped(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(fit, "demonstrations", stopped)
        assert fit.fit(RULES, small(folder, **TAUGHT), "the command") is None
    assert f"--resume {folder} --trust" in capsys.readouterr().out
    assert fit.fit(RULES, resumed(folder), "again") is not None
    assert same_weights(whole, folder)


def test_sigterm_stops_as_ctrl_c_does(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    flags = ["--num-envs", "16", "--num-steps", "32", "--hidden", "32", "--minibatch-size", "256"]
    flags += ["--opponents", "random", "--rivals", "random", "--teacher", "none"]
    flags += ["--eval-every", "512", "--eval-deals", "2", "--torch-threads", "1"]
    command = [sys.executable, "-m", "training.fit", "basic", *flags, "--out", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not any(folder.glob("past/*.json")) and process.poll() is None:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGTERM)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err.decode()
    assert "stopping after this rollout" in err.decode()
    assert f"--resume {folder} --trust" in out.decode()
    session = fit.Session(RULES, resumed(folder), "again")
    assert session.games.engine.num_envs == 16
    assert session.progress.curve[0].steps == 512
