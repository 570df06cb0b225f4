"""The package with its core dependencies alone, as `pip install rummy-env` leaves it.

A wheel is built and installed into a fresh virtual environment; what runs there runs outside the
checkout. Skipped where pip reaches no index.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rummy_env
from rummy_env.registration import gymnasium_id
from tests.documents import ROOT
from tests.installed import bare, environment, installed, run

PLAY = """
import rummy_env
assert "site-packages" in rummy_env.__file__, rummy_env.__file__

env = rummy_env.env({name!r}, render_mode="ansi", max_turns=20)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
assert "player_1" in env.render()

engine = rummy_env.Engine(rummy_env.rules({name!r}), num_envs=64, seed=1)
engine.reset()
for _ in range(20):
    engine.step(engine.random_actions())
"""

GYMNASIUM = """
import gymnasium

for env_id in {ids!r}:
    env = gymnasium.make("rummy_env:" + env_id)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
"""

BATCHES = """
import gymnasium
import numpy
import rummy_env

print(numpy.__version__.rpartition(".")[0] + ".")
for name in {names!r}:
    options = dict(rules=name, num_envs=16, opponents="greedy", observation="outs")
    envs = gymnasium.make_vec("rummy_env/Rules-v0", **options)
    _, infos = envs.reset(seed=1)
    for _ in range(40):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
"""

TRAINED = """
import numpy as np
import rummy_env
from rummy_env.baselines.saved import SavedPolicy

engine = rummy_env.Engine(rummy_env.rules("gin"), num_envs=4)
engine.reset()
view, mask = engine.look(engine.to_move), engine.legal_mask()
policy = SavedPolicy.for_rules(engine.rules)
engine.step(policy.act(view, mask, engine.random(np.arange(4))))
"""

COMMANDS = {
    "variants basic": (0, "hand_size=None"),
    "compare basic --agents greedy strong": (2, "needs choix: pip install 'rummy-env[compare]'"),
    "stats games.jsonl": (2, "needs choix: pip install 'rummy-env[compare]'"),
    "play gin": (2, "needs tyro: pip install 'rummy-env[play]'"),
    "replay games.jsonl": (2, "needs prompt_toolkit: pip install 'rummy-env[replay]'"),
}
"""Subcommands of `rummy-env`, how they end without extras, and what they say."""

BASELINES = """
import gymnasium
from rummy_env.baselines import BASELINES

for name in BASELINES:
    game = {"patient": "Basic", "farsighted": "GoingOut"}.get(name, "Gin")
    env = gymnasium.make(f"rummy_env:rummy_env/{game}-v0", opponents=[name])
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
"""

EXTRAS = {
    "compare": "from rummy_env.evaluation import compare",
    "pictures": "import rummy_env; rummy_env.env('basic', render_mode='rgb_array').reset(seed=1)",
    "train": "import rummy_env.envs.sb3",
}
"""What needs an extra, and which one its error must name."""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a virtual environment with the wheel and its dependencies."""
    return installed(tmp_path_factory.mktemp("core"))


def test_it_plays_and_steps_every_variant(core: Path, tmp_path: Path) -> None:
    for name in rummy_env.VARIANTS:
        done = run(core, PLAY.format(name=name), tmp_path)
        assert done.returncode == 0, done.stderr


def test_the_model_of_the_package_plays(core: Path, tmp_path: Path) -> None:
    done = run(core, TRAINED, tmp_path)
    assert done.returncode == 0, done.stderr


def test_gymnasium_makes_every_variant(core: Path, tmp_path: Path) -> None:
    ids = [gymnasium_id(name) for name in rummy_env.VARIANTS]
    done = run(core, GYMNASIUM.format(ids=ids), tmp_path)
    assert done.returncode == 0, done.stderr


