"""Compares agents on duplicate deals: `python -m training.compare VARIANT --agents A B C ...`.

Every pair of agents plays the same deals, each deal in all seatings (see `arena.pairing`); where
there are as many agents as seats, at three seats or more, they also sit at one table together.
"""

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from rummy_env import command_line as arguments
from rummy_env.baselines.policies import Policy
from rummy_env.core.bits import Rows, Words
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import game_seeds
from rummy_env.envs.recording import engine_for
from rummy_env.evaluation import arena, comparison, report
from rummy_env.evaluation.arena import Results
from rummy_env.evaluation.comparison import Comparison, Duel
from rummy_env.evaluation.statistics import MIN_DEALS, check_deals
from rummy_env.parts.match import SingleHand

COMMAND = "python -m training.compare"
CHUNK = 16384
Names = tuple[str, ...]
Watcher = Callable[[int, int], object]
"""Told of progress: games finished so far, and games in all."""


@dataclass(frozen=True)
class Settings:
    """Compares agents on duplicate deals: every deal is played in all seatings of every pair.

    Attributes:
        agents: Two or more: random, greedy, an import string such as
            rummy_env.baselines.strong:Strong, or a saved model such as runs/x/best.zip.
            NAME=AGENT gives one a name.
        deals: Deals of every pair.
        seed: What the deals are drawn from.
        out: Folder for compare.json, compare.md and compare.png; without, tables are only shown.
        chunk: Games on the tables at once; changes speed and memory, not the results.
        deterministic: Saved models play their likeliest action, instead of drawing by their odds.
        record: File to append a record of every game to; python -m rummy_env.replay shows them.
    """

    agents: tuple[str, ...]
    deals: int = 2000
    seed: int = 1
    out: Path | None = None
    chunk: int = CHUNK
    deterministic: bool = False
    record: Path | None = None


def compare(
    rules: Rules,
    agents: Mapping[str, Policy],
    *,
    deals: int = 2000,
    seed: int = 1,
    chunk: int = CHUNK,
    progress: Watcher = lambda done, total: None,
    record: Path | None = None,
) -> Comparison:
    """Compares agents, each with each.

    Args:
        rules: What is played.
        agents: Two or more, by name.
        deals: Deals of every pair.
        seed: What the deals are drawn from.
        chunk: Games on the tables at once; the results do not depend on it.
        progress: Told of progress.
        record: File to append a record of every game to.

    Returns:
        The findings. After Ctrl-C they are not `complete`, and tell of the deals that all pairs had
        finished; in the first block of deals, of the pairs that had finished it.

    Raises:
        ValueError: If agents, deals or games at once are too few, or the games cannot be recorded.
        OSError: If the file cannot be written.
        KeyboardInterrupt: If nothing was finished by then.
    """
    check_request(len(agents), deals, chunk)
    tables = _tables(list(agents), rules.num_players, deals)
    finished: dict[Names, list[Results]] = {names: [] for names in tables}
    try:
        for names, results in _play(
            rules, agents, tables, game_seeds(seed, deals), chunk, progress, record
        ):
            finished[names].append(results)
    except KeyboardInterrupt:
        if _deals_of_all(finished) < MIN_DEALS:
            raise
    return _sum_up(rules, tuple(agents), finished, deals, seed)


def duel(
    rules: Rules,
    policy: Policy,
    opponent: Policy,
    *,
    deals: int,
    seed: int,
    chunk: int = CHUNK,
) -> Duel:
    """Two agents against each other and nothing else, for looking in on training.

    Args:
        rules: What is played.
        policy: The first side, called "policy".
        opponent: The second side, called "opponent".
        deals: Deals, each played in all seatings.
        seed: What the deals are drawn from.
        chunk: Games on the tables at once; the results do not depend on it.

    Raises:
        ValueError: If deals or games at once are too few.
    """
    check_request(2, deals, chunk)
    agents = {"policy": policy, "opponent": opponent}
    tables = _tables(list(agents), rules.num_players, deals)
    played = _play(rules, agents, tables, game_seeds(seed, deals), chunk, lambda done, total: None)
    results = arena.join([results for _, results in played])
    return comparison.duel(("policy", "opponent"), results, matches=_of_hands(rules))


