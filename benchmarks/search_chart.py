"""The chart of what search adds: a panel for each curve, a line for each gate."""

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from benchmarks.search import Curve

TITLE = "What search adds to its base; gate: standard errors ahead; bars: 95 % intervals"
COLUMNS = 3
HOW_FAR = {"end": "to the end", "value": "to the critic's value"}
"""How far moves are tried out, in words."""
SHOWN = {1.0: "#2166ac", 2.0: "#d95f02"}
"""The gates that are drawn, with their colours; the bars of more would cover each other."""
APART = 1.12
"""The factor by which their worlds are drawn apart, so that no bar covers another."""


def draw(curves: "Sequence[Curve]", path: Path) -> None:
    """Draw a PNG of all curves."""
    rows = ceil(len(curves) / COLUMNS)
    with rc_context({"font.size": 13, "axes.titlesize": 13}):
        figure = Figure(figsize=(4 * COLUMNS, 2.7 * rows + 1), layout="constrained", dpi=110)
        panels = list(figure.subplots(rows, COLUMNS, squeeze=False).flat)
        for axes, curve in zip(panels, curves, strict=False):
            _panel(axes, curve)
        for axes in panels[len(curves) :]:
            axes.set_visible(False)
        figure.supxlabel("worlds in which a move is tried out at most")
        figure.supylabel("points per hand added")
        lines = {each.get_label(): each for axes in panels for each in axes.containers}
        figure.legend(
            lines.values(),
            lines,
            title=TITLE,
            loc="outside upper center",
            ncols=max(1, len(lines)),
            frameon=False,
        )
        figure.savefig(path, format="png")


def _panel(axes: Axes, curve: "Curve") -> None:
    """Draw a line for each gate."""
    axes.set_title(f"{curve.variant}: {curve.base}, {HOW_FAR[curve.leaf]}")
    axes.axhline(0.0, color="black", linewidth=0.8, linestyle=":")
    axes.set_xscale("log", base=2)
    for number, (gate, colour) in enumerate(SHOWN.items()):
        if gate in curve.gates:
            added = [budget.added[curve.gates.index(gate)] for budget in curve.budgets]
            worlds = [budget.worlds * APART**number for budget in curve.budgets]
            values = [each.value for each in added]
            bars = [
                [each.value - each.low for each in added],
                [each.high - each.value for each in added],
            ]
            name = f"gate {gate:g}"
            axes.errorbar(worlds, values, bars, color=colour, label=name, marker="o", markersize=4)
    ticks = [budget.worlds for budget in curve.budgets][::2]
    axes.set_xticks(ticks, map(str, ticks))
    axes.minorticks_off()
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
