"""What search adds to the policy that it starts from: `python -m benchmarks.search`.

Two agents that differ in one decision of a hundred need more deals to be told apart than a search
can play. So the base policy plays both seats, some of its decisions are drawn at random, and there
the search's choice and the base policy's are played out again, on the very table: with the cards
that the other seat holds, in stocks that are shuffled anew. The mean difference, times the
decisions of a seat and hand, is what the search's moves bring, each by itself, the base policy
playing on. Two moves that do the same good are counted twice, so a duel may tell of less.

A search goes by rounds, each with as many worlds as all before it; what it would play is noted
after every one, so that one run tells what it adds at every budget.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rich
import rich.table

import rummy_env
from agents.labels import positions
from benchmarks import kept
from benchmarks.flags import asked
from benchmarks.search_chart import draw
from rummy_env import Engine, Rules
from rummy_env.baselines import Policy, resolve
from rummy_env.baselines.asking import decide
from rummy_env.baselines.policies import name_of
from rummy_env.command_line import plain_errors
from rummy_env.core.arrays import Floats, Rows, Words
from rummy_env.core.cards import NO_CARD
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import shuffled_at, stream
from rummy_env.core.state import State
from rummy_env.evaluation.statistics import Estimate
from rummy_env.evaluation.words import points
from rummy_env.search import play_out
from rummy_env.search.planner import Leaf, Search, Thoughts
from rummy_env.search.race import played_by_round

EVERY = 32
"""One choice in so many is searched."""
SIDE_BY_SIDE = 64
"""Decisions that are searched at once."""
GAMES = 1000
"""Games in which choices are counted."""


@dataclass(frozen=True)
class Settings:
    """Measures what search adds to a base policy between two players, in points per hand.

    Attributes:
        variant: The variant, with its usual options.
        base: The policy that search starts from and plays hands out with.
        worlds: Worlds of the largest budget; the smaller ones double from 8.
        gates: Standard errors by which a move has to be ahead.
        beliefs: Whether worlds follow what the other seat has taken, thrown away and left.
        candidates: The most moves that are weighed, where the base policy has probabilities.
        min_probability: The least probability of a move that is weighed.
        leaf: How far moves are tried out: to the end of the hand, or to the viewer's next choice,
            the rest being the value that the base policy's critic finds.
        positions: How many decisions are searched.
        truth: Stocks on which the moves are compared.
        seed: The seed of it all.
        out: Folder for VARIANT-BASE-LEAF.json.
    """

    variant: str = "basic"
    base: str = "strong"
    worlds: int = 1024
    gates: tuple[float, ...] = (0.0, 0.5, 1.0, 1.5, 2.0)
    beliefs: bool = True
    candidates: int = 8
    min_probability: float = 0.0
    leaf: Leaf = "end"
    positions: int = 512
    truth: int = 128
    seed: int = 1
    out: Path | None = None


@dataclass(frozen=True)
class Budget:
    """What search adds to its base with so many worlds at most.

    Attributes:
        worlds: The most in which a move is tried out.
        milliseconds: Of a processor, a decision.
        changed: By gate, the share of decisions in which another move is played.
        added: By gate, points per hand.
    """

    worlds: int
    milliseconds: float
    changed: tuple[float, ...]
    added: tuple[Estimate, ...]


@dataclass(frozen=True)
class Curve:
    """What search adds to a base policy, budget by budget.

    Attributes:
        variant: The game.
        base: The policy.
        leaf: How far moves are tried out.
        gates: Standard errors by which a move has to be ahead.
        searched: Decisions that were searched.
        choices: Decisions with a choice, of a seat and hand.
        budgets: From the smallest.
    """

    variant: str
    base: str
    leaf: Leaf
    gates: tuple[float, ...]
    searched: int
    choices: float
    budgets: tuple[Budget, ...]


@dataclass(frozen=True)
class Found:
    """What a search of N decisions had found after each of R rounds.

    Attributes:
        own: intp[N], the base policy's moves.
        leading: intp[R, N], the moves that are furthest ahead of those, or they themselves.
        sure: float[R, N], the standard errors by which they are ahead; 0 for the base policy's own.
        seconds: float[R], of a processor, all decisions together.
    """

    own: Rows
    leading: Rows
    sure: Floats
    seconds: Floats


def choices(rules: Rules, base: Policy, seed: int) -> float:
    """Return the decisions with a choice that a seat has in a hand, on average."""
    engine, count = Engine(rules, GAMES, seed), 0
    engine.reset()
    while (rows := engine.running).size:
        count += int((engine.legal_mask(rows).sum(axis=1) > 1).sum())
        engine.step(decide(engine, [base], rows), rows)
    return count / GAMES / rules.num_players


def search_through(search: Search, tables: Engine) -> Found:
    """Search decisions; a search that ends early has found all that it will."""
    began, rounds = time.process_time(), []
    view, masks = tables.look(tables.to_move), tables.legal_mask()
    for thoughts in search.thinking(view, masks, tables.random()):
        leading, sure = leaders(thoughts)
        rounds.append((leading, sure, time.process_time() - began))
    rounds = rounds[1:] or rounds  # what is known before any world counts where nothing is asked
    rounds += rounds[-1:] * (len(played_by_round(search.worlds)) - len(rounds))
    moves, sure, seconds = (np.array(each) for each in zip(*rounds, strict=True))
    return Found(thoughts.actions[:, 0], moves, sure, seconds)


def leaders(found: Thoughts) -> tuple[Rows, Floats]:
    """Return the action that is furthest ahead of the base policy's, or that one itself, intp[N].

    And the standard errors by which it is ahead, float[N]; 0 for the base policy's own.
    """
    rows = np.arange(len(found.choice))
    best = found.leading
    error = np.maximum(found.error[rows, best], 1e-9)
    return found.actions[rows, best], np.where(best > 0, found.ahead[rows, best] / error, 0.0)


def gains(base: Policy, tables: Engine, found: Found, stocks: int, seed: int) -> Floats:
    """float[R, N], what the moves that lead bring beside the base policy's, on the true tables.

    All are played out, the base policy's too, in the same newly shuffled stocks.
    """
    rows = np.arange(tables.num_envs)
    wanted = np.zeros_like(tables.legal_mask())
    wanted[rows, found.leading] = wanted[rows, found.own] = True
    position, move = (wanted & (wanted.sum(axis=1) > 1)[:, None]).nonzero()
    brought = np.zeros(wanted.shape)
    if position.size:
        items, number = position.repeat(stocks), np.tile(np.arange(stocks), len(position))
        games = Engine(tables.rules, len(items))
        seeds = stream(game_seeds(seed, len(rows))[items], number)
        games.lay(restocked(tables.state.take(items), seeds))
        ahead = play_out(games, base, move.repeat(stocks))
        mine = ahead[np.arange(len(items)), tables.to_move[items]]
        brought[position, move] = mine.reshape(-1, stocks).mean(axis=1)
    return brought[rows, found.leading] - brought[rows, found.own]


def restocked(tables: State, seeds: Words) -> State:
    """Shuffle the stocks of tables, of a seed each, uint64[N], where their order is not known."""
    columns = np.arange(tables.stock.shape[1], dtype=np.uint8)
    begin, end = tables.stock_at[:, None], tables.stock_end[:, None]
    places = np.where((columns >= begin) & (columns < end), columns, NO_CARD).astype(np.uint8)
    cards = shuffled_at(seeds, places, tables.stock)
    at = np.where(places == NO_CARD, 0, columns - begin)
    laid = np.where(places == NO_CARD, tables.stock, np.take_along_axis(cards, at, axis=1))
    tables.stock[:] = np.where(tables.stock_open[:, None], tables.stock, laid)
    tables.seed[:] = seeds
    return tables


def searching(base: Policy, given: Settings) -> Search:
    """Return the search that is measured."""
    names = ("worlds", "beliefs", "candidates", "min_probability", "leaf")
    options: dict[str, Any] = {name: getattr(given, name) for name in names}
    return Search(base, gate=0.0, **options)


def measure(given: Settings) -> Curve:
    """Return what search adds with every budget."""
    rules = rummy_env.rules(given.variant)
    base = resolve(given.base, rules)
    search = searching(base, given)
    drawn = positions(rules, base, given.positions, every=EVERY, seed=given.seed)
    sure, gain, seconds = [], [], np.zeros(len(played_by_round(given.worlds)))
    for start in range(0, given.positions, SIDE_BY_SIDE):
        some = drawn.take(np.arange(given.positions)[start : start + SIDE_BY_SIDE])
        tables = Engine(rules, len(some.seed))
        tables.lay(some)
        found = search_through(search, tables)
        sure.append(found.sure)
        gain.append(gains(base, tables, found, given.truth, given.seed + start))
        seconds += found.seconds
    per_hand = choices(rules, base, given.seed)
    z, won = np.concatenate(sure, axis=1), per_hand * np.concatenate(gain, axis=1)
    rounds = []
    for number, worlds in enumerate(played_by_round(given.worlds)):
        added = [np.where(z[number] > gate, won[number], 0.0) for gate in given.gates]
        changed = tuple(float((z[number] > gate).mean()) for gate in given.gates)
        spent = 1000 * float(seconds[number]) / given.positions
        rounds.append(Budget(worlds, spent, changed, tuple(map(_mean, added))))
    name = given.variant, given.base, given.leaf
    return Curve(*name, given.gates, given.positions, per_hand, tuple(rounds))


def _mean(values: Floats) -> Estimate:
    """Return the mean and its 95 % interval, as of many values that are independent."""
    middle, half = float(values.mean()), float(1.96 * values.std() / len(values) ** 0.5)
    return Estimate(middle, middle - half, middle + half)


def read(facts: dict[str, Any]) -> Curve:
    """Return a curve as it was written."""
    rounds = tuple(
        Budget(
            each["worlds"],
            each["milliseconds"],
            tuple(each["changed"]),
            tuple(Estimate(**one) for one in each["added"]),
        )
        for each in facts["budgets"]
    )
    return Curve(**{**facts, "gates": tuple(facts["gates"]), "budgets": rounds})


def curves(folder: Path) -> list[Curve]:
    """All curves of a folder."""
    return [read(each) for path in sorted(folder.glob("*.json")) for each in kept.read(path)]


def write(curve: Curve, folder: Path) -> None:
    """Write VARIANT-BASE-LEAF.json, and search.png of all curves of the folder."""
    base = name_of(curve.base).replace("/", "-")
    name = f"{curve.variant}-{base}-{curve.leaf}.json"
    kept.write(folder / name, "benchmarks.search", [curve])
    draw(curves(folder), folder / "search.png")


def show(curve: Curve) -> None:
    """Print a curve."""
    title = (
        f"{curve.variant}, {curve.base}, to the {curve.leaf}: "
        f"points per hand added, by standard errors ahead ({curve.searched} decisions)"
    )
    table = rich.table.Table("worlds", "ms", *map("{:g}".format, curve.gates), title=title)
    for budget in curve.budgets:
        cells = (
            f"{points(added)} ({changed:.1%})"
            for added, changed in zip(budget.added, budget.changed, strict=True)
        )
        table.add_row(str(budget.worlds), f"{budget.milliseconds:.1f}", *cells)
    rich.print(table)


@plain_errors()
def main() -> None:
    """Run the command."""
    given = asked(Settings, "benchmarks.search")
    curve = measure(given)
    show(curve)
    if given.out is not None:
        write(curve, given.out)


if __name__ == "__main__":
    main()
