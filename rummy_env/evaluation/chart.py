"""The chart of a comparison."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rummy_env.core.naming import printable
from rummy_env.evaluation.comparison import Comparison, Duel
from rummy_env.evaluation.statistics import Estimate
from rummy_env.evaluation.words import elo, percent, played, points
from rummy_env.files import replacing
from rummy_env.importing import extra

with extra("compare", "the picture of a comparison"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE_HEIGHT = 0.4
"""Height in inches of the line of one agent or one pair."""
PANEL_HEIGHT = 0.9
"""Height in inches that a panel needs in addition, for its title and axis."""
MOST_LETTERS = 50
"""Letters of a name that are shown."""
BETTER, WORSE, OPEN = "#1b7837", "#b2182b", "#555555"
"""Colours of intervals that lie above equality, lie below it, or contain it."""


@dataclass(frozen=True)
class Unit:
    """The unit of a panel: axis label, factor, value between equals, and words for a figure."""

    label: str
    factor: float
    equal: float
    words: Callable[[Estimate], str]


HANDS = Unit("% of hands (50: equal)", 100, 50.0, percent)
MATCHES = Unit("% of matches (50: equal)", 100, 50.0, percent)
POINTS = Unit("points per hand (0: equal)", 1, 0.0, points)
ELO = Unit("Elo points (0: average)", 1, 0.0, elo)
UNITS = {"points": POINTS, "hands": HANDS, "matches": MATCHES}
"""The units of what ranks, by the measure."""


def draw(comparison: Comparison, path: str | Path) -> None:
    """Draw a PNG of ranking, shares of hands won and points per hand, with their intervals."""
    standings, duels = comparison.standings, [*map(_leader_first, comparison.duels)]
    panels = [("Hands won by the first", HANDS, [duel.sides[0].hand_wins for duel in duels])]
    matches = [duel.match_wins[0] for duel in duels if duel.match_wins is not None]
    if matches:
        panels.append(("Matches won by the first", MATCHES, matches))
    panels.append(("Lead of the first", POINTS, [duel.lead for duel in duels]))
    heights = [PANEL_HEIGHT + LINE_HEIGHT * len(lines) for lines in (standings, duels)]
    size = (5.5 * len(panels), sum(heights) + 0.9)
    figure = Figure(figsize=size, layout="constrained", dpi=130)
    figure.suptitle(_title(comparison))
    grid = figure.add_gridspec(2, len(panels), height_ratios=heights)
    top, agents = figure.add_subplot(grid[0, :]), [_short(line.agent) for line in standings]
    measure = standings[0].measure
    if comparison.all_have_met:
        ranked = [line.ranked_by for line in standings]
        _panel(top, "Ranking, on average over the opponents met", UNITS[measure], ranked, agents)
    else:
        unit = POINTS if measure == "points" else ELO
        _panel(top, "Rating", unit, [line.rating for line in standings], agents)
    names = [" against ".join(map(_short, duel.agents)) for duel in duels]
    for column, panel in enumerate(panels):
        labels = [""] * len(names) if column else names
        _panel(figure.add_subplot(grid[1, column]), *panel, labels)
    with replacing(Path(path)) as fresh:
        figure.savefig(fresh, format="png")


def _short(name: str) -> str:
    """Cut a long name short, as it would leave no room for the figures."""
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 3]}..."


def _leader_first(duel: Duel) -> Duel:
    """Return the sides and the lead of a duel as seen by the agent that leads, by what ranks."""
    turned = replace(duel, sides=duel.sides[::-1], lead=duel.lead.opposite())
    return turned if turned.first_leads else duel


def _title(comparison: Comparison) -> str:
    parts = [
        played(comparison.rules),
        f"{comparison.deals} deals of every pair in all seatings",
        "bars: 95 % intervals",
    ]
    return "; ".join(parts if comparison.complete else ["INCOMPLETE", *parts])


def _panel(
    axes: Axes, title: str, unit: Unit, figures: Sequence[Estimate], labels: Sequence[str]
) -> None:
    """Draw one line per figure, from the top: a dot, the interval as a bar, the value as text."""
    equal = unit.equal
    axes.set_title(title)
    axes.set_xlabel(unit.label)
    axes.set_yticks(range(len(labels)), [*map(printable, labels)])
    for label in axes.get_yticklabels():
        label.set_parse_math(False)  # a dollar sign in a name begins no formula
    axes.axvline(equal, color="black", linewidth=0.8, linestyle=":")
    for line, (told, figure) in enumerate((f, f.times(unit.factor)) for f in figures):
        colour = BETTER if figure.low > equal else WORSE if figure.high < equal else OPEN
        reach = [[figure.value - figure.low], [figure.high - figure.value]]
        axes.errorbar(figure.value, line, xerr=reach, fmt="o", color=colour, capsize=4)
        axes.annotate(
            unit.words(told).partition(" [")[0].replace("-", "\N{MINUS SIGN}"),
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
