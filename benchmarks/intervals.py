"""How often the intervals of a comparison hold the truth: `python -m benchmarks.intervals`.

Many deals that agents have played stand for all deals there are. From these a comparison of a few
is drawn again and again, and its 95 % intervals are held against the mean of all, beside the plain
t intervals of the same deals.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy import stats

import rummy_env
from benchmarks import kept
from benchmarks.flags import asked
from rummy_env import Rules
from rummy_env.baselines import Random, Strong, resolve
from rummy_env.command_line import plain_errors
from rummy_env.core.arrays import Bools, Float64s, Rows, joined, taken
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.evaluation import arena
from rummy_env.evaluation.arena import Results
from rummy_env.evaluation.comparison import Deals
from rummy_env.evaluation.markdown import pipe_table
from rummy_env.evaluation.statistics import CONFIDENCE, Estimate, mean, rate
from rummy_env.files import write_whole

AT_ONCE = 1000


@dataclass(frozen=True)
class Settings:
    """Measures the coverage of the intervals, and writes a table.

    Attributes:
        out: The folder of the page, intervals.md.
        played: Deals that every pair of agents plays.
        deals: Deals of a comparison.
        draws: Comparisons drawn of each number of deals.
    """

    out: Path = Path("docs/results")
    played: int = 4000
    deals: tuple[int, ...] = (10, 30, 100, 500, 2000)
    draws: int = 1000


class Slips:
    """Plays as `Strong`, but at one decision in 200 anything legal: most deals tie."""

    def __init__(self) -> None:
        self._strong, self._random = Strong(), Random()

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        slips = rng.random() < 1 / 200
        anything = self._random.act(view, mask, rng)
        return np.where(slips, anything, self._strong.act(view, mask, rng))


Figure = tuple[Float64s, Estimate]
"""The values of the deals, float64[D], and the mean of all with its interval."""


@dataclass(frozen=True)
class Population:
    """All deals there are, of which comparisons are drawn.

    Attributes:
        name: What was played.
        size: The number of deals.
        figures: The figures of some of the deals, intp[D], by name.
    """

    name: str
    size: int
    figures: Callable[[Rows], dict[str, Figure]]


PAIRS: Sequence[tuple[Rules, str, str | type[Slips]]] = (
    (rummy_env.rules("basic"), "greedy", "strong"),
    (rummy_env.rules("basic", num_players=4), "greedy", "strong"),
    (rummy_env.rules("going_out"), "greedy", "strong"),
    (rummy_env.rules("rummy_cards"), "greedy", "strong"),
    (rummy_env.rules("gin"), "greedy", "strong"),
    (rummy_env.rules("gin"), "camper", "simple"),
    (rummy_env.rules("basic"), "strong", Slips),
    (rummy_env.rules("rummy_cards"), "strong", Slips),
    (rummy_env.rules("gin"), "strong", Slips),
)


def played(rules: Rules, first: str, second: str | type[Slips], deals: int) -> Population:
    """Return the deals of two agents."""
    agents = [resolve(agent, rules) for agent in (first, second)]
    seatings, seeds = arena.head_to_head(rules.num_players, deals), game_seeds(1, deals)
    parts = [slice(start, start + AT_ONCE) for start in range(0, deals, AT_ONCE)]
    blocks = [arena.play(rules, agents, seatings[part], seeds[part]) for part in parts]
    other = second if isinstance(second, str) else second.__name__
    name = f"{rules.name}, {rules.num_players} players, {first} : {other}"
    return Population(name, deals, partial(_figures, joined(blocks)))


def _figures(results: Results, rows: Rows) -> dict[str, Figure]:
    """Return what a comparison says of the first agent by some of the deals alone."""
    drawn = taken(results, rows)
    own, others = Deals(drawn, 0), Deals(drawn, 1)
    lead = own.points - others.points
    return {
        "lead": (lead, mean(lead, 2 * own.reach)),
        "points": (own.points, mean(own.points, own.reach)),
        "hands won": (own.hand_wins, rate(own.hand_wins)),
    }


def lost_together(players: int, few: int, deals: int) -> Population:
    """Make up deals that go the same way in all their games: one in `few` is lost, others tie."""
    seatings = arena.head_to_head(players, deals)
    lost = (np.arange(deals) % few == 0)[:, None, None] & (seatings == 0)
    luck = np.random.default_rng(1).random((deals, 1, players))  # the same in all games of a deal
    winners = np.where(lost, -1.0, luck).argmax(axis=2)
    won = np.eye(players)[winners]
    hands = np.ones(winners.shape, np.int64)
    results = Results(seatings, hands, hands, 0 * hands, won.astype(int), 0 * won, won, won)
    name = f"{players} players, 1 deal in {few} lost in all seats, the others tied"
    return Population(name, deals, partial(_figures, results))


def made_up(deals: int) -> Iterator[Population]:
    """Make up deals of which few pay, or are not shared, or are lost in all seats."""
    rng = np.random.default_rng(1)
    points = {"0": np.zeros(deals), "-2 to 2": rng.integers(-2, 3, deals).astype(float)}
    for few in (50, 200):
        pays = np.arange(deals) % few == 0
        for others, rest in points.items():
            name = f"1 deal in {few} pays 50, the others {others}"
            yield Population(name, deals, partial(_points, np.where(pays, 50.0, rest)))
        for share, usual in ("shared", 0.5), ("lost", 0.0):
            name = f"1 deal in {few} won, the others {share}"
            yield Population(name, deals, partial(_shares, np.where(pays, 1.0, usual)))
        yield from (lost_together(players, few, deals) for players in (2, 4, 6))


def _points(values: Float64s, rows: Rows) -> dict[str, Figure]:
    return {"lead": (values[rows], mean(values[rows], reach=50.0))}


def _shares(values: Float64s, rows: Rows) -> dict[str, Figure]:
    return {"hands won": (values[rows], rate(values[rows]))}


def coverage(population: Population, deals: int, draws: int) -> dict[str, str]:
    """Of each figure: coverage of the t interval and of ours, in per cent, and their widths."""
    rng, truth = np.random.default_rng(deals), population.figures(np.arange(population.size))
    held: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in truth}
    for _ in range(draws):
        rows = rng.integers(population.size, size=deals)
        for name, (values, found) in population.figures(rows).items():
            true = truth[name][1].value
            half = stats.t.ppf((1 + CONFIDENCE) / 2, deals - 1) * values.std(ddof=1) / deals**0.5
            before = abs(found.value - true) <= half + 1e-12
            held[name].append((before, found.low <= true <= found.high, 2 * half, _width(found)))
    return {name: _cell(np.array(lines)) for name, lines in held.items()}


def _width(found: Estimate) -> float:
    return found.high - found.low


def _cell(lines: Float64s) -> str:
    before, after, narrow, wide = lines.mean(axis=0)
    times = f"{wide / narrow:.2f}" if narrow else "∞"
    return f"{100 * before:.1f} → {100 * after:.1f}, {times}"


def page(settings: Settings) -> str:
    """Return the table, as a page."""
    columns = ["deals", "figure", *(f"{deals:,} drawn" for deals in settings.deals)]
    rows: list[list[str]] = []
    real = (played(*pair, settings.played) for pair in PAIRS)
    for population in (*made_up(settings.played), *real):
        cells = [coverage(population, deals, settings.draws) for deals in settings.deals]
        rows += [[population.name, name, *(cell[name] for cell in cells)] for name in cells[0]]
    table = pipe_table(columns, rows, figures=len(settings.deals))
    command = kept.command("benchmarks.intervals")
    error = 100 * (0.95 * 0.05 / settings.draws) ** 0.5
    return (
        "# How often 95 % intervals hold the truth\n\n"
        f"Of {settings.played:,} deals that were played (or made up), some are drawn, "
        f"{settings.draws:,} times over. A cell has the share of the plain t intervals that hold "
        "the mean of all deals, in per cent; after the arrow that of the intervals of reports; "
        "and how many times as wide these are, on average. Lead and points are those of a hand, "
        "of the first agent. `Slips` plays as strong, but at one decision in 200 anything legal. "
        f"The standard error of a coverage of 95 % is {error:.1f} %.\n\n"
        f"```\n{command}\n```\n\n"
        f"{table}\n"
    )


@plain_errors()
def main() -> None:
    """Run the command."""
    settings = asked(Settings, "benchmarks.intervals")
    write_whole(settings.out / "intervals.md", page(settings).encode())


if __name__ == "__main__":
    main()
