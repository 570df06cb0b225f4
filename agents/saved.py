"""A policy that training has saved, as an agent.

A model is two files: `NAME.zip`, written by Stable-Baselines3, and `NAME.json`, its card, which
says what it plays.
"""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

import rummy_env
from rummy_env.core.actions import action_space
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.views.features import observer

_NEVER = -1e8


@dataclass(frozen=True)
class PolicyCard:
    """What a saved policy plays.

    Attributes:
        rummy_env: The version that it was trained with.
        variant: Name of the variant.
        options: The variant's options.
        observation_size: F, entries of an observation.
        num_actions: A.
    """

    rummy_env: str
    variant: str
    options: dict[str, Any]
    observation_size: int
    num_actions: int

    @classmethod
    def of(cls, rules: Rules) -> "PolicyCard":
        """The card of a policy for these rules."""
        return cls(
            rummy_env=rummy_env.__version__,
            variant=rules.name,
            options=dict(rules.options),
            observation_size=observer(rules).size,
            num_actions=len(action_space(rules)),
        )

    @staticmethod
    def path(model: Path) -> Path:
        """Where the card of a model lies."""
        return model.with_suffix(".json")

    def save(self, model: Path) -> None:
        """Writes the card beside a model."""
        text = json.dumps(dataclasses.asdict(self), indent=2) + "\n"
        self.path(model).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, model: Path) -> "PolicyCard":
        """Reads the card beside a model.

        Raises:
            ValueError: If there is none, or it is no card.
        """
        path = cls.path(model)
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(
                f"{model}: there must be a card {path.name} beside it that says what it plays, as "
                f"training.fit writes it ({error})"
            ) from error

    def check(self, rules: Rules, model: Path) -> None:
        """Refuses rules that the policy was not made for; rewards and lengths may differ.

        Raises:
            ValueError: Naming what the policy plays and what was asked for.
        """
        asked = PolicyCard.of(rules)
        self._check_same(("rummy_env", "variant"), asked, model)
        for name, value in asked.options.items():
            if name not in _FREE_OPTIONS and self.options.get(name) != value:
                raise ValueError(
                    f"{model} plays {self.variant} with {name}={self.options.get(name)!r}, asked "
                    f"for is {name}={value!r}"
                )
        self._check_same(("observation_size", "num_actions"), asked, model)

    def _check_same(self, names: tuple[str, ...], asked: "PolicyCard", model: Path) -> None:
        for name in names:
            mine, theirs = getattr(self, name), getattr(asked, name)
            if mine != theirs:
                raise ValueError(f"{model} is for {name} {mine!r}, asked for is {theirs!r}")


_FREE_OPTIONS = ("reward",)
"""Options that change neither what a policy sees nor what it may do."""


class Saved:
    """Plays by a saved policy.

    Attributes:
        path: Of the model.
        card: What it plays.
        deterministic: Whether it plays its likeliest action, or draws from its probabilities.
    """

    def __init__(self, path: str | Path, *, deterministic: bool = False) -> None:
        """Reads the model.

        Args:
            path: Of the zip.
            deterministic: Play the likeliest action always, instead of drawing.

        Raises:
            ValueError: If there is no model, no card beside it, or the card tells of another one.
        """
        self.path = Path(path)
        if not self.path.is_file():
            raise ValueError(f"{self.path}: there is no such model; give the path of a .zip")
        self.card = PolicyCard.load(self.path)
        self.deterministic = deterministic
        self._policy: Any = _load(self.path, self.card)
        self._checked: Rules | None = None

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `rummy_env.baselines.Policy`.

        Raises:
            ValueError: If the policy is for other rules.
        """
        chances = self.probabilities(view, mask)
        if self.deterministic:
            return chances.argmax(axis=1)
        bounds = chances.cumsum(axis=1)
        drawn = rng.random() * bounds[:, -1]
        return (bounds <= drawn[:, None]).sum(axis=1)

    def probabilities(self, view: SeatView, mask: Bools) -> np.ndarray:
        """How likely each action is, float64[N, A]; 0 for illegal ones.

        Raises:
            ValueError: If the policy is for other rules.
        """
        if view.rules is not self._checked:
            self.card.check(view.rules, self.path)
            self._checked = view.rules
        seen = torch.as_tensor(observer(view.rules)(view))
        with torch.no_grad():
            distribution: Any = self._policy.get_distribution(seen).distribution
        masked = np.where(mask, distribution.logits.double().numpy(), _NEVER)
        chances = np.exp(masked - masked.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)


def _load(path: Path, card: PolicyCard) -> Any:
    """The network of a model, ready to be asked.

    Raises:
        ValueError: If the file holds no model, or one of other sizes than its card says.
    """
    try:
        policy: Any = MaskablePPO.load(path, device="cpu").policy
    except (AssertionError, KeyError) as error:
        raise ValueError(f"{path} is no model saved by MaskablePPO: {error}") from error
    has = {
        "observation_size": policy.observation_space.shape[0],
        "num_actions": policy.action_space.n,
    }
    for name, size in has.items():
        if size != getattr(card, name):
            raise ValueError(f"{path} has {name} {size}, but its card says {getattr(card, name)}")
    policy.set_training_mode(False)
    return policy
