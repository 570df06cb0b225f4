"""What each rule of `patient` is worth: `python -m benchmarks.patient`.

Versions that lack one rule each play against `patient` as it is. The rules depend on one another,
so their worths do not add up.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import rich
import rich.table
import tyro

import rummy_env
from benchmarks import kept
from rummy_env import Rules
from rummy_env.baselines.patient import PatientTable
from rummy_env.baselines.strong_table import StrongTable
from rummy_env.command_line import plain_errors
from rummy_env.evaluation import duel
from rummy_env.evaluation.report import points
from rummy_env.evaluation.statistics import Estimate


@dataclass(frozen=True)
class Settings:
    """Compares `patient` with versions of it that lack a rule.

    Attributes:
        variants: Variants with melds on the table.
        players: Numbers of players.
        deals: How many for two players, each played in all seatings; a third of it for more.
        seed: Of the deals.
        out: Folder for patient.json.
    """

    variants: tuple[str, ...] = ("basic", "bonus", "classic")
    players: tuple[int, ...] = (2, 4)
    deals: int = 8000
    seed: int = 30
    out: Path | None = None


class _NoGoingOut(PatientTable):
    """Draws as `StrongTable` does."""

    _draw = StrongTable._draw


class _EvenChances(PatientTable):
    """Judges the next player's needs as `StrongTable` does."""

    _needs = StrongTable._needs


class _EachInFull(PatientTable):
    """Cares as much about each of many players as about a single one."""

    _share = StrongTable._share


NEVER = math.inf
"""For sizes and points that are never reached."""

WITHOUT: Mapping[str, PatientTable] = MappingProxyType(
    {
        "cards are laid off late": PatientTable(lay_off_sizes=NEVER, dear=NEVER),
        "dear cards are laid off earlier": PatientTable(dear=NEVER),
        "melds are held back for less": PatientTable(hold_left=StrongTable.hold_left),
        "melds are laid down earlier": PatientTable(hold_sizes=0.3),
        "the top discard is taken to go out": _NoGoingOut(),
        "needs are judged by what was done": _EvenChances(),
        "others count in parts of their number": _EachInFull(),
        "cards that fit count for less": PatientTable(fitting=StrongTable.fitting),
        "whoever is close to going out counts for more": PatientTable(
            caught_late=StrongTable.caught_late, danger=StrongTable.danger
        ),
    }
)
"""The rules, and versions that lack them."""


@dataclass(frozen=True)
class Worth:
    """One line of the table.

    Attributes:
        rule: The rule.
        leads: Points a hand by which `patient` leads the version without it, by game.
    """

    rule: str
    leads: dict[str, Estimate]


def games(settings: Settings) -> dict[str, Rules]:
    """Return the rules of every game, by the name that it has in the table."""
    return {
        variant if count == 2 else f"{variant}, {count} players": rummy_env.rules(
            variant, num_players=count
        )
        for count in settings.players
        for variant in settings.variants
    }


def measure(rule: str, settings: Settings) -> Worth:
    """Play the deals of every game without a rule."""
    leads = {
        name: duel(
            rules,
            PatientTable(),
            WITHOUT[rule],
            deals=settings.deals if rules.num_players == 2 else settings.deals // 3,
            seed=settings.seed,
        ).lead
        for name, rules in games(settings).items()
    }
    return Worth(rule, leads)


def headings(found: Worth) -> tuple[str, ...]:
    """Return the heads of the table's columns."""
    return "without it", *found.leads


def row(found: Worth) -> tuple[str, ...]:
    """Return a line of the table as text."""
    return found.rule, *map(points, found.leads.values())


def read(facts: dict[str, Any]) -> Worth:
    """Return a line of the table as it was written."""
    leads = {name: Estimate(**lead) for name, lead in facts["leads"].items()}
    return Worth(facts["rule"], leads)


@plain_errors()
def main() -> None:
    """Run the command."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.patient")
    found = [measure(rule, settings) for rule in WITHOUT]
    table = rich.table.Table(*headings(found[0]), title="What patient leads itself by")
    for each in found:
        table.add_row(*row(each))
    rich.print(table)
    if settings.out is not None:
        kept.write(settings.out / "patient.json", "benchmarks.patient", found)


if __name__ == "__main__":
    main()
