"""Long random play of the core against the reference, with options drawn at random.

    python -m tests.fuzz --steps 2_000_000 --seed 1

The tests do the same for a short while with chosen options (`test_lockstep`). A difference stops
the run and prints the rules and the seed of the round, which repeat it.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import rummy_env
from tests.lockstep import play
from tests.table import TABLE_VARIANTS
from tests.test_lockstep import CHOICES

WIDER: dict[str, list[Any]] = {
    "hand_size": [None, 1, 2, 3, 4, 5, 7, 8],
    "max_turns": [1, 7, 40, 200],
}
GAMES, STEPS = 6, 400
"""Values besides those of the tests; games of a round, and how many steps each is played."""


@dataclass(frozen=True)
class Round:
    """Some games of the same rules.

    Attributes:
        name: The variant.
        options: Its options.
        seed: What the deals and the choices are drawn from.
    """

    name: str
    options: dict[str, Any]
    seed: int


def draw_round(rng: np.random.Generator) -> Round:
    """A variant and options that go together."""
    while True:
        choices = {**CHOICES, **WIDER}
        drawn = {option: values[rng.integers(len(values))] for option, values in choices.items()}
        options = {**drawn.pop("episode"), **drawn}
        name = TABLE_VARIANTS[rng.integers(len(TABLE_VARIANTS))]
        try:
            rummy_env.rules(name, **options)
        except ValueError:
            continue
        return Round(name, options, int(rng.integers(1 << 62)))


def run(steps: int, seed: int, console: Console) -> bool:
    """Plays rounds until so many steps have been compared.

    Returns:
        Whether the core and the reference agreed throughout.
    """
    rng, compared, rounds, began = np.random.default_rng(seed), Counter[str](), 0, time.monotonic()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("steps compared", total=steps)
        while compared.total() < steps:
            drawn = draw_round(rng)
            try:
                done = play(drawn.name, drawn.options, games=GAMES, steps=STEPS, seed=drawn.seed)
            except AssertionError as difference:
                console.print(f"{drawn}\n{difference}", style="red", markup=False)
                return False
            compared[drawn.name] += done
            rounds += 1
            progress.update(task, completed=min(compared.total(), steps))
    seconds = time.monotonic() - began
    rate = f"{compared.total() / seconds:,.0f} steps a second"
    console.print(summary(compared))
    console.print(f"no difference in {rounds} rounds, {seconds:.0f} seconds, {rate}")
    return True


def summary(compared: Counter[str]) -> Table:
    """What has been played."""
    table = Table("variant")
    table.add_column("steps compared", justify="right")
    for name in TABLE_VARIANTS:
        table.add_row(name, f"{compared[name]:,}")
    return table


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps to compare")
    parser.add_argument("--seed", type=int, default=1, help="what everything is drawn from")
    given = parser.parse_args()
    sys.exit(0 if run(given.steps, given.seed, Console()) else 1)


if __name__ == "__main__":
    main()
