"""What models depend on: the entries of observations and the actions, in order."""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, zip_longest
from typing import Any

import numpy as np

from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Rows
from rummy_env.core.checks import check_range
from rummy_env.core.rules import Rules
from rummy_env.views.features import observer

MAX_WIDTH = 1 << 16

Part = tuple[str, int, str]
"""Name, number of entries, and meaning."""


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
        """Refuse another layout.

        Raises:
            ValueError: Naming the first part that differs.
        """
        for mine, theirs in zip_longest(self.parts, asked.parts):
            if mine != theirs:
                raise ValueError(
                    f"made for another layout of the {self.what}: it has {_told(mine, theirs)} "
                    f"where the rules have {_told(theirs, mine)}"
                )

    def check_has_parts(self, some: "Layout") -> None:
        """Refuse another layout with a part that is missing here; one of another size is not.

        Raises:
            ValueError: Naming the first such part.
        """
        known = {(name, told) for name, _, told in self.parts}
        for part in some.parts:
            if (part[0], part[2]) not in known:
                raise ValueError(f"it reads {_told(part, part)}, which these rules do not have")

    def places_of(self, some: "Layout") -> Rows:
        """Return intp[F], where the entries of another layout stand in this one.

        Raises:
            ValueError: If a part is missing here.
        """
        ends = np.cumsum([width for _, width, _ in self.parts]).tolist()
        if missing := [name for name, *rest in some.parts if (name, *rest) not in self.parts]:
            raise ValueError(f"the part {missing[0]!r} of the layout is missing in the other")
        each = [(ends[self.parts.index(part)], part[1]) for part in some.parts]
        return np.concatenate([np.arange(end - width, end) for end, width in each])

    @classmethod
    def of_dict(cls, what: str, read: Any) -> "Layout":
        """Return the layout that a card describes; a ValueError if it is none."""
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
    """Name a part for an error message; with its meaning if nothing else tells two parts apart."""
    if part is None:
        return "nothing more"
    name, width, meaning = part
    same = other is not None and part[:2] == other[:2]
    return f"{name!r} ({width} entries{f': {meaning!r}' if same else ''})"


@lru_cache(maxsize=64)
def observation_layout(rules: Rules, name: str) -> Layout:
    """Return the layout of an observation of the rules, by a name of `OBSERVATIONS`."""
    parts = observer(rules, name).layout()
    return Layout("observation", tuple((part, width, told) for part, _, width, told in parts))


@lru_cache(maxsize=64)
def action_layout(rules: Rules) -> Layout:
    """Return the actions of the rules; a part is a run of one kind, and its meaning their cards."""
    runs = groupby(action_space(rules).actions, key=lambda action: action.kind)
    cards = [(kind, [" ".join(action.cards) for action in run]) for kind, run in runs]
    return Layout("actions", tuple((kind, len(each), ", ".join(each)) for kind, each in cards))
