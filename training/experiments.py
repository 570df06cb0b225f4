"""The experiments behind the defaults of `training.fit`: `python -m training.experiments VARIANT`.

An experiment changes one setting. Every arm learns from the same number of decisions, or for the
same time, and starts from the same clone, unless the setting concerns cloning or the actor's
network. The last model of each run meets the same rivals on the same deals, so that choosing the
best of several evaluations favours no arm. Arms and duels that are finished are not run again.
"""

import dataclasses
import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
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
from rummy_env.evaluation.statistics import Estimate
from training.fit import fit
from training.settings import NOBODY, Settings
from training.usual import with_usual

COMMAND = "python -m training.experiments"
CLONE, USUAL = "clone", "usual"
"""Folders: the run that makes the clone that arms start from, and the arms with all defaults."""
DEALS = 10_000
"""Deals of each duel; those of `SEED`, which no run has seen."""
SEED = 90_000


@dataclass(frozen=True)
class Experiment:
    """A question about one setting of `training.fit`.

    Attributes:
        question: The question.
        values: The values to try besides the usual one.
        clones: True if each arm makes its own clone, because the common one does not fit.
    """

    question: str
    values: tuple[Any, ...]
    clones: bool = False


EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        "share": Experiment(
            "In what share of the games do others have all seats but one?", (0.0, 0.2, 1.0)
        ),
        "past_share": Experiment("What part of that share do past versions have?", (0.3,)),
        "num_envs": Experiment("How many games does a rollout have?", (512, 2048)),
        "num_steps": Experiment("How many steps of each game does a rollout have?", (24, 96)),
        "minibatch_size": Experiment("How large are minibatches?", (2048, 8192)),
        "update_epochs": Experiment("How many passes are made over a rollout?", (1, 4)),
        "surest": Experiment("From what probability on is a choice sure?", (0.95, 0.999)),
        "sure_kept": Experiment("What share of sure choices is learned from?", (1.0, 0.05)),
        "learning_rate": Experiment(
            "Which learning rate does the actor begin with?", (2e-4, 1.5e-3)
        ),
        "value_rate": Experiment("How many times as fast does the critic learn?", (1.0, 5.0)),
        "warmup": Experiment("For how many rollouts does the critic learn alone?", (0, 12)),
        "average": Experiment("Is the saved actor a running average?", (0.0, 0.98)),
        "gamma": Experiment("Which discount do rewards have?", (0.98,)),
        "gae_lambda": Experiment("Which lambda do advantages have?", (0.5, 0.9, 0.95)),
        "clip_coef": Experiment("Where are the ratios of PPO clipped?", (0.1, 0.3)),
        "target_kl": Experiment("Does a limit on the divergence end updates?", (0.01,)),
        "kl_coef": Experiment("Does the actor pay for leaving the clone?", (0.01, 0.05)),
        "ent_coef": Experiment("How much is entropy worth?", (0.0, 0.01)),
        "max_grad_norm": Experiment("Where are gradients clipped?", (0.1, 5.0)),
        "privileged": Experiment("Does the critic see hidden cards?", (True,)),
        "critic_units": Experiment("How large is the critic?", (48, 192)),
        "temperature": Experiment(
            "How much are the clone's logits softened?", (1.0, 4.0), clones=True
        ),
        "advice": Experiment("What is added to the adviser's logit?", (0.0, 4.0), clones=True),
        "adviser": Experiment(
            "Does the actor see what a heuristic would do?", (NOBODY,), clones=True
        ),
        "observation": Experiment("What does the learner see?", ("hints",), clones=True),
        "suit_units": Experiment(
            "How many units does the actor have for each suit?", (32, 64), clones=True
        ),
    }
)
"""The experiments, by the setting that they change."""


@dataclass(frozen=True)
class Plan:
    """Runs experiments and writes a page with their tables.

    Attributes:
        experiments: The settings to try other values of; by default all that have an experiment.
        out: The folder of the runs.
        total_timesteps: Decisions of each arm.
        minutes: Minutes of each arm, instead of decisions.
        seeds: Every arm runs once with each.
        usual_seeds: The arm with all defaults runs with these, to show what is chance.
        torch_threads: Threads of each run.
        page: The file of the page; experiments.md in the folder unless given.
    """

    experiments: tuple[str, ...] = tuple(EXPERIMENTS)
    out: Path = field(default=Path("runs/experiments"))
    total_timesteps: int = 2_000_000
    minutes: float | None = None
    seeds: tuple[int, ...] = (1,)
    usual_seeds: tuple[int, ...] = (1, 2, 3)
    torch_threads: int = 1
    page: Path | None = None


