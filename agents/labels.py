"""Labels from search: what each move was worth in positions of games, and targets to learn from.

    games = positions(rules, model, 1000, seed=1)
    found = label(Search(model, worlds=64, drop=math.inf), rules, games)
    targets = soft_targets(model_probabilities, found, spread=1.0, scale=0.5)

Positions and labels are a function of (rules, policy or search, seed, index), so the work can be
divided over workers with the same results. If a network plays, this holds to the last bit for
blocks of the same positions, which are the units that are divided.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from agents.working import Hopeless, Report
from rummy_env.baselines.asking import chances_of, decide
from rummy_env.baselines.heuristics import Policy
from rummy_env.core.arrays import Float32s, Floats, Rows, Words, joined
from rummy_env.core.checks import check_number, check_range
from rummy_env.core.engine import Engine
from rummy_env.core.keys import MOST_SEED, Purpose, one_way
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import stream, uniform
from rummy_env.core.state import State
from rummy_env.search import Search
from rummy_env.workers import Crew

GAMES = 256
"""Games played side by side to draw positions from."""
BLOCK = 128
"""Positions searched side by side."""
PATIENCE = 8
"""Batches of games after which there must be at least one position per batch."""
MOST_POSITIONS = 1 << 24


@dataclass(frozen=True)
class Labels:
    """What search found about the actions in N positions.

    Attributes:
        ahead: float32[N, A], by how much each action leads the base policy's in the same worlds,
            in points, or hands won where winning alone is paid; 0 if it was not weighed.
        error: float32[N, A], the standard error of that; infinite if it was not weighed.
    """

    ahead: Float32s
    error: Float32s


def positions(
    rules: Rules, policy: Policy, count: int, *, every: int = 8, surest: float = 1.0, seed: int
) -> State:
    """Positions with a choice, from games that a policy plays against itself.

    Position i is the same whatever the count, and every choice is equally likely to be drawn.

    Args:
        rules: The rules of the games.
        policy: Plays every seat.
        count: N, the number of positions.
        every: One in this many choices is drawn.
        surest: Choices in which the policy finds one action likelier than this, 0 to 1, are passed
            over: there is little to learn where it has made up its mind.
        seed: The seed of the games and of the draws.

    Returns:
        N games, ordered by game and, within a game, by time, each as it was before the choice.

    Raises:
        ValueError: If a number makes no sense, or `surest` is below 1 for a policy without
            probabilities.
        Hopeless: If hardly any positions are found.
    """
    check_range("count", count, 1, MOST_POSITIONS)
    check_range("every", every, 1, MOST_POSITIONS)
    check_range("seed", seed, 0, MOST_SEED)
    if not 0 < surest <= 1:
        raise ValueError(f"surest={surest!r}: give a probability above 0, 1 for every choice")
    if surest < 1 and not hasattr(policy, "probabilities"):
        raise ValueError(f"surest={surest!r}: {policy!r} has no probabilities; give 1")
    found: list[State] = []
    while (drawn := sum(len(some.seed) for some in found)) < count:
        if len(found) >= PATIENCE and drawn < len(found):
            raise Hopeless(
                f"every={every!r}, surest={surest!r}: {drawn} positions in {GAMES * len(found)} "
                f"games; give a smaller every, or a greater surest"
            )
        numbers = np.arange(GAMES, dtype=np.uint64) + np.uint64(GAMES * len(found))
        words = one_way(Purpose.LABELS, np.uint64(seed), numbers, count=2)
        engine = Engine(rules, GAMES, words[:, 0])
        found.append(_drawn(engine, words[:, 1], policy, every, surest))
    return State.join(found).take(np.arange(count))


def _drawn(engine: Engine, keys: Words, policy: Any, every: int, surest: float) -> State:
    """Play games to their end, and return the positions that were drawn, game by game."""
    engine.reset()
    kept: list[State] = []
    games: list[Rows] = []
    while (rows := engine.running).size:
        mask = engine.legal_mask(rows)
        uniforms = uniform(stream(keys[rows], engine.state.decisions[rows]))
        items = ((mask.sum(axis=1) > 1) & (uniforms < 1 / every)).nonzero()[0]
        if surest < 1 and items.size:
            some = rows[items]
            view = engine.look(engine.to_move[some], some)
            chances = chances_of(policy, view, mask[items], engine.random(some))
            items = items[chances.max(axis=1) <= surest]
        games.append(rows[items])
        kept.append(engine.state.take(rows[items]))
        engine.step(decide(engine, [policy], rows), rows)
    return State.join(kept).take(np.argsort(np.concatenate(games), kind="stable"))


def label(
    search: Search,
    rules: Rules,
    games: State,
    crew: Crew | None = None,
    report: Report = lambda done: None,
) -> Labels:
    """Ask a search what the actions in N positions are worth.

    Args:
        search: The search that weighs them; its `gate` does not matter. The figures are unbiased if
            its `drop` is infinite.
        rules: The rules of the games.
        games: N positions, each with a choice, as `positions` draws them.
        crew: Workers to divide them over, made by `Labelling`; by default all is done in this
            process, with the same labels.
        report: Called as labels come in.

    Raises:
        ValueError: If what the search finds depends on the clock, or it cannot play the rules.
        WorkerError: If something goes wrong on a worker.
    """
    if search.milliseconds is not None:
        raise ValueError(
            f"milliseconds={search.milliseconds!r}: labels would depend on the clock; limit the "
            f"search by worlds alone"
        )
    search.plays(rules)
    count = len(games.seed)
    pieces = [games.take(np.arange(count)[at : at + BLOCK]) for at in range(0, count, BLOCK)]
    given, found = (search, rules), list[Labels]()
    for block in crew.map(pieces, given) if crew else map(partial(_weigh, given), pieces):
        found.append(block)
        report(len(found) / len(pieces))
    return joined(found)


@dataclass(frozen=True)
class Labelling:
    """Makes the workers of a `Crew` that label.

    Attributes:
        threads: Threads for NumPy's matrix products in each worker; the outputs of networks may
            depend on it in the last bit.
    """

    threads: int = 1

    def __call__(self) -> Callable[[tuple[Search, Rules], State], Labels]:
        """Return the function that does a worker's work."""
        threadpool_limits(self.threads)
        return _weigh


