"""Every block of code and every command of the documentation runs.

A page's Python blocks run in their order in one process, in an empty folder; then its commands do.
Commands that take long are run with further flags that make them short.
"""

import ast
import importlib.util
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.documents import ROOT, blocks, commands, mentioned, pages, title

OPTIONAL = {
    "pygame",
    "PIL",
    "pyspiel",
    "ray",
    "readchar",
    "rlcard",
    "sb3_contrib",
    "stable_baselines3",
    "tensordict",
    "tianshou",
    "torch",
    "torchrl",
}
"""Modules of extras and recipes: a page that imports one that is not installed is skipped."""

SHORTER = (
    (r"rummy-env compare .*--workers", "--deals 2 --workers 1"),
    (r"python -m training\.fit .*--resume", "--total-timesteps 768 --torch-threads 1"),
    (
        r"python -m training\.fit .*--start",
        "--total-timesteps 512 --num-envs 16 --num-steps 16 --minibatch-size 128 --rivals random "
        "--evaluations 1 --eval-deals 2 --compare-deals 2 --torch-threads 1",
    ),
    (
        r"python -m training\.fit ",
        "--total-timesteps 512 --num-envs 16 --num-steps 16 --minibatch-size 128 --suit-units 8 "
        "--pooled-units 8 --card-units 4 --critic-units 8 --teacher none --rivals random "
        "--evaluations 1 --eval-deals 2 --compare-deals 2 --torch-threads 1",
    ),
    (
        r"python -m training\.expert",
        "--rounds 1 --positions 10 --kept 0 --surest 1 --worlds 2 --epochs 1 --deals 2 "
        "--torch-threads 1",
    ),
    (r"python -m training\.(experiments|ship)", "--help"),
    (r"python -m training\.average", ""),
    (r"rummy-env compare |python -m training\.compare ", "--deals 2"),
    (r"rummy-env (replay|stats|variants)", ""),
    (r"rummy-env check", "--games 8"),
    (r"rummy-env play", "--help"),
    (r"python -m benchmarks\.play", "--games 2 --seconds 1 --think 0.05"),
    (
        r"python -m benchmarks\.throughput",
        "--variants basic --batch 16 --vec-batch 2 --seconds 0.001",
    ),
    (r"python -m benchmarks\.ceiling", "--variants gin --deals 2"),
    (r"python -m benchmarks\.luck", "--variants gin --deals 2"),
    (r"python -m benchmarks\.growth", "--variants basic --batch 16 --seconds 0.001"),
    (r"python -m benchmarks\.one_game", "--plays 1 --actions 2"),
    (r"python -m benchmarks\.pictures", "--frames 2"),
    (r"python -m benchmarks\.beliefs", "--games 2"),
    (r"python -m benchmarks\.scaling", "--help"),
    (r"python -m benchmarks\.search", "--positions 2 --worlds 2 --truth 2"),
    (
        r"python -m benchmarks\.intervals",
        "--played 12 --deals 4 --draws 2 --out intervals",
    ),
)
"""Which documented commands are run, and with which flags besides; the first that fits counts."""

CHECKED = ("make ", "pip install ", "python docs/recipes/")
"""Commands that are not run here: targets and extras must exist, recipes have their own tests."""

ADVICE = "give it a line in SHORTER of tests/test_docs_run.py, with flags that make it short"


def script(page: Path) -> str:
    """The Python of a page."""
    return "\n".join(block.text for block in blocks(page) if block.language == "python")


def imported(code: str) -> set[str]:
    """The top-level modules that a piece of Python imports."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def run(command: Sequence[str], folder: Path) -> str:
    """Runs a command in a folder from which the project can be imported."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    environment |= {"SDL_VIDEODRIVER": "dummy", "OMP_NUM_THREADS": "1", "COLUMNS": "300"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def shortened(command: str) -> list[str]:
    """A documented command as it is run here."""
    for pattern, flags in SHORTER:
        if re.match(pattern, command):
            return [*as_module(shlex.split(command)), *flags.split()]
    raise AssertionError(f"nobody has said how to run `{command}`: {ADVICE}")


