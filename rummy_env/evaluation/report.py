"""Reports of a comparison: tables in the terminal; JSON, Markdown and a chart in a folder."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from rummy_env.core.naming import printable
from rummy_env.evaluation import chart
from rummy_env.evaluation.comparison import Comparison, Duel, Side, Standing
from rummy_env.evaluation.console import LastingConsole
from rummy_env.evaluation.markdown import pipe_table, stacked
from rummy_env.evaluation.statistics import FEW_DEALS
from rummy_env.evaluation.words import elo, percent, played, points
from rummy_env.files import write_json, write_whole
from rummy_env.importing import extra
from rummy_env.version import __version__

with extra("compare", "showing a comparison"):
    import rich.box
    import rich.table
    from rich.text import Text

WIDE = 500
"""Columns of what is no terminal."""
LIBRARIES = ("numpy", "scipy", "choix")
"""The libraries behind the figures; a report gives their versions."""

SHARED = "50 % between equals. A {} that nobody won counts for all seats in equal parts."
Pair = tuple[str, str]


@dataclass(frozen=True)
class Table:
    """A table for the terminal and for pages; its first column holds names, the others figures."""

    title: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    stacked: bool = False
    """True if pages, too, have intervals below their figures, as the terminal always has."""


def show(comparison: Comparison) -> None:
    """Print the tables to the standard output."""
    print_tables(_heading(comparison), tables(comparison))


def print_tables(heading: Sequence[str], tables: Sequence[Table]) -> None:
    """Print lines, and the tables below them, to the standard output.

    A file or a pipe is as wide as a table needs, unless COLUMNS says how wide.
    """
    out = LastingConsole()
    if not out.is_terminal and "COLUMNS" not in os.environ:
        out.width = WIDE
    for line in heading:
        out.print(_text(line))
    for table in tables:
        out.print()
        out.print(Text(table.title, style="bold"))
        out.print(_rich(table))
        out.print(Text(table.note, style="dim"))


def write(comparison: Comparison, folder: str | Path, *, command: str | None = None) -> None:
    """Write compare.json, compare.md and compare.png to a folder, which is created if needed.

    The same comparison gives the same files, as they hold no times. The report includes the command
    line.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    facts = {"command": command, "versions": versions(), **comparison.as_dict()}
    write_json(folder / "compare.json", facts)
    write_whole(folder / "compare.md", markdown(comparison, command).encode())
    chart.draw(comparison, folder / "compare.png")


def versions() -> dict[str, str]:
    """Return the versions of Python, the package and the libraries behind the figures."""
    own = {"python": platform.python_version(), "rummy_env": __version__}
    return {**own, **{name: version(name) for name in LIBRARIES}}


def markdown(comparison: Comparison, command: str | None, level: int = 1) -> str:
    """Return the report in Markdown, with the command line if there was one.

    `level` is that of its heading; it is more than 1 for a part of a page.
    """
    lines = [f"{'#' * level} Agents compared: {played(comparison.rules)}", ""]
    rules, *others = _heading(comparison)
    lines += [line + "\n" for line in (f"`{rules}`", *others)]
    described = zip(comparison.agents, comparison.described, strict=True)
    lines += [*(f"- `{printable(name)}`: {printable(told)}" for name, told in described), ""]
    if command is not None:
        lines += ["```", printable(command), "```", ""]
    for table in tables(comparison):
        lines += [f"{'#' * level}# {table.title}", "", _in_markdown(table), "", table.note, ""]
    lines += ["![The ranking and every pair, with their intervals](compare.png)", ""]
    made_with = ", ".join(f"{name} {number}" for name, number in versions().items())
    return "\n".join([*lines, f"Made with {made_with}.", ""])


def tables(comparison: Comparison) -> list[Table]:
    """Return the tables of a comparison, the most telling first."""
    duels = comparison.duels
    order = [standing.agent for standing in comparison.standings]
    leads = {d.agents: (points(d.lead), points(d.lead.opposite())) for d in duels}
    wins = {d.agents: tuple(percent(side.hand_wins) for side in d.sides) for d in duels}
    made = [
        _ranking(comparison.standings, by_rating=not comparison.all_have_met),
        _matrix("Points per hand, row less column", "0 between equals.", order, leads),
        _matrix("Hands won by row against column", SHARED.format("hand"), order, wins),
    ]
    matches = {d.agents: tuple(map(percent, d.match_wins)) for d in duels if d.match_wins}
    if matches:
        note = SHARED.format("match")
        made.append(_matrix("Matches won by row against column", note, order, matches))
    made.append(_pairs(duels))
    if comparison.round_table:
        made.append(_round_table(comparison.round_table))
    return made


_SEATINGS = ", one of the two with one seat against all others and then with all but one"


