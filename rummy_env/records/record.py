"""The record of a game, and its outcome."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from rummy_env.core.arrays import Float64s
from rummy_env.core.checks import check_choice, check_number, check_range, shown
from rummy_env.core.engine import Engine
from rummy_env.core.keys import MOST_SEED
from rummy_env.core.naming import printable
from rummy_env.core.notation import CUT_OFF, FINISHED
from rummy_env.core.rules import Rules, check_rules
from rummy_env.variants import VARIANTS, in_short, named, rules_from, variant
from rummy_env.variants.former_gin import former_gin
from rummy_env.version import __version__

Variants = Mapping[str, Callable[..., Rules]]

FORMAT = 2
"""The version of the format: the keys of a line and their meaning."""
KNOWN: Variants = MappingProxyType({**VARIANTS, former_gin().name: former_gin})
"""The variants that a record may name."""

_SHOWN = 24
"""Characters of a line that a message shows."""
_MOST = 1 << 31
"""More than any action, and any score."""
MAX_ACTIONS = 1 << 17
"""The most actions of a record; a longer game is recorded up to there, as unfinished."""
_LONGEST_VERSION = 100
"""Letters of a version."""
MAX_LINE = 1 << 20
"""The most characters of a line that are read; no record with so many actions is longer."""
_TYPES: Mapping[str, type] = MappingProxyType(
    {"format": int, "rummy_env": str, "variant": str, "options": dict, "seed": int}
    | {"agents": list, "actions": list}
    | {"end": str, "winners": list, "scores": list, "rewards": list}
)
"""The keys of a line, and the types of their values."""


ENDS = (FINISHED, CUT_OFF, "unfinished")
"""Ended by the rules; cut off by them; left before its end."""


@dataclass(frozen=True)
class Outcome:
    """The state of a game after its last action, points and sums of rewards by seat."""

    end: str
    """One of `ENDS`."""
    winners: tuple[int, ...]
    """The seats that won the episode."""
    scores: tuple[int, ...]
    rewards: tuple[float, ...]

    def __post_init__(self) -> None:
        check_choice("end", self.end, ENDS)

    @classmethod
    def of(cls, engine: Engine, row: int, rewards: Float64s) -> "Outcome":
        """Return the outcome of the game in a row; `rewards`, float64[P], are summed up so far."""
        state = engine.state
        finished = FINISHED if state.terminated[row] else "unfinished"
        end = CUT_OFF if state.truncated[row] else finished
        winners, scores = state.winners[row].nonzero()[0], state.scores[row]
        return cls(end, *(tuple(each.tolist()) for each in (winners, scores, rewards)))

    def departures(self, recorded: "Outcome") -> list[str]:
        """Describe the differences from the recorded outcome."""
        here, there = asdict(self), asdict(recorded)
        if np.allclose(self.rewards, recorded.rewards, atol=1e-5):
            here["rewards"] = there["rewards"]
        return [
            f"{key} is {here[key]!r}, recorded as {there[key]!r}"
            for key in here
            if here[key] != there[key]
        ]


@dataclass(frozen=True)
class Record:
    """One game, from the deal to its last action, and the version of rummy_env that recorded it.

    Raises:
        ValueError: If a value cannot be that of a game of these rules.
        TypeError: If the rules are a variant's name, or anything else.
    """

    rules: Rules
    seed: int
    """The game's own, as in `Engine.seeds`."""
    actions: tuple[int, ...]
    """All actions, of all seats."""
    agents: tuple[str, ...]
    """The names of the players, by seat."""
    outcome: Outcome
    version: str = __version__

    def __post_init__(self) -> None:
        check_rules(self.rules)
        for name, kind in (("actions", tuple), ("agents", tuple), ("outcome", Outcome)):
            if not isinstance(given := getattr(self, name), kind):
                raise TypeError(f"{name}={shown(given)}: give a value of type {kind.__name__}")
        if not isinstance(self.version, str) or len(self.version) > _LONGEST_VERSION:
            raise ValueError(f"version={shown(self.version)}: give a short text, such as '0.1.0'")
        seats = self.rules.num_players
        check_range("seed", self.seed, 0, MOST_SEED)
        check_range("number of actions", len(self.actions), 0, MAX_ACTIONS)
        for i, action in enumerate(self.actions):
            if type(action) is not int or not 0 <= action <= _MOST:  # calls take time
                check_range(f"actions[{i}]", action, 0, _MOST)
        check_names(self.agents, seats)
        for key in ("scores", "rewards"):
            given = getattr(self.outcome, key)
            if len(given) != seats:
                raise ValueError(f"{key}={shown(given)}: give one for each of {seats} seats")
        for i, score in enumerate(self.outcome.scores):
            check_range(f"scores[{i}]", score, -_MOST, _MOST)
        for i, reward in enumerate(self.outcome.rewards):
            check_number(f"rewards[{i}]", reward, "a number", lambda paid: -_MOST <= paid <= _MOST)
        for i, seat in enumerate(self.outcome.winners):
            check_range(f"winners[{i}]", seat, 0, seats - 1)

    def to_line(self) -> str:
        """Return the record as one line of JSON; a ValueError if its rules cannot be recorded."""
        check_recordable(self.rules)
        values = {
            "format": FORMAT,
            "rummy_env": self.version,
            **named(self.rules),
            "seed": self.seed,
            "agents": self.agents,
            "actions": self.actions,
            **asdict(self.outcome),
        }
        return json.dumps(values, separators=(",", ":"), default=np.generic.item)

    @classmethod
    def from_line(cls, line: str, *, variants: Variants = KNOWN) -> "Record":
        """Read what `to_line` wrote; it may name these variants only.

        A record never imports anything by itself: for a variant of your own, add its import string
        and its function to `KNOWN`.

        Raises:
            ValueError: If the line is cut short, altered, of another format, or its rules are not
                those of this version.
        """
        values: Any = {k: tuple(v) if isinstance(v, list) else v for k, v in _values(line).items()}
        return cls(
            rules=_rules(values, variants),
            seed=values["seed"],
            actions=values["actions"],
            agents=values["agents"],
            outcome=Outcome(*(values[field.name] for field in fields(Outcome))),
            version=values["rummy_env"],
        )


