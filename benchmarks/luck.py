"""What taking luck off saves a comparison: `python -m benchmarks.luck`.

The same games are summed up as they are and with the luck of draws taken off. An interval that is
narrower by a factor f is that of 1 / f² times as many deals.
"""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import rich
import rich.table

import rummy_env
from benchmarks import kept
from benchmarks.flags import asked
from rummy_env import Engine, Rules
from rummy_env.baselines import resolve
from rummy_env.baselines.policies import strongest
from rummy_env.command_line import plain_errors
from rummy_env.core.arrays import Float64s, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.evaluation import arena, comparison
from rummy_env.evaluation.luck import Luck
from rummy_env.evaluation.statistics import Estimate
from rummy_env.evaluation.words import points


@dataclass(frozen=True)
class Settings:
    """Compares the trained model with the strongest heuristic, with luck and without.

    Attributes:
        variants: Variants whose trained model has a critic.
        deals: How many, each played in both seatings.
        seed: Of the deals.
        out: Folder for luck.json.
    """

    variants: tuple[str, ...] = ("basic", "bonus", "classic", "gin", "rummy500")
    deals: int = 2000
    seed: int = 1
    out: Path | None = None


@dataclass(frozen=True)
class Saving:
    """One line of the table.

    Attributes:
        variant: The game.
        rival: Whom the trained model played.
        lead: Points per hand by which it led, as they were.
        adjusted: The same less luck.
        deals: Deals that would narrow the first interval to the second, times those played.
        milliseconds: Of a processor, a hand, to tell its luck.
    """

    variant: str
    rival: str
    lead: Estimate
    adjusted: Estimate
    deals: float
    milliseconds: float


def measure(rules: Rules, deals: int, seed: int) -> Saving:
    """Play the deals once, and sum them up twice."""
    rival, luck, spent = strongest(rules), Luck(rules), 0.0

    def timed(engine: Engine, rows: Rows, actions: Rows) -> Float64s:
        nonlocal spent
        began = time.process_time()
        found = luck.of_draws(engine, rows, actions)
        spent += time.process_time() - began
        return found

    agents = [resolve(name, rules) for name in ("trained", rival)]
    seeds, seatings = game_seeds(seed, deals), arena.head_to_head(rules.num_players, deals)
    results = arena.play(rules, agents, seatings, seeds, luck=timed)
    whole = replace(results, luck=np.zeros_like(results.luck))
    plain, adjusted = (
        comparison.summed_up(("trained", rival), each, "points").lead for each in (whole, results)
    )
    narrower = (plain.high - plain.low) / (adjusted.high - adjusted.low)
    return Saving(
        rules.name, rival, plain, adjusted, narrower**2, 1000 * spent / results.hands.sum()
    )


HEADINGS = (
    "game",
    "against",
    "lead of `trained`, points per hand",
    "less luck",
    "times the deals",
    "ms a hand",
)


def row(found: Saving) -> tuple[str, ...]:
    """Return a line of the table as text."""
    told = f"{found.deals:.2f}", f"{found.milliseconds:.1f}"
    name = f"`{found.variant}`", f"`{found.rival}`"
    return *name, points(found.lead), points(found.adjusted), *told


def read(facts: dict[str, Any]) -> Saving:
    """Return a line of the table as it was written."""
    told = {name: Estimate(**facts[name]) for name in ("lead", "adjusted")}
    return Saving(**{**facts, **told})


@plain_errors()
def main() -> None:
    """Run the command."""
    settings = asked(Settings, "benchmarks.luck")
    table = rich.table.Table(*HEADINGS, title="The luck of draws taken off")
    found = []
    for variant in settings.variants:
        found.append(measure(rummy_env.rules(variant), settings.deals, settings.seed))
        table.add_row(*row(found[-1]))
    rich.print(table)
    if settings.out is not None:
        kept.write(settings.out / "luck.json", "benchmarks.luck", found)


if __name__ == "__main__":
    main()
