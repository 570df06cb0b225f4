"""The chart of a comparison."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rummy_env.core.importing import extra
from rummy_env.evaluation.comparison import Comparison, Duel
from rummy_env.evaluation.statistics import Estimate

with extra("compare", "the picture of a comparison"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE_HEIGHT = 0.4
"""Inches that one agent or one pair takes."""
PANEL_HEIGHT = 0.9
"""Inches that a panel takes besides, for its title and axis."""
MATCHES_WON, LEAD = "% of matches (50: equal)", "points per hand (0: equal)"
BETTER, WORSE, OPEN = "#1b7837", "#b2182b", "#555555"
"""Colours: the interval lies above equality, below it, or contains it."""


def draw(comparison: Comparison, path: Path) -> None:
    """Draws a PNG of ranking, shares of hands won and points per hand, with their intervals."""
    lines = len(comparison.standings), len(comparison.duels)
    heights = [PANEL_HEIGHT + LINE_HEIGHT * number for number in lines]
    panels = _panels(comparison.duels)
    size = (5.5 * len(panels), sum(heights) + 0.9)
    figure = Figure(figsize=size, layout="constrained", dpi=130)
    figure.suptitle(_title(comparison))
    grid = figure.add_gridspec(2, len(panels), height_ratios=heights)
    _ranking(figure.add_subplot(grid[0, :]), comparison)
    for column, panel in enumerate(panels):
        _pairs(figure.add_subplot(grid[1, column]), comparison.duels, panel, labelled=column == 0)
    figure.savefig(path, format="png")


@dataclass(frozen=True)
class _Panel:
    """A figure of every pair: its title, its unit, and the form of its labels."""

    title: str
    unit: str
    figures: Sequence[Estimate]
    equal: float
    form: str


def _panels(duels: Sequence[Duel]) -> list[_Panel]:
    """The panels of the pairs; matches have one only where they were played."""
    wins = [duel.sides[0].hand_wins.times(100) for duel in duels]
    panels = [_Panel("Hands won by the first", "% of hands (50: equal)", wins, 50.0, "{:.1f} %")]
    matches = [duel.match_wins[0].times(100) for duel in duels if duel.match_wins is not None]
    if matches:
        panels.append(_Panel("Matches won by the first", MATCHES_WON, matches, 50.0, "{:.1f} %"))
    leads = [duel.lead for duel in duels]
    panels.append(_Panel("Lead of the first", LEAD, leads, 0.0, "{:+.2f}"))
    return panels


def _title(comparison: Comparison) -> str:
    rules = comparison.rules
    parts = [
        f"{rules.name}, {rules.num_players} players",
        f"{comparison.deals} deals of every pair in all seatings",
        "bars: 95 % intervals",
    ]
    return "; ".join(parts if comparison.complete else ["INCOMPLETE", *parts])


def _ranking(axes: Axes, comparison: Comparison) -> None:
    standings, matches = comparison.standings, comparison.standings[0].match_wins is not None
    figures = [line.ranked_by.times(100 if matches else 1) for line in standings]
    equal, form = (50.0, "{:.1f} %") if matches else (0.0, "{:+.2f}")
    _intervals(axes, figures, equal=equal, form=form)
    axes.set_yticks(range(len(standings)), [line.agent for line in standings])
    axes.set_title("Ranking, against all others on average")
    axes.set_xlabel(MATCHES_WON if matches else LEAD)


def _pairs(axes: Axes, duels: Sequence[Duel], panel: _Panel, *, labelled: bool) -> None:
    _intervals(axes, panel.figures, equal=panel.equal, form=panel.form)
    names = [" against ".join(duel.agents) if labelled else "" for duel in duels]
    axes.set_yticks(range(len(duels)), names)
    axes.set_title(panel.title)
    axes.set_xlabel(panel.unit)


def _intervals(axes: Axes, figures: Sequence[Estimate], *, equal: float, form: str) -> None:
    """One line each, from the top: a dot, a bar for the interval, the value as text."""
    axes.axvline(equal, color="black", linewidth=0.8, linestyle=":")
    for line, figure in enumerate(figures):
        colour = BETTER if figure.low > equal else WORSE if figure.high < equal else OPEN
        reach = [[figure.value - figure.low], [figure.high - figure.value]]
        axes.errorbar(figure.value, line, xerr=reach, fmt="o", color=colour, capsize=4)
        axes.annotate(
            form.format(figure.value).replace("-", "\N{MINUS SIGN}"),
            (figure.value, line),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize="small",
            color=colour,
        )
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(figures) - 0.4, -0.75)
    axes.margins(x=0.1)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