class Laboratory:
    """Runs arms, each once, and measures the models that come of them."""

    def __init__(self, rules: Rules, plan: Plan, command: str) -> None:
        """Note what is to be run; the folder has one of each variant."""
        self._rules, self._plan, self._command = rules, plan, command
        self._folder = plan.out / rules.name
        self._rivals = tuple(filter(self._plays, ("greedy", "strong")))
        self._settings = Settings(
            total_timesteps=None if plan.minutes else plan.total_timesteps,
            minutes=plan.minutes,
            torch_threads=plan.torch_threads,
            evaluations=1,
            compare_deals=100,
        )

    def page(self) -> str:
        """Run what has not been run yet, and return all tables in Markdown."""
        lines = [
            f"# What other settings of training bring in `{self._rules.name}`",
            "",
            "```",
            self._command,
            "```",
            "",
            f"Leads in points per hand over rivals, on {DEALS:,} deals, with 95 % intervals.",
            "",
            *self._heading(),
            _line("the clone", "", "", *map(points, self._leads(self._clone(), self._cloned()))),
        ]
        for seed in self._plan.usual_seeds:
            lines.append(self._row("as usual", self._run(USUAL, seed), seed))
        for name in self._plan.experiments:
            lines += ["", *self._experiment(name)]
        return "\n".join(lines) + "\n"

    def _experiment(self, name: str) -> Iterator[str]:
        """The question and its table."""
        experiment = EXPERIMENTS[name]
        yield f"## {experiment.question}"
        yield ""
        yield f"`--{name.replace('_', '-')}`, as usual {self._usual(name)}."
        yield ""
        yield from self._heading()
        for value in experiment.values:
            for seed in self._plan.seeds:
                run = self._run(
                    f"{name}/{value}", seed, clones=experiment.clones, **_changed(name, value)
                )
                yield self._row(str(value), run, seed)

    def _usual(self, name: str) -> Any:
        """The usual value of a setting."""
        return getattr(with_usual(self._rules, self._settings), name)

    def _clone(self) -> Path:
        """The clone that arms start from."""
        settings = dataclasses.replace(self._settings, minutes=None, total_timesteps=1)
        return self._fit(settings, self._folder / CLONE)

    def _cloned(self) -> Path:
        """The model of the clone."""
        return self._clone() / "clone.npz"

    def _run(self, arm: str, seed: int, *, clones: bool = False, **changes: Any) -> Path:
        """The folder of the run of an arm."""
        start: dict[str, Any] = {} if clones else {"start": self._cloned(), "teacher": NOBODY}
        settings = dataclasses.replace(self._settings, seed=seed, **start, **changes)
        return self._fit(settings, self._folder / f"{arm}-{seed}")

    def _fit(self, settings: Settings, out: Path) -> Path:
        """Run if there is no finished run in the folder, which is returned.

        Raises:
            KeyboardInterrupt: If the user stops the run.
        """
        if not (out / "report.json").exists():
            print(f"{out} ...", flush=True)
            if fit(self._rules, dataclasses.replace(settings, out=out), self._command) is None:
                raise KeyboardInterrupt
        return out

    def _last(self, run: Path) -> Path:
        """The last model of a run."""
        return max((run / "past").glob("*.npz"))

    def _heading(self) -> Iterator[str]:
        over = " | ".join(f"over {rival}" for rival in self._rivals)
        yield f"| value | seed | decisions | {over} |"
        yield "| ---: | ---: | ---: |" + " ---: |" * len(self._rivals)

    def _row(self, value: str, run: Path, seed: int) -> str:
        """A row of a table: an arm, and the leads of its last model."""
        steps = json.loads((run / "report.json").read_text())["steps"]
        leads = self._leads(run, self._last(run))
        return _line(value, seed, f"{steps:,}", *map(points, leads))

    def _leads(self, run: Path, model: Path) -> list[Estimate]:
        """The lead of a model over each rival, kept in the folder of its run."""
        kept = run / f"leads-{DEALS}.json"
        if not kept.exists():
            policy = SavedPolicy(model)
            found = [
                duel(self._rules, policy, rival, deals=DEALS, seed=SEED).lead
                for rival in self._rivals
            ]
            replace(kept, json.dumps([dataclasses.astuple(lead) for lead in found]).encode())
        return [Estimate(*lead) for lead in json.loads(kept.read_text())]

    def _plays(self, name: str) -> bool:
        """Whether a baseline plays the rules."""
        try:
            rummy_env.baselines.resolve(name, self._rules)
        except ValueError:
            return False
        return True


def _changed(name: str, value: Any) -> dict[str, Any]:
    """The settings of an arm; an actor of another size keeps its proportions."""
    if name != "suit_units":
        return {name: value}
    return {name: value, "pooled_units": 2 * value, "card_units": value // 4}


def _line(*cells: object) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(map(str, cells))} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns 0, or 130 after Ctrl-C."""
    given = sys.argv[1:] if argv is None else argv
    with command_line.plain_errors():
        rules, plan = command_line.parse(Plan, COMMAND, given)
        for name in plan.experiments:
            check_choice("experiments", name, tuple(EXPERIMENTS))
        try:
            page = Laboratory(rules, plan, shlex.join([*COMMAND.split(), *given])).page()
        except KeyboardInterrupt:
            print("stopped; the same command goes on, but for runs cut short: remove those")
            return command_line.INTERRUPTED
        replace(plan.page or plan.out / rules.name / "experiments.md", page.encode())
        print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
