"""A training run that dies at any moment: what is left of it goes on."""

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import rummy_env
from rummy_env import command_line
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.evaluation import compare
from rummy_env.evaluation.comparison import Comparison
from tests.conftest import few_or_all
from tests.fits import (
    command,
    few_demonstrations,
    fitted,
    newest,
    resumed,
    same_weights,
    small,
    stop_at,
    to_the_end,
    trained,
)
from tests.models import SMALL_RULES, untrained
from training import fit, session, summary
from training.callbacks import EvaluationCallback
from training.device import gains_by_bfloat16
from training.resuming import options_of
from training.run import Run
from training.session import Session
from training.settings import Settings

__all__ = ["few_demonstrations"]

TAUGHT: dict[str, Any] = {"teacher": "greedy", "teacher_decisions": 64, "total_timesteps": 1024}
TAUGHT |= {"warmup": 0, "compare_deals": 2, "eval_deals": 2}
BEGUN_ANEW = -1
"""Stands for the steps of a run that has no checkpoint yet."""


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


def make_best(which: Callable[[int], bool], patch: pytest.MonkeyPatch) -> None:
    """Lets the models after some numbers of decisions, and no others, be better than all before."""
    evaluate = EvaluationCallback._evaluate

    def evaluated(callback: EvaluationCallback) -> None:
        callback._progress.best = -np.inf if which(callback.num_timesteps) else np.inf
        evaluate(callback)

    patch.setattr(EvaluationCallback, "_evaluate", evaluated)


def goes_on(folder: Path) -> Session:
    """The session that the user gets who resumes a run, or gives its command again."""
    try:
        return Session(SMALL_RULES, resumed(folder), "again")
    except ValueError as error:
        assert "there is no checkpoint" in str(error)  # noqa: PT017
        return Session(SMALL_RULES, small(folder, **TAUGHT), "again")


@pytest.mark.slow
def test_a_run_that_dies_at_any_moment_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    make_best(lambda steps: True, monkeypatch)
    with monkeypatch.context() as patch:
        kept = watch_writing(folder, tmp_path / "kept", patch)
        assert fitted(SMALL_RULES, small(folder, **TAUGHT), "the command") is not None
    found = {path.name for path in folder.rglob("*") if path.is_file()}
    assert len(kept) >= 2 * len(
        {name for name in found if "tfevents" not in name} - {"progress.csv"}
    )
    steps = []
    for moment in kept:
        again = goes_on(moment)
        again.close()
        steps.append(again.progress.curve[-1].steps if again.progress.curve else BEGUN_ANEW)
        if again.progress.curve:
            assert SavedPolicy(moment / "best.npz").plays(SMALL_RULES)
            model = moment / "past" / f"{again.progress.best_steps:012d}.npz"
            for suffix in (".npz", ".json"):
                best = (moment / "best.npz").with_suffix(suffix)
                assert best.read_bytes() == model.with_suffix(suffix).read_bytes()
    assert steps == sorted(steps)
    assert {*steps} == {BEGUN_ANEW, 0, 512, 1024}
    for moment in (kept[1], *(kept[steps.index(step) - 1] for step in (0, 512)), kept[-1]):
        again = goes_on(moment)
        assert to_the_end(again)
        summary.write(again)
        assert same_weights(folder, moment)
        assert {path.name for path in moment.rglob("*.*")} >= {"report.md", "compare.png"}


@pytest.mark.slow
@pytest.mark.parametrize("limit", [{"total_timesteps": 600}, {"minutes": 1e-9}])
def test_what_a_stopped_run_has_learned_is_evaluated_though_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: dict[str, Any]
) -> None:
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        stop_at(1024, patch)
        assert not to_the_end(Session(SMALL_RULES, small(folder, total_timesteps=4096), "it"))
    again = Session(SMALL_RULES, resumed(folder, **limit), "again")
    assert to_the_end(again)
    assert again.progress.curve[-1].steps == newest(folder).num_timesteps >= 1024


