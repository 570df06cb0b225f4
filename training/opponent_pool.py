"""The opponent pool of a training run: fixed opponents and past versions of the learner."""

from collections.abc import Sequence
from pathlib import Path

from rummy_env.baselines.policies import Policy, resolve
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.command_line import load_agent
from rummy_env.core.rules import Rules

WEIGHTS = {"random": 1, "greedy": 4, "strong": 3}
"""The baselines of the usual pool with their weights, the weakest first."""


def playable(rules: Rules) -> list[str]:
    """The baselines of the usual pool that can play the rules, the weakest first."""
    return [name for name in WEIGHTS if _can_play(name, rules)]


def _can_play(name: str, rules: Rules) -> bool:
    """Tells if a baseline plays the rules."""
    try:
        resolve(name, rules)
    except ValueError:
        return False
    return True


def fixed_pool(given: Sequence[str]) -> list[tuple[Policy, float]]:
    """Opponents as the command line gives them.

    Args:
        given: Each an agent, or AGENT=WEIGHT; the weight is 1 if it is left out.

    Raises:
        ValueError: If an agent or a weight makes no sense.
    """
    pool = []
    for text in given:
        agent, equals, weight = text.rpartition("=")
        if not equals:
            agent, weight = text, "1"
        try:
            share = float(weight)
        except ValueError:
            raise ValueError(
                f"--opponents {text}: {weight!r} is no weight; give AGENT=1.5"
            ) from None
        if share > 0:
            pool.append((load_agent(agent), share))
    if not pool:
        raise ValueError(f"--opponents {' '.join(given)}: give at least one with a positive weight")
    return pool


def with_past(
    pool: Sequence[tuple[Policy, float]], past: Sequence[Path], weight: float
) -> list[tuple[Policy, float]]:
    """The pool with past versions of the learner in it, which share a weight."""
    versions = [(SavedPolicy(path), weight / len(past)) for path in past] if weight > 0 else []
    return [*pool, *versions]
