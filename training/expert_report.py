"""The report of expert iteration."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rummy_env.baselines.saved import replace
from rummy_env.core.rules import Rules
from rummy_env.evaluation import report
from rummy_env.evaluation.statistics import Estimate
from training import curve
from training.run import Evaluation

REPORT = "report.json"


@dataclass(frozen=True)
class Round:
    """What a round came to."""

    number: int
    positions: int
    """Positions that were labelled."""
    changed: float
    """The share of them in which the labels make another action the likeliest."""
    divergence: tuple[float, float]
    """The mean KL divergence from labels that were not learned from, before and after, in nats."""
    labelling_seconds: float
    minutes: float
    """Time of the round; the measurement is not in it."""
    leads: Sequence[Evaluation]
    """What the model came to, over the model at the start and the round before."""


def write(rules: Rules, settings: Any, rounds: Sequence[Round], folder: Path, command: str) -> None:
    """Write report.json, report.md and learning_curve.png, of the rounds that are finished."""
    told = {
        "command": command,
        "versions": report.versions(),
        "settings": vars(settings),
        "rounds": [dataclasses.asdict(each) for each in rounds],
    }
    replace(folder / REPORT, (json.dumps(told, indent=2, default=str) + "\n").encode())
    replace(folder / "report.md", _page(rules, rounds, settings.deals, command).encode())
    leads = [lead for each in rounds for lead in each.leads]
    picture, title = folder / "learning_curve.png", f"Expert iteration: {rules.name}"
    curve.draw(leads, title, picture, along="labels", unit=1)


def _page(rules: Rules, rounds: Sequence[Round], deals: int, command: str) -> str:
    """The report in Markdown."""
    lines = [f"# Expert iteration: {report.played(rules)}", "", "```", command, "```", ""]
    lines += [f"Leads in points a hand, {deals:,} duplicate deals, 95 % intervals.", ""]
    lines += ["| round | labels | moves changed | KL of unseen labels, before | after | minutes "]
    lines[-1] += "| over the start | over the round before |"
    lines += ["| ---: " * 8 + "|"]
    for each in rounds:
        before, after = each.divergence
        told = [report.points(Estimate(*lead.points)) for lead in each.leads]
        cells = [f"{each.number}", f"{each.positions:,}", f"{each.changed:.1%}", f"{before:.4f}"]
        cells += [f"{after:.4f}", f"{each.minutes:.1f}", *told, *["-"] * (2 - len(told))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", "![Leads](learning_curve.png)", ""])