def as_module(words: Sequence[str]) -> list[str]:
    """A command as this Python runs it, whatever lies on the path of the shell."""
    start = ["-m", "rummy_env"] if words[0] == "rummy-env" else []
    return [sys.executable, *start, *words[1:]]


def check(command: str) -> None:
    """Whether the targets of a `make`, the extras of a `pip install`, or a script exist."""
    if command.startswith("python "):
        targets = {command.split()[1]}
        known = {path for path in targets if (ROOT / path).is_file()}
    elif command.startswith("make "):
        targets = {word for word in command.split()[1:] if "=" not in word}
        known = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    else:
        targets = {
            name
            for some in re.findall(r"(?:rummy-env|\.)\[([\w, -]+)\]", command)
            for name in some.split(",")
        }
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        known = set(project["optional-dependencies"])
    assert targets <= known, f"`{command}`: there is no {', '.join(targets - known)}"


@pytest.mark.slow
@pytest.mark.parametrize("page", pages(), ids=title)
def test_the_code_and_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    code = script(page)
    missing = {name for name in imported(code) & OPTIONAL if not importlib.util.find_spec(name)}
    if missing:
        pytest.skip(f"needs {', '.join(sorted(missing))}")
    (tmp_path / "rummy_env").symlink_to(ROOT / "rummy_env")  # models are named by their path
    for block in blocks(page):
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    if code:
        (tmp_path / "page.py").write_text(code, encoding="utf-8")
        run([sys.executable, "-W", "error", "page.py"], tmp_path)
    for command in commands(page):
        if not command.startswith(CHECKED):
            run(shortened(command), tmp_path)


@pytest.mark.parametrize("page", pages(), ids=title)
def test_every_target_and_extra_that_a_page_names_exists(page: Path) -> None:
    for command in mentioned(page):
        if command.startswith(CHECKED):
            check(command)


def named_modules() -> dict[tuple[str, ...], set[str]]:
    """Every command with a module, its subcommand and variant, with all flags given to it."""
    found: dict[tuple[str, ...], set[str]] = {}
    for page in pages():
        for command in mentioned(page):
            words = command.replace("…", "").split()
            if words[:2] == ["python", "-m"] or words[0] == "rummy-env":
                module = as_module(words)[2:]
                own = [re.sub(r"\w+:\w+", "basic", word) for word in module[1:3]]
                named = itertools.takewhile(re.compile(r"[a-z_0-9]+").fullmatch, own)
                flags = {word.partition("=")[0] for word in words if word.startswith("--")}
                found.setdefault((module[0], *named), set()).update(flags)
    return found


HELP = """
import contextlib, io, json, runpy, sys

said = []
for module, *words in json.loads(sys.argv[1]):
    sys.argv = [module, *words, "--help"]
    with contextlib.redirect_stdout(io.StringIO()) as text, contextlib.suppress(SystemExit):
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    said.append(text.getvalue())
print(json.dumps(said))
"""
"""What modules say when they are asked for help: in one process, as some import much."""


@pytest.mark.slow
def test_every_command_that_is_named_exists_and_has_its_flags() -> None:
    named = named_modules()
    said = json.loads(run([sys.executable, "-c", HELP, json.dumps(list(named))], ROOT))
    for (module, flags), text in zip(named.items(), said, strict=True):
        known = set(re.findall(r"--[\w-]+", text))
        assert flags | {"--help"} <= known, module


def test_a_command_that_nobody_has_thought_of_is_a_failure() -> None:
    with pytest.raises(AssertionError, match=r"`python -m nowhere --fast`: give it a line"):
        shortened("python -m nowhere --fast")
    with pytest.raises(AssertionError, match="there is no nothing"):
        check("make nothing")
    with pytest.raises(AssertionError, match="there is no nothing"):
        check("pip install 'rummy-env[nothing]'")
    with pytest.raises(AssertionError, match=r"there is no docs/recipes/nothing\.py"):
        check("python docs/recipes/nothing.py --seed 1")
