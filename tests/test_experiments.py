"""The command that runs experiments: its arms begin alike, and nothing is run twice."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from rummy_env.baselines.saved import SavedPolicy
from tests.models import SMALL_RULES
from tests.test_fit import SMALL
from training import cloning, experiments
from training.experiments import EXPERIMENTS, Experiment, Plan


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = {**SMALL, "teacher": "greedy", "teacher_decisions": 200, "compare_deals": 4}
    monkeypatch.setattr(experiments, "USUAL", dataclasses.replace(experiments.USUAL, **quick))
    monkeypatch.setattr(experiments, "DEALS", 4)
    monkeypatch.setattr(cloning, "GAMES", 32)
    rates = {rate: {"learning_rate": float(rate)} for rate in ("0.001", "0.1")}
    monkeypatch.setattr(experiments, "EXPERIMENTS", {"rate": Experiment("Which rate?", rates)})


@pytest.mark.slow
def test_all_arms_begin_with_one_clone_and_stand_in_the_table(tmp_path: Path) -> None:
    plan = Plan("rate", out=tmp_path, total_timesteps=600, seeds=(1, 2))
    table = experiments.run(SMALL_RULES, plan, "the command")
    lines = table.splitlines()
    assert lines[0] == "# Which rate?"
    rows = [line.strip("| ").split(" | ")[:2] for line in lines if line.startswith("| ")]
    assert [row[0] for row in rows[:3]] == ["arm", "---", "the clone"]
    assert rows[3:] == [[rate, seed] for rate in ("0.001", "0.1") for seed in ("1", "2")]
    folder = tmp_path / "basic"
    clone = SavedPolicy(folder / "clone" / "clone.npz").arrays
    for rate in ("0.001", "0.1"):
        begun = SavedPolicy(folder / "rate" / f"{rate}-1" / "clone.npz").arrays
        assert all(np.array_equal(begun[name], array) for name, array in clone.items())
    written = {path: path.stat().st_mtime_ns for path in folder.rglob("*.npz")}
    assert experiments.run(SMALL_RULES, plan, "the command") == table
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.npz")} == written


@pytest.mark.slow
def test_arms_with_other_networks_begin_with_clones_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arms = {str(units): {"suit_units": units} for units in (4, 8)}
    asked = {"units": Experiment("How large?", arms, clones=True)}
    monkeypatch.setattr(experiments, "EXPERIMENTS", asked)
    table = experiments.run(SMALL_RULES, Plan("units", out=tmp_path, minutes=0.01), "the command")
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:2] == "| "]
    assert [row[:2] for row in rows[2:]] == [["4", "1"], ["8", "1"]]
    for units, row in zip((4, 8), rows[2:], strict=True):
        run = tmp_path / "basic" / "units" / f"{units}-1"
        assert SavedPolicy(run / "clone.npz").arrays["suit_bias"].shape == (units,)
        assert int(row[2].replace(",", "")) > 0


def test_an_experiment_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"experiment='nothing'.*rate"):
        experiments.run(SMALL_RULES, Plan("nothing", out=tmp_path), "the command")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_arm_changes_one_setting_that_there_is(name: str) -> None:
    for changes in EXPERIMENTS[name].arms.values():
        sizes = all(setting.endswith("_units") for setting in changes)
        assert sizes if EXPERIMENTS[name].clones else len(changes) == 1
        assert set(changes) <= {field.name for field in dataclasses.fields(experiments.USUAL)}
