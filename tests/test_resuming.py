"""A run that is resumed: with its own rules, flags and checkpoint, or not at all."""

import dataclasses
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import rummy_env
from rummy_env.files import replacing
from tests.accidents import Crash, Explosive, crash_at
from tests.fits import (
    command,
    few_demonstrations,
    fitted,
    newest,
    resumed,
    small,
    to_the_end,
    trained,
)
from tests.models import SMALL_RULES
from training import expert, fit, resuming, summary
from training.expert_report import finished
from training.rounds import Rounds
from training.run import Progress, Run
from training.session import Session
from training.settings import Settings

__all__ = ["few_demonstrations"]


@pytest.fixture(autouse=True)
def unreported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs without their reports, which take most of the time of small ones."""

    def write(session: Session) -> None:
        print(f"report, curve and model: {session.run.folder}")

    monkeypatch.setattr(summary, "write", write)


def test_a_run_is_not_begun_over_another(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    with pytest.raises(ValueError, match="holds a run already: give --resume"):
        trained(folder)


def test_a_run_of_other_rules_is_not_resumed(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    with pytest.raises(ValueError, match=r"the run plays .*'basic'.*asked for is .*'bonus'"):
        fitted(rummy_env.rules("bonus"), resumed(folder), "")
    with pytest.raises(ValueError, match="there is no checkpoint"):
        fitted(SMALL_RULES, resumed(tmp_path), "")
    for text, why in (
        ("{}", "it lacks command, layouts, options, settings, variant"),
        ("3", "3 is no mapping"),
        (json.dumps({**Run(folder).told(), "settings": 3}), "settings=3 is no mapping"),
    ):
        (folder / "settings.json").write_text(text)
        with pytest.raises(ValueError, match=f"settings.json is damaged: {why}"):
            fitted(SMALL_RULES, resumed(folder), "")
    (folder / "settings.json").write_text("{half")
    with pytest.raises(ValueError, match=r"settings\.json is damaged: Expecting .*; begin anew"):
        fitted(SMALL_RULES, resumed(folder), "")


def test_a_checkpoint_that_was_never_finished_is_removed(tmp_path: Path) -> None:
    checkpoint = Run(trained(tmp_path / "run", total_timesteps=512)).checkpoint
    with replacing(checkpoint) as fresh:
        fresh.write_bytes(checkpoint.read_bytes())
    fresh.write_bytes(b"half of it")  # as a process leaves it that is killed
    assert fitted(SMALL_RULES, resumed(checkpoint.parent), "again") is not None
    assert not fresh.exists()


def test_a_run_whose_clone_is_lost_is_refused_before_it_learns(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    clone = Run(folder).clone.read_bytes()
    for damaged, why in ((clone[:300], "is no model"), (None, "there is no such model")):
        Run(folder).clone.unlink()
        if damaged is not None:
            Run(folder).clone.write_bytes(damaged)
        with pytest.raises(ValueError, match=f"put its clone back: .*clone.npz: {why}"):
            fitted(SMALL_RULES, resumed(folder), "")


def test_a_run_is_resumed_with_its_own_flags(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    again = resumed(folder)
    assert fitted(SMALL_RULES, again, "again") is not None
    with pytest.raises(ValueError, match=r"--learning-rate 0\.1: the run began with 0\.0007, and"):
        fitted(SMALL_RULES, dataclasses.replace(again, learning_rate=0.1), "")
    told = json.loads((folder / "settings.json").read_text())
    told["settings"]["old_flag"] = 1
    (folder / "settings.json").write_text(json.dumps(told))
    with pytest.raises(ValueError, match="begun with --old-flag, which this version does not have"):
        fitted(SMALL_RULES, again, "")


def test_a_run_is_resumed_with_its_own_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    assert fit.main(["basic", "--resume", str(folder), "--trust"]) == 0
    with pytest.raises(SystemExit):
        fit.main(["basic", "--resume", str(folder), "--trust", "--hand-size", "4"])
    assert "the run plays hand_size=3, asked for is hand_size=4" in capsys.readouterr().err


def test_a_run_goes_on_with_other_threads_and_deals_of_its_comparison(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    again = dataclasses.replace(resumed(folder), torch_threads=2, compare_deals=44)
    assert fitted(SMALL_RULES, again, "again") is not None
    merged = resuming.resumed(SMALL_RULES, folder, again)
    assert (merged.torch_threads, merged.compare_deals) == (2, 44)
    assert merged.learning_rate == 0.0007


@pytest.mark.parametrize(
    ("flag", "value"), [("--learning-rate", "0.0007"), ("--seed", "1"), ("--suit-units", "128")]
)
def test_a_run_is_not_resumed_with_a_usual_value_that_is_not_its_own(
    flag: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512, learning_rate=0.001, seed=7)
    words = [*command(folder)[3:8], "--resume", str(folder), "--trust"]
    assert fit.main(words) == 0
    assert f"report, curve and model: {folder}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        fit.main([*words, flag, value])
    assert f"error: {flag} {value}: the run began with" in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_of_another_version_goes_on_with_new_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    monkeypatch.setattr(rummy_env, "__version__", "99.0")
    further = resumed(folder, total_timesteps=1024)
    assert fitted(SMALL_RULES, further, "again") is not None
    assert "its games are dealt anew" in capsys.readouterr().out
    assert newest(folder).num_timesteps == 1024


@pytest.mark.slow
def test_a_run_whose_games_are_of_code_that_is_gone_goes_on_with_new_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    checkpoint = Run(folder).checkpoint
    version, model, _, *rest = pickle.loads(checkpoint.read_bytes())
    gone = b"crummy_env.envs.seating\nNoSuchThing\n."
    checkpoint.write_bytes(pickle.dumps((version, model, gone, *rest)))
    assert fitted(SMALL_RULES, resumed(folder, total_timesteps=1024), "again") is not None
    assert "its games are dealt anew" in capsys.readouterr().out
    assert newest(folder).num_timesteps == 1024


def test_a_run_whose_observations_have_changed_since_is_not_resumed(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    told = json.loads((folder / "settings.json").read_text())
    told["layouts"][0] = "another"
    (folder / "settings.json").write_text(json.dumps(told))
    with pytest.raises(ValueError, match="has other observations or actions now"):
        fitted(SMALL_RULES, resumed(folder), "")


def test_the_checkpoint_of_a_run_is_opened_only_where_it_is_trusted(tmp_path: Path) -> None:
    folder, mark = tmp_path / "run", tmp_path / "ran"
    trained(folder, total_timesteps=512)
    (folder / "checkpoint.pkl").write_bytes(pickle.dumps(Explosive(mark)))
    with pytest.raises(ValueError, match=r"can run any code .* add --trust"):
        fitted(SMALL_RULES, Settings(resume=folder), "")
    assert not mark.exists()
    with pytest.raises(ValueError, match=r"checkpoint\.pkl: this version cannot read it"):
        fitted(SMALL_RULES, resumed(folder), "")
    assert mark.exists()


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(2))
def test_a_checkpoint_cut_short_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    model = newest(folder)
    model.num_timesteps = 1024
    games: Any = []
    with monkeypatch.context() as patch:
        crash_at(moment, patch)
        with pytest.raises(Crash):
            Run(folder).save(model, games, Progress())
    assert newest(folder).num_timesteps == 512
    assert fitted(SMALL_RULES, resumed(folder, total_timesteps=1024), "") is not None
    assert newest(folder).num_timesteps == 1024


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    first = Session(SMALL_RULES, small(tmp_path / "run"), "first")
    with pytest.raises(ValueError, match=r"--out .*run: another run is at work there; give"):
        Session(SMALL_RULES, small(tmp_path / "run", gamma=0.5), "second")
    assert first.run.told()["command"] == "first"
    first.close()
    Session(SMALL_RULES, small(tmp_path / "run", gamma=0.5), "second").close()


def test_a_folder_is_held_until_the_report_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fcntl")
    folder, refused = tmp_path / "run", []

    def write(session: Session) -> None:
        with pytest.raises(ValueError, match="another run is at work there") as error:
            Session(SMALL_RULES, resumed(folder), "second")
        refused.append(error)

    monkeypatch.setattr(summary, "write", write)
    trained(folder, total_timesteps=512)
    assert len(refused) == 1
    Session(SMALL_RULES, resumed(folder), "second").close()


def test_a_run_that_is_older_than_a_setting_says_what_it_goes_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    told = Run(folder).told()
    del told["settings"]["ent_extra"]
    (folder / "settings.json").write_text(json.dumps(told))
    Session(SMALL_RULES, resumed(folder), "again").close()
    said = "the run is older than --ent-extra 0.0, and goes on with that"
    assert capsys.readouterr().out.count(said) == 1


def test_a_run_that_is_older_than_advisers_goes_on_without_one(tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", total_timesteps=512)
    told = Run(folder).told()
    told["settings"]["teacher"] = "strong"
    del told["settings"]["adviser"]
    (folder / "settings.json").write_text(json.dumps(told))
    assert resuming.resumed(SMALL_RULES, folder, resumed(folder)).adviser == "none"


def test_a_run_of_expert_iteration_is_not_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "report.json").write_text("{}")
    with pytest.raises(ValueError, match="of another kind, or one without its checkpoint: give"):
        Session(SMALL_RULES, small(folder), "the command")
    (folder / "report.json").rename(folder / "checkpoint.pkl")
    with pytest.raises(ValueError, match="holds a run of another kind: give another --out"):
        finished(SMALL_RULES, expert.Settings(start=folder), folder)


@pytest.fixture
def cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a run that died in its second rollout, evaluated after the first."""
    folder, play = tmp_path / "run", Rounds.play

    def dying(rounds: Rounds, player: Any, price: float, updates: int) -> Any:
        if updates:
            raise Crash
        return play(rounds, player, price, updates)

    flags: dict[str, Any] = {"share": 0.5, "opponents": ("random",), "past_share": 0.5}
    session = Session(SMALL_RULES, small(folder, evaluations=8, **flags), "")
    with monkeypatch.context() as patch:
        patch.setattr(Rounds, "play", dying)
        with pytest.raises(Crash):
            to_the_end(session)
    return folder


