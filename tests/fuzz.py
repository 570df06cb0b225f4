"""Long random play of the core against the reference, with options drawn at random.

    python -m tests.fuzz --steps 2_000_000 --seed 1
    python -m tests.fuzz going_out rummy_cards

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
from rummy_env.core.checks import check_choice
from tests.lockstep import CHOICES, DECLARED, Habit, flat, play

WIDER: dict[str, list[Any]] = {
    "hand_size": [None, *range(1, 11)],
    "max_turns": [1, 40, 200, 200],
    "wildcards": list(range(8)),
}
"""Values of options besides those of the tests."""

HABITS = [
    Habit(),
    Habit(("WILD", "RUMMY", "GROUP", "SEQUENCE")),
    Habit(("7",), 0),
    Habit(("RUMMY", "NO_MELD"), 1),
    Habit(("A", "2", "3", "WILD"), 1),
]
"""What the players of games of declared hands lean to."""

GAMES, STEPS = 6, 400
"""Games of a round, and how many steps each is played."""


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


def draw_round(rng: np.random.Generator, variants: list[str]) -> Round:
    """One of the variants and options that go together."""
    while True:
        name = variants[rng.integers(len(variants))]
        choices = {option: WIDER.get(option, values) for option, values in CHOICES[name].items()}
        options = flat({o: values[rng.integers(len(values))] for o, values in choices.items()})
        try:
            rummy_env.rules(name, **options)
        except ValueError:
            continue
        return Round(name, options, int(rng.integers(1 << 62)))


def run(steps: int, seed: int, variants: list[str], console: Console) -> bool:
    """Plays rounds of the variants until so many steps have been compared.

    Returns:
        Whether the core and the reference agreed throughout.
    """
    rng, rounds, began = np.random.default_rng(seed), 0, time.monotonic()
    compared, met = Counter[str](), Counter[str]()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("steps compared", total=steps)
        while compared.total() < steps:
            drawn = draw_round(rng, variants)
            try:
                done = compare(drawn, met)
            except AssertionError as difference:
                console.print(f"{drawn}\n{difference}", style="red", markup=False)
                return False
            compared[drawn.name] += done
            rounds += 1
            progress.update(task, completed=min(compared.total(), steps))
    seconds = time.monotonic() - began
    rate = f"{compared.total() / seconds:,.0f} steps a second"
    console.print(summary("variant", "steps compared", compared))
    console.print(summary("in declared hands", "times", met))
    console.print(f"no difference in {rounds} rounds, {seconds:.0f} seconds, {rate}")
    return True


def compare(drawn: Round, met: Counter[str]) -> int:
    """Plays one round.

    Args:
        drawn: What is played.
        met: Where it is counted what happens in games of declared hands.

    Returns:
        How many steps were compared.

    Raises:
        AssertionError: If the core and the reference differ.
    """
    given: dict[str, Any] = {"habits": HABITS, "met": met} if drawn.name in DECLARED else {}
    return play(drawn.name, drawn.options, games=GAMES, steps=STEPS, seed=drawn.seed, **given)


def summary(what: str, how_many: str, counted: Counter[str]) -> Table:
    """What has been counted."""
    table = Table(what)
    table.add_column(how_many, justify="right")
    for name in sorted(counted):
        table.add_row(name, f"{counted[name]:,}")
    return table


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps to compare")
    parser.add_argument("--seed", type=int, default=1, help="what everything is drawn from")
    parser.add_argument("variants", nargs="*", help="what is played; everything where left out")
    given = parser.parse_args()
    for name in given.variants:
        check_choice("variant", name, tuple(CHOICES))
    variants = given.variants or list(CHOICES)
    sys.exit(0 if run(given.steps, given.seed, variants, Console()) else 1)


if __name__ == "__main__":
    main()