def _heading(comparison: Comparison) -> list[str]:
    """Return the rules, the deals, and warnings about them."""
    lines = [
        repr(comparison.rules),
        f"{comparison.deals} deals of seed {comparison.seed}, each played by pairs of agents in "
        f"all seatings{_SEATINGS * (comparison.rules.num_players > 2)}. Brackets: 95 % intervals, "
        f"from deal to deal.",
    ]
    if comparison.looks > 1:
        lines.append(
            f"To be played until every pair is told apart, {comparison.most_deals} deals at most, "
            f"with {comparison.looks} looks: the intervals hold at all of them together."
        )
    if comparison.luck_adjusted:
        lines.append(
            "Points are adjusted for the luck of draws, which changes nothing on average and "
            "narrows the intervals, unless the deals are few; deals won and hands won are not "
            "adjusted."
        )
    if not comparison.complete:
        why = f"ended by {comparison.trouble}," if comparison.trouble else "interrupted"
        lines.append(f"INCOMPLETE: {why} before all that was asked for had been played.")
    if comparison.deals < FEW_DEALS:
        lines.append(f"Fewer than {FEW_DEALS} deals: the intervals are rough.")
    return lines


def _ranking(standings: Sequence[Standing], *, by_rating: bool) -> Table:
    measure = standings[0].measure
    by_points = measure == "points"
    if not by_points:
        ranks, rated = (
            f"{measure} won",
            f"Bradley-Terry strength by {measure} won, on the Elo scale, average 0; 100 more stand "
            f"for 64 % of the {measure}",
        )
    else:
        ranks, rated = (
            "lead",
            "strengths in points per hand, average 0, whose differences come nearest to the leads "
            "of all pairs",
        )
    by = "rating, since not all have met each other" if by_rating else ranks
    note = f"By {by}; averages over the opponents met. Rating: {rated}."
    rating = points if by_points else elo
    columns = {
        "matches won": [percent(line.match_wins) for line in standings if line.match_wins],
        "lead, points per hand": [points(line.lead) for line in standings],
        "hands won": [percent(line.hand_wins) for line in standings],
        "rating": [rating(line.rating) for line in standings],
    }
    names = [line.agent for line in standings]
    first = "lead, points per hand" if by_points else f"{measure} won"
    return _of_columns("Ranking", note, {"agent": names, first: columns[first], **columns})


def _matrix(
    title: str, note: str, names: Sequence[str], pairs: Mapping[Pair, tuple[str, ...]]
) -> Table:
    """Every agent against every other; a pair holds the cells for both directions."""
    cells = {pair: there for pair, (there, _) in pairs.items()}
    cells |= {(second, first): back for (first, second), (_, back) in pairs.items()}
    rows = [(row, *(cells.get((row, column), "") for column in names)) for row in names]
    return Table(title, note, ("", *names), rows, stacked=True)


def _pairs(duels: Sequence[Duel]) -> Table:
    note = (
        "Deals won: those in which the one and the other side made more points per hand, those in "
        "which both made the same, and the exact sign test (two-sided). Unwon: cut off or void."
    )
    made = [[f"{side.points.value:.2f}" for side in duel.sides] for duel in duels]
    columns = {
        "pair": [" : ".join(duel.agents) for duel in duels],
        "deals won": [f"{duel.sign_test.won} : {duel.sign_test.lost}" for duel in duels],
        "tied": [f"{duel.sign_test.tied}" for duel in duels],
        "p": [_p_value(duel.sign_test.p_value) for duel in duels],
        "points per hand": [" : ".join(both) for both in made],
        "turns per hand": [f"{duel.turns:.1f}" for duel in duels],
        "unwon": [f"{100 * duel.unwon:.1f} %" for duel in duels],
        "hands": [f"{duel.hands}" for duel in duels],
    }
    return _of_columns("Pairs", note, columns)


def _p_value(chance: float) -> str:
    return f"{chance:.2g}" if chance >= 1e-99 else "< 1e-99"


def _round_table(sides: Sequence[Side]) -> Table:
    note = f"All at one table, rotating; {100 / len(sides):.1f} % of the hands between equals."
    columns = {
        "agent": [side.agent for side in sides],
        "points per hand": [points(side.points) for side in sides],
        "hands won": [percent(side.hand_wins) for side in sides],
        "matches won": [percent(side.match_wins) for side in sides if side.match_wins],
    }
    return _of_columns("Round table", note, columns)


def _of_columns(title: str, note: str, columns: Mapping[str, Sequence[str]]) -> Table:
    """Return the table of those columns that have entries."""
    filled = {name: entries for name, entries in columns.items() if entries}
    return Table(title, note, tuple(filled), list(zip(*filled.values(), strict=True)))


def _text(cell: str) -> Text:
    return Text(printable(cell))


def _stacked(cell: str) -> Text:
    """Return a figure with its interval below it, so that tables fit into narrow terminals."""
    return Text(stacked(printable(cell), "\n"))


def _rich(table: Table) -> rich.table.Table:
    shown = rich.table.Table(box=rich.box.SIMPLE_HEAD)
    for number, column in enumerate(table.columns):
        shown.add_column(_text(column), justify="right" if number else "left", overflow="fold")
    for row in table.rows:
        shown.add_row(*map(_stacked, row))
    return shown


def _in_markdown(table: Table) -> str:
    columns, *rows = ([_escape(cell) for cell in row] for row in (table.columns, *table.rows))
    told = pipe_table(columns, rows, figures=len(columns) - 1)
    return stacked(told) if table.stacked else told


def _escape(cell: str) -> str:
    return printable(cell).replace("|", "\\|")