@pytest.mark.slow
def test_a_run_that_is_to_end_sooner_evaluates_no_model_twice(cut_short: Path) -> None:
    again = Session(SMALL_RULES, resumed(cut_short, total_timesteps=1024), "")
    assert len(again.progress.curve) == 2
    to_the_end(again)
    steps = [entry.steps for entry in again.progress.curve]
    assert len(steps) == len({*steps}) > 2


@pytest.mark.slow
def test_in_games_dealt_anew_past_versions_play_from_the_first_rollout_on(
    cut_short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated: list[str] = []

    def noted(rounds: Rounds, *given: Any) -> Any:
        seated.extend(rounds.shards[0].env.games._seating._pool.names)
        raise Crash

    monkeypatch.setattr(rummy_env, "__version__", "99.0")
    monkeypatch.setattr(Rounds, "play", noted)
    with pytest.raises(Crash):
        to_the_end(Session(SMALL_RULES, resumed(cut_short), ""))
    assert any(name.startswith("past/") for name in seated)


def test_of_two_limits_the_nearer_ends_a_run_and_rates_follow_it(tmp_path: Path) -> None:
    session = Session(SMALL_RULES, small(tmp_path / "run", total_timesteps=1000, minutes=1.0), "")
    model = session._model
    model.num_timesteps, session.progress.seconds = 250, 30
    assert session.share_left == 0.5
    model.share_left = 0.25
    model._update_current_progress_remaining(0, 1000)
    assert model._current_progress_remaining == 0.25
    session.close()