def check_record(record: object) -> None:
    """Refuse what is no record, such as a path."""
    if not isinstance(record, Record):
        raise TypeError(f"{shown(record)} is no record: give one, as `read_game(path)` returns it")


MOST_NAME_LETTERS = 1000
"""Letters of an agent's name in a record."""


def check_names(agents: Sequence[str], num_players: int) -> None:
    """Refuse by a ValueError anything but a name for each seat."""
    if not isinstance(agents, list | tuple) or len(agents) != num_players:
        raise ValueError(f"agents={shown(agents)}: give a name for each of {num_players} seats")
    for agent in agents:
        if not isinstance(agent, str):
            raise ValueError(f"agents: {shown(agent)} is no name: give text")
        if len(agent) > MOST_NAME_LETTERS:
            raise ValueError(
                f"agents: {agent!r:.40}: give names of {MOST_NAME_LETTERS} letters at most"
            )


def check_recordable(rules: Rules) -> None:
    """Refuse by a ValueError rules that are not those that their name and options make."""
    reason = ""
    try:
        known = KNOWN if rules.name in KNOWN else known_with([rules.name])
        if _made(rules.name, known[rules.name], json.dumps(dict(rules.options))) == rules:
            return
    except (TypeError, ValueError) as error:
        reason = f" ({error})"
    raise ValueError(
        f"{in_short(rules)} cannot be recorded: a record holds a name and options, as JSON, and "
        f"these do not make the same rules{reason}; give rules of the catalogue "
        f"({', '.join(VARIANTS)}) as they come from rummy_env.rules, or the import string of a "
        f"variant of your own: 'my_games:blind'"
    )


@lru_cache(maxsize=64)
def _made(name: str, make: Callable[..., Rules], options: str) -> Rules:
    """Return rules by name and options, as JSON: a file has few different ones, on many lines."""
    return rules_from(name, make, json.loads(options))


def known_with(names: Iterable[str]) -> Variants:
    """Return the variants of the catalogue, and some by their import strings."""
    return {**KNOWN, **{name: variant(name) for name in names}}


def _values(line: str) -> dict[str, Any]:
    """Parse and check the entries of a line."""
    if len(line) > MAX_LINE:
        raise ValueError(f"the line is no record: it has more than {MAX_LINE:,} characters")
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        ends = line.strip()[-_SHOWN:]
        raise ValueError(
            f"the line is no record, or is cut short or altered: it ends with {ends!r} ({error}); "
            f"delete it, or take it as it was written"
        ) from error
    if not isinstance(values, dict):
        raise ValueError(f"{line[:_SHOWN]!r} begins no record, which begins with '{{'")
    if values.get("format") != FORMAT:
        found, writer = shown(values.get("format")), shown(values.get("rummy_env"))
        reads = f"rummy_env {__version__} reads format {FORMAT}"
        raise ValueError(f"format={found}, written by rummy_env {writer}: {reads}")
    if values.keys() != _TYPES.keys():
        odd, lacking = sorted(values.keys() - _TYPES), sorted(_TYPES.keys() - values)
        told = [f"lacks {', '.join(lacking)}"] * bool(lacking)
        told += [f"has {shown(odd)} besides"] * bool(odd)
        raise ValueError(f"the record {' and '.join(told)}: it must have {', '.join(_TYPES)}")
    for key, kind in _TYPES.items():
        if not isinstance(values[key], kind):
            raise ValueError(f"{key}={shown(values[key])}: give a value of type {kind.__name__}")
    return values


def _rules(values: Mapping[str, Any], variants: Variants) -> Rules:
    """Make the rules that a line names."""
    name, writer = values["variant"], written_by(values["rummy_env"])
    if not isinstance(variants, Mapping):
        raise TypeError(
            f"variants={shown(variants)}: give functions by import string, as in "
            f"{{**KNOWN, 'my_games:blind': blind}}"
        )
    if name not in variants:
        raise ValueError(
            f"variant={shown(name)}{writer}: known are {', '.join(variants)}; name a variant of "
            f"your own beside the record, by variants= or, in commands, by --variant"
        )
    try:
        return _made(name, variants[name], json.dumps(values["options"]))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{name} of the record{writer} cannot be made: {error}") from error


def written_by(version: str) -> str:
    """Return a remark for messages about a record, if another version than this has written it."""
    if version == __version__:
        return ""
    return f" (written by rummy_env {printable(shown(version)[1:-1])}, read by {__version__})"