def _weigh(given: tuple[Search, Rules], games: State) -> Labels:
    """Return the labels of some positions."""
    search, rules = given
    engine = Engine(rules, len(games.seed))
    engine.lay(games)
    mask = engine.legal_mask()
    found = search.think(engine.look(engine.to_move), mask, engine.random())
    row, move = (found.actions >= 0).nonzero()
    ahead, error = np.zeros(mask.shape, np.float32), np.full(mask.shape, np.inf, np.float32)
    action = found.actions[row, move]
    ahead[row, action], error[row, action] = found.ahead[row, move], found.error[row, move]
    return Labels(ahead, error)


def soft_targets(
    prior: Floats, found: Labels, *, spread: float = 1.0, scale: float = 0.5, least: float = 0.0
) -> Float32s:
    """Probabilities to learn: the prior's, moved towards actions that were surely ahead.

    An action's lead is shrunk according to its error, to the expectation it would have if leads
    were normal with standard deviation `spread`: it is multiplied by spread² / (spread² + error²).
    The target is proportional to the prior times exp(shrunk lead / scale).

    Args:
        prior: float[N, A], the probabilities of actions beforehand; 0 for illegal ones.
        found: The labels of N positions.
        spread: By how much actions are expected to differ, in the unit of the labels; above 0.
        scale: The shrunk lead that makes an action e times as likely; above 0.
        least: Below it a lead, before it is shrunk, counts as none: a critic is too kind to actions
            that its policy does not play.

    Returns:
        float32[N, A], whose rows add up to 1.

    Raises:
        ValueError: If a number makes no sense, shapes differ, or no action of a position has a
            probability.
    """
    if not prior.shape == found.ahead.shape == found.error.shape:
        shapes = prior.shape, found.ahead.shape, found.error.shape
        raise ValueError(f"a prior and labels of shapes {shapes}: give all as [N, A]")
    if not (prior.sum(axis=1) > 0).all():
        row = int(np.argmin(prior.sum(axis=1)))
        raise ValueError(f"prior: no action of position {row} has a probability above 0: give one")
    for name, value in (("spread", spread), ("scale", scale)):
        check_number(name, value, "a number of points above 0", lambda n: 0 < n < np.inf)
    check_number("least", least, "a number of points, 0 for every lead", lambda n: 0 <= n < np.inf)
    lead = np.where(abs(found.ahead) >= least, found.ahead, 0)
    shrunk = lead * (spread**2 / (spread**2 + found.error.astype(np.float64) ** 2))
    shrunk = np.where(prior > 0, shrunk / scale, -np.inf)
    target = prior * np.exp(shrunk - shrunk.max(axis=1, keepdims=True))
    return (target / target.sum(axis=1, keepdims=True)).astype(np.float32)
