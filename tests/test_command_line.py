"""The command line that commands on a variant share."""

import dataclasses
import inspect
import io
import os
import re
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules, command_line
from rummy_env.baselines import Greedy, Random
from rummy_env.variants import VARIANTS
from rummy_env.variants.options import describe, plain

COMMAND = "python -m training.something"


@dataclass(frozen=True)
class Settings:
    """Does something.

    Attributes:
        steps: How many steps.
        deals: How many deals.
    """

    steps: int = 100
    deals: int = 20


def parse(*given: str) -> tuple[Rules, Settings]:
    return command_line.parse(Settings, COMMAND, given)


def flag(option: str) -> str:
    """The flag of an option of a variant."""
    clash = option in {field.name for field in dataclasses.fields(Settings)}
    return f"--{'rules-' if clash else ''}{option.replace('_', '-')}"


def test_a_variant_alone_has_its_own_defaults(variant: str) -> None:
    assert parse(variant) == (rummy_env.rules(variant), Settings())


LEADING = ("num_players", "going_out_variation", "preset")
"""Options that the defaults of others depend on."""


def test_every_option_of_every_rules_reaches_them(rules: Rules) -> None:
    leading = {option: value for option, value in rules.options if option in LEADING}
    usual = dict(rummy_env.rules(rules.name, **leading).options)
    defaults = inspect.signature(rummy_env.VARIANTS[rules.name]).parameters
    given = []
    for option, value in rules.options:
        if value == usual[option] and option not in leading:
            continue
        if isinstance(defaults[option].default, bool):
            given.append(flag(option) if value else flag(f"no-{option}"))
        else:
            given += [flag(option), str(value)]
    assert parse(rules.name, *given)[0] == rules


def test_every_option_of_the_catalogue_has_a_flag_and_shows_its_default(
    variant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        parse(variant, "--help")
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    for option in inspect.signature(rummy_env.VARIANTS[variant]).parameters:
        assert f"{flag(option)} " in shown or f"{flag(option)}," in shown
    assert f"usage: {COMMAND} {variant}" in shown
    assert "How many steps." in shown


def test_every_option_of_the_catalogue_has_a_text_of_help_with_its_values(
    variant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse(variant, "--help")
    shown = " ".join(re.sub(r"[│╭╰─╮╯]", " ", capsys.readouterr().out).split())
    for option in inspect.signature(rummy_env.VARIANTS[variant]).parameters:
        values, meaning = map(plain, describe(variant, option))
        assert f"{meaning} Values: {values}." in shown, option


def test_an_option_named_like_a_flag_of_the_command_is_told_apart() -> None:
    rules, settings = parse("basic", "--deals", "7", "--match", "match", "--rules-deals", "3")
    assert (rules.deals, settings.deals) == (3, 7)


def test_an_option_can_be_none() -> None:
    rules, _ = parse("bonus", "--melds-per-turn", "None")
    assert rules.melds_per_turn is None


def test_what_the_rules_refuse_is_refused_in_their_words() -> None:
    for given, options in (
        (["--num-players", "99"], {"num_players": 99}),
        (["--ace", "sideways"], {"ace": "sideways"}),
        (["--target", "50"], {"target": 50}),
    ):
        with pytest.raises(ValueError) as own:  # noqa: PT011
            rummy_env.rules("basic", **options)
        with pytest.raises(ValueError) as found:  # noqa: PT011
            parse("basic", *given)
        assert str(found.value) == str(own.value)


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"variant='whist'.*'basic'"):
        parse("whist", "--steps", "3")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["basic", "--num-playrs", "3"], "--num-players"),
        (["basic", "--num-players", "many"], "many"),
    ],
)
def test_a_flag_that_makes_no_sense_ends_with_code_2(
    given: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        parse(*given)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "remedy"), [([], "basic"), (["--steps", "3"], "basic --steps 3")]
)
def test_a_variant_comes_first(given: list[str], remedy: str) -> None:
    with pytest.raises(ValueError, match=rf"variant first, one of basic.*: .* {remedy}$"):
        parse(*given)


def test_help_without_a_variant_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        parse("--help")
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert told.startswith("usage: python -m training.something VARIANT [OPTIONS]")
    assert "python -m training.something basic --help" in told
    assert all(f"  {name} " in told for name in VARIANTS)


def test_a_misspelt_flag_is_told_with_the_help_that_lists_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        parse("basic", "--steqs", "3")
    told = capsys.readouterr().err
    assert "--steps" in told
    assert "in python" not in told
    assert "python -m training.something basic --help" in told.replace("│", " ")


def test_bad_input_becomes_one_line_and_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped, command_line.plain_errors():
        rummy_env.rules("whist")
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("error: variant='whist'")
    assert told.count("\n") == 1


def test_the_work_itself_keeps_its_tracebacks_but_for_errors_that_are_nobodys_bug() -> None:
    with pytest.raises(SystemExit), command_line.plain_errors((OSError,)):
        Path("/nowhere/at/all").read_text()
    with pytest.raises(ValueError, match="shapes"), command_line.plain_errors((OSError,)):
        np.zeros(3) + np.zeros(4)


def test_ctrl_c_ends_a_command_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(argv: object, command: str) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("rummy_env.evaluation.stats_command.main", interrupted)
    assert command_line.run("rummy_env.evaluation.stats_command", "rummy-env stats", []) == 130


def test_nor_does_one_have_a_traceback_that_is_ended_while_it_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_to_load.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)  # else it would end the tests
    try:
        assert command_line.run("slow_to_load", "rummy-env slow", []) == 130
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_file_that_cannot_be_opened_is_named_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit), command_line.plain_errors():
        (tmp_path / "nothing").open()
    assert capsys.readouterr().err == f"error: {tmp_path / 'nothing'}: No such file or directory\n"


def test_agents_go_by_the_end_of_what_was_given_or_by_a_name_of_their_own() -> None:
    agents = command_line.load_agents(["random", "second=random", "rummy_env.baselines:Greedy"])
    assert list(agents) == ["random", "second", "Greedy"]
    assert [type(agent) for agent in agents.values()] == [Random, Random, Greedy]


def test_a_name_may_be_longer_than_that_of_a_file() -> None:
    assert list(command_line.load_agents([f"{'x' * 600}=random"])) == ["x" * 600]


def test_a_folder_that_no_report_could_name_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"m\xfcller")
    with pytest.raises(ValueError, match="its name is not UTF-8; give another path"):
        command_line.check_folder("--out", folder)


def test_two_agents_cannot_have_the_same_name() -> None:
    with pytest.raises(ValueError, match=r"two agents are called 'random'.*NAME=random"):
        command_line.load_agents(["random", "random"])


def test_an_equals_sign_in_a_folder_is_no_name(tmp_path: Path) -> None:
    missing = str(tmp_path / "rate=3" / "best.zip")
    for given in (missing, f"mine={missing}"):
        with pytest.raises((ValueError, OSError), match="rate=3"):
            command_line.load_agents([given])


def test_what_the_encoding_of_the_output_lacks_is_written_plainer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.BytesIO()
    told = ModuleType("told")
    told.main = lambda argv, command: print("7♣ 10♥ · é") or 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "told", told)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert command_line.run("told", "told", []) == 0
    assert written.getvalue() == b"7c 10h ? ?\n"