def check_request(agents: int, deals: int, chunk: int) -> None:
    """Refuses what cannot be compared.

    Raises:
        ValueError: Naming the value and the least that will do.
    """
    if agents < 2:
        raise ValueError(f"agents: {agents} given; a comparison takes two or more")
    check_deals(deals)
    if chunk < 1:
        raise ValueError(f"chunk={chunk!r}: give at least 1 game at once")


def _tables(names: Sequence[str], seats: int, deals: int) -> Mapping[Names, Rows]:
    """Who meets whom, and the seatings: every pair, and all at once where that fills a table."""
    tables: dict[Names, Rows] = {
        pair: arena.pairing(seats, deals) for pair in combinations(names, 2)
    }
    if len(names) == seats > 2:
        tables[tuple(names)] = arena.round_table(seats, deals)
    return tables


def _play(
    rules: Rules,
    agents: Mapping[str, Policy],
    tables: Mapping[Names, Rows],
    seeds: Words,
    chunk: int,
    progress: Watcher,
    record: Path | None = None,
) -> Iterator[tuple[Names, Results]]:
    """Plays block after block of deals, each at all tables, so that all get on evenly."""
    total = sum(seatings[..., 0].size for seatings in tables.values())
    done = 0

    def watch(games: int) -> None:
        nonlocal done
        done += games
        progress(done, total)

    deals_at_once = max(1, chunk // max(seatings.shape[1] for seatings in tables.values()))
    for start in range(0, len(seeds), deals_at_once):
        block = slice(start, start + deals_at_once)
        for names, seatings in tables.items():
            players = [agents[name] for name in names]
            some = seatings[block]
            yield (
                names,
                arena.play(rules, players, some, seeds[block], watch, record=record, names=names),
            )


def _deals_of_all(finished: Mapping[Names, Sequence[Results]]) -> int:
    """The deals that every table has finished, of those that have finished any."""
    counts = (sum(block.deals for block in blocks) for blocks in finished.values() if blocks)
    return min(counts, default=0)


def _of_hands(rules: Rules) -> bool:
    """Whether an episode is a match of several hands."""
    return not isinstance(rules.episode, SingleHand)


def _sum_up(
    rules: Rules,
    agents: tuple[str, ...],
    finished: Mapping[Names, Sequence[Results]],
    deals: int,
    seed: int,
) -> Comparison:
    played, matches = _deals_of_all(finished), _of_hands(rules)
    met = {names: arena.join(blocks).until(played) for names, blocks in finished.items() if blocks}
    pairs = {(names[0], names[1]): results for names, results in met.items() if len(names) == 2}
    tables = [
        comparison.table_of_all(names, results, matches=matches)
        for names, results in met.items()
        if len(names) > 2
    ]
    return Comparison(
        rules=rules,
        agents=agents,
        seed=seed,
        deals=played,
        complete=played == deals and len(met) == len(finished),
        standings=comparison.standings(pairs, seed),
        duels=tuple(comparison.duel(pair, games, matches=matches) for pair, games in pairs.items()),
        round_table=tables[0] if tables else (),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        argv: What came after the name of the command; as called where None.

    Returns:
        The exit code: 0, or 130 after Ctrl-C, whatever is finished having been reported.

    Raises:
        SystemExit: With 2 on bad input.
    """
    given = sys.argv[1:] if argv is None else argv
    with arguments.plain_errors():
        rules, settings = arguments.parse(Settings, COMMAND, given)
        agents = arguments.load_agents(settings.agents, deterministic=settings.deterministic)
        check_request(len(agents), settings.deals, settings.chunk)
        for agent in agents.values():
            arena.try_out(rules, agent)
        if settings.out is not None:
            settings.out.mkdir(parents=True, exist_ok=True)
        engine_for(rules, record=settings.record)
    try:
        found = _compare_with_bar(rules, agents, settings)
    except KeyboardInterrupt:
        print("interrupted before any pairing had finished a deal", file=sys.stderr)
        return arguments.INTERRUPTED
    report.show(found)
    if settings.out is not None:
        report.write(found, settings.out, command=shlex.join([*COMMAND.split(), *given]))
    return 0 if found.complete else arguments.INTERRUPTED


def _compare_with_bar(rules: Rules, agents: Mapping[str, Policy], settings: Settings) -> Comparison:
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=None)
        return compare(
            rules,
            agents,
            deals=settings.deals,
            seed=settings.seed,
            chunk=settings.chunk,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
            record=settings.record,
        )


if __name__ == "__main__":
    sys.exit(main())
