"""PettingZoo's former gin, of the last release that had it, in a Python environment of its own.

It needs an older PettingZoo than rummy_env, so it plays in another process, which is told when.
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

from benchmarks.rates import Play

RELEASE = ("pettingzoo==1.24.3", "rlcard==1.0.5", "pygame")

_PLAYER = """
import random
import sys
from pettingzoo.classic import gin_rummy_v4

env, rng = gin_rummy_v4.raw_env(), random.Random(1)
for _ in sys.stdin:
    env.reset(seed=rng.randrange(1 << 30))
    steps = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))
        steps += 1
    print(steps, flush=True)
"""
"""Plays a hand for every line that it reads, and writes how many steps that were."""


def former_gin(folder: Path) -> Play:
    """Its random play; the environment is made in this folder unless it is there."""
    python = folder.absolute() / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        print(f"installing {' '.join(RELEASE)} in {folder} ...", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *RELEASE], check=True)
    command = [str(python), "-W", "ignore", "-c", _PLAYER]
    pipe = subprocess.PIPE
    player = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=folder)
    told, answers = player.stdin, player.stdout
    assert told is not None
    assert answers is not None

    def play() -> int:
        told.write("play\n")
        told.flush()
        return int(answers.readline())

    return play
