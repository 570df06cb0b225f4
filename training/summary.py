"""The report of a finished run."""

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.rules import Rules
from rummy_env.evaluation import compare, report
from rummy_env.evaluation.comparison import Comparison
from rummy_env.evaluation.words import played
from rummy_env.files import write_json, write_whole
from training import curve
from training.phases import Phases
from training.run import Progress
from training.settings import CLONE, TRAINED, Complete

if TYPE_CHECKING:
    from training.session import Session

UNLEARNED = "No later model did better than the one before learning, so the two are the same."


def write(session: "Session") -> None:
    """Compare the best model with its rivals, show the tables, and write all files.

    Raises:
        KeyboardInterrupt: If the user stops the comparison; nothing is written then.
    """
    run, rules, progress = session.run, session.rules, session.progress
    rivals, settings = session.rivals, session.settings
    agents = {TRAINED: SavedPolicy(run.best), CLONE: SavedPolicy(run.clone), **rivals}
    with Phases() as phases:
        phases.begin("comparison")
        found = compare(
            rules,
            agents,
            deals=settings.compare_deals,
            seed=settings.seed + 2,
            progress=lambda done, total: phases.show(done / total),
        )
    report.show(found)
    if not found.complete:  # the user has stopped it: a run that goes on compares once more
        raise KeyboardInterrupt
    if not progress.best_steps:
        print(UNLEARNED)
    command = run.told()["command"]
    report.write(found, run.folder, command=command)
    curve.draw(progress.curve, f"Learning {played(rules)}", run.picture)
    facts = _facts(progress, settings, command)
    write_json(run.report, {**facts, "comparison": found.as_dict()})
    write_whole(run.page, _page(rules, facts, found, run.picture.name).encode())
    print(f"report, curve and model: {run.folder}")


def _facts(progress: Progress, settings: Complete, command: str) -> dict[str, Any]:
    steps = progress.curve[-1].steps
    return {
        "command": command,
        "versions": report.versions(),
        "steps": steps,
        "minutes": progress.seconds / 60,
        "steps_per_second": steps / progress.seconds,
        "environment_share": progress.env_seconds / progress.seconds,
        "best_steps": progress.best_steps,
        "start": settings.start and str(settings.start),
        "from_scratch": settings.from_scratch,
        "costly_moves": settings.move_cost > 0,
        "actor": dataclasses.asdict(settings.actor),
        "curve": [dataclasses.asdict(entry) for entry in progress.curve],
    }


def _page(rules: Rules, facts: Mapping[str, Any], found: Comparison, picture: str) -> str:
    """Return the report in Markdown; it shows the picture of that name."""
    told = (
        f"{facts['steps']:,} decisions of the learner in {facts['minutes']:.1f} minutes, "
        f"{facts['steps_per_second']:,.0f} a second; {facts['environment_share']:.0%} of the time "
        f"in the games, observations, opponents and adviser included. The best model by evaluation "
        f"is that of decision {facts['best_steps']:,}; `{CLONE}` is the model before it learned"
        f"{', ' + facts['start'] if facts['start'] else ''}."
    )
    if not facts["best_steps"]:
        told += f" {UNLEARNED}"
    special = (
        ", from scratch" * facts["from_scratch"] + ", with costly moves" * facts["costly_moves"]
    )
    lines = [
        f"# Training run: {played(rules)}{special}",
        "",
        "```",
        facts["command"],
        "```",
        "",
        told,
        "",
        f"![Learning curve]({picture})",
        "",
        report.markdown(found, None, level=2),
    ]
    return "\n".join(lines)
