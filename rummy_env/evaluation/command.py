"""The command that compares agents: `rummy-env compare VARIANT --agents A B C ...`."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter

from rummy_env import command_line
from rummy_env.baselines.answers import BadAnswer
from rummy_env.baselines.asking import ask
from rummy_env.baselines.isolated import Broken, Died
from rummy_env.baselines.policies import Named, resolve
from rummy_env.baselines.saved import SavedPolicy, Trained
from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.core.rules import Rules
from rummy_env.envs.recording import RecordingError, engine_for
from rummy_env.evaluation import arena, report
from rummy_env.evaluation.comparison import Comparison
from rummy_env.evaluation.console import LastingConsole, Quarters
from rummy_env.evaluation.luck import Luck
from rummy_env.evaluation.tournament import CHUNK, check_alone, check_request, compare
from rummy_env.importing import extra
from rummy_env.workers import ClusterError, WorkerError

with extra("compare", "comparing agents"):
    from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn


AT_ONCE = (CHUNK, 4096, 512, 64)
"""Games at once: the first number that an agent gets through in `LONG`, else the last.

After Ctrl-C what is finished is kept, block by block."""
LONG, CHOICES = 300.0, 20
"""Seconds for a block of games, each with this many choices of the agent, at most: of many games at
once, choices take less time than of the few that are timed."""
TRIED, AMIDST = 4, 12
"""Choices that are timed, in games of so many random actions: the first one may need no thought."""
QUIET = 20.0
"""Seconds in which nothing is told of how far a comparison is, where there is no terminal."""
NO_BUGS = (
    *(ClusterError, WorkerError, ImportError, RecordingError),
    *(IllegalAction, BadAnswer, Broken, Died),
)
"""What ends a comparison without being a bug of it: told in a line."""


@dataclass(frozen=True)
class Settings:
    """Compares agents on duplicate deals: every deal is played in all seatings of every pair.

    Attributes:
        agents: Two or more: random, greedy, strong or trained; with melds on the table patient;
            where hands are declared farsighted; in gin simple, careful or camper; the searches
            lookahead or thorough; an import string such as my_agents:Eager; or a saved model such
            as runs/x/best.npz. NAME=AGENT gives an agent a name. rummy-env variants VARIANT lists
            those that play it.
        deals: Deals for every pair.
        seed: The seed of the deals. By default one is drawn and shown, so that you can repeat the
            comparison.
        only_first: Play the first agent against each of the others, but not these against each
            other.
        until_clear: Stop as soon as every pair has been told apart, at the latest after --deals.
            The intervals allow for having looked several times.
        adjust_luck: Subtract the luck of draws, as the critic of the trained model sees it: the
            same leads on average, with narrower intervals. It costs some milliseconds per hand,
            which pays off for slow agents.
        out: Folder for compare.json, compare.md and compare.png; by default the tables are only
            printed.
        chunk: Games played at once, 16384 unless an agent takes long to choose; changes speed,
            memory and how much Ctrl-C keeps, not the results.
        sample: Let saved models sample their actions, instead of playing the likeliest.
        record: File to which every game is appended; rummy-env replay shows it.
        isolate: Run agents in processes of their own, so that they cannot look at the table.
        workers: Play in this many processes of a Ray cluster; by default all games are played in
            this process. The work is divided into blocks of --chunk games.
        ray_address: The cluster, HOST:PORT, or auto for the one that runs on this machine; by
            default workers are started here.
    """

    agents: tuple[str, ...]
    deals: int = 2000
    seed: int | None = None
    only_first: bool = False
    until_clear: bool = False
    adjust_luck: bool = False
    out: Path | None = None
    chunk: int | None = None
    sample: bool = False
    record: Path | None = None
    isolate: bool = False
    workers: int | None = None
    ray_address: str | None = None


def main(argv: Sequence[str], command: str) -> int:
    """Run the command and return its exit code.

    It is 130 after Ctrl-C and a report of the finished deals, and 2 after one that ends early for
    another reason, such as a full disk.
    """
    with command_line.plain_errors((*command_line.BAD, Died)):
        rules, settings = command_line.parse(Settings, command, argv)
        agents = command_line.load_agents(
            settings.agents, sample=settings.sample, isolate=settings.isolate
        )
        models = [each for each in agents.values() if isinstance(each, SavedPolicy | Trained)]
        if settings.sample and not models:
            raise ValueError("--sample: it is for saved models, and no agent is one; leave it out")
        chunk = CHUNK if settings.chunk is None else settings.chunk
        check_request(len(agents), settings.deals, settings.seed or 0, chunk)
        check_alone(settings.workers, settings.ray_address, settings.record)
        for name, agent in agents.items():
            arena.try_out(rules, name, agent, isolate=settings.isolate)
        if settings.chunk is None and not settings.isolate:
            chunk = _chunk(rules, agents)
        if settings.adjust_luck:
            Luck(rules)
        if settings.out is not None:
            command_line.check_folder("--out", settings.out)
        if settings.record is not None:
            with command_line.writing_to("--record", settings.record):
                engine_for(rules, record=settings.record)
    try:
        found = _compare_with_bar(rules, agents, settings, chunk)
    except KeyboardInterrupt:
        print(
            f"interrupted before a block of {chunk} games was finished; with a smaller "
            f"--chunk, what is finished is kept",
            file=sys.stderr,
        )
        return command_line.INTERRUPTED
    except NO_BUGS as error:
        command_line.print_error(error)
        return command_line.BAD_INPUT
    try:
        if settings.out is not None:
            drawn = [] if settings.seed is not None else ["--seed", str(found.seed)]
            line = shlex.join([*command.split(), *argv, *drawn])
            with command_line.plain_errors((OSError,)):
                report.write(found, settings.out, command=line)
    finally:  # what has taken long is shown even where it cannot be written
        report.show(found)
    if found.trouble:
        return command_line.BAD_INPUT
    return 0 if found.complete else command_line.INTERRUPTED


class _Bar:
    """How far a comparison is: a bar on standard error, or a line each quarter where it is a file.

    A `tournament.Watcher`.
    """

    def __init__(self) -> None:
        columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=LastingConsole(stderr=True), transient=True)
        self._task = self._bar.add_task("games", total=None)
        self._quarters, self._begun = Quarters(), monotonic()

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        self._bar.update(self._task, completed=done, total=total)
        if self._bar.console.is_terminal or monotonic() < self._begun + QUIET:
            return
        if self._quarters.next(done / total):
            self._bar.console.print(f"{done:,} of {total:,} games")


def _chunk(rules: Rules, agents: Mapping[str, Named]) -> int:
    """Return how many games are played at once; if that is fewer than usual, tell who is slow."""
    at_once = {name: _at_once(rules, agent) for name, agent in agents.items()}
    chunk = min(at_once.values())
    if chunk < CHUNK:
        slow = ", ".join(name for name, games in at_once.items() if games == chunk)
        print(f"{slow}: {chunk} games are played at once (--chunk)", file=sys.stderr)
    return chunk


def _at_once(rules: Rules, agent: Named) -> int:
    """Return how many games an agent gets through in a reasonable time."""
    engine, policy = Engine(rules, TRIED, seed=1), resolve(agent, rules)
    engine.reset()
    for _ in range(AMIDST):
        engine.step(engine.random_actions()[engine.running], engine.running)
    times = []
    for _ in range(2):  # once to load all that it needs
        start = perf_counter()
        with suppress(Exception):  # what fails here fails in the games too, which tell more of it
            ask(engine, policy, engine.running)
        times.append(perf_counter() - start)
    block = CHOICES * min(times) / TRIED
    return next((games for games in AT_ONCE if games * block <= LONG), AT_ONCE[-1])


def _compare_with_bar(
    rules: Rules, agents: Mapping[str, Named], settings: Settings, chunk: int
) -> Comparison:
    with _Bar() as bar:
        return compare(
            rules,
            agents,
            deals=settings.deals,
            seed=settings.seed,
            only_first=settings.only_first,
            until_clear=settings.until_clear,
            adjust_luck=settings.adjust_luck,
            chunk=chunk,
            progress=bar,
            record=settings.record,
            isolate=settings.isolate,
            workers=settings.workers,
            ray_address=settings.ray_address,
        )
