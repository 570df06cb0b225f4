"""The command that runs experiments: its arms begin alike, and nothing is run twice."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.evaluation import duel
from rummy_env.evaluation.words import percent
from tests.fits import SMALL
from tests.models import SMALL_RULES
from tests.own_variants import OWN
from training import cloning, experiments
from training.experiments import EXPERIMENTS, OWN_CLONES, Laboratory, Plan, main, tried
from training.settings import Settings
from training.usual import with_usual


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = {**SMALL, "teacher": "greedy", "teacher_decisions": 200, "compare_deals": 4}

    def settings(**given: Any) -> Settings:
        return Settings(**{**given, **quick})

    monkeypatch.setattr(experiments, "Settings", settings)
    monkeypatch.setattr(cloning, "GAMES", 32)


def rows(page: str) -> list[list[str]]:
    """The cells of the table, without its heading."""
    lines = [line.strip("|").split("|") for line in page.splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in cells] for cells in lines[2:]]


@pytest.mark.slow
def test_all_arms_begin_with_one_clone_and_are_run_once(tmp_path: Path) -> None:
    seeds: dict[str, Any] = {"seeds": (1, 2), "usual_seeds": (1, 2), "deals": 4}
    plan = Plan(("learning_rate",), out=tmp_path, total_timesteps=600, **seeds)
    page = Laboratory(SMALL_RULES, plan).page("the command")
    rates = [str(value) for value in EXPERIMENTS["learning_rate"]]
    arms = [["all as usual", "", "", seed] for seed in ("1", "2")]
    arms += [["`--learning-rate`", "0.0007", rate, seed] for rate in rates for seed in ("1", "2")]
    assert [cells[:4] for cells in rows(page)] == [["the clone", "", "", ""], *arms]
    folder = tmp_path / "basic"
    clone = SavedPolicy(folder / "clone" / "clone.npz").arrays
    for arm in ("usual-1", *(f"learning_rate/{rate}-1" for rate in rates)):
        begun = SavedPolicy(folder / arm / "clone.npz").arrays
        assert all(np.array_equal(begun[name], array) for name, array in clone.items())
    written = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert Laboratory(SMALL_RULES, plan).page("the command") == page
    assert {path: path.stat().st_mtime_ns for path in written} == written


def test_an_arm_whose_settings_are_damaged_is_named(tmp_path: Path) -> None:
    arm = tmp_path / "basic" / "clone"
    arm.mkdir(parents=True)
    (arm / "settings.json").write_text("{half")
    plan = Plan((), out=tmp_path, total_timesteps=600, deals=4)
    with pytest.raises(ValueError, match=r"clone/settings\.json is damaged: .*; begin anew"):
        Laboratory(SMALL_RULES, plan).page("the command")


def test_an_arm_that_was_cut_short_is_to_be_removed(tmp_path: Path) -> None:
    arm = tmp_path / "basic" / "clone"
    arm.mkdir(parents=True)
    (arm / "checkpoint.pkl").touch()
    plan = Plan((), out=tmp_path, total_timesteps=600, deals=4)
    with pytest.raises(ValueError, match=r"clone holds a run that was cut short: remove that fold"):
        Laboratory(SMALL_RULES, plan).page("the command")


def test_a_variant_of_ones_own_has_a_folder_with_a_name_that_is_allowed_everywhere(
    tmp_path: Path,
) -> None:
    found = Laboratory(rummy_env.rules(OWN), Plan((), out=tmp_path, deals=4))
    assert found.file == tmp_path / "tests.own_variants.five_cards" / "experiments.md"


@pytest.mark.parametrize(
    ("experiment", "why"),
    [
        ("share=0.5,2", "share=2.0: give a number from 0 to 1"),
        ("adviser=nobody", "adviser='nobody'"),
        ("observation=foo", "observation"),
    ],
)
def test_an_arm_that_makes_no_sense_is_refused_before_any_is_run(
    tmp_path: Path, experiment: str, why: str
) -> None:
    with pytest.raises(ValueError, match="gamma is given twice; give its values together"):
        Laboratory(SMALL_RULES, Plan(("gamma=0.9", "gamma=0.8"), out=tmp_path, deals=4))
    with pytest.raises(ValueError, match=why):
        Laboratory(SMALL_RULES, Plan((experiment,), out=tmp_path, deals=4))
    with pytest.raises(ValueError, match="deals=1"):
        Laboratory(SMALL_RULES, Plan((), out=tmp_path, deals=1))


@pytest.mark.slow
def test_where_winning_alone_is_paid_arms_are_told_by_the_share_of_hands(tmp_path: Path) -> None:
    rules = rummy_env.rules("basic", **{**dict(SMALL_RULES.options), "reward": "win"})
    plan = Plan((), out=tmp_path, total_timesteps=600, usual_seeds=(1,), deals=4)
    page = Laboratory(rules, plan).page("the command")
    assert "Hands won on 4 deals" in page
    assert "| against greedy |" in page
    clone = SavedPolicy(tmp_path / "basic" / "clone" / "clone.npz")
    won = duel(rules, clone, "greedy", deals=4, seed=experiments.SEED).sides[0].hand_wins
    assert next(cells for cells in rows(page) if cells[0] == "the clone")[5] == percent(won)


@pytest.mark.slow
def test_arms_with_other_actors_make_their_own_clones(tmp_path: Path) -> None:
    usual = SMALL["suit_units"]
    others = usual + 1, usual + 2
    plan = Plan(
        (f"suit_units={usual},{others[0]},{others[1]}",),
        out=tmp_path,
        minutes=0.01,
        usual_seeds=(1,),
        deals=4,
    )
    arms = rows(Laboratory(SMALL_RULES, plan).page("the command"))[2:]
    assert [cells[1:4] for cells in arms] == [[str(usual), str(value), "1"] for value in others]
    for units, cells in zip(others, arms, strict=True):
        run = tmp_path / "basic" / "suit_units" / f"{units}-1"
        assert SavedPolicy(run / "clone.npz").arrays["suit_bias"].shape == (units,)
        assert int(cells[4].replace(",", "")) > 0


@pytest.mark.slow
def test_a_run_of_other_rules_or_settings_is_not_taken_for_an_arm(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "out": tmp_path,
        "usual_seeds": (1,),
        "total_timesteps": 600,
        "deals": 4,
    }
    Laboratory(SMALL_RULES, Plan((), **given)).page("the command")
    others = rummy_env.rules("basic", **{**dict(SMALL_RULES.options), "max_turns": 60})
    with pytest.raises(ValueError, match=r"holds a run with options={.*give another --out"):
        Laboratory(others, Plan((), **given)).page("the command")
    longer = Plan((), **{**given, "total_timesteps": 700})
    with pytest.raises(ValueError, match="total_timesteps=600, asked for is 700: give another --o"):
        Laboratory(SMALL_RULES, longer).page("the command")


@pytest.mark.slow
def test_the_folder_of_the_page_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "pages" / "rates.md"
    given = ["--experiments", "learning_rate=1e-3", "--usual-seeds", "1", "--out", str(tmp_path)]
    given += ["--deals", "4"]
    assert main(["basic", *given, "--minutes", "0.01", "--page", str(page)]) == 0
    assert page.read_text().startswith("# Experiments with basic: rates\n")
    assert [cells[2] for cells in rows(page.read_text())] == ["", "", "0.001"]
    assert "2 arms of 0.01 minutes, and the clone" in capsys.readouterr().out


def test_an_experiment_that_does_not_exist_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["gin", "--experiments", "nothing", "--out", str(tmp_path)])
    assert "experiments='nothing'" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("experiment", "values"),
    [
        ("learning_rate=3e-4,1e-3", (3e-4, 1e-3)),
        ("num_steps=12", (12,)),
        ("adviser=strong,none", ("strong", "none")),
        ("privileged=False", (False,)),
        ("gamma", (0.98,)),
    ],
)
def test_an_experiment_tries_the_values_that_are_given(
    experiment: str, values: tuple[object, ...]
) -> None:
    assert tried(experiment) == (experiment.partition("=")[0], values)


@pytest.mark.parametrize(
    ("experiment", "words"),
    [
        ("rate=1", "experiments='rate'"),
        ("learning_rate=", "learning_rate='' is no float"),
        ("num_steps=1.5", "num_steps='1.5' is no int"),
        ("privileged=yes", "privileged='yes': give one of 'True', 'False'"),
    ],
)
def test_values_that_are_none_are_refused(experiment: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tried(experiment)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_tries_more_than_the_usual_value_of_gin(name: str) -> None:
    values = EXPERIMENTS[name]
    assert len(set(values)) == len(values)
    usual = with_usual(rummy_env.rules("gin"), Settings())
    assert set(values) - {getattr(usual, name)}


def test_arms_with_their_own_clones_are_experiments() -> None:
    assert set(EXPERIMENTS) >= OWN_CLONES


def test_of_the_usual_experiments_those_that_make_sense_are_run(tmp_path: Path) -> None:
    found = Laboratory(SMALL_RULES, Plan(out=tmp_path, deals=4))  # greedy teaches, nobody advises
    assert found.arms > len(EXPERIMENTS)
    assert found._others["advice"] == []
    with pytest.raises(ValueError, match="it is for an adviser whom the actor has not met"):
        Laboratory(SMALL_RULES, Plan(("advice",), out=tmp_path, deals=4))


def test_an_arm_is_measured_by_its_last_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "past").mkdir()
    for steps in (0, 600):
        (tmp_path / "past" / f"{steps:012d}.npz").touch()
    (tmp_path / "report.json").write_text('{"steps": 600}')
    monkeypatch.setattr(Laboratory, "_leads", lambda self, run, model: [model.name])
    laboratory = object.__new__(Laboratory)
    assert laboratory._row(("x",), 1, tmp_path)[-1] == "000000000600.npz"
