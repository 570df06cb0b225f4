"""The card of a model: its training, its network, and what that network reads and chooses from.

A model plays all rules with the same observations and actions, entry by entry. Other differences
from its training, such as further options or another version, do not matter.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import groupby, pairwise, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.actions import action_space
from rummy_env.core.checks import check_choice, check_range
from rummy_env.core.rules import Rules
from rummy_env.views.features import Features, observer

FORMAT = 1
MAX_BYTES = 1 << 20
MAX_WIDTH = 1 << 16
MAX_TOLD = 500
MAX_LAYERS, MAX_UNITS = 32, 1 << 14

Numbers = npt.NDArray[np.float32]
Arrays = Mapping[str, Numbers]
Part = tuple[str, int, str]
"""Name, number of entries, and meaning."""

ACTIVATIONS: Mapping[str, Callable[[Numbers], Numbers]] = MappingProxyType(
    {"relu": lambda numbers: np.maximum(numbers, 0), "tanh": np.tanh}
)
"""The function between two layers, by name."""


@dataclass(frozen=True)
class Mlp:
    """Fully connected layers with an activation between them, and linear logits.

    Attributes:
        hidden: Units of each layer, first to last.
        activation: A name of `ACTIVATIONS`.
    """

    hidden: tuple[int, ...]
    activation: str

    def __post_init__(self) -> None:
        if not isinstance(self.hidden, list | tuple) or len(self.hidden) > MAX_LAYERS:
            raise ValueError(f"hidden={self.hidden!r}: give at most {MAX_LAYERS} whole numbers")
        for units in self.hidden:
            check_range("hidden", units, 1, MAX_UNITS)
        check_choice("activation", self.activation, tuple(ACTIVATIONS))
        object.__setattr__(self, "hidden", tuple(self.hidden))

    @classmethod
    def of_dict(cls, read: Mapping[str, Any]) -> "Mlp":
        """The network that a card describes; a ValueError if it is none."""
        sizes = dict(read)
        check_choice("network kind", sizes.pop("kind", None), ("mlp",))
        try:
            return cls(**sizes)
        except TypeError as error:
            raise ValueError(f"network {read!r}: {error}") from error

    def shapes(self, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
        """The shape of every array by its name, for `inputs` features and `outputs` actions."""
        found: dict[str, tuple[int, ...]] = {}
        for i, (above, below) in enumerate(pairwise((inputs, *self.hidden, outputs))):
            found |= {f"weight_{i}": (above, below), f"bias_{i}": (below,)}
        return found

    def logits(self, arrays: Arrays, observations: Features) -> Numbers:
        """float32[N, A], the logits for observations, int8[N, F]."""
        layer = observations.astype(np.float32)
        for i in range(len(self.hidden) + 1):
            if i:
                layer = ACTIVATIONS[self.activation](layer)
            layer = layer @ arrays[f"weight_{i}"]
            layer += arrays[f"bias_{i}"]
        return layer


@dataclass(frozen=True)
class Layout:
    """The entries of an observation, or the actions, in order: parts that belong together."""

    what: str  # "observation" or "actions"
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """The number of entries."""
        return sum(width for _, width, _ in self.parts)

    @property
    def digest(self) -> str:
        """SHA-256 of the parts; equal for equal layouts alone."""
        return hashlib.sha256(json.dumps(self.parts).encode()).hexdigest()

    def check_same(self, asked: "Layout") -> None:
        """Refuses another layout.

        Raises:
            ValueError: Naming the first part that differs.
        """
        for mine, theirs in zip_longest(self.parts, asked.parts):
            if mine != theirs:
                raise ValueError(
                    f"made for another layout of the {self.what}: it has {_told(mine, theirs)} "
                    f"where the rules have {_told(theirs, mine)}"
                )

    @classmethod
    def of_dict(cls, what: str, read: Any) -> "Layout":
        """The layout that a card describes; a ValueError if it is none."""
        try:
            parts = tuple((name, width, meaning) for name, width, meaning in read["parts"])
            digest = read["digest"]
        except (KeyError, TypeError, ValueError):
            raise ValueError(
                f"{what}: give digest and parts, each [name, width, meaning]"
            ) from None
        for name, width, meaning in parts:
            if not isinstance(name, str) or not isinstance(meaning, str):
                raise ValueError(f"{what}: name {name!r} and meaning {meaning!r} must be text")
            check_range(f"width of {name!r}", width, 1, MAX_WIDTH)
        found = cls(what, parts)
        check_range(f"size of {what}", found.size, 1, MAX_WIDTH)
        if digest != found.digest:
            raise ValueError(f"{what}: the digest is not that of the parts")
        return found


def _told(part: Part | None, other: Part | None) -> str:
    """A part for an error message; with its meaning only if nothing else tells the two apart."""
    if part is None:
        return "nothing more"
    name, width, meaning = part
    same = other is not None and part[:2] == other[:2]
    return f"{name!r} ({width} entries{f': {meaning!r}' if same else ''})"


@lru_cache(maxsize=64)
def observation_layout(rules: Rules) -> Layout:
    """The layout of the observations of the rules."""
    parts = observer(rules).layout()
    return Layout("observation", tuple((name, width, meaning) for name, _, width, meaning in parts))


@lru_cache(maxsize=64)
def action_layout(rules: Rules) -> Layout:
    """The actions of the rules; a part is a run of one kind, and its meaning their cards."""
    runs = groupby(action_space(rules).actions, key=lambda action: action.kind)
    cards = [(kind, [" ".join(action.cards) for action in run]) for kind, run in runs]
    return Layout("actions", tuple((kind, len(each), ", ".join(each)) for kind, each in cards))


@dataclass(frozen=True)
class ModelCard:
    """The description that belongs to the arrays of a model: what it was trained on and how.

    Attributes:
        observation: The entries that it reads.
        actions: The actions that it chooses from.
        notes: Remarks for people.
    """

    variant: str
    options: Mapping[str, Any]
    network: Mlp
    observation: Layout
    actions: Layout
    notes: str = ""

    @classmethod
    def of(cls, rules: Rules, network: Mlp, notes: str = "") -> "ModelCard":
        """The card of a network that was trained on these rules."""
        layouts = observation_layout(rules), action_layout(rules)
        return cls(rules.name, dict(rules.options), network, *layouts, notes)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every array of the model, by its name."""
        return self.network.shapes(self.observation.size, self.actions.size)

    def check(self, rules: Rules) -> None:
        """Refuses rules with other observations or actions.

        Raises:
            ValueError: Naming the first part of the layout that differs.
        """
        self.observation.check_same(observation_layout(rules))
        self.actions.check_same(action_layout(rules))

    def text(self) -> str:
        """The card as JSON."""
        layouts = (self.observation, self.actions)
        told = {
            "format": FORMAT,
            "variant": self.variant,
            "options": self.options,
            "network": {"kind": "mlp", **asdict(self.network)},
            "notes": self.notes,
            **{each.what: {"digest": each.digest, "parts": each.parts} for each in layouts},
        }
        return json.dumps(told, indent=1, default=str) + "\n"

    @staticmethod
    def path(model: Path) -> Path:
        """The path of a model's card."""
        return model.with_suffix(".json")

    @classmethod
    def load(cls, model: Path) -> "ModelCard":
        """Reads the card beside a model; a ValueError if there is none, or it is no card."""
        path = cls.path(model)
        try:
            return cls._read(path)
        except (OSError, ValueError, RecursionError) as error:
            raise ValueError(
                f"{path}: {str(error)[:MAX_TOLD]}; a model needs the card that was written with "
                f"it: copy both files, or write them anew by agents.saved.export"
            ) from error

    @classmethod
    def _read(cls, path: Path) -> "ModelCard":
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"is no card: it is larger than {MAX_BYTES:,} bytes")
        read = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(read, dict):
            raise ValueError("is no card: a card is a JSON object")
        if read.get("format") != FORMAT:
            raise ValueError(f"format={read.get('format')!r}: this version reads format {FORMAT}")
        for key, kind in {"variant": str, "options": dict, "network": dict, "notes": str}.items():
            if not isinstance(read.get(key), kind):
                raise ValueError(f"it needs {key!r}, a {kind.__name__}, not {read.get(key)!r}")
        return cls(
            read["variant"],
            read["options"],
            Mlp.of_dict(read["network"]),
            Layout.of_dict("observation", read.get("observation")),
            Layout.of_dict("actions", read.get("actions")),
            read["notes"],
        )