def told(folder: Path) -> Any:
    return json.loads((folder / "settings.json").read_text())


@pytest.mark.slow
def test_the_commands_and_the_limits_of_all_sessions_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert to_the_end(Session(SMALL_RULES, small(folder, total_timesteps=512), "the command"))
    for again in ("once more", "once more", "and on"):
        more = Session(SMALL_RULES, resumed(folder, minutes=1e-9), again)
        assert to_the_end(more)
        assert "all that its limits allow: only the report is made" in capsys.readouterr().out
    assert told(folder)["command"] == "the command\nonce more\nand on"
    last = fitted(SMALL_RULES, resumed(folder, total_timesteps=1024), "the last")
    assert last is not None
    assert (told(folder)["settings"]["total_timesteps"], told(folder)["settings"]["minutes"]) == (
        1024,
        None,
    )
    report = json.loads((folder / "report.json").read_text())
    before = told(folder)
    with pytest.raises(ValueError, match=r"it has learned to its limits, .*; give more --total"):
        fitted(SMALL_RULES, resumed(folder, total_timesteps=1024), "once too often")
    assert told(folder) == before
    assert report["command"] == "the command\nonce more\nand on\nthe last"
    assert report["steps"] == 1024


@pytest.mark.parametrize("best", [0, 512])
def test_a_best_model_of_another_version_is_not_lost_with_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, best: int
) -> None:
    folder = tmp_path / "run"
    make_best(lambda steps: steps == best, monkeypatch)
    assert to_the_end(
        Session(SMALL_RULES, small(folder, total_timesteps=512, warmup=0), "the command")
    )
    (folder / "best.json").unlink()
    again = Session(SMALL_RULES, resumed(folder), "again")
    assert again.progress.best_steps == best
    assert SavedPolicy(folder / "best.npz").plays(SMALL_RULES)


@pytest.mark.slow
def test_a_run_that_stops_where_an_evaluation_is_due_makes_up_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        stop_at(512, patch)
        assert fitted(SMALL_RULES, small(folder, total_timesteps=1024), "the command") is None
    assert fitted(SMALL_RULES, resumed(folder), "again") is not None
    again = Session(SMALL_RULES, resumed(folder), "again")
    assert [entry.steps for entry in again.progress.curve] == [0, 512, 1024]


@pytest.mark.slow
@few_or_all("steps", few=[400], every=[1, 400, 800])
def test_a_run_with_others_at_its_tables_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "run"
    flags: dict[str, Any] = {"share": 0.5, "past_share": 0.5, "total_timesteps": 1536}
    assert to_the_end(Session(SMALL_RULES, small(whole, **flags), "the command"))
    with monkeypatch.context() as patch:
        stop_at(steps, patch)
        assert not to_the_end(Session(SMALL_RULES, small(folder, **flags), "the command"))
    again = Session(SMALL_RULES, resumed(folder), "again")
    assert not again.rounds.shards[0].env.games.learners.all()
    assert to_the_end(again)
    assert same_weights(whole, folder)


