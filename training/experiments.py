"""The experiments that chose the defaults of `training.fit`: `python -m training.experiments NAME`.

An experiment changes one thing. All its arms begin with the same clone, or with one of their own
where networks differ, learn from the same number of decisions, or for as many minutes, and meet the
same rivals on the same deals; what counts is the last model, so that no choice by evaluation
favours an arm. An arm that has been run is not run again.
"""

import dataclasses
import json
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
    clones: bool = False
    """True if every arm begins with a clone of its own: no other fits its network."""


def _sizes(units: int) -> dict[str, int]:
    """Networks with so many units for each suit, in the proportions of the default."""
    sizes = {"suit_units": units, "pooled_units": 2 * units, "card_units": units // 4}
    return sizes | {"critic_units": units * 3 // 4}


EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        "share": Experiment(
            "In what share of the games do others sit in all seats but one?",
            {str(share): {"share": share} for share in (0.0, 0.3, 1.0)},
        ),
        "num_envs": Experiment(
            "How many games is a rollout of?",
            {str(games): {"num_envs": games} for games in (512, 1024, 2048, 4096)},
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
        "sure_kept": Experiment(
            "Of choices that the policy was sure of, what share is learned from?",
            {str(kept): {"sure_kept": kept} for kept in (1.0, 0.25, 0.05)},
        ),
        "units": Experiment(
            "How large are the networks, by the actor's units for each suit?",
            {str(units): _sizes(units) for units in (32, 64, 128)},
            clones=True,
        ),
    }
)
"""The experiments by name."""


@dataclass(frozen=True)
class Plan:
    """Runs an experiment and writes its table.

    Attributes:
        experiment: The experiment: share, num_envs, average, learning_rate, entropy, gae_lambda,
            temperature, kl, epochs, sure_kept or units.
        out: The folder of the runs.
        total_timesteps: Decisions of each arm.
        minutes: Minutes of each arm, in place of decisions, where arms take different times.
        seeds: A run of every arm for each.
        torch_threads: Threads of each run.
        table: The file of the table; EXPERIMENT.md in the folder unless given.
    """

    experiment: str
    out: Path = field(default=Path("runs/experiments"))
    total_timesteps: int = 3_000_000
    minutes: float | None = None
    seeds: tuple[int, ...] = (1,)
    torch_threads: int = 1
    table: Path | None = None


def run(rules: Rules, plan: Plan, command: str) -> str:
    """Run what has not been run yet, and return the table in Markdown."""
    check_choice("experiment", plan.experiment, tuple(EXPERIMENTS))
    experiment, folder = EXPERIMENTS[plan.experiment], plan.out / rules.name
    usual = dataclasses.replace(USUAL, torch_threads=plan.torch_threads)
    if plan.minutes is None:
        usual = dataclasses.replace(usual, total_timesteps=plan.total_timesteps)
    else:
        usual = dataclasses.replace(usual, minutes=plan.minutes)
    rows: list[tuple[str, int, Path]] = []
    if not experiment.clones:
        clone = folder / CLONE
        if not (clone / "report.json").exists():
            begin = dataclasses.replace(usual, minutes=None, total_timesteps=1, out=clone)
            _fit(rules, begin, command)
        rows.append(("the clone", 0, clone / "clone.npz"))
        usual = dataclasses.replace(usual, start=clone / "clone.npz", teacher=None)
    for arm, changes in experiment.arms.items():
        for seed in plan.seeds:
            out = folder / plan.experiment / f"{arm}-{seed}"
            settings = dataclasses.replace(usual, **changes, out=out, seed=seed)
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
    lines += [f"| arm | seed | decisions | {' | '.join(f'over {rival}' for rival in rivals)} |"]
    lines += ["|" + " --- |" * (3 + len(rivals))]
    for arm, seed, model in rows:
        leads = [
            duel(rules, SavedPolicy(model), rival, deals=DEALS, seed=SEED).lead for rival in rivals
        ]
        told = [_decisions(model.parents[1]) if seed else "", *map(points, leads)]
        lines.append(f"| {arm} | {seed or ''} | {' | '.join(told)} |")
    return "\n".join(lines) + "\n"


def _decisions(run: Path) -> str:
    """The learner's decisions of a run."""
    return f"{json.loads((run / 'report.json').read_text())['steps']:,}"


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
