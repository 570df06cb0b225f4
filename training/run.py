"""The folder of a training run, and what it takes to go on where it stopped.

settings.json      rules, flags, versions, the command
best.zip           the model with the best evaluation, best.json beside it saying what it plays
checkpoint/        the newest model, and all else that the run needs to go on
past/              models that became opponents of later ones
logs/0, logs/1 ... TensorBoard events and progress.csv, one folder a session
report.json, report.md, learning_curve.png, compare.*      written at the end
"""

import json
import pickle
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

import rummy_env
from rummy_env.core.rules import Rules
from rummy_env.envs.learner import LearnerGames


@dataclass
class Evaluation:
    """How the policy did against one opponent at one moment.

    Attributes:
        steps: Learner's decisions so far.
        minutes: Training time so far.
        opponent: Its name.
        win_rate: Share of hands won, with its 95 % interval.
        points: Points a hand more than the opponent, with their 95 % interval.
    """

    steps: int
    minutes: float
    opponent: str
    win_rate: tuple[float, float, float]
    points: tuple[float, float, float]


@dataclass
class Progress:
    """Where a run stands, besides the model.

    Attributes:
        curve: Every evaluation so far.
        best: The best score so far: mean lead in points a hand over the rivals of the evaluation.
        best_steps: When that was.
        past: Models that play in the pool, oldest first.
        seconds: Training time so far.
        rollout_seconds: Of that, collecting; `env_seconds` of these in the environment.
        sessions: How often the run has been started.
    """

    curve: list[Evaluation] = field(default_factory=list)
    best: float = -np.inf
    best_steps: int = 0
    past: list[str] = field(default_factory=list)
    seconds: float = 0.0
    rollout_seconds: float = 0.0
    env_seconds: float = 0.0
    sessions: int = 0


class Run:
    """A folder of a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.best = folder / "best.zip"
        self.checkpoint = folder / "checkpoint"
        self.past = folder / "past"

    @property
    def model(self) -> Path:
        """The newest model."""
        return self.checkpoint / "model.zip"

    @classmethod
    def begin(cls, folder: Path, rules: Rules, settings: dict[str, Any], command: str) -> "Run":
        """Makes the folder of a new run.

        Raises:
            ValueError: If there is a run already.
        """
        run = cls(folder)
        if (folder / "settings.json").exists():
            raise ValueError(
                f"{folder} holds a run already: give --resume {folder}, or another --out"
            )
        run.past.mkdir(parents=True, exist_ok=True)
        told = {
            "variant": rules.name,
            "options": dict(rules.options),
            "settings": settings,
            "rummy_env": rummy_env.__version__,
            "command": command,
        }
        (folder / "settings.json").write_text(json.dumps(told, indent=2, default=str) + "\n")
        return run

    @classmethod
    def begun(cls, folder: Path, rules: Rules) -> dict[str, Any]:
        """The flags that a run was begun with.

        Raises:
            ValueError: If there is no run to go on with, or of other rules or another version.
        """
        if not cls(folder).model.exists():
            raise ValueError(f"--resume {folder}: there is no checkpoint of a run in that folder")
        told = json.loads((folder / "settings.json").read_text())
        if told["rummy_env"] != rummy_env.__version__:
            raise ValueError(
                f"--resume {folder}: the run is of rummy_env {told['rummy_env']}, this is "
                f"{rummy_env.__version__}; begin a new run"
            )
        begun = rummy_env.rules(told["variant"], **told["options"])
        if begun != rules:
            raise ValueError(f"--resume {folder}: the run plays {begun!r}, asked for is {rules!r}")
        settings: dict[str, Any] = told["settings"]
        return settings

    def save(self, model: Any, games: LearnerGames, progress: Progress) -> None:
        """Writes a checkpoint; the one before stays until the new one is whole."""
        fresh = self.folder / "checkpoint.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        model.save(fresh / "model.zip")
        chance = (np.random.get_state(), torch.get_rng_state())  # noqa: NPY002  (the library's)
        with (fresh / "state.pkl").open("wb") as file:
            pickle.dump((games, progress, chance), file)
        shutil.rmtree(self.checkpoint, ignore_errors=True)
        fresh.rename(self.checkpoint)

    def load(self) -> tuple[LearnerGames, Progress]:
        """Reads the checkpoint but for the model, and sets the random numbers as they were."""
        with (self.checkpoint / "state.pkl").open("rb") as file:
            games, progress, (numpy_state, torch_state) = pickle.load(file)
        np.random.set_state(numpy_state)  # noqa: NPY002
        torch.set_rng_state(torch_state)
        return games, progress