@pytest.mark.slow
@pytest.mark.parametrize("work", ["demonstrations", "clone"])
def test_a_run_stopped_before_it_learned_is_begun_anew_by_the_same_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], work: str
) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "run"
    assert fitted(SMALL_RULES, small(whole, **TAUGHT), "the command") is not None

    def stopped(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(session, work, stopped)
        assert fit.main(command(folder, **TAUGHT)[3:]) == 130
    told = capsys.readouterr().out
    assert told.endswith("stopped before anything was learned: begin anew\n")
    assert "--resume" not in told
    with pytest.raises(ValueError, match="there is no checkpoint; begin anew, by --out"):
        fitted(SMALL_RULES, resumed(folder), "again")
    assert fitted(SMALL_RULES, small(folder, **TAUGHT), "the command") is not None
    assert same_weights(whole, folder)
    for name in ("clone.npz", "best.npz"):
        assert (folder / name).read_bytes() == (whole / name).read_bytes()


def stopped_comparison(*given: Any, **named: Any) -> Comparison:
    """A comparison that the user has stopped."""
    return replace(compare(*given, **named), complete=False)


def test_a_run_stopped_while_it_compares_is_compared_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(summary, "compare", stopped_comparison)
        assert fit.main(command(folder, total_timesteps=2048)[3:]) == 130
    assert not (folder / "report.md").exists()
    assert f"--resume {folder} --trust" in capsys.readouterr().out
    assert fitted(SMALL_RULES, resumed(folder), "again") is not None
    assert "INCOMPLETE" not in (folder / "report.md").read_text()


def test_so_is_a_run_that_has_gone_on_since_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, more = trained(tmp_path / "run", total_timesteps=512), {"total_timesteps": 1024}
    with monkeypatch.context() as patch:
        patch.setattr(summary, "compare", stopped_comparison)
        assert fitted(SMALL_RULES, resumed(folder, **more), "on") is None
    assert fitted(SMALL_RULES, resumed(folder, **more), "again") is not None
    assert json.loads((folder / "report.json").read_text())["steps"] == 1024


@pytest.mark.slow
def test_sigterm_stops_as_ctrl_c_does(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    given = command(folder, eval_deals=2)
    process = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not any(folder.glob("past/*.json")) and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err.decode()
    assert "stopping after this rollout or evaluation" in err.decode()
    assert f"--resume {folder} --trust" in out.decode()
    again = Session(SMALL_RULES, resumed(folder), "again")
    assert again.rounds.shards[0].env.games.engine.num_envs == 16
    assert again.progress.curve[0].steps == 0


@pytest.mark.parametrize("gains", [False, True])
def test_products_in_bfloat16_are_for_devices_that_gain_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gains: bool
) -> None:
    monkeypatch.setattr("training.session.gains_by_bfloat16", lambda device: gains)
    found = Session(SMALL_RULES, small(tmp_path / "found", bf16=None), "the command")
    told = json.loads((tmp_path / "found" / "settings.json").read_text())["settings"]
    assert (found.settings.bf16, found._policy.bf16, told["bf16"]) == (gains, gains, gains)
    given = Session(SMALL_RULES, small(tmp_path / "given", bf16=not gains), "")
    assert given.settings.bf16 != gains


@pytest.mark.parametrize(("faster", "gains"), [(0.5, False), (1.2, False), (1.4, False), (2, True)])
def test_a_trial_says_whether_bfloat16_gains(
    monkeypatch: pytest.MonkeyPatch, faster: float, gains: bool
) -> None:
    seconds = {torch.float32: 3.0, torch.bfloat16: 3.0 / faster}
    monkeypatch.setattr("training.device._seconds", lambda left, right: seconds[left.dtype])
    assert gains_by_bfloat16("cpu") == gains


def test_a_run_goes_on_against_the_models_that_it_was_begun_against(tmp_path: Path) -> None:
    rival, folder = untrained(SMALL_RULES, tmp_path / "rival.npz"), tmp_path / "run"
    had = rival.read_bytes()
    given = small(folder, rivals=(str(rival),), total_timesteps=512)
    assert to_the_end(Session(SMALL_RULES, given, ""))
    untrained(SMALL_RULES, rival, seed=2)
    further = resumed(folder, total_timesteps=1024)
    with pytest.raises(ValueError, match=r"rival was .* now: put it back"):
        Session(SMALL_RULES, further, "again")
    rival.write_bytes(had)
    assert to_the_end(Session(SMALL_RULES, further, "again"))


def test_a_run_of_rules_whose_option_has_several_values_goes_on_with_these(tmp_path: Path) -> None:
    rules, run = rummy_env.rules("tests.own_variants:several", marks=((5,), (6, 7))), Run(tmp_path)
    run.begin(rules, {"observation": "hints"}, "train", {})
    run.checkpoint.touch()
    own = options_of(tmp_path, rules.name)
    assert own == dict(rules.options)
    assert command_line.parse(Settings, "train", [rules.name], Settings(), own)[0] == rules
