"""The chart of what search adds: a panel for each curve, a line for each gate."""

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from benchmarks.search import Curve

COLUMNS = 3
SHOWN = {0.0: "#b2182b", 1.0: "#2166ac", 2.0: "#1b7837"}
"""The gates that are drawn, with their colours."""


def draw(curves: "Sequence[Curve]", path: Path) -> None:
    """Draw a PNG of all curves."""
    rows = ceil(len(curves) / COLUMNS)
    figure = Figure(figsize=(4 * COLUMNS, 2.9 * rows + 0.6), layout="constrained", dpi=130)
    figure.suptitle("What search adds to its base, in points per hand; bars: 95 % intervals")
    panels = list(figure.subplots(rows, COLUMNS, squeeze=False).flat)
    for axes, curve in zip(panels, curves, strict=False):
        _panel(axes, curve)
    for axes in panels[len(curves) :]:
        axes.set_visible(False)
    figure.supxlabel("worlds in which a move is tried out at most")
    figure.savefig(path, format="png")


def _panel(axes: Axes, curve: "Curve") -> None:
    """Draw a line for each gate, a little apart, so that their bars do not cover each other."""
    axes.set_title(f"{curve.variant}: {curve.base}, to the {curve.leaf}", fontsize="medium")
    axes.axhline(0.0, color="black", linewidth=0.8, linestyle=":")
    shown = [(gate, colour) for gate, colour in SHOWN.items() if gate in curve.gates]
    axes.set_xscale("log", base=2)
    for number, (gate, colour) in enumerate(shown):
        column = curve.gates.index(gate)
        added = [budget.added[column] for budget in curve.budgets]
        worlds = [budget.worlds * 1.08 ** (number - 1) for budget in curve.budgets]
        low = [each.value - each.low for each in added]
        high = [each.high - each.value for each in added]
        values = [each.value for each in added]
        bars, name = [low, high], f"gate {gate:g}"
        axes.errorbar(worlds, values, bars, color=colour, label=name, capsize=2, linewidth=1.2)
    ticks = [budget.worlds for budget in curve.budgets]
    axes.set_xticks(ticks, map(str, ticks))
    axes.legend(fontsize="x-small")
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
