"""The experiments that chose the defaults of `training.fit`: `python -m training.experiments NAME`.

An experiment changes one thing. All its arms begin with the same clone, learn from the same number
of decisions and meet the same rivals on the same deals; what counts is the last model, so that no
choice by evaluation favours an arm. An arm that has been run is not run again.
"""

import dataclasses
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import rummy_env
from rummy_env import command_line
from rummy_env.baselines.saved import SavedPolicy, replace
from rummy_env.core.checks import check_choice
from rummy_env.core.rules import Rules
from rummy_env.evaluation import duel
from rummy_env.evaluation.report import points
from training.fit import fit
from training.settings import Settings

COMMAND = "python -m training.experiments"
CLONE = "clone"
"""The folder of the run that makes the clone that all arms begin with."""
USUAL = Settings(evaluations=1, compare_deals=100)
"""The settings of all arms, but for what an experiment changes."""
DEALS = 4000
SEED = 90_000
"""Deals that no run has seen, and their number."""


@dataclass(frozen=True)
class Experiment:
    """One question, and the settings that answer it, by the name of the arm."""

    question: str
    arms: Mapping[str, Mapping[str, Any]]


EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        "share": Experiment(
            "In what share of the games do others sit in all seats but one?",
            {str(share): {"share": share} for share in (0.0, 0.2, 0.5, 0.75)},
        ),
        "average": Experiment(
            "Are saved models averages of the actor over the last rollouts?",
            {str(kept): {"average": kept} for kept in (0.0, 0.9, 0.95, 0.98)},
        ),
        "learning_rate": Experiment(
            "Which learning rate does the actor begin with?",
            {str(rate): {"learning_rate": rate} for rate in (2e-4, 5e-4, 1e-3)},
        ),
        "entropy": Experiment(
            "How much is entropy worth?",
            {str(worth): {"ent_coef": worth} for worth in (0.0, 0.001, 0.003, 0.01)},
        ),
        "gae_lambda": Experiment(
            "Which lambda do advantages have?",
            {str(gae): {"gae_lambda": gae} for gae in (0.5, 0.8, 0.9, 0.95)},
        ),
        "temperature": Experiment(
            "How much does a clone have to try besides what its teacher does?",
            {str(heat): {"temperature": heat} for heat in (1.0, 2.4, 4.0)},
        ),
        "kl": Experiment(
            "Does the actor pay for leaving the clone?",
            {str(price): {"kl_coef": price} for price in (0.0, 0.01, 0.05)},
        ),
        "epochs": Experiment(
            "How often is a rollout learned from?",
            {str(epochs): {"update_epochs": epochs} for epochs in (1, 2, 4)},
        ),
    }
)
"""The experiments by name."""


@dataclass(frozen=True)
class Plan:
    """Runs an experiment and writes its table.

    Attributes:
        experiment: The experiment: share, average, learning_rate, entropy, gae_lambda,
            temperature, kl or epochs.
        out: The folder of the runs.
        total_timesteps: Decisions of each arm.
        seeds: A run of every arm for each.
        torch_threads: Threads of each run.
        table: The file of the table; EXPERIMENT.md in the folder unless given.
    """

    experiment: str
    out: Path = field(default=Path("runs/experiments"))
    total_timesteps: int = 3_000_000
    seeds: tuple[int, ...] = (1,)
    torch_threads: int = 1
    table: Path | None = None


def run(rules: Rules, plan: Plan, command: str) -> str:
    """Run what has not been run yet, and return the table in Markdown."""
    check_choice("experiment", plan.experiment, tuple(EXPERIMENTS))
    experiment, folder = EXPERIMENTS[plan.experiment], plan.out / rules.name
    usual = dataclasses.replace(USUAL, torch_threads=plan.torch_threads)
    clone = folder / CLONE
    if not (clone / "report.json").exists():
        _fit(rules, dataclasses.replace(usual, total_timesteps=1, out=clone), command)
    rows = [("the clone", 0, clone / "clone.npz")]
    for arm, changes in experiment.arms.items():
        for seed in plan.seeds:
            out = folder / plan.experiment / f"{arm}-{seed}"
            settings = dataclasses.replace(
                usual,
                **changes,
                out=out,
                seed=seed,
                start=clone / "clone.npz",
                teacher=None,
                total_timesteps=plan.total_timesteps,
            )
            if not (out / "report.json").exists():
                _fit(rules, settings, command)
            rows.append((arm, seed, max((out / "past").glob("*.npz"))))
    return _table(rules, experiment, rows, command)


def _fit(rules: Rules, settings: Settings, command: str) -> None:
    """One run, from the beginning; KeyboardInterrupt where the user stops it."""
    print(f"{settings.out} ...", flush=True)
    if fit(rules, settings, command) is None:
        raise KeyboardInterrupt


def _table(
    rules: Rules, experiment: Experiment, rows: Sequence[tuple[str, int, Path]], command: str
) -> str:
    """The lead of the last model of every run over each rival, in points a hand."""
    rivals = [name for name in ("greedy", "strong") if _plays(name, rules)]
    lines = [f"# {experiment.question}", "", "```", command, "```", ""]
    lines += [f"{DEALS:,} deals a pair; points a hand, with 95 % intervals.", ""]
    lines += [f"| arm | seed | {' | '.join(f'over {rival}' for rival in rivals)} |"]
    lines += ["|" + " --- |" * (2 + len(rivals))]
    for arm, seed, model in rows:
        leads = [
            duel(rules, SavedPolicy(model), rival, deals=DEALS, seed=SEED).lead for rival in rivals
        ]
        told = [points(lead) for lead in leads]
        lines.append(f"| {arm} | {seed or ''} | {' | '.join(told)} |")
    return "\n".join(lines) + "\n"


def _plays(name: str, rules: Rules) -> bool:
    try:
        rummy_env.baselines.resolve(name, rules)
    except ValueError:
        return False
    return True


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns 0, or 130 after Ctrl-C."""
    given = sys.argv[1:] if argv is None else argv
    with command_line.plain_errors():
        rules, plan = command_line.parse(Plan, COMMAND, given)
        try:
            table = run(rules, plan, shlex.join([*COMMAND.split(), *given]))
        except KeyboardInterrupt:
            print("stopped; the same command goes on, but for runs cut short: remove those")
            return command_line.INTERRUPTED
        path = plan.table or plan.out / rules.name / f"{plan.experiment}.md"
        replace(path, table.encode())
        print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
