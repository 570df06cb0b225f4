"""What Ray costs with one worker and gains with two: `python -m benchmarks.scaling`.

A cluster of two nodes on this machine, a CPU each, which they share with the learner. Each arm does
the same work, round by round in turn; what counts are ratios, for the machine may be busy. `--kill
SECONDS` measures what it costs that workers are killed, and sees that the models come out the same.
"""

import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import rummy_env
from agents.labels import Labelling, label, positions
from benchmarks.flags import asked
from benchmarks.mortal import Mortal
from rummy_env import Rules
from rummy_env.command_line import plain_errors
from rummy_env.core.checks import check_range
from rummy_env.evaluation import compare
from rummy_env.evaluation.markdown import pipe_row, pipe_table
from rummy_env.evaluation.statistics import MIN_DEALS, MOST_DEALS
from rummy_env.importing import extra
from rummy_env.search import Search
from rummy_env.workers import Crew, connected
from rummy_env.workers.cluster import RAY
from training import settings as training_settings
from training.session import Session

NODES = 2
ARMS: dict[str, dict[str, Any]] = {
    "one process": {},
    "1 worker": {"workers": 1},
    "2 workers": {"workers": 2},
    "2 workers, playing ahead": {"workers": 2, "staleness": 1},
}
"""The flags of each arm; only training can play ahead."""
OVER = "1 worker"
"""The arm that ratios are taken to."""
WORK = ("hands", "labels", "decisions")
"""What is counted: hands that are compared, positions labelled, decisions learned from."""


@dataclass(frozen=True)
class Settings:
    """Measures comparing, labelling and training with and without workers, and prints a table.

    Attributes:
        variant: The variant.
        agents: Two agents to compare; the first is the base of the search that labels.
        rounds: Times that everything is measured, the arms in turn.
        deals: Deals that are compared.
        chunk: Games at once, the blocks that workers divide.
        positions: Positions to label, in 8 worlds each.
        decisions: Decisions to learn from.
        num_envs: Games at once in training.
        num_steps: Steps of a rollout.
        kill: Measures training alone, twice: with workers that are killed after so many seconds,
            and with others that live on. It has to be more than a rollout takes.
    """

    variant: str = "basic"
    agents: tuple[str, str] = ("strong", "greedy")
    rounds: int = 3
    deals: int = 16_000
    chunk: int = 2000
    positions: int = 512
    decisions: int = 100_000
    num_envs: int = 1024
    num_steps: int = 24
    kill: float | None = None


@contextmanager
def two_nodes() -> Iterator[None]:
    """Yield a cluster of nodes on this machine, to which this process is connected."""
    with extra("ray", "measuring workers"):
        from ray.cluster_utils import Cluster

    for name, value in RAY.items():
        os.environ.setdefault(name, value)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        for _ in range(NODES - 1):
            cluster.add_node(num_cpus=1)
        with connected(NODES, cluster.address):
            yield
    finally:
        cluster.shutdown()


def hands(given: Settings, workers: int | None) -> float:
    """Hands a second of a comparison; the start of the workers is taken off."""

    def played(deals: int) -> tuple[int, float]:
        begun = time.perf_counter()
        agents = {name: name for name in given.agents}
        found = compare(
            given.variant, agents, deals=deals, seed=1, chunk=given.chunk, workers=workers
        )
        return found.duels[0].hands, time.perf_counter() - begun

    few, start = played(MIN_DEALS)
    many, seconds = played(given.deals)
    return (many - few) / (seconds - start)


def labels(rules: Rules, given: Settings, workers: int | None) -> float:
    """Positions labelled a second."""
    search = Search(given.agents[0], worlds=8, drop=math.inf)
    drawn = positions(rules, search.base(rules), given.positions, seed=1)
    with Crew(Labelling(), workers) if workers else nullcontext() as crew:
        if crew:  # so that all have started
            list(crew.map([drawn.take(np.arange(1))] * (workers or 0), (search, rules)))
        begun = time.perf_counter()
        label(search, rules, drawn, crew)
        return given.positions / (time.perf_counter() - begun)


def trained(rules: Rules, given: Settings, **flags: Any) -> tuple[float, int, bytes]:
    """Decisions a second of training, evaluations left out; workers replaced; the last model."""
    with TemporaryDirectory() as folder, redirect_stdout(sys.stderr):
        settings = training_settings.Settings(
            total_timesteps=given.decisions,
            out=Path(folder),
            num_envs=given.num_envs,
            num_steps=given.num_steps,
            teacher="none",
            rivals=("random",),
            evaluations=1,
            eval_deals=2,
            torch_threads=1,
            **flags,
        )
        with closing(Session(rules, settings, "benchmarks.scaling")) as session:
            session.learn()
        rate = session.progress.curve[-1].steps / session.progress.seconds
        last = session.run.past / session.progress.past[-1]
        return rate, session.rounds.replaced, last.read_bytes()


def with_deaths(rules: Rules, given: Settings, seconds: float) -> None:
    """Print what training comes to where each worker lives so long, and where none dies."""
    print("| workers | replaced | decisions a second | the same model |")
    print("| --- | ---: | ---: | --- |")
    flags: dict[str, Any] = {"opponents": ("benchmarks.mortal:Mortal",), "workers": NODES}
    models = []
    for name, life in (("live on", math.inf), (f"are killed after {seconds:g} s", seconds)):
        Mortal.seconds = life
        rate, replaced, model = trained(rules, given, **flags)
        models.append(model)
        same = "yes" if model == models[0] else "no"
        print(pipe_row((name, replaced, f"{rate:,.0f}", same)), flush=True)


def by_arm(rules: Rules, given: Settings) -> None:
    """Print what each arm comes to."""
    found: dict[tuple[str, str], list[float]] = {}
    for number in range(given.rounds):
        for arm, flags in ARMS.items():
            ahead, workers = flags.get("staleness"), flags.get("workers")
            rates = {"decisions": trained(rules, given, **flags)[0]}
            if not ahead:
                rates |= {"hands": hands(given, workers), "labels": labels(rules, given, workers)}
            for work, rate in rates.items():
                found.setdefault((arm, work), []).append(rate)
            told = ", ".join(f"{rate:,.0f} {work}" for work, rate in rates.items())
            print(f"round {number + 1}, {arm}: {told} a second", file=sys.stderr)
    columns, rows = [""], {arm: [arm] for arm in ARMS}
    for work in WORK:
        columns += [f"{work} a second", f"over {OVER}"]
        for arm, row in rows.items():
            row += cells(found.get((arm, work)), found[OVER, work])
    print(pipe_table(columns, rows.values(), figures=2 * len(WORK)))


def cells(rates: list[float] | None, over: list[float]) -> tuple[str, str]:
    """Return the middle rate, and the middle ratio of a round with the least and the greatest."""
    if rates is None:
        return "", ""
    ratios = np.divide(rates, over)
    low, high = ratios.min(), ratios.max()
    return f"{np.median(rates):,.0f}", f"{np.median(ratios):.2f} ({low:.2f} to {high:.2f})"


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    with plain_errors():
        given = asked(Settings, "benchmarks.scaling", argv)
        check_range("deals", given.deals, MIN_DEALS + 1, MOST_DEALS)
        check_range("rounds", given.rounds, 1, 1000)
        if given.kill is not None and not given.kill > 0:
            raise ValueError(f"kill={given.kill!r}: give a number of seconds above 0")
        rules = rummy_env.rules(given.variant)
        with two_nodes():
            if given.kill is None:
                by_arm(rules, given)
            else:
                with_deaths(rules, given, given.kill)


if __name__ == "__main__":
    main()
