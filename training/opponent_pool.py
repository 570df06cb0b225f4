"""The opponent pool of a training run: fixed opponents and past versions of the learner."""

from collections.abc import Sequence
from math import inf, nan
from pathlib import Path

from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.model_file import SUFFIX
from rummy_env.baselines.policies import playing
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.command_line import load_agent
from rummy_env.core.rules import Rules

WEIGHTS = {"random": 0.3, "simple": 1, "greedy": 2, "strong": 4, "farsighted": 4, "patient": 4}
"""The baselines of the usual pool with their weights."""


def playable(rules: Rules) -> list[str]:
    """Return the baselines of the usual pool that can play the rules."""
    return playing(rules, WEIGHTS)


def fixed_pool(given: Sequence[str]) -> list[tuple[Policy, float]]:
    """Opponents with their weights, each given as AGENT=WEIGHT, or as AGENT if that is 1.

    Raises:
        ValueError: If an agent or a weight makes no sense.
    """
    pool = []
    for text in given:
        agent, equals, weight = text.rpartition("=")
        if not equals or weight.endswith(SUFFIX):  # a folder may have an equals sign in it
            agent, weight = text, "1"
        try:
            share = float(weight)
        except ValueError:
            share = nan
        if not 0 <= share < inf:
            raise ValueError(f"--opponents {text}: {weight!r} is no weight; give AGENT=1.5")
        if share > 0:
            pool.append((load_agent(agent), share))
    if not pool:
        raise ValueError(f"--opponents {' '.join(given)}: give at least one with a positive weight")
    return pool


def with_past(
    pool: Sequence[tuple[Policy, float]], past: Sequence[Path], share: float
) -> list[tuple[Policy, float]]:
    """Return the pool with past versions of the learner added, with this share of all weight."""
    if not past or not share:
        return [*pool]
    total = sum(weight for _, weight in pool)
    versions = [(SavedPolicy(path, deterministic=False), share / len(past)) for path in past]
    fixed = [(policy, (1 - share) * weight / total) for policy, weight in pool]
    return [*versions, *(pair for pair in fixed if pair[1] > 0)]
