"""The report of a finished run."""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from rummy_env.baselines.policies import Policy
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.rules import Rules
from rummy_env.evaluation import compare, report
from rummy_env.evaluation.comparison import Comparison
from training import curve
from training.run import Progress, Run


def write(
    run: Run, rules: Rules, progress: Progress, rivals: Mapping[str, Policy], settings: Any
) -> None:
    """Compares the best model with its rivals, shows the tables, and writes all files.

    Args:
        run: The folder.
        rules: What was played.
        progress: How it went.
        rivals: Whom to compare with, by name.
        settings: The flags of the run.
    """
    trained = {"trained": SavedPolicy(run.best), **rivals}
    found = compare(rules, trained, deals=settings.compare_deals, seed=settings.seed + 2)
    report.show(found)
    command = json.loads((run.folder / "settings.json").read_text())["command"]
    report.write(found, run.folder, command=command)
    curve.draw(progress.curve, f"Learning {rules.name}", run.folder / "learning_curve.png")
    facts = _facts(progress, settings, command)
    found_facts = {**facts, "comparison": found.as_dict()}
    (run.folder / "report.json").write_text(json.dumps(found_facts, indent=2) + "\n")
    (run.folder / "report.md").write_text(_page(rules, facts, found))
    print(f"report, curve and model: {run.folder}")


def _facts(progress: Progress, settings: Any, command: str) -> dict[str, Any]:
    steps = progress.curve[-1].steps
    return {
        "command": command,
        "versions": report.versions(),
        "steps": steps,
        "minutes": progress.seconds / 60,
        "steps_per_second": steps / progress.seconds,
        "environment_share": progress.env_seconds / progress.seconds,
        "best_steps": progress.best_steps,
        "hidden": list(settings.hidden),
        "curve": [dataclasses.asdict(entry) for entry in progress.curve],
    }


def _page(rules: Rules, facts: Mapping[str, Any], found: Comparison) -> str:
    lines = [
        f"# Training run: {rules.name}",
        "",
        "```",
        facts["command"],
        "```",
        "",
        f"{facts['steps']:,} decisions of the learner in {facts['minutes']:.1f} minutes, "
        f"{facts['steps_per_second']:,.0f} a second; {facts['environment_share']:.0%} of the time "
        f"in the environment with its opponents. The best model by evaluation is that of decision "
        f"{facts['best_steps']:,}.",
        "",
        "![Learning curve](learning_curve.png)",
        "",
    ]
    comparison = report.markdown(found, None).replace("# Agents", "## Agents", 1)
    return "\n".join(lines) + comparison
