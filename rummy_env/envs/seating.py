"""Who sits at the seats that are not the learner's, and what they play."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.policies import Policy, resolve
from rummy_env.core.bits import Rows, Words
from rummy_env.core.engine import Engine
from rummy_env.core.shuffle import stream, uniform

Opponents = Policy | str | Sequence[tuple[Policy | str, float]]
"""A policy or its name; or a pool, pairs of a policy and its weight."""

_OPPONENT_STREAM = 3 << 40
"""Keeps these draws apart from those of shuffles, decisions and seats."""


@dataclass(frozen=True)
class Pool:
    """Policies, each with how often it is drawn.

    Attributes:
        policies: At least one.
        weights: How often each is drawn, in proportion; all positive.
        names: What each is called.
    """

    policies: tuple[Policy, ...]
    weights: tuple[float, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, opponents: Opponents) -> "Pool":
        """Reads opponents as users give them.

        Raises:
            ValueError: If there are none, or a weight is not a positive number.
            TypeError: If one of them is no policy.
        """
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            return cls((resolve(opponents),), (1.0,), (_name(opponents),))
        if not opponents:
            raise ValueError(f"opponents={opponents!r}: give at least one pair (policy, weight)")
        for pair in opponents:
            _check_pair(pair)
        policies, weights = zip(*opponents, strict=True)
        names = tuple(map(_name, policies))
        return cls(tuple(map(resolve, policies)), tuple(map(float, weights)), names)

    def draw(self, words: Words) -> Rows:
        """Which policy each random word draws, intp of the same shape."""
        ends = np.cumsum(self.weights)
        return np.searchsorted(ends[:-1], uniform(words) * ends[-1], side="right")


def _name(opponent: Policy | str) -> str:
    """What a policy is called: as the user did, or else by its class."""
    if isinstance(opponent, str):
        return opponent
    return (opponent if isinstance(opponent, type) else type(opponent)).__name__


def _check_pair(pair: object) -> None:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"opponents: {pair!r} is no pair (policy, weight), such as ('greedy', 1)")
    policy, weight = pair
    if not isinstance(weight, int | float | np.number) or not 0 < weight < float("inf"):
        raise ValueError(f"opponents: weight {weight!r} of {policy!r}: give a positive number")


class Seating:
    """Which policy plays each seat of each game of an engine, the learner's seat left unasked."""

    def __init__(self, engine: Engine, pool: Pool) -> None:
        self._engine = engine
        self._pool = pool
        self._policies = list(pool.policies)
        """Those of running episodes, then those of the pool."""
        self._names = list(pool.names)
        self._sitting: Rows = np.zeros((engine.num_envs, engine.rules.num_players), np.intp)
        """intp[B, P], which of the policies."""

    def replace(self, pool: Pool) -> None:
        """Draws from another pool from now on; who sits at a table remains there."""
        playing, self._sitting = np.unique(self._sitting, return_inverse=True)
        self._policies = [*(self._policies[i] for i in playing), *pool.policies]
        self._names = [*(self._names[i] for i in playing), *pool.names]
        self._pool = pool

    def draw(self, rows: Rows) -> None:
        """Draws a policy for every seat of the games, by the game's own seed."""
        seats = np.arange(self._engine.rules.num_players)
        words = stream(self._engine.seeds.take(rows)[:, None], _OPPONENT_STREAM, seats)
        first = len(self._policies) - len(self._pool.policies)
        self._sitting[rows] = first + self._pool.draw(words)

    def names(self, row: int) -> list[str]:
        """What the policies of a game are called, by seat."""
        return [self._names[i] for i in self._sitting[row]]

    def choose(self, rows: Rows) -> Rows:
        """intp[R], what the policies choose in games that wait for one of them."""
        seats = self._engine.to_move.take(rows)
        who = self._sitting[rows, seats]
        playing = np.bincount(who).nonzero()[0]
        if len(playing) == 1:
            return self._ask(int(playing[0]), seats, rows)
        actions: Rows = np.empty(len(rows), np.intp)
        for index in playing:
            items = (who == index).nonzero()[0]
            actions[items] = self._ask(int(index), seats.take(items), rows.take(items))
        return actions

    def _ask(self, index: int, seats: npt.NDArray[np.int8], rows: Rows) -> Rows:
        """intp[R], what one of the policies chooses."""
        engine, policy = self._engine, self._policies[index]
        chosen = policy.act(engine.look(seats, rows), engine.legal_mask(rows), engine.random(rows))
        return _as_choice(policy, chosen, len(rows))


def _as_choice(policy: Policy, chosen: npt.ArrayLike, count: int) -> Rows:
    actions = np.asarray(chosen)
    if actions.shape != (count,) or actions.dtype.kind not in "ui":
        raise ValueError(
            f"{policy!r} chose actions of shape {actions.shape} and dtype {actions.dtype}: "
            f"a policy gives one whole number a game, shape ({count},)"
        )
    return actions.astype(np.intp, copy=False)
