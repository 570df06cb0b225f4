"""The card of a model: what a saved policy was trained on, and what its network reads and writes.

A model plays all rules with the same observations and actions, entry by entry; in what else they
differ from those of its training, and in which version it was trained, does not matter.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any

from rummy_env.baselines.networks import Network, description, network_of
from rummy_env.core.actions import action_space
from rummy_env.core.checks import check_range
from rummy_env.core.rules import Rules
from rummy_env.views.features import observer

FORMAT = 1
MAX_BYTES = 1 << 20
MAX_WIDTH = 1 << 16
MAX_TOLD = 500

Part = tuple[str, int, str]
"""Name, number of entries, and what they mean."""


@dataclass(frozen=True)
class Layout:
    """The entries of an observation, or the actions, in order.

    Attributes:
        what: "observation" or "actions".
        parts: Entries that belong together.
    """

    what: str
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """How many entries there are."""
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
        if self.digest == asked.digest:
            return
        for mine, theirs in zip_longest(self.parts, asked.parts):
            if mine != theirs:
                raise ValueError(
                    f"made for another layout of the {self.what}: it has {_told(mine, theirs)} "
                    f"where the rules have {_told(theirs, mine)}"
                )

    def as_dict(self) -> dict[str, Any]:
        """As a card has it."""
        return {"digest": self.digest, "parts": self.parts}

    @classmethod
    def of_dict(cls, what: str, read: Any) -> "Layout":
        """What `as_dict` gave, from somebody else's file.

        Raises:
            ValueError: If it is no layout.
        """
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
    """A part as an error tells it, with as much as it takes to tell it from the other."""
    if part is None:
        return "nothing more"
    name, width, meaning = part
    same = other is not None and part[:2] == other[:2]
    return f"{name!r} ({width} entries{f': {meaning!r}' if same else ''})"


@lru_cache(maxsize=64)
def observation_layout(rules: Rules) -> Layout:
    """What an observation of the rules holds."""
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
    """What belongs to the arrays of a model.

    Attributes:
        variant: Name of the variant that it was trained on.
        options: The variant's options.
        network: Its architecture.
        observation: What it reads.
        actions: What it chooses from.
        notes: Anything that people should know.
    """

    variant: str
    options: Mapping[str, Any]
    network: Network
    observation: Layout
    actions: Layout
    notes: str = ""

    @classmethod
    def of(cls, rules: Rules, network: Network, notes: str = "") -> "ModelCard":
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
        told = {
            "format": FORMAT,
            "variant": self.variant,
            "options": self.options,
            "network": description(self.network),
            "notes": self.notes,
            "observation": self.observation.as_dict(),
            "actions": self.actions.as_dict(),
        }
        return json.dumps(told, indent=1, default=str) + "\n"

    @staticmethod
    def path(model: Path) -> Path:
        """Where the card of a model lies."""
        return model.with_suffix(".json")

    @classmethod
    def load(cls, model: Path) -> "ModelCard":
        """Reads the card beside a model.

        Raises:
            ValueError: If there is none, or it is no card.
        """
        path = cls.path(model)
        try:
            return cls._read(path)
        except (OSError, ValueError, RecursionError) as error:
            raise ValueError(
                f"{path}: {str(error)[:MAX_TOLD]}; a model needs the card that was written with "
                f"it: copy both files, or write them anew by python -m training.convert"
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
        kinds = {"variant": str, "options": dict, "network": dict, "notes": str}
        for key, kind in kinds.items():
            if not isinstance(read.get(key), kind):
                raise ValueError(f"it needs {key!r}, a {kind.__name__}, not {read.get(key)!r}")
        return cls(
            variant=read["variant"],
            options=read["options"],
            network=network_of(read["network"]),
            observation=Layout.of_dict("observation", read.get("observation")),
            actions=Layout.of_dict("actions", read.get("actions")),
            notes=read["notes"],
        )
