"""The experiments behind the defaults of `training.fit`: `python -m training.experiments VARIANT`.

An experiment gives one setting other values. Every arm learns from the same number of decisions, or
for the same time, and starts from the same clone, unless the setting concerns cloning or the
actor's network. The last model of each run meets the same rivals on the same deals, so that
choosing the best of several evaluations favours no arm. What is finished is not run again.
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

from rummy_env import __version__, command_line
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.checks import check_choice, check_range
from rummy_env.core.rules import Rules
from rummy_env.evaluation import duel
from rummy_env.evaluation.comparison import measure_of
from rummy_env.evaluation.markdown import pipe_table
from rummy_env.evaluation.statistics import MIN_DEALS, MOST_DEALS, Estimate
from rummy_env.evaluation.words import in_words
from rummy_env.files import write_whole
from rummy_env.variants import named
from training.fit import begun, learn
from training.opponent_pool import playable
from training.run import Run, folder_name, refuse_another
from training.settings import NOBODY, Settings, check, flag_of
from training.usual import CLONED_A_MINUTE, FEWEST_CLONED, MOST_CLONED, with_usual

COMMAND = "python -m training.experiments"
CLONE, USUAL = "clone", "usual"
"""Folders: the run that makes the clone that arms start from, and the arms with all defaults."""
SEED = 90_000
"""The seed of the deals of duels."""

EXPERIMENTS: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "share": (0.0, 0.2, 0.5, 1.0),
        "past_share": (0.3,),
        "num_envs": (512, 1024, 2048),
        "num_steps": (24, 48, 96),
        "minibatch_size": (2048, 8192),
        "update_epochs": (1, 4),
        "surest": (0.95, 0.999),
        "sure_kept": (1.0, 0.05),
        "learning_rate": (2e-4, 1.5e-3),
        "value_rate": (1.0, 5.0),
        "adam_eps": (1e-5, 1e-6),
        "warmup": (0, 12),
        "average": (0.0, 0.8, 0.98),
        "gamma": (0.98,),
        "gae_lambda": (0.5, 0.8, 0.9, 0.95),
        "clip_coef": (0.1, 0.3),
        "target_kl": (0.01,),
        "kl_coef": (0.01, 0.05),
        "ent_coef": (0.0, 0.01),
        "ent_extra": (0.01, 0.04),
        "max_grad_norm": (0.1, 5.0),
        "privileged": (True,),
        "critic_units": (48, 192),
        "temperature": (1.0, 1.2, 2.4, 4.0),
        "advice": (0.0, 4.0),
        "adviser": (NOBODY,),
        "observation": ("hints",),
        "suit_units": (32, 64),
    }
)
"""The settings, and the values that are tried; those that are usual are passed over."""
OWN_CLONES = frozenset({"temperature", "advice", "adviser", "observation", "suit_units"})
"""The settings whose arms make their own clones, because the common one does not fit."""


@dataclass(frozen=True)
class Plan:
    """Runs experiments and writes a page with what comes of them.

    Attributes:
        experiments: The settings to try other values of, by default all that have an experiment;
            NAME=VALUE,VALUE for values of your own, as in learning_rate=3e-4,1e-3.
        out: The folder of the runs.
        total_timesteps: Decisions of each arm.
        minutes: Minutes of each arm, instead of decisions.
        seeds: Every arm runs once with each.
        usual_seeds: The arm with all defaults runs with these, to show what is chance.
        deals: Deals of each duel; no run has seen them.
        torch_threads: Threads of each run.
        page: The file of the page, whose name is part of its title; experiments.md in the
            folder of the variant unless given.
    """

    experiments: tuple[str, ...] = tuple(EXPERIMENTS)
    out: Path = field(default=Path("runs/experiments"))
    total_timesteps: int = 2_000_000
    minutes: float | None = None
    seeds: tuple[int, ...] = (1,)
    usual_seeds: tuple[int, ...] = (1, 2, 3)
    deals: int = 10_000
    torch_threads: int = 1
    page: Path | None = None


CHANGEABLE = frozenset({"bf16", "torch_threads"})
"""Settings of an arm that may differ from those of the run in its folder."""


class Laboratory:
    """Runs arms, each once, and measures the models that come of them."""

    def __init__(self, rules: Rules, plan: Plan) -> None:
        """Note what is to be run; each variant has a folder of its own.

        Raises:
            ValueError: If an arm, a seed or the number of deals makes no sense.
        """
        self._rules, self._plan = rules, plan
        self._folder = plan.out / folder_name(rules)
        self.file = plan.page or self._folder / "experiments.md"
        self._measure = measure_of(rules)
        self._rivals = tuple(name for name in playable(rules) if name in ("greedy", "strong"))
        self._settings = Settings(
            total_timesteps=None if plan.minutes else plan.total_timesteps,
            minutes=plan.minutes,
            torch_threads=plan.torch_threads,
            teacher_decisions=_demonstrated(plan),
            evaluations=1,
            compare_deals=100,
        )
        check(self._settings, rules)
        self._usual = with_usual(rules, self._settings)
        check_range("deals", plan.deals, MIN_DEALS, MOST_DEALS)
        for option in ("seeds", "usual_seeds"):
            self._check_seeds(option, getattr(plan, option))
        self._others: dict[str, list[Any]] = {}
        for name, values in map(tried, plan.experiments):
            if name in self._others:
                raise ValueError(f"experiments: {name} is given twice; give its values together")
            usual = getattr(self._usual, name)
            others = [value for value in dict.fromkeys(values) if value != usual]
            self._others[name] = self._of_use(name, others)

    def _check_seeds(self, option: str, seeds: Sequence[int]) -> None:
        if not seeds or len({*seeds}) < len(seeds):
            raise ValueError(f"{option}={seeds}: give one or more, each once")
        for seed in seeds:
            check(dataclasses.replace(self._settings, seed=seed), self._rules)

    def _of_use(self, name: str, values: Sequence[Any]) -> list[Any]:
        """Return the values that make sense for the rules; of those asked for, all must."""
        found = []
        for value in values:
            arm = dataclasses.replace(self._settings, **_changed(name, value))
            try:
                check(arm, self._rules)
                with_usual(self._rules, arm)
            except ValueError:
                if self._plan.experiments != tuple(EXPERIMENTS):
                    raise
                continue
            found.append(value)
        return found

    @property
    def arms(self) -> int:
        """The number of runs, but for that of the clone."""
        values = sum(map(len, self._others.values()))
        return len(self._plan.usual_seeds) + values * len(self._plan.seeds)

    def page(self, command: str) -> str:
        """Run what has not been run yet, and return the page in Markdown."""
        columns = ["setting", "as usual", "here", "seed", "decisions"]
        by_points = self._measure == "points"
        figures = "Leads in points per hand" if by_points else f"{self._measure.title()} won"
        columns += [f"{'over' if by_points else 'against'} {rival}" for rival in self._rivals]
        lines = [
            f"# Experiments with {self._rules.name}: {self.file.stem.replace('_', ' ')}",
            "",
            "```",
            command,
            "```",
            "",
            f"{figures} on {self._plan.deals:,} deals; 95 % intervals, from deal to deal.",
            "",
            pipe_table(columns, self._rows(command), figures=len(columns) - 1),
        ]
        return "\n".join(lines) + "\n"

    def _rows(self, command: str) -> Iterator[list[object]]:
        """Yield the rows of the table."""
        clone = self._fit(self._for_clone(), CLONE, command)
        start = Run(clone).clone
        yield ["the clone", *[""] * 4, *self._leads(clone, start)]
        taught: dict[str, Any] = {"teacher": NOBODY, "teacher_decisions": None}
        common = dataclasses.replace(self._settings, start=start, **taught)
        for seed in self._plan.usual_seeds:
            run = self._fit(dataclasses.replace(common, seed=seed), f"{USUAL}-{seed}", command)
            yield self._row(("all as usual", "", ""), seed, run)
        for name, others in self._others.items():
            begin = self._settings if name in OWN_CLONES else common
            named = f"`{flag_of(name)}`", getattr(self._usual, name)
            for value in others:
                for seed in self._plan.seeds:
                    settings = dataclasses.replace(begin, seed=seed, **_changed(name, value))
                    run = self._fit(settings, f"{name}/{value}-{seed}", command)
                    yield self._row((*named, value), seed, run)

    def _for_clone(self) -> Settings:
        """Return the settings of the run that makes the clone."""
        return dataclasses.replace(self._settings, minutes=None, total_timesteps=1)

    def _fit(self, settings: Settings, folder: str, command: str) -> Path:
        """Run if there is no finished run in the folder, which is returned.

        Raises:
            KeyboardInterrupt: If the user stops the run.
            ValueError: If there is a run of other rules or settings.
        """
        out = self._folder / folder
        if Run(out).settings.exists():
            asked = with_usual(self._rules, dataclasses.replace(settings, out=out))
            told = Run(out).told()
            asked_for = {**named(self._rules), "settings": vars(asked)}
            refuse_another(out, told, asked_for, CHANGEABLE)
            if told["rummy_env"] != __version__:
                raise ValueError(
                    f"{out} holds a run of rummy_env {told['rummy_env']}, which this is not: give "
                    f"another --out"
                )
        if not Run(out).report.exists():
            if Run(out).checkpoint.exists():
                raise ValueError(
                    f"{out} holds a run that was cut short: remove that folder, and give the "
                    f"command again"
                )
            print(f"{out} ...", flush=True)
            settings = dataclasses.replace(settings, out=out)
            with begun(self._rules, settings, command) as session:
                if learn(session) is None:
                    raise KeyboardInterrupt
        return out

    def _row(self, names: tuple[object, ...], seed: int, run: Path) -> list[object]:
        """Return the row of an arm, with the leads of its last model."""
        steps = json.loads(Run(run).report.read_text())["steps"]
        return [*names, seed, f"{steps:,}", *self._leads(run, Run(run).last)]

    def _leads(self, run: Path, model: Path) -> list[str]:
        """Return what ranks a model against each rival, kept in the folder of its run."""
        what = "leads" if self._measure == "points" else self._measure
        kept = run / f"{what}-{self._plan.deals}.json"
        if not kept.exists():
            policy = SavedPolicy(model)
            found = [
                duel(self._rules, policy, rival, deals=self._plan.deals, seed=SEED).ranked_by
                for rival in self._rivals
            ]
            write_whole(kept, json.dumps([dataclasses.astuple(lead) for lead in found]).encode())
        figures = json.loads(kept.read_text())
        return [in_words(self._measure, Estimate(*figure)) for figure in figures]


def tried(experiment: str) -> tuple[str, tuple[Any, ...]]:
    """Return the setting of an experiment, NAME or NAME=VALUE,VALUE, and the values to try.

    Raises:
        ValueError: If there is no such setting, or a value is not of its type.
    """
    name, given, values = experiment.partition("=")
    check_choice("experiments", name, tuple(EXPERIMENTS))
    if not given:
        return name, EXPERIMENTS[name]
    kind = type(EXPERIMENTS[name][0])
    return name, tuple(_of_kind(name, kind, value) for value in values.split(","))


def _of_kind(name: str, kind: type, value: str) -> Any:
    if kind is bool:
        check_choice(name, value, ("True", "False"))
        return value == "True"
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"experiments: {name}={value!r} is no {kind.__name__}") from None


def _demonstrated(plan: Plan) -> int:
    """Return how many decisions are cloned: as many for all arms, and fewer for short ones."""
    # Left to `with_usual`, the run that makes the common clone would clone the fewest, as it
    # learns from one decision, and arms with clones of their own would clone more than that.
    # It may be more than the usual tenth of an arm's decisions, as most arms share one clone.
    # The kept experiments were made with these numbers.
    if plan.minutes is not None:
        return min(MOST_CLONED, int(CLONED_A_MINUTE * max(plan.minutes, 1)))
    return min(MOST_CLONED, max(FEWEST_CLONED, plan.total_timesteps // 4))


def _changed(name: str, value: Any) -> dict[str, Any]:
    """Return the settings of an arm; an actor of another size keeps its proportions."""
    if name != "suit_units":
        return {name: value}
    return {name: value, "pooled_units": 2 * value, "card_units": value // 4}


def main(argv: Sequence[str], command: str = COMMAND) -> int:
    """Run the command; return 0, or 130 after Ctrl-C."""
    with command_line.plain_errors():
        rules, plan = command_line.parse(Plan, command, argv)
        laboratory = Laboratory(rules, plan)
        laboratory.file.parent.mkdir(parents=True, exist_ok=True)
        each = f"{plan.minutes} minutes" if plan.minutes else f"{plan.total_timesteps:,} decisions"
        print(f"{laboratory.arms} arms of {each}, and the clone that they start from", flush=True)
    try:
        with command_line.plain_errors((ValueError, OSError)):
            page = laboratory.page(shlex.join([*command.split(), *argv]))
            write_whole(laboratory.file, page.encode())
    except KeyboardInterrupt:
        print("stopped; the same command goes on, but for runs cut short: remove those")
        return command_line.INTERRUPTED
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(command_line.run("training.experiments", COMMAND))
