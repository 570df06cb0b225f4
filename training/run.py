"""The folder of a training run, and its checkpoint.

settings.json      rules, flags, versions, the command of each session
clone.npz          the model before it learned; clone.json beside it says what it plays
best.npz           the model with the best evaluation
past/              models that became opponents of later ones, the best one among them
checkpoint.pkl     all that the run needs to go on; reading it can run code, so it takes --trust
logs/0, logs/1 ... TensorBoard events and progress.csv, one folder a session
report.json, report.md, learning_curve.png, compare.*      written at the end
lock               held by the session at work

Every file is replaced as a whole, and a checkpoint only when all that it speaks of is there. So a
run that dies at any moment goes on from its checkpoint; one without is begun anew.
"""

import io
import json
import pickle
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

import rummy_env
from rummy_env.baselines.layout import action_layout, observation_layout
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.checks import shown
from rummy_env.core.rules import Rules
from rummy_env.evaluation.comparison import Duel
from rummy_env.evaluation.statistics import Estimate
from rummy_env.files import remove_unfinished, write_json, write_whole
from rummy_env.variants import named
from training.player import Shard


@dataclass
class Evaluation:
    """An evaluation of the policy after so many decisions of the learner, against one opponent."""

    steps: int
    minutes: float
    opponent: str
    win_rate: tuple[float, float, float]
    """Share of hands won, and the ends of its 95 % interval."""
    points: tuple[float, float, float]
    """Points per hand more than the opponent, and the ends of their 95 % interval."""
    match_wins: tuple[float, float, float] | None = None
    """The same of matches as of hands; None where an episode is a single hand."""

    @classmethod
    def of(cls, steps: int, minutes: float, opponent: str, found: Duel) -> "Evaluation":
        """Of a duel of the policy, its first side, with the opponent."""
        own = found.sides[0]
        wins, points = _with_ends(own.hand_wins), _with_ends(found.lead)
        matches = None if own.match_wins is None else _with_ends(own.match_wins)
        return cls(steps, minutes, opponent, wins, points, matches)


def _with_ends(figure: Estimate) -> tuple[float, float, float]:
    """Return a figure, and the ends of its interval."""
    return figure.value, figure.low, figure.high


@dataclass
class Progress:
    """The state of a run, besides the model."""

    curve: list[Evaluation] = field(default_factory=list)
    best: float = -np.inf
    """The highest score so far: what ranks agents, against the strongest rival."""
    best_steps: int = 0
    past: list[str] = field(default_factory=list)
    """Models that play in the pool, oldest first."""
    seconds: float = 0.0
    """Time of learning so far; cloning and evaluations are not in it."""
    env_seconds: float = 0.0
    """Of that, the time in the games, observations included."""
    evaluated: float = 0.0
    """The share of the run that had been done at the last evaluation, 0 to 1."""


_TOLD = {"variant", "options", "settings", "layouts", "command"}
"""What a run tells of itself in its folder, besides the version that began it."""


def _check_told(told: Any) -> None:
    """Refuse by a ValueError what a run cannot have told."""
    if not isinstance(told, dict):
        raise ValueError(f"{shown(told)} is no mapping")
    if lacking := _TOLD - told.keys():
        raise ValueError(f"it lacks {', '.join(sorted(lacking))}")
    for name in ("settings", "options"):
        if not isinstance(told[name], dict):
            raise ValueError(f"{name}={shown(told[name])} is no mapping")