def test_every_baseline_opposes_by_its_name(core: Path, tmp_path: Path) -> None:
    done = run(core, BASELINES, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_the_console_command_works_or_names_the_extra(
    core: Path, tmp_path: Path, command: str
) -> None:
    asked, (code, words) = [str(core.parent / "rummy-env"), *command.split()], COMMANDS[command]
    done = subprocess.run(asked, cwd=tmp_path, env=bare(), capture_output=True, text=True)
    assert done.returncode == code
    assert words in (done.stderr if code else done.stdout)
    assert done.stderr.count("\n") == (1 if code else 0)


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_needs_an_extra_says_which(core: Path, tmp_path: Path, extra: str) -> None:
    done = run(core, EXTRAS[extra], tmp_path)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert f"pip install 'rummy-env[{extra}]'" in last


def test_the_wheel_holds_the_package_and_nothing_else(core: Path, tmp_path: Path) -> None:
    code = "from importlib.metadata import files; print(*{f.parts[0] for f in files('rummy-env')})"
    tops = {name for name in run(core, code, tmp_path).stdout.split() if ".dist-info" not in name}
    assert tops == {"rummy_env", ".."}  # above it lies the console command


@pytest.mark.slow
def test_an_editable_install_finds_the_package_and_nothing_else(core: Path, tmp_path: Path) -> None:
    python = environment(tmp_path)
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "editables", "--editable", str(ROOT)]
    subprocess.run([str(python), *install], env=bare(), check=True, capture_output=True)
    names = ["rummy_env", "tests", "docs", "agents", "training", "benchmarks", "notebooks"]
    code = f"from importlib.util import find_spec; print(*filter(find_spec, {names}))"
    assert run(python, code, tmp_path).stdout.split() == ["rummy_env"]


def test_nothing_but_the_core_dependencies_was_installed(core: Path, tmp_path: Path) -> None:
    absent = ("torch", "stable_baselines3", "pygame", "PIL", "matplotlib", "rich", "tyro", "scipy")
    code = f"from importlib.util import find_spec; print(*filter(find_spec, {absent!r}))"
    assert run(core, code, tmp_path).stdout.split() == []


def test_the_oldest_libraries_that_are_allowed_will_do(tmp_path: Path) -> None:
    python = installed(tmp_path)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest = [f"{each.partition(',')[0].replace('>=', '==')}.*" for each in project["dependencies"]]
    pip = [str(python), "-m", "pip", "install", "--quiet", *oldest]
    subprocess.run(pip, env=bare(), check=True, capture_output=True)
    done = run(python, BATCHES.format(names=list(rummy_env.VARIANTS)), tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [f"{each.partition('=')[2][1:-1]}" for each in oldest[:1]]


def test_importing_the_package_imports_the_door_alone(tmp_path: Path) -> None:
    done = run(Path(sys.executable), "import sys, rummy_env; print(*sys.modules)", tmp_path)
    ours = {name for name in done.stdout.split() if name.startswith("rummy_env.")}
    assert "rummy_env.core.engine" in ours
    late = ("baselines", "envs", "evaluation", "play", "records", "replay", "views")
    assert not {name for name in ours if name.split(".")[1] in late}


def test_the_packages_are_there_after_the_import_alone(tmp_path: Path) -> None:
    code = """
import rummy_env
print({'env', 'raw_env', *rummy_env._PACKAGES} <= {*dir(rummy_env)})
print(*(getattr(rummy_env, name).__name__ for name in rummy_env._PACKAGES))
"""
    known, *names = run(Path(sys.executable), code, tmp_path).stdout.split()
    assert known == "True"
    assert names == [f"rummy_env.{name}" for name in rummy_env._PACKAGES]


def test_environments_are_there_after_the_import_alone(tmp_path: Path) -> None:
    code = """
import rummy_env
print(rummy_env.envs.single.RummyEnv.__name__, hasattr(rummy_env.envs, "nothing"))
"""
    assert run(Path(sys.executable), code, tmp_path).stdout.split() == ["RummyEnv", "False"]
