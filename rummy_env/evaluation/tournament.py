"""Tournaments: pairs of agents play the same deals, each deal in all seatings.

If there are as many agents as seats, and at least three, they also all sit at one table together.
"""

import secrets
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import combinations, pairwise

from rummy_env.baselines.policies import Named, described, resolve
from rummy_env.core.arrays import Rows, joined, taken
from rummy_env.core.checks import check_flag, check_range, shown
from rummy_env.core.keys import MOST_SEED, game_seeds
from rummy_env.core.naming import quantity
from rummy_env.core.rules import Rules
from rummy_env.envs.recording import RecordingError, RecordPath
from rummy_env.evaluation import arena, comparison
from rummy_env.evaluation.arena import Results
from rummy_env.evaluation.comparison import Comparison, Duel
from rummy_env.evaluation.luck import Luck
from rummy_env.evaluation.statistics import MIN_DEALS, MOST_DEALS, looks_of
from rummy_env.importing import is_import_string
from rummy_env.variants import rules as rules_of
from rummy_env.workers import Crew, check_workers, connected

CHUNK, MOST_GAMES = 16_384, 1_000_000
Names = tuple[str, ...]
Played = Generator[tuple[Names, Results], None, None]
Watcher = Callable[[int, int], object]
"""Called with the number of games finished so far and the number of all games."""


def compare(
    rules: str | Rules,
    agents: Mapping[str, Named] | Sequence[str],
    *,
    deals: int = 2000,
    seed: int | None = None,
    only_first: bool = False,
    until_clear: bool = False,
    adjust_luck: bool = False,
    chunk: int = CHUNK,
    progress: Watcher = lambda done, total: None,
    record: RecordPath | None = None,
    isolate: bool = False,
    workers: int | None = None,
    ray_address: str | None = None,
) -> Comparison:
    """Compare agents, pair by pair.

    Args:
        rules: Complete rules, or a variant's name.
        agents: Two or more by name, as for `rummy_env.baselines.resolve`; or a list of such text.
        deals: Deals for every pair.
        seed: The seed of the deals; if None, one is drawn and reported in the findings.
        only_first: True to play the first agent's pairs alone: not the others with each other, nor
            all at one table.
        until_clear: True to stop as soon as every pair is told apart, within these deals. The
            intervals are then wider, to hold at all looks (`statistics.looks_of`), 95 % jointly.
        adjust_luck: True to subtract the luck of draws from the points; see `evaluation.luck`.
        chunk: Games played at once; the results do not depend on it, except for the rounding of
            luck that is subtracted.
        progress: Called as games finish.
        record: File to append a record of every game to, block by block and deal by deal.
        isolate: True to run agents in processes of their own; see `arena.play_isolated`.
        workers: Processes of a Ray cluster to play in, with the same results; None to play here.
        ray_address: The cluster; see `rummy_env.workers.connected`.

    Returns:
        The findings. After Ctrl-C, or if games cannot be recorded any more, they are not
        `complete`: they cover the deals that all pairs had finished or, in the first block of
        deals, the pairs that had finished it.

    Raises:
        ValueError: If agents, deals or games at once are too few, an agent cannot play the rules, a
            flag is not one, or luck, records or the cluster cannot be had.
        TypeError: If the agents are no mapping and no list of names, or one of them is no policy.
        WorkerError: If something goes wrong on a worker.
        OSError: If the file cannot be written, and no two deals had been finished by then.
        KeyboardInterrupt: If no two deals had been finished by then.
    """
    check_alone(workers, ray_address, record)
    drawn = secrets.randbits(64) if seed is None else seed
    kind = {"until_clear": until_clear, "isolate": isolate, "adjust_luck": adjust_luck}
    tournament = _Tournament(rules, agents, deals, drawn, chunk, only_first=only_first, **kind)
    finished: dict[Names, list[Results]] = {names: [] for names in tournament.tables}
    if workers is None:
        played = tournament.play(progress, record)
    else:
        played = tournament.play_divided(workers, ray_address, progress)
    trouble = _note(played, finished, tournament.is_clear)
    return tournament.sum_up(finished, trouble)


def _note(
    played: Played,
    finished: Mapping[Names, list[Results]],
    is_clear: Callable[[Mapping[Names, Sequence[Results]]], bool],
) -> str:
    """Collect blocks as they are played, until there are no more or every pair is clear.

    What interrupts that is raised if next to nothing is finished by then. Otherwise what went wrong
    is returned; "" after Ctrl-C, or if nothing did.
    """
    try:
        with closing(played):
            for names, results in played:
                finished[names].append(results)
                if is_clear(finished):
                    break
    except (KeyboardInterrupt, RecordingError) as error:
        if _deals_of_all(finished) < MIN_DEALS:
            raise
        if isinstance(error, RecordingError):
            warnings.warn(f"the comparison ends early: {error}", stacklevel=3)
            return str(error)
    return ""


