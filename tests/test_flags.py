"""All flags of the commands that train and compare are checked before a game is played."""

import dataclasses
import sys
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from agents.working import Hopeless
from rummy_env import rules
from rummy_env.baselines.saved import MODELS
from rummy_env.evaluation import command
from tests.conftest import few_or_all, side_by_side
from training import expert, fit, phases, session, settings
from training.usual import with_usual

BAD = ("0", "-1", "nan", "inf", "")
ZERO = (
    *("gamma", "gae_lambda", "ent_coef", "ent_extra", "vf_coef", "kl_coef", "target_kl", "advice"),
    *("share", "past_share", "average", "warmup", "seed", "staleness", "kept"),
    *("move_cost", "least"),
)
"""Flags that may well be 0."""
NAMES = ("out", "record")
"""Flags that take any name of a file or folder."""


class Begun(Exception):  # noqa: N818  (not an error)
    """All checks are passed."""


def begin(*given: Any, **named: Any) -> None:
    raise Begun


def flags(of: type[Any]) -> pytest.MarkDecorator:
    """Every flag with every bad value, as they are given; or with two values, in turn."""
    names = [field.name for field in dataclasses.fields(of)]
    few = [*side_by_side(names, BAD), *side_by_side(names, BAD[2:] + BAD[:2])]
    return few_or_all("name, value", few, product(names, BAD))


def given(name: str, value: str) -> list[str]:
    return [f"--{name.replace('_', '-')}", value]


def allowed(name: str, value: str) -> bool:
    return value == "0" if name in ZERO else bool(value) and name in NAMES


@pytest.fixture
def begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(session, "SelfPlayEnv", begin)
    monkeypatch.setattr(command, "compare", begin)
    monkeypatch.setattr(expert, "positions", begin)


def refuse_or_begin(run: Any, name: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Sees that a command ends with 2 and tells which flag is wrong, unless it is not."""
    with pytest.raises(Begun if allowed(name, value) else SystemExit) as ended:
        run()
    if isinstance(ended.value, SystemExit):
        told = capsys.readouterr().err
        assert ended.value.code == 2
        assert "Traceback" not in told
        named = (name, name.replace("_", "-"), value) if value else (name.replace("_", "-"),)
        assert any(word in told for word in named)


@pytest.mark.usefixtures("begins")
@flags(settings.Settings)
def test_training_checks_every_flag_before_it_plays(
    name: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    refuse_or_begin(lambda: fit.main(["basic", *given(name, value)]), name, value, capsys)


@pytest.mark.usefixtures("begins")
@flags(expert.Settings)
def test_expert_iteration_checks_every_flag_before_it_plays(
    name: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    start = [] if name == "start" else given("start", str(MODELS / "basic.npz"))
    arguments = ["basic", *start, *given(name, value)]
    refuse_or_begin(lambda: expert.main(arguments), name, value, capsys)


@pytest.mark.usefixtures("begins")
@flags(command.Settings)
def test_comparing_checks_every_flag_before_it_plays(
    name: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = [] if name == "agents" else ["--agents", "random", "greedy"]
    arguments = ["basic", *agents, *given(name, value)]
    refuse_or_begin(lambda: command.main(arguments, "rummy-env compare"), name, value, capsys)


@pytest.mark.usefixtures("begins")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--minibatch-size", "1"], "minibatch_size=1: give a whole number from 2"),
        (["--suit-units", "16384"], "numbers; give units for 33554432 at most"),
        (["--critic-units", "8192"], "numbers; give units for 33554432 at most"),
        (["--share", "1.5"], "share=1.5: give a number from 0 to 1"),
        (["--evaluations", "0"], "evaluations=0: give a whole number from 1 to 1000000"),
        (["--rivals"], "rivals=(): give at least one, or leave the flag out"),
        (["--opponents"], "opponents=(): give at least one"),
        (["--rivals", "camper"], "camper cannot play"),
        (["--teacher", "camper"], "camper cannot play"),
        (["--compare-deals", "1"], "compare_deals=1: give a whole number from 2"),
        (["--seed", "4294967296"], "seed=4294967296: give a whole number from 0 to 4294967295"),
        (["--out", f"{__file__}/run"], "give another path"),
        (["--out", "/proc"], "--out /proc: "),
    ],
)
def test_training_refuses_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        fit.main(["basic", *arguments])
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert told.count("\n") == 1
    assert message in told


@pytest.mark.usefixtures("begins")
@pytest.mark.parametrize("flag", ["--out", "--record"])
def test_comparing_refuses_where_nothing_can_be_written(
    flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = f"{__file__}/nowhere"
    with pytest.raises(SystemExit, match="2"):
        command.main(["basic", "--agents", "random", "greedy", flag, where], "rummy-env compare")
    told = capsys.readouterr().err
    assert told.startswith(f"error: {flag} {where}: Not a directory; give")
    assert told.count("\n") == 1


def test_an_adviser_that_is_none_is_refused_with_the_word_for_nobody() -> None:
    basic = rules("basic")
    nobody = with_usual(basic, settings.Settings(adviser="nobody"))
    with pytest.raises(ValueError, match="adviser='nobody': give one of 'none', 'random'"):
        settings.check(nobody, basic)


@pytest.mark.parametrize("name", ["minutes", "learning_rate", "temperature", "max_grad_norm"])
@pytest.mark.parametrize("nothing", [0, 0.0])
def test_nothing_is_refused_as_a_whole_number_too(name: str, nothing: float) -> None:
    given = dataclasses.replace(settings.Settings(), **{name: nothing})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=f"{name}=0"):
        settings.check(given, rules("basic"))


@pytest.mark.parametrize(("error", "raised"), [(ValueError, ValueError), (Hopeless, SystemExit)])
def test_only_what_is_nobodys_bug_is_told_in_a_line_once_a_run_learns(
    error: type[Exception],
    raised: type[BaseException],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def learn(session: object) -> None:
        raise error("of the learning")

    monkeypatch.setattr(fit, "begun", lambda *given: nullcontext())
    monkeypatch.setattr(fit, "learn", learn)
    with pytest.raises(raised):
        fit.main(["basic"])
    assert capsys.readouterr().err == "error: of the learning\n" * (error is not ValueError)


def test_a_run_goes_on_where_nobody_reads_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(line: str, **where: Any) -> None:
        raise BrokenPipeError

    told: list[Any] = []
    monkeypatch.setattr("builtins.print", closed)
    monkeypatch.setattr(phases, "nobody_reads", told.append)
    phases.Phases().tell("a line")
    assert told == [sys.stdout]
