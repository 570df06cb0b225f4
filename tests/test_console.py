"""The console command: its subcommands, what they list, and what a missing extra says."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rummy_env
from rummy_env.__main__ import COMMANDS, console
from rummy_env.variants.options import describe, plain
from rummy_env.version import __version__
from tests.documents import ROOT
from tests.own_variants import OWN

EXTRAS = {"compare": ("compare", "choix"), "replay": ("replay", "tyro"), "play": ("play", "tyro")}
"""Of a subcommand the extra that it needs, and a module of that extra."""


def test_the_catalogue_is_listed_with_all_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert console(["variants"]) == 0
    listed = capsys.readouterr().out
    for name, function in rummy_env.VARIANTS.items():
        assert f"{name}: {(inspect.getdoc(function) or '').partition('.')[0]}." in listed
        for option in inspect.signature(function).parameters.values():
            assert f"{option.name}={option.default!r}" in listed


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        console(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"rummy-env {__version__}\n")


def test_a_variant_is_listed_with_the_values_and_the_meaning_of_its_options(
    variant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert console(["variants", variant]) == 0
    listed = " ".join(capsys.readouterr().out.split())
    for option in inspect.signature(rummy_env.VARIANTS[variant]).parameters.values():
        values, meaning = map(plain, describe(variant, option.name))
        assert f"{option.name}={option.default!r} {values} {meaning}" in listed


def test_texts_lose_their_marks_and_nothing_else_for_a_terminal() -> None:
    assert plain("`'low'`, `None`: the upcard's points; see [Presets](#presets).") == (
        "low, None: the upcard's points."
    )


def test_a_variant_of_ones_own_is_listed_by_its_import_string(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert console(["variants", OWN]) == 0
    listed = capsys.readouterr().out
    assert "Basic rummy with five cards." in listed
    assert "max_turns=50" in listed


def no_rules() -> int:
    """A variant that is none."""
    return 5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "command"),
        (["play chess"], "invalid choice: 'play chess'"),
        (["variants", "whist"], "variant='whist': give one of 'basic'"),
        (
            ["variants", "no:where"],
            "No module named 'no'; run from its folder, or add that to PYTHONPATH",
        ),
        (["variants", "./mine.py:own"], "names a file: give its module, as in 'mine:own'"),
        (
            ["variants", "tests.test_console:no_rules"],
            "no_rules' made 5",
        ),
        (["compare", "basic", "--deals", "1", "--agents", "random", "greedy"], "deals=1"),
    ],
)
def test_bad_input_ends_with_code_2_and_no_traceback(
    given: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        console(given)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in the checkout."""
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)


def test_a_pipe_that_its_reader_has_closed_ends_a_command_silently() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "rummy_env", "variants"],
        cwd=ROOT,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_help_names_every_subcommand() -> None:
    done = run("-m", "rummy_env", "--help")
    assert done.returncode == 0
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


def test_agents_and_variants_in_the_working_directory_are_found(tmp_path: Path) -> None:
    (tmp_path / "my_games.py").write_text(
        "import rummy_env\n\ndef five_cards():\n    return rummy_env.rules('basic', hand_size=5)"
    )
    command = Path(sys.executable).with_name("rummy-env")
    done = subprocess.run(
        [command, "variants", "my_games:five_cards"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("my_games:five_cards: ")


def test_no_file_beside_the_data_takes_the_place_of_a_library(tmp_path: Path) -> None:
    (tmp_path / "choix.py").write_text("open('run', 'w')")
    (tmp_path / "games.jsonl").touch()
    command = Path(sys.executable).with_name("rummy-env")
    done = subprocess.run([command, "stats", "games.jsonl"], cwd=tmp_path, capture_output=True)
    assert done.returncode in (0, 2)
    assert not (tmp_path / "run").exists()


def test_results_are_written_although_nobody_reads_the_tables(tmp_path: Path) -> None:
    asked = ["compare", "basic", "--agents", "random", "greedy", "--deals", "4", "--seed", "1"]
    reader, writer = os.pipe()
    os.close(reader)
    subprocess.run(
        [sys.executable, "-m", "rummy_env", *asked, "--out", str(tmp_path)],
        cwd=ROOT,
        stdout=writer,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    assert {path.name for path in tmp_path.iterdir()} == {
        "compare.json",
        "compare.md",
        "compare.png",
    }


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_closed_standard_stream_leads_nowhere(closed: str) -> None:
    line = f"{sys.executable} -m rummy_env variants basic {closed}"
    done = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_the_commands_of_the_checkout_are_the_same() -> None:
    asked = [
        "basic",
        "--agents",
        "random",
        "greedy",
        "--deals",
        "4",
        "--max-turns",
        "20",
        "--seed",
        "1",
    ]
    by = (["rummy_env", "compare"], ["training.compare"])
    told_by = [run("-m", *command, *asked) for command in by]
    assert [done.returncode for done in told_by] == [0, 0]
    assert told_by[0].stdout == told_by[1].stdout


WITHOUT = "import sys; sys.modules[{module!r}] = None; import runpy; sys.argv = {argv!r}; {run}"


@pytest.mark.slow
@pytest.mark.parametrize("subcommand", EXTRAS)
def test_a_missing_extra_is_named_in_one_line(subcommand: str) -> None:
    extra, module = EXTRAS[subcommand]
    named = {"compare": "training.compare"}.get(subcommand, f"rummy_env.{subcommand}")
    for name, argv in (("rummy_env", [subcommand, "x"]), (named, ["x"])):
        start = f"runpy.run_module({name!r}, run_name='__main__')"
        code = WITHOUT.format(module=module, argv=["it", *argv], run=start)
        done = run("-c", code)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert f"needs {module}: pip install 'rummy-env[{extra}]'" in done.stderr