def duel(
    rules: str | Rules,
    policy: Named,
    opponent: Named,
    *,
    deals: int,
    seed: int,
    chunk: int = CHUNK,
) -> Duel:
    """Play two agents, as for an evaluation in training.

    The arguments are as for `compare`, which has more, and so are the errors. The seed is asked
    for, since the findings do not tell it. Agents given by different names have these in the
    findings; else they are "policy" and "opponent".
    """
    names = "policy", "opponent"
    if isinstance(policy, str) and isinstance(opponent, str) and policy != opponent:
        names = policy, opponent
    agents = dict(zip(names, (policy, opponent), strict=True))
    tournament = _Tournament(rules, agents, deals, seed, chunk)
    results = joined([results for _, results in tournament.play()])
    return comparison.summed_up(names, results, tournament.measure)


def _by_name(agents: Sequence[str]) -> Mapping[str, Named]:
    """Return baselines by their names; a TypeError or ValueError if they are no different ones."""
    if not isinstance(agents, list | tuple) or not all(isinstance(each, str) for each in agents):
        raise TypeError(
            f"agents={shown(agents)}: give a mapping, such as {{'mine': policy}}, or a list of "
            f"names"
        )
    if len({*agents}) < len(agents):
        raise ValueError(
            f"agents={shown(agents)}: give each once, or a mapping with names of your own"
        )
    return {name: name for name in agents}


def check_request(agents: int, deals: int, seed: int, chunk: int) -> None:
    """Refuse a comparison that cannot be played."""
    if agents < 2:
        raise ValueError(f"agents: {agents} given; a comparison takes two or more")
    check_range("deals", deals, MIN_DEALS, MOST_DEALS)
    check_range("seed", seed, 0, MOST_SEED)
    check_range("chunk", chunk, 1, MOST_GAMES)


def check_alone(workers: int | None, ray_address: str | None, record: RecordPath | None) -> None:
    """Refuse settings of workers that make no sense, and records beside workers."""
    check_workers(workers, ray_address)
    if workers is not None and record is not None:
        raise ValueError(
            f"workers={workers}: games are recorded by one process alone; leave "
            f"record={str(record)!r} out, or the workers"
        )


