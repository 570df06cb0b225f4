"""Paired playouts: by how much a heuristic's moves are better than others, on the same tables.

    batch = next(pairs(rules, model, seed=1))

A choice in a game that a heuristic plays against itself is tried out on two copies of the table:
one goes on with the heuristic's own move, one with another. Both hands are played to their end by
the heuristic, with the same cards to come. The difference of the results is mostly luck, but right
on average, because the others hold what they really held. So a network that learns it from millions
of choices, one pair of playouts each, finds out where another move is better.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from agents.labels import Hopeless, batches
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.policies import resolve
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Bools, Float32s, Floats, Rows
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.search import play_out
from rummy_env.views.features import Features

GAMES = 2048
"""Games whose choices make a batch."""
EVERY = 2
"""One choice in so many is tried out."""
SOFTNESS = 1.5
"""The other move is drawn by the model's odds to the power of 1 / `SOFTNESS`: near ties are to be
told apart ..."""
ANY = 0.1
"""... but for this share of the choices, where it is any legal one: the rest must stay known."""


@dataclass(frozen=True)
class Pairs:
    """N choices, each with two moves and what became of them.

    Attributes:
        seen: int8[N, F + A], what the model observes, its adviser's move included.
        own: intp[N], the adviser's move.
        other: intp[N], the other move.
        gained: float32[N], by how much the own move brought more: in the points, or hands won, by
            which the mover led the others at the end.
        num_actions: A.
    """

    seen: Features
    own: Rows
    other: Rows
    gained: Float32s

    num_actions: int

    def __len__(self) -> int:
        return len(self.own)

    def until(self, count: int) -> "Pairs":
        """Return the first pairs only."""
        some = slice(count)
        return Pairs(
            self.seen[some], self.own[some], self.other[some], self.gained[some], self.num_actions
        )


def adviser_of(model: SavedPolicy, rules: Rules) -> Policy:
    """Return the heuristic that advises a model.

    Raises:
        ValueError: If none does, or the model is for other rules.
    """
    model.plays(rules)
    name = model.card.network.adviser
    if not name:
        raise ValueError(f"{model.path} has no adviser, whose moves could be tried out")
    return resolve(name, rules)


def pairs(rules: Rules, model: SavedPolicy, *, seed: int) -> Iterator[Pairs]:
    """Yield pairs without end, in batches of the choices of `GAMES` games.

    Args:
        rules: The rules of the games.
        model: Tells which other moves are likely; its adviser plays.
        seed: The seed of the games and of the moves; batch i is the same whatever comes after it.

    Raises:
        ValueError: As for `adviser_of`, or if a number makes no sense.
        Hopeless: If there is nothing to choose in a batch of games.
    """
    adviser = adviser_of(model, rules)
    drawn = batches(rules, adviser, games=GAMES, every=EVERY, seed=seed)
    for number, tables in enumerate(drawn):
        if not len(tables.seed):
            raise Hopeless(f"{rules!r}: nothing to choose in {GAMES:,} games")
        yield _tried(rules, model, adviser, tables, np.random.default_rng([seed, number]))


def _tried(
    rules: Rules, model: SavedPolicy, adviser: Policy, tables: State, rng: np.random.Generator
) -> Pairs:
    """Return the choices at these tables with what became of them."""
    count = len(tables.seed)
    engine = Engine(rules, 2 * count)
    engine.lay(tables.take(np.tile(np.arange(count), 2)))
    rows = np.arange(count)
    movers, masks = engine.to_move[rows].astype(np.intp), engine.legal_mask(rows)
    seen = model.observe(engine.look(movers, rows), masks, engine.random(rows))
    own: Rows = seen[:, -masks.shape[1] :].argmax(axis=1)
    other = _others(model.probabilities_by(seen, masks), masks, own, rng)
    ahead = play_out(engine, adviser, np.concatenate([own, other]))
    ahead = ahead[np.arange(2 * count), np.tile(movers, 2)]
    return Pairs(seen, own, other, ahead[:count] - ahead[count:], masks.shape[1])


def _others(odds: Floats, masks: Bools, own: Rows, rng: np.random.Generator) -> Rows:
    """Draw another legal move than a policy's own for each choice."""
    alternatives = masks.copy()
    alternatives[np.arange(len(own)), own] = False
    likely = np.where(alternatives, np.maximum(odds, 1e-30) ** (1 / SOFTNESS), 0)
    even = rng.random(len(own)) < ANY
    weights = np.where(even[:, None], alternatives, likely).cumsum(axis=1)
    drawn = rng.random(len(own)) * weights[:, -1]
    return (weights <= drawn[:, None]).sum(axis=1)
