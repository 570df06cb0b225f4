"""Tournaments: every pair of agents plays the same deals, each deal in all seatings.

Where there are as many agents as seats, at three seats or more, they also sit at one table
together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from rummy_env.baselines.policies import Named, Policy, resolve
from rummy_env.core.bits import Rows, Words
from rummy_env.core.checks import check_range
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import game_seeds
from rummy_env.evaluation import arena, comparison
from rummy_env.evaluation.arena import Results
from rummy_env.evaluation.comparison import Comparison, Duel
from rummy_env.evaluation.statistics import MIN_DEALS, check_deals
from rummy_env.parts.match import SingleHand
from rummy_env.variants import rules as rules_of

CHUNK, MOST_GAMES = 16_384, 1_000_000
MOST_SEED = (1 << 64) - 1
Names = tuple[str, ...]
Watcher = Callable[[int, int], object]
"""Called with the number of games finished so far, and of all games."""


def compare(
    rules: str | Rules,
    agents: Mapping[str, Named],
    *,
    deals: int = 2000,
    seed: int = 1,
    chunk: int = CHUNK,
    progress: Watcher = lambda done, total: None,
    record: Path | None = None,
) -> Comparison:
    """Compares agents, every pair of them.

    Args:
        rules: Complete rules, or a variant's name.
        agents: Two or more, by name; each as for `rummy_env.baselines.resolve`.
        deals: Deals of every pair.
        seed: The seed of the deals.
        chunk: Games on the tables at once; the results do not depend on it.
        progress: Called as games finish.
        record: File to append a record of every game to.

    Returns:
        The findings. After Ctrl-C they are not `complete`: they cover the deals that all pairs had
        finished; in the first block of deals, the pairs that had finished it.

    Raises:
        ValueError: If agents, deals or games at once are too few, an agent cannot play the rules,
            or the games cannot be recorded.
        OSError: If the file cannot be written.
        KeyboardInterrupt: If nothing was finished by then.
    """
    rules = rules_of(rules)
    check_request(len(agents), deals, seed, chunk)
    policies = {name: resolve(agent, rules) for name, agent in agents.items()}
    tables = _tables(list(agents), rules.num_players, deals)
    finished: dict[Names, list[Results]] = {names: [] for names in tables}
    try:
        for names, results in _play(
            rules, policies, tables, game_seeds(seed, deals), chunk, progress, record
        ):
            finished[names].append(results)
    except KeyboardInterrupt:
        if _deals_of_all(finished) < MIN_DEALS:
            raise
    return _sum_up(rules, tuple(agents), finished, deals, seed)


def duel(
    rules: str | Rules,
    policy: Named,
    opponent: Named,
    *,
    deals: int,
    seed: int,
    chunk: int = CHUNK,
) -> Duel:
    """Plays just two agents, named "policy" and "opponent", as for an evaluation in training.

    The other arguments, and the errors, are those of `compare`.
    """
    rules = rules_of(rules)
    check_request(2, deals, seed, chunk)
    agents = {"policy": resolve(policy, rules), "opponent": resolve(opponent, rules)}
    tables = _tables(list(agents), rules.num_players, deals)
    played = _play(rules, agents, tables, game_seeds(seed, deals), chunk, lambda done, total: None)
    results = arena.join([results for _, results in played])
    return comparison.duel(("policy", "opponent"), results, matches=_is_match(rules))


def check_request(agents: int, deals: int, seed: int, chunk: int) -> None:
    """Refuses a comparison that cannot be played."""
    if agents < 2:
        raise ValueError(f"agents: {agents} given; a comparison takes two or more")
    check_deals(deals)
    check_range("seed", seed, 0, MOST_SEED)
    check_range("chunk", chunk, 1, MOST_GAMES)


def _tables(names: Sequence[str], seats: int, deals: int) -> Mapping[Names, Rows]:
    """The seatings of every pair, and of all agents at once where these fill a table."""
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
            given = (rules, players, seatings[block], seeds[block], watch)
            yield names, arena.play(*given, record=record, names=names)


def _deals_of_all(finished: Mapping[Names, Sequence[Results]]) -> int:
    """The number of deals finished by every table that has finished any."""
    counts = (sum(block.deals for block in blocks) for blocks in finished.values() if blocks)
    return min(counts, default=0)


def _is_match(rules: Rules) -> bool:
    """True if an episode is a match of several hands."""
    return not isinstance(rules.episode, SingleHand)


def _sum_up(
    rules: Rules,
    agents: tuple[str, ...],
    finished: Mapping[Names, Sequence[Results]],
    deals: int,
    seed: int,
) -> Comparison:
    played, matches = _deals_of_all(finished), _is_match(rules)
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
        standings=comparison.standings(pairs, seed, matches=matches),
        duels=tuple(comparison.duel(pair, games, matches=matches) for pair, games in pairs.items()),
        round_table=tables[0] if tables else (),
    )