class _Tournament:
    """Agents, and the tables at which they play the same deals.

    Attributes:
        tables: The seatings of every pair, intp[D, G, P], and of all agents at once if they fill a
            table.
        measure: What ranks the agents.
    """

    def __init__(
        self,
        rules: str | Rules,
        given: Mapping[str, Named] | Sequence[str],
        deals: int,
        seed: int,
        chunk: int,
        *,
        only_first: bool = False,
        until_clear: bool = False,
        isolate: bool = False,
        adjust_luck: bool = False,
    ) -> None:
        agents = given if isinstance(given, Mapping) else _by_name(given)
        for name in agents:
            if not isinstance(name, str) or not name:
                raise TypeError(f"agents: {name!r} is no name; give text, as in {{'mine': policy}}")
        check_request(len(agents), deals, seed, chunk)
        check_flag("only_first", only_first)
        check_flag("until_clear", until_clear)
        check_flag("isolate", isolate)
        check_flag("adjust_luck", adjust_luck)
        # Numbers of NumPy's are refused by what they are passed on to.
        deals, self._seed, self._chunk = int(deals), int(seed), int(chunk)
        self._looks = looks_of(deals) if until_clear else [deals]
        pairs = [*combinations(agents, 2)][: len(agents) - 1 if only_first else None]
        self._unclear = {*pairs}
        self._rules = rules_of(rules)
        self._luck = Luck(self._rules).of_draws if adjust_luck else None
        self._play: Callable[..., Results] = arena.play_isolated if isolate else arena.play
        self._agents: Mapping[str, Named] = agents
        if not isolate:  # otherwise nothing of theirs is loaded into this process
            self._agents = {name: resolve(agent, self._rules) for name, agent in agents.items()}
        self._described = tuple(described(each, self._rules) for each in self._agents.values())
        self.measure = comparison.measure_of(self._rules)
        seats = self._rules.num_players
        self.tables: dict[Names, Rows] = {pair: arena.head_to_head(seats, deals) for pair in pairs}
        if len(agents) == seats > 2 and not only_first:
            self.tables[tuple(agents)] = arena.round_table(seats, deals)
        self._seeds = game_seeds(self._seed, deals)
        self._total = sum(seatings[..., 0].size for seatings in self.tables.values())

    def play(
        self, progress: Watcher = lambda done, total: None, record: RecordPath | None = None
    ) -> Played:
        """Play block after block of deals, each at all tables, so that all advance evenly."""
        total, done = self._total, 0

        def watch(games: int) -> None:
            nonlocal done
            done += games
            progress(done, total)

        for names, block in self._blocks():
            yield names, self._block(names, block, watch, record)

    def play_divided(self, workers: int, address: str | None, progress: Watcher) -> Played:
        """Like `play`, but workers of a Ray cluster play the same blocks, in the same order."""
        blocks = [*self._blocks()]
        if len(blocks) < workers:
            print(
                f"workers={workers}: the games are {quantity(len(blocks), 'block')} of at most "
                f"{self._chunk} games; a smaller chunk makes more",
                file=sys.stderr,
            )
        total, done = self._total, 0
        with connected(workers, address, packages=self._code), Crew(self._player, workers) as crew:
            for (names, _), results in zip(blocks, crew.map(blocks), strict=True):
                done += results.hands.size
                progress(done, total)
                yield names, results

    def _player(self) -> Callable[[None, tuple[Names, slice]], Results]:
        """Return what a worker does: plays a block."""
        return lambda _, piece: self._block(*piece)

    @property
    def _code(self) -> list[str]:
        """The packages that must be the same on every node: this one and those of the agents."""
        modules = (
            agent.partition(":")[0]
            if isinstance(agent, str) and is_import_string(agent)
            else type(agent).__module__
            for agent in self._agents.values()
        )
        tops = {module.partition(".")[0] for module in modules}
        return ["rummy_env", *sorted(tops - {"rummy_env", "builtins", "__main__"})]

    def _blocks(self) -> Iterator[tuple[Names, slice]]:
        """Every block of deals at every table; at each look, all tables have played as many."""
        most_games = max(seatings.shape[1] for seatings in self.tables.values())
        deals_at_once = max(1, self._chunk // most_games)
        for before, look in pairwise((0, *self._looks)):
            for start in range(before, look, deals_at_once):
                for names in self.tables:
                    yield names, slice(start, min(start + deals_at_once, look))

    def _block(
        self,
        names: Names,
        block: slice,
        played: Callable[[int], object] = lambda games: None,
        record: RecordPath | None = None,
    ) -> Results:
        """Play some deals at one table."""
        players = [self._agents[name] for name in names]
        deals = self.tables[names][block], self._seeds[block]
        return self._play(
            self._rules,
            players,
            *deals,
            played=played,
            luck=self._luck,
            record=record,
            names=names,
        )

    def is_clear(self, finished: Mapping[Names, Sequence[Results]]) -> bool:
        """Whether every pair has been told apart, at this look or an earlier one."""
        counts = {sum(block.deals for block in blocks) for blocks in finished.values()}
        if len(counts) > 1 or counts.isdisjoint(self._looks):
            return False
        looks, measure = len(self._looks), self.measure
        for pair in [*self._unclear]:
            results = joined(finished[pair])
            if comparison.summed_up(pair, results, measure, looks=looks).clear:
                self._unclear.remove(pair)
        return not self._unclear

    def sum_up(self, finished: Mapping[Names, Sequence[Results]], trouble: str) -> Comparison:
        """Return the findings from the blocks of deals that each table has finished."""
        deals, measure, looks = _deals_of_all(finished), self.measure, len(self._looks)
        met = {names: taken(joined(some), slice(deals)) for names, some in finished.items() if some}
        pairs = {(names[0], names[1]): games for names, games in met.items() if len(names) == 2}
        everybody = tuple(self._agents)
        round_table = met.get(everybody) if len(everybody) > 2 else None
        return Comparison(
            rules=self._rules,
            agents=everybody,
            described=self._described,
            seed=self._seed,
            deals=deals,
            most_deals=self._looks[-1],
            complete=len(met) == len(finished) and (deals == self._looks[-1] or not self._unclear),
            looks=looks,
            luck_adjusted=self._luck is not None,
            standings=comparison.standings(pairs, self._seed, measure, looks),
            duels=tuple(comparison.summed_up(two, met[two], measure, looks=looks) for two in pairs),
            round_table=comparison.table_of_all(everybody, round_table, measure, looks),
            trouble=trouble,
        )


def _deals_of_all(finished: Mapping[Names, Sequence[Results]]) -> int:
    """Return the number of deals finished by every table that has finished any."""
    counts = (sum(block.deals for block in blocks) for blocks in finished.values() if blocks)
    return min(counts, default=0)
