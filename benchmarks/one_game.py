"""What an action in one game through PettingZoo costs: `python -m benchmarks.one_game`.

The same game is played several times, and of every action the least counts that it ever took: so
the figures hold on a machine that is busy with other things, where a rate would tell of these.
"""

import time
from dataclasses import dataclass

import numpy as np
import rich
import rich.table

from benchmarks.flags import asked
from rummy_env import raw_env
from rummy_env.command_line import plain_errors
from rummy_env.envs.aec import RummyAEC
from rummy_env.views.features import HINTS


@dataclass(frozen=True)
class Settings:
    """Measures microseconds an action: what `last` takes, which observes, and what `step` takes.

    Attributes:
        variants: Which variants.
        observation: What is observed.
        actions: The actions of the game that are played, at most.
        plays: How often it is played.
    """

    variants: tuple[str, ...] = ("basic", "gin", "going_out", "rummy_cards", "rummy500")
    observation: str = HINTS
    actions: int = 60
    plays: int = 15


def costs(variant: str, settings: Settings) -> tuple[float, float]:
    """Microseconds of `last` and of `step`, on average over the actions of one game."""
    env = raw_env(variant, observation=settings.observation)
    taken = np.array([_played(env, settings.actions) for _ in range(settings.plays)])
    last, step = taken.min(axis=0).mean(axis=0) * 1e6
    return float(last), float(step)


def _played(env: RummyAEC, actions: int) -> list[tuple[float, float]]:
    """Return the seconds that `last` and `step` took for every action of always the same game."""
    rng = np.random.default_rng(1)
    taken: list[tuple[float, float]] = []
    env.reset(seed=1)
    while len(taken) < actions:
        start = time.perf_counter()
        observation, _, terminated, truncated, _ = env.last()
        last = time.perf_counter() - start
        if terminated or truncated:
            break
        legal = observation["action_mask"].nonzero()[0]
        action = int(legal[rng.integers(len(legal))])
        start = time.perf_counter()
        env.step(action)
        taken.append((last, time.perf_counter() - start))
    return taken


@plain_errors()
def main() -> None:
    """Run the command."""
    settings = asked(Settings, "benchmarks.one_game")
    table = rich.table.Table(title="Microseconds an action in one game, raw AEC, random legal play")
    for heading in ("game", "last", "step", "together"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for variant in settings.variants:
        last, step = costs(variant, settings)
        table.add_row(variant, *(f"{cost:.0f}" for cost in (last, step, last + step)))
    rich.print(table)


if __name__ == "__main__":
    main()