class Run:
    """A folder of a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.best = folder / "best.npz"
        self.clone = folder / "clone.npz"
        self.checkpoint = folder / "checkpoint.pkl"
        self.past = folder / "past"
        self.report = folder / "report.json"
        self.page = folder / "report.md"
        self.picture = folder / "learning_curve.png"
        self.settings = folder / "settings.json"

    @property
    def last(self) -> Path:
        """The path of the last model."""
        return max(self.past.glob("*.npz"))

    def past_model(self, steps: int) -> Path:
        """Return the path of the model after so many decisions; paths sort by these."""
        return self.past / f"{steps:012d}.npz"

    @property
    def reported(self) -> int:
        """The decisions that the report tells of; 0 if there is no report."""
        if not self.page.exists():  # which is written last
            return 0
        return int(json.loads(self.report.read_text(encoding="utf-8"))["steps"])

    def begin(
        self, rules: Rules, settings: dict[str, Any], command: str, models: Mapping[str, str]
    ) -> None:
        """Make the folder of a new run; a ValueError if there is a run to go on with already.

        `models` tells which files its rivals and opponents are, by name.
        """
        if self.checkpoint.exists():
            raise ValueError(
                f"{self.folder} holds a run already: give --resume {self.folder} or another --out, "
                f"or remove the folder"
            )
        if self.report.exists():
            raise ValueError(
                f"{self.folder} holds a run of another kind, or one without its checkpoint: give "
                f"another --out"
            )
        self.past.mkdir(parents=True, exist_ok=True)
        told = {
            **named(rules),
            "settings": settings,
            "layouts": _layouts(rules, settings["observation"]),
            "rummy_env": rummy_env.__version__,
            "command": command,
            "models": {**models},
        }
        self._tell(told)

    def go_on(self, total_timesteps: int | None, minutes: float | None, command: str) -> None:
        """Note the limits and the command of a further session."""
        told = self.told()
        told["settings"] |= {"total_timesteps": total_timesteps, "minutes": minutes}
        if command not in told["command"].splitlines():
            told["command"] += f"\n{command}"
        self._tell(told)

    def _tell(self, told: Mapping[str, Any]) -> None:
        write_json(self.settings, told)

    def told(self) -> dict[str, Any]:
        """Return what the run was begun with; a ValueError if that is damaged."""
        try:
            told: dict[str, Any] = json.loads(self.settings.read_text())
            _check_told(told)
        except ValueError as error:
            raise ValueError(
                f"{self.settings} is damaged: {error}; begin anew in another folder"
            ) from error
        return told

    def to_go_on(self) -> dict[str, Any]:
        """Return what the run was begun with; a ValueError if it cannot be gone on with."""
        if not self.checkpoint.exists():
            raise ValueError(
                f"--resume {self.folder}: there is no checkpoint; begin anew, by --out"
            )
        return self.told()

    def check_rules(self, rules: Rules) -> None:
        """Refuse a run of other rules, or of observations or actions that these had once."""
        told = self.to_go_on()
        begun = rummy_env.rules(told["variant"], **told["options"])
        if begun != rules:
            raise ValueError(
                f"--resume {self.folder}: the run plays {_differences(begun, rules)}, asked for is "
                f"{_differences(rules, begun)}"
            )
        if told["layouts"] != _layouts(rules, told["settings"]["observation"]):
            raise ValueError(
                f"--resume {self.folder}: {rules.name} has other observations or actions now than "
                f"in rummy_env {told['rummy_env']}, which the run is of; begin a new run"
            )

    def check_models(self, models: Mapping[str, str]) -> None:
        """Refuse to go on where a model is another file than when the run was begun."""
        for name, before in self.told().get("models", {}).items():  # which older runs lack
            if name in models and models[name] != before:
                raise ValueError(
                    f"--resume {self.folder}: {name} was {before}, and is {models[name]} now: put "
                    f"it back, or begin a new run with --start"
                )

    def save(self, model: Any, shards: Sequence[Shard], progress: Progress) -> None:
        """Write a checkpoint; the one before stays until the new one is whole."""
        stored = io.BytesIO()
        model.save(stored)
        chance = (np.random.get_state(), torch.get_rng_state())  # noqa: NPY002  (the library's)
        games = pickle.dumps([(shard.env.games, shard.chance) for shard in shards])
        parts = (stored.getvalue(), games, progress, chance)
        write_whole(self.checkpoint, pickle.dumps((rummy_env.__version__, *parts)))

    def load(
        self, algorithm: type[Any], shards: Sequence[Shard], device: str
    ) -> tuple[Any, list[Shard], Progress]:
        """Read the checkpoint, which can run code, and restore the random number generators.

        Returns the model, of the class `algorithm` on `device`, the games and the state of the run.
        Games of another version of the package may have other rules, and those of an earlier state
        of its code may not be readable: `shards` are dealt in their place. The best model becomes
        that of the checkpoint again. A checkpoint that cannot be read is a ValueError.
        """
        remove_unfinished(self.checkpoint)  # the folder is held: nobody else writes here
        try:
            version, model, games, progress, chance = pickle.loads(self.checkpoint.read_bytes())
            read = _games(version, games)
            played = [Shard(shards[0].env.of(its), chance) for its, chance in read] or [*shards]
            env = played[0].env
            found = algorithm.load(io.BytesIO(model), env, device, force_reset=not read)
        except Exception as error:  # unpickling can raise whatever it likes
            raise ValueError(f"{self.checkpoint}: this version cannot read it: {error}") from error
        if not read:
            print(f"the checkpoint is of rummy_env {version}: its games are dealt anew")
        try:
            SavedPolicy(self.clone)  # which the report compares, after all learning
        except ValueError as error:
            raise ValueError(f"--resume {self.folder}: put its clone back: {error}") from error
        if progress.curve:
            best = SavedPolicy(self.past_model(progress.best_steps))
            write_model(self.best, best.card, best.arrays)
        np.random.set_state(chance[0])  # noqa: NPY002
        torch.set_rng_state(chance[1])
        return found, played, progress


def _games(version: str, stored: bytes) -> list[Any]:
    """Return the games of a checkpoint; none if they are of other code, which nothing can read."""
    if version != rummy_env.__version__:
        return []
    try:
        games: list[Any] = pickle.loads(stored)
    except (AttributeError, ImportError):  # of a checkout: a class of theirs is gone
        return []
    return games


def _layouts(rules: Rules, observation: str) -> list[str]:
    """Return the layouts of observations and actions that a model depends on."""
    return [observation_layout(rules, observation).digest, action_layout(rules).digest]


def folder_name(rules: Rules) -> str:
    """Return the variant as folders are named: import strings have a colon, which Windows bars."""
    return rules.name.replace(":", ".")


def usual_folder(rules: Rules, run: str) -> Path:
    """Return the folder of a run for which none is given."""
    return Path("runs") / f"{folder_name(rules)}-{run}"


def refuse_another(
    folder: Path, held: Mapping[str, Any], asked: Mapping[str, Any], changeable: Container[str]
) -> None:
    """Refuse a folder that holds a run of other rules or settings than those asked for.

    Both have "variant", "options" and "settings"; of the settings, some may differ.
    """
    plain = json.loads(json.dumps(asked, default=str))
    before, now = ({**each, **each["settings"]} for each in (held, plain))
    for name in ("variant", "options", *sorted(plain["settings"])):
        if name not in changeable and before.get(name) != now[name]:
            raise ValueError(
                f"{folder} holds a run with {name}={before.get(name)!r}, asked for is "
                f"{now[name]!r}: give another --out"
            )


def _differences(rules: Rules, others: Rules) -> str:
    """Return the options of rules in which they differ from others; all where names differ."""
    options, theirs = dict(rules.options), dict(others.options)
    differing = [f"{name}={v!r}" for name, v in options.items() if theirs.get(name) != v]
    if rules.name != others.name:
        return repr(rules.name)
    return ", ".join(differing) or repr(rules)
