"""The report of expert iteration."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rummy_env.core.rules import Rules
from rummy_env.evaluation import report
from rummy_env.evaluation.comparison import Measure, measure_of
from rummy_env.evaluation.markdown import pipe_table
from rummy_env.evaluation.statistics import Estimate
from rummy_env.evaluation.words import in_words, played
from rummy_env.files import write_json, write_whole
from rummy_env.variants import named
from training import curve
from training.run import Evaluation, Run, refuse_another

if TYPE_CHECKING:
    from training.expert import Settings

CHANGEABLE = {"rounds", "out", "torch_threads", "workers", "ray_address"}
"""Settings that do not matter to what a round comes to, but for the last bit."""


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


def finished(rules: Rules, settings: "Settings", folder: Path) -> list[Round]:
    """Return the rounds of a run that a folder holds, to go on after; none without a run.

    Raises:
        ValueError: If it holds all rounds that are asked for, or a run by other settings or rules.
    """
    run = Run(folder)
    if run.checkpoint.exists():
        raise ValueError(f"{folder} holds a run of another kind: give another --out")
    if not run.report.exists():
        return []
    try:
        told = json.loads(run.report.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{run.report} is damaged: {error}; give another --out") from error
    known = isinstance(told, dict) and isinstance(told.get("rounds"), list)
    if not known or not isinstance(told.get("settings"), dict):
        raise ValueError(f"{folder} holds a run of another kind: give another --out")
    refuse_another(folder, told, {**named(rules), "settings": vars(settings)}, CHANGEABLE)
    if len(told["rounds"]) >= settings.rounds:
        raise ValueError(
            f"{folder} holds {len(told['rounds'])} rounds already: give more --rounds to go on, or "
            f"another --out"
        )
    try:
        return [_round(each) for each in told["rounds"]]
    except (KeyError, TypeError) as error:
        raise ValueError(
            f"{run.report}: its rounds are damaged, or not as this version tells them: "
            f"{error}; give another --out"
        ) from error


def _round(told: dict[str, Any]) -> Round:
    """Return a round as the report tells it."""
    leads = [Evaluation(**lead) for lead in told["leads"]]
    return Round(**{**told, "divergence": tuple(told["divergence"]), "leads": leads})


def write(
    rules: Rules, settings: "Settings", rounds: Sequence[Round], folder: Path, command: str
) -> None:
    """Write report.json, report.md and learning_curve.png, of the rounds that are finished."""
    run, leads = Run(folder), [lead for each in rounds for lead in each.leads]
    told = {
        "command": command,
        "versions": report.versions(),
        **named(rules),
        "settings": vars(settings),
        "rounds": [dataclasses.asdict(each) for each in rounds],
    }
    page = _page(rules, rounds, settings.deals, command, run.picture.name)
    write_json(run.report, told)
    write_whole(run.page, page.encode())
    title = f"Expert iteration: {played(rules)}"
    curve.draw(leads, title, run.picture, along="labels", unit=1)


def _row(each: Round, measure: Measure) -> list[str]:
    """Return the row of a round; the first has no round before it."""
    before, after = each.divergence
    told = [
        in_words(measure, Estimate(*(lead.points if measure == "points" else lead.win_rate)))
        for lead in each.leads
    ]
    cells = [f"{each.number}", f"{each.positions:,}", f"{each.changed:.1%}", f"{before:.4f}"]
    return [*cells, f"{after:.4f}", f"{each.minutes:.1f}", *told, *["-"] * (2 - len(told))]


def _page(rules: Rules, rounds: Sequence[Round], deals: int, command: str, picture: str) -> str:
    """Return the report in Markdown; it shows the picture of that name."""
    lines = [f"# Expert iteration: {played(rules)}", "", "```", command, "```", ""]
    lines += [f"`{rules!r}`", ""]
    measure = measure_of(rules)
    what = "Leads in points per hand" if measure == "points" else "Hands won"
    lines += [f"{what}, {deals:,} duplicate deals, 95 % intervals.", ""]
    columns = ["round", "labels", "moves changed", "KL of unseen labels, before", "after"]
    columns += ["minutes", "over the start", "over the round before"]
    lines += [pipe_table(columns, [_row(each, measure) for each in rounds], figures=len(columns))]
    return "\n".join([*lines, "", f"![Leads]({picture})", ""])
