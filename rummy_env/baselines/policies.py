"""The baselines by name, and whatever else a policy can be given as."""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rummy_env.baselines.heuristics import HEURISTICS, Policy, check_can_play
from rummy_env.baselines.model_file import SUFFIX
from rummy_env.baselines.saved import SavedPolicy, Trained
from rummy_env.core.checks import did_you_mean
from rummy_env.core.rules import Rules, check_rules
from rummy_env.importing import imported, is_import_string

SUFFIXES = (SUFFIX, ".zip")
"""Suffixes of models; `SavedPolicy` says how a zip becomes one."""

Named = str | os.PathLike[str] | Policy | type[Policy]
"""A policy, or something that `resolve` turns into one."""


BASELINES: Mapping[str, Callable[[], Policy]] = MappingProxyType({**HEURISTICS, "trained": Trained})
"""The policies that can be given by name."""

SEARCHES: Mapping[str, str] = MappingProxyType(
    {"lookahead": "rummy_env.search:Lookahead", "thorough": "rummy_env.search:Thorough"}
)
"""Planners that can be given by name, too: some milliseconds a move, and about a second a move."""

NAMES = (*BASELINES, *SEARCHES)
"""All names that `resolve` knows."""

STRONGEST_FIRST = ("patient", "farsighted", "strong", "greedy", "random")
"""The heuristics that are held to be the strongest, where they play the rules."""


def resolve(agent: Named, rules: Rules | None = None) -> Policy:
    """Return the policy that is named or given.

    Args:
        agent: A name of `BASELINES` or `SEARCHES`, the path of a model (`.npz`), an import string
            such as `"my_agents:Eager"`, or a policy. A class is instantiated without arguments.
        rules: The rules that it is to play; None for any.

    Raises:
        ValueError: If there is no such policy, or it cannot play the rules.
        TypeError: If the object is not a policy: it has no method `act`, or is a class that cannot
            be instantiated without arguments; or if the rules are a variant's name.
    """
    if rules is not None:
        check_rules(rules)
    found: Any = agent
    if isinstance(agent, str | os.PathLike):
        found = _named(os.fspath(agent))
    if inspect.isclass(found):
        try:
            inspect.signature(found).bind()
        except TypeError as error:
            raise TypeError(f"{found!r} cannot be made without arguments: {error}") from error
        try:
            found = found()
        except ValueError as error:
            raise ValueError(f"agent {name_of(agent)}: {error}") from error
        except Exception as error:
            error.add_note(f"raised as agent {name_of(agent)} was made")
            raise
    if not callable(getattr(found, "act", None)):
        if inspect.isroutine(found):
            raise TypeError(
                f"agent {agent!r} is a function: give a class with a method "
                f"act(self, view, mask, rng)"
            )
        raise TypeError(
            f"agent {agent!r} has no method act(view, mask, rng): give a policy, or one of "
            f"{', '.join(NAMES)}, a model's path or an import string"
        )
    if rules is not None:
        check_plays(found, rules)
    return found


def playing(rules: Rules, names: Iterable[str]) -> list[str]:
    """Return those of some agents, by name, that can play the rules, in their order."""
    found = []
    for name in names:
        with suppress(ValueError):
            resolve(name, rules)
            found.append(name)
    return found


def strongest(rules: Rules) -> str:
    """Return the name of the strongest heuristic that plays the rules, by `STRONGEST_FIRST`."""
    return playing(rules, STRONGEST_FIRST)[0]


def check_plays(policy: Policy, rules: Rules) -> None:
    """Refuse rules that a policy cannot play; see `heuristics.check_can_play`."""
    check_can_play(name_of(policy), policy, rules)


def name_of(agent: Named) -> str:
    """Return a short name: of a baseline, the end of a path or an import string, or the class."""
    if isinstance(agent, SavedPolicy):
        agent = agent.path
    if isinstance(agent, str) and not agent.endswith(SUFFIXES):
        return agent.rpartition(":")[2]
    if isinstance(agent, str | os.PathLike):
        return "/".join(Path(agent).with_suffix("").parts[-2:])
    policy = agent if inspect.isclass(agent) else type(agent)
    names = (name for name, baseline in BASELINES.items() if baseline is policy)
    return next(names, policy.__name__)


def described(agent: Named, rules: Rules) -> str:
    """Return what a report should tell of an agent that plays these rules, besides its name.

    That is what its method `describe(rules)` returns, if it has one; otherwise its own `repr`, or
    the place of its class.
    """
    if isinstance(agent, str | os.PathLike):
        return os.fspath(agent)
    policy = agent if inspect.isclass(agent) else type(agent)
    if policy is not agent and hasattr(agent, "describe"):
        try:
            return str(agent.describe(rules))
        except Exception as error:
            error.add_note(f"raised by {name_of(agent)}.describe")
            raise
    if policy is not agent and policy.__repr__ is not object.__repr__:
        return repr(agent)
    return f"{policy.__module__}:{policy.__qualname__}"


def _named(name: str) -> Any:
    if name in BASELINES:
        return BASELINES[name]
    if name in SEARCHES:
        return imported("agent", SEARCHES[name])
    if name.endswith(SUFFIXES):
        return SavedPolicy(name)
    if not is_import_string(name):
        names = ", ".join(map(repr, NAMES))
        near = _models_in(name) or did_you_mean(name, NAMES)
        raise ValueError(
            f"agent {name!r}: give one of {names}, the path of a model ({SUFFIX}), or "
            f"module:attribute as in 'my_agents:Eager'{near}"
        )
    return imported("agent", name)


def _models_in(name: str) -> str:
    """Return which models lie in a folder of this name, as the end of a message; "" if none do."""
    if not name or not Path(name).is_dir():
        return ""
    models = [os.fspath(path) for path in sorted(Path(name).glob(f"*{SUFFIX}"))]
    return f"; in that folder are {', '.join(models)}" if models else ""
