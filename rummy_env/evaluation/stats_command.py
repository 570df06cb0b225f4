"""The command that sums up recorded games: `rummy-env stats FILE`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rummy_env.command_line import plain_errors
from rummy_env.evaluation.recorded import RulesStats, stats
from rummy_env.evaluation.report import Table, print_tables
from rummy_env.evaluation.statistics import FEW_DEALS, Estimate
from rummy_env.evaluation.words import percent, played, points
from rummy_env.importing import extra
from rummy_env.records import known_with

with extra("compare", "summing up records"):
    import tyro


@dataclass(frozen=True)
class Settings:
    """Sums up recorded games: their length, how hands ended, and who won.

    Attributes:
        file: A file of records, one per line.
        variant: Import strings of your own variants that the records may name, such as
            my_games:blind.
    """

    file: tyro.conf.Positional[Path]
    variant: tuple[str, ...] = ()


def main(argv: Sequence[str], command: str) -> int:
    """Run the command and return its exit code."""
    with plain_errors():
        settings = tyro.cli(Settings, prog=command, args=argv)
        variants = known_with(settings.variant)
        found = stats(settings.file, variants=variants)
        for number, each in enumerate(found):
            if number:
                print()
            print_tables(heading(each), tables(each))
    return 0


def heading(found: RulesStats) -> list[str]:
    """Return the rules, and warnings about the figures."""
    lines = [
        repr(found.rules),
        f"{found.games} games of {found.deals} deals. Brackets: 95 % intervals, from deal to deal.",
    ]
    if found.deals < FEW_DEALS:
        lines.append(f"Fewer than {FEW_DEALS} deals: the intervals are rough.")
    return lines


def tables(found: RulesStats) -> list[Table]:
    """Return the tables of some rules: games and hands, and agents if games have ended."""
    made = [_games(found)]
    if found.agents:
        made.append(_agents(found))
    return made


_NONE = "none"
"""What a table shows where there is nothing to tell."""


def _share(wins: Estimate | None) -> str:
    return _NONE if wins is None else percent(wins)


def _games(found: RulesStats) -> Table:
    seats = found.rules.num_players
    note = (
        f"First mover: its share of the first hands of games, where somebody won them, "
        f"{100 / seats:.1f} % if moving first were worth nothing; the winners of a hand share it."
    )
    rows = [
        ("games", f"{found.games}"),
        ("unfinished", f"{found.unfinished}"),
        ("decisions per game", f"{found.decisions:.1f}"),
        ("hands", f"{found.hands}"),
        ("turns per hand", _NONE if found.turns is None else f"{found.turns:.1f}"),
        *((f"hands: {how}", f"{100 * share:.1f} %") for how, share in found.endings.items()),
        ("first mover", _share(found.first_mover)),
    ]
    return Table(played(found.rules), note, ("", "value"), rows)


def _agents(found: RulesStats) -> Table:
    note = (
        "Games that have ended. Wins: the agent's share of those that somebody won, in all of its "
        "seats; their winners share them. Points: per game, for each of its seats."
    )
    rows = [
        (each.agent, f"{each.games}", _share(each.wins), points(each.points))
        for each in found.agents
    ]
    return Table("Agents", note, ("agent", "games", "wins", "points"), rows)
