"""The learning curve as a picture."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rummy_env.files import replacing
from training.run import Evaluation


def draw(
    curve: Sequence[Evaluation],
    title: str,
    path: Path,
    *,
    along: str = "learner's decisions (millions)",
    unit: float = 1e6,
) -> None:
    """Draw a PNG of wins, of matches if it has any, and points over the steps, in units."""
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    wins, points = figure.subplots(1, 2)
    matches = curve[0].match_wins is not None
    won = "match_wins" if matches else "win_rate"
    _lines(wins, curve, won, factor=100, equal=50, unit=unit)
    wins.set_ylabel(f"{'matches' if matches else 'hands'} won (%)")
    _lines(points, curve, "points", factor=1, equal=0, unit=unit)
    points.set_ylabel("lead (points per hand)")
    for axes in (wins, points):
        axes.set_xlabel(along)
    lines, names = wins.get_legend_handles_labels()
    figure.legend(lines, [f"against {name}" for name in names], loc="outside lower center", ncols=3)
    figure.suptitle(title)
    with replacing(path) as fresh:
        figure.savefig(fresh, format="png", dpi=120)


def _lines(
    axes: Axes,
    curve: Sequence[Evaluation],
    figure: str,
    *,
    factor: float,
    equal: float,
    unit: float,
) -> None:
    """Draw a line with its interval for every rival; a dotted one where both are equal."""
    axes.axhline(equal, color="0.6", linewidth=1, linestyle=":")
    for name in dict.fromkeys(entry.opponent for entry in curve):
        mine = [entry for entry in curve if entry.opponent == name]
        steps = [entry.steps / unit for entry in mine]
        value, low, high = (
            [factor * getattr(entry, figure)[i] for entry in mine] for i in range(3)
        )
        (line,) = axes.plot(steps, value, marker="o", markersize=3, label=name)
        axes.fill_between(steps, low, high, alpha=0.2, color=line.get_color(), linewidth=0)
    axes.grid(alpha=0.3)
