"""The package as `RUMMY_ENV_COMPILE=1 pip install` leaves it, held to the sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rummy_env
from tests.documents import ROOT
from tests.installed import bare, environment, installed, run, skip_without_index, sources

pytestmark = pytest.mark.slow

PLAY = """
import hashlib
import numpy as np
import rummy_env
from rummy_env.core import engine as module
from rummy_env.views.features import observer

def batch(rules, digest):
    engine = rummy_env.Engine(rules, 200, seed=1)
    engine.reset()
    rng, observe = np.random.default_rng(1), observer(rules)
    for _ in range(100):
        digest.update(engine.legal_mask().tobytes())
        digest.update(np.ascontiguousarray(observe(engine.look(engine.to_move))).tobytes())
        engine.step(engine.random_actions(rng))
        digest.update(engine.rewards.tobytes())
        engine.reset(engine.finished.nonzero()[0])

def single(name, digest):
    env, rng = rummy_env.raw_env(name), np.random.default_rng(1)
    env.reset(seed=1)
    while env.agents:
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        digest.update(observation["observation"].tobytes() + repr((reward, info)).encode())
        env.step(None if over else int(rng.choice(observation["action_mask"].nonzero()[0])))

print(module.__file__.endswith(".py"))
for name in rummy_env.VARIANTS:
    digest = hashlib.sha256()
    batch(rummy_env.rules(name), digest)
    single(name, digest)
    print(name, digest.hexdigest())
"""


def test_what_is_compiled_plays_as_the_sources_do(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    fast = "-O0 -g0"  # to compile: a fifth of the time
    compiled = run(installed(tmp_path, RUMMY_ENV_COMPILE="1", CFLAGS=fast), PLAY, tmp_path)
    assert compiled.returncode == 0, compiled.stderr
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    from_sources = subprocess.run(
        [sys.executable, "-c", PLAY], env=variables, capture_output=True, text=True, check=True
    )
    is_source, *games = from_sources.stdout.splitlines()
    assert (is_source, len(games)) == ("True", len(rummy_env.VARIANTS))
    assert compiled.stdout.splitlines() == ["False", *games]


@pytest.mark.parametrize(
    ("value", "options", "words"),
    [("yes", [], "RUMMY_ENV_COMPILE='yes': give 1"), ("1", ["--editable"], "editable install")],
)
def test_what_cannot_be_compiled_is_refused(
    tmp_path: Path, value: str, options: list[str], words: str
) -> None:
    python = environment(tmp_path)
    skip_without_index(python)
    install = ["-m", "pip", "install", "--no-deps", *options, str(sources(tmp_path))]
    variables = bare(RUMMY_ENV_COMPILE=value)
    command = [str(python), *install]
    done = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert done.returncode != 0
    assert words in done.stdout + done.stderr
