"""Small runs of training, and what is left of them."""

import dataclasses
import io
import pickle
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch

from rummy_env.core.rules import Rules
from tests.models import SMALL_RULES
from training import cloning
from training.callbacks import Clock, Stop
from training.fit import begun, learn
from training.resuming import flags_of
from training.run import Run
from training.self_play import SelfPlayPPO
from training.session import Session
from training.settings import Settings

SMALL: dict[str, Any] = {
    "num_envs": 16,
    "num_steps": 32,
    "minibatch_size": 256,
    "suit_units": 8,
    "pooled_units": 8,
    "card_units": 4,
    "critic_units": 8,
    "warmup": 1,
    "share": 0.0,
    "rivals": ("random",),
    "bf16": False,  # else a stopwatch would choose, and runs to be compared might differ
    "teacher": "none",
    "evaluations": 2,
    "eval_deals": 4,
    "compare_deals": 4,
    "torch_threads": 1,
}
"""A small run; a rollout is 512 decisions."""


@pytest.fixture(autouse=True)
def few_demonstrations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Teachers play few games at once, so that little is shown where little is asked for."""
    monkeypatch.setattr(cloning, "GAMES", 32)


def small(folder: Path, **flags: Any) -> Settings:
    """The settings of a small run, with these flags."""
    return Settings(**{**SMALL, "total_timesteps": 2048, "out": folder, **flags})


def to_the_end(session: Session) -> bool:
    """Let a run learn, and leave its folder to others; True unless it was stopped."""
    with closing(session):
        return session.learn()


def command(folder: Path, **flags: Any) -> list[str]:
    """The command of a small run."""
    words = [sys.executable, "-m", "training.fit", "basic"]
    words += ["--hand-size", "3", "--max-turns", "40"]
    for name, value in {**SMALL, "out": folder, **flags}.items():
        values = value if isinstance(value, tuple) else (value,)
        words += [f"--{name.replace('_', '-')}", *map(str, values)]
    return words


def fitted(rules: Rules, settings: Settings, command: str) -> Run | None:
    """A run that has learned to its end and reported; None if it was stopped."""
    with begun(rules, settings, command) as session:
        return learn(session)


def trained(folder: Path, **flags: Any) -> Path:
    """The folder of a small run that has ended."""
    run = fitted(SMALL_RULES, small(folder, **flags), "the command")
    assert run is not None
    return run.folder


def newest(folder: Path) -> SelfPlayPPO:
    """The model in the checkpoint of a run."""
    stored = pickle.loads(Run(folder).checkpoint.read_bytes())[1]
    model: SelfPlayPPO = SelfPlayPPO.load(io.BytesIO(stored))
    return model


def same_weights(one: Path, other: Path) -> bool:
    """Whether the models in the checkpoints of two runs are the same."""
    mine, theirs = (newest(folder).policy.state_dict().values() for folder in (one, other))
    return all(torch.equal(weight, again) for weight, again in zip(mine, theirs, strict=True))


def resumed(folder: Path, **flags: Any) -> Settings:
    """The settings of a run to resume, with these flags."""
    return dataclasses.replace(flags_of(folder), trust=True, **flags)


def stop_at(steps: int, patch: pytest.MonkeyPatch) -> None:
    """Lets the user stop the run after so many decisions at least, between two rollouts."""
    on_rollout = Clock._on_rollout_start

    def stopped(clock: Clock) -> None:
        on_rollout(clock)
        if clock.num_timesteps >= steps:
            clock.interrupted = True
            raise Stop

    patch.setattr(Clock, "_on_rollout_start", stopped)
