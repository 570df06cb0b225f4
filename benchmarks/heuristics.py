"""What each rule of a heuristic is worth: `python -m benchmarks.heuristics --heuristic patient`.

Versions that lack one rule each play against the heuristic as it is. The rules depend on one
another, so their worths do not add up.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import rich
import rich.table

import rummy_env
from benchmarks import kept
from benchmarks.flags import asked
from rummy_env import Rules
from rummy_env.baselines import Policy
from rummy_env.baselines.patient import PatientTable
from rummy_env.baselines.strong_open_pile import StrongOpenPile
from rummy_env.baselines.strong_table import StrongTable
from rummy_env.command_line import plain_errors
from rummy_env.core.checks import check_range
from rummy_env.evaluation import duel
from rummy_env.evaluation.statistics import MIN_DEALS, MOST_DEALS, Estimate
from rummy_env.evaluation.words import points

MORE_PLAYERS = 3
"""By how much fewer deals are played where there are more than two players."""


@dataclass(frozen=True)
class Settings:
    """Compares a heuristic with versions of it that lack a rule.

    Attributes:
        heuristic: Which.
        players: Numbers of players.
        deals: How many for two players, each played in all seatings; a third of it for more.
        seed: Of the deals.
        out: Folder for a JSON file of the heuristic's name.
    """

    heuristic: Literal["patient", "strong_open_pile"] = "patient"
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


@dataclass(frozen=True)
class Subject:
    """A heuristic, and what there is to measure.

    Attributes:
        policy: As it is.
        variants: Those that it plays.
        without: Its rules, and versions that lack them.
    """

    policy: Policy
    variants: tuple[str, ...]
    without: Mapping[str, Policy]


PATIENT = Subject(
    PatientTable(),
    ("basic", "bonus", "classic"),
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
    },
)
STRONG_OPEN_PILE = Subject(
    StrongOpenPile(),
    ("rummy500",),
    {
        "melds are held back": StrongOpenPile(hold_sizes=NEVER),
        "bait is thrown": StrongOpenPile(bait=0),
        "the pile is left until it has enough cards": StrongOpenPile(enough=0),
        "no card is thrown that others need": StrongOpenPile(danger=0, fitting=0),
        "nor one that they need to take the pile": StrongOpenPile(deep=0),
        "cards of the pile are counted on": StrongOpenPile(piled=StrongOpenPile.live),
    },
)
SUBJECTS: Mapping[str, Subject] = MappingProxyType(
    {"patient": PATIENT, "strong_open_pile": STRONG_OPEN_PILE}
)


@dataclass(frozen=True)
class Worth:
    """One line of the table.

    Attributes:
        rule: The rule.
        leads: Points per hand by which the heuristic leads the version without it, by game.
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
        for variant in SUBJECTS[settings.heuristic].variants
    }


def measure(rule: str, settings: Settings) -> Worth:
    """Play the deals of every game without a rule."""
    subject = SUBJECTS[settings.heuristic]
    leads = {
        name: duel(
            rules,
            subject.policy,
            subject.without[rule],
            deals=settings.deals // (1 if rules.num_players == 2 else MORE_PLAYERS),
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
    settings = asked(Settings, "benchmarks.heuristics")
    least = MIN_DEALS if {*settings.players} == {2} else MORE_PLAYERS * MIN_DEALS
    check_range("deals", settings.deals, least, MOST_DEALS)
    found = [measure(rule, settings) for rule in SUBJECTS[settings.heuristic].without]
    table = rich.table.Table(*headings(found[0]), title=f"{settings.heuristic} leads itself by")
    for each in found:
        table.add_row(*row(each))
    rich.print(table)
    if settings.out is not None:
        kept.write(settings.out / f"{settings.heuristic}.json", "benchmarks.heuristics", found)


if __name__ == "__main__":
    main()
