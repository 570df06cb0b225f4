"""The report of a finished run."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rummy_env.baselines.policies import Named
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.rules import Rules
from rummy_env.evaluation import compare, report
from rummy_env.evaluation.comparison import Comparison
from rummy_env.files import write_whole
from training import curve
from training.progress import Phases
from training.run import Evaluation, Progress
from training.settings import CLONE, NOBODY, TRAINED

if TYPE_CHECKING:
    from training.session import Session

UNLEARNED = "No later model did better than the one before learning, so the two are the same."


def write(session: "Session") -> None:
    """Compare the best model with its rivals, show the tables, and write all files."""
    run, rules, progress = session.run, session.rules, session.progress
    rivals, settings = session.rivals, session.settings
    agents = {TRAINED: SavedPolicy(run.best), CLONE: SavedPolicy(run.clone), **rivals}
    with Phases() as phases:
        found = compared(rules, agents, settings.compare_deals, settings.seed, phases)
    if not progress.best_steps:
        print(UNLEARNED)
    command = json.loads((run.folder / "settings.json").read_text())["command"]
    facts = _facts(progress, settings)
    special = (
        ", from scratch" * facts["from_scratch"] + ", with costly moves" * facts["costly_moves"]
    )
    page = Page(f"# Training run: {report.played(rules)}{special}", _told(facts), command)
    picture = run.folder / "learning_curve.png"
    curve.draw(progress.curve, f"Learning {rules.name}", picture)
    page.write(run.folder, facts, progress.curve, found)


def compared(
    rules: Rules, agents: Mapping[str, Named], deals: int, seed: int, phases: Phases
) -> Comparison:
    """Compare a run's model with others, on deals that it was not evaluated on, and show it."""
    phases.begin("comparison")
    found = compare(
        rules,
        agents,
        deals=deals,
        seed=seed + 2,
        progress=lambda done, total: phases.show(done / total),
    )
    report.show(found)
    return found


@dataclasses.dataclass(frozen=True)
class Page:
    """The page of a run.

    Attributes:
        heading: Its heading in Markdown.
        told: What is told of the run.
        command: The command that made it.
    """

    heading: str
    told: str
    command: str

    def write(
        self,
        folder: Path,
        facts: Mapping[str, Any],
        evaluations: Sequence[Evaluation],
        found: Comparison,
    ) -> None:
        """Write report.json, report.md and the files of the comparison."""
        report.write(found, folder, command=self.command)
        whole = {
            "command": self.command,
            "versions": report.versions(),
            **facts,
            "curve": [dataclasses.asdict(entry) for entry in evaluations],
            "comparison": found.as_dict(),
        }
        write_whole(folder / "report.json", (json.dumps(whole, indent=2) + "\n").encode())
        figures = report.markdown(found, None).replace("# Agents", "## Agents", 1)
        picture = "![Learning curve](learning_curve.png)"
        lines = [self.heading, "", "```", self.command, "```", "", self.told, "", picture, ""]
        write_whole(folder / "report.md", "\n".join([*lines, figures]).encode())
        print(f"report, curve and model: {folder}")


def _facts(progress: Progress, settings: Any) -> dict[str, Any]:
    steps = progress.curve[-1].steps
    return {
        "steps": steps,
        "minutes": progress.seconds / 60,
        "steps_per_second": steps / progress.seconds,
        "environment_share": progress.env_seconds / progress.seconds,
        "best_steps": progress.best_steps,
        "from_scratch": settings.start is None and settings.teacher == NOBODY,
        "costly_moves": settings.move_cost > 0,
        "actor": dataclasses.asdict(settings.actor),
    }


def _told(facts: Mapping[str, Any]) -> str:
    """Return what the page tells of the run."""
    told = (
        f"{facts['steps']:,} decisions of the learner in {facts['minutes']:.1f} minutes, "
        f"{facts['steps_per_second']:,.0f} a second; {facts['environment_share']:.0%} of the time "
        f"in the games, observations and opponents included. The best model by evaluation is that "
        f"of decision {facts['best_steps']:,}; the clone is the model before it learned."
    )
    return told if facts["best_steps"] else f"{told} {UNLEARNED}"
