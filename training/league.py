"""Who the learner trains against: fixed opponents and its own past selves."""

from collections.abc import Sequence
from pathlib import Path

from rummy_env.baselines.policies import Policy
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.command_line import load_agent


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
    """The pool with past selves in it, which share a weight."""
    selves = [(SavedPolicy(path), weight / len(past)) for path in past] if weight > 0 else []
    return [*pool, *selves]
