"""Opponents: the policies in the seats that are not the learner's, drawn or assigned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from rummy_env.baselines.asking import choices
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.isolated import Isolated, end_processes
from rummy_env.baselines.policies import Named, name_of, resolve
from rummy_env.core.arrays import Array, Rows, Words
from rummy_env.core.checks import check_flag, check_number, shown
from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.core.keys import Purpose, one_way
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import uniform

Opponents = Named | Sequence[Named | tuple[Named, float]]
"""A policy or its name; pairs of one and a weight, from which every seat draws in every episode; or
a list with one for each of the other seats, clockwise from the learner."""

LEARNER = "learner"
"""The name of the learner in records."""


@dataclass(frozen=True)
class Pool:
    """Policies for the other seats, at least one, and the weights by which they are drawn.

    The weights are positive; there are none if each policy has its own seat, clockwise from the
    learner. Isolated policies that are drawn appear once for each of the other seats, copies side
    by side, so that no process sees two seats of a game.
    """

    policies: tuple[Policy, ...]
    names: tuple[str, ...]
    weights: tuple[float, ...]
    copies: int = 1
    """How often each policy appears: once, or once for each of the other seats."""
    started: tuple[Policy, ...] = ()
    """The isolated policies that were started for this pool, and end with it."""

    @classmethod
    def of(cls, opponents: Opponents, rules: Rules, *, isolate: bool = False) -> "Pool":
        """Make a pool of opponents in the form that users give them.

        Raises:
            ValueError: If there are none, there is not one for each of the other seats, a weight is
                not a positive number, one of them cannot play the rules, or `isolate` is no flag.
            TypeError: If one of them is not a policy.
        """
        check_flag("isolate", isolate)
        given: Sequence[Any] = (opponents,)
        weights: Sequence[float] = (1.0,)
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            given, weights = _listed(opponents, rules.num_players - 1)
        copies = rules.num_players - 1 if isolate and weights else 1
        given = [policy for policy in given for _ in range(copies)]
        load: Callable[[Named, Rules], Policy] = Isolated if isolate else resolve
        policies: list[Policy] = []
        try:
            policies.extend(load(policy, rules) for policy in given)
        except BaseException:
            end_processes(policies if isolate else ())
            raise
        names = tuple(map(name_of, given))
        started = tuple(policies) if isolate else ()
        return cls(tuple(policies), names, tuple(map(float, weights)), copies, started)

    def sample(self, words: Words) -> Rows:
        """intp[R, P - 1], the policies of the other seats, clockwise from the learner, by number.

        They are drawn by random `words`, uint64[R, P - 1].
        """
        if not self.weights:
            return np.broadcast_to(np.arange(len(self.policies)), words.shape)
        ends = np.cumsum(np.divide(self.weights, max(self.weights)))  # whose sum is finite
        drawn = np.searchsorted(ends[:-1], uniform(words) * ends[-1], side="right")
        return drawn * self.copies + np.arange(words.shape[1]) % self.copies


def _listed(opponents: Sequence[Any], seats: int) -> tuple[Sequence[Any], Sequence[float]]:
    """Return the policies and weights of a list of either form; no weights if one per seat."""
    if any(isinstance(entry, tuple | list | int | float) for entry in opponents):
        for pair in opponents:
            _check_pair(pair)
        policies, weights = zip(*opponents, strict=True)
        return policies, weights
    if len(opponents) != seats:
        raise ValueError(
            f"opponents={shown(opponents)}: {len(opponents)} given for {seats} other seats; give "
            f"one for each, clockwise from the learner, or pairs (policy, weight) to draw from"
        )
    return opponents, ()


def _check_pair(pair: object) -> None:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(
            f"opponents: {shown(pair)} is no pair (policy, weight), such as ('greedy', 1)"
        )
    policy, weight = pair
    what = f"opponents: weight of {policy!r}"
    check_number(what, weight, "a positive number", lambda given: 0 < given < inf)


class Seating:
    """The policy in each seat of each game of an engine; the learner's seat is never asked."""

    def __init__(self, engine: Engine, pool: Pool) -> None:
        self._engine = engine
        self._pool = pool
        self._policies = list(pool.policies)
        """Those of running episodes, then those of the pool."""
        self._started = list(pool.started)
        self._names = list(pool.names)
        self._sitting: Rows = np.zeros((engine.num_envs, engine.rules.num_players), np.intp)
        """intp[B, P], numbers of the policies."""

    def replace(self, pool: Pool) -> None:
        """Draw from another pool from now on; running episodes keep their policies."""
        playing, self._sitting = np.unique(self._sitting, return_inverse=True)
        kept = {id(self._policies[i]) for i in playing}
        end_processes(policy for policy in self._started if id(policy) not in kept)
        self._started = [policy for policy in self._started if id(policy) in kept]
        self._started += pool.started
        self._policies = [*(self._policies[i] for i in playing), *pool.policies]
        self._names = [*(self._names[i] for i in playing), *pool.names]
        self._pool = pool

    def sample(self, rows: Rows, learners: Rows) -> None:
        """Seat a policy in every other seat of the games, intp[R], by each game's own seed.

        `learners`, intp[R], are the learner's seats.
        """
        num_seats = self._engine.rules.num_players
        seats = (learners[:, None] + np.arange(1, num_seats)) % num_seats
        words = one_way(Purpose.OPPONENTS, self._engine.seeds.take(rows), count=num_seats)
        chosen = np.take_along_axis(words, seats, axis=1)
        self.leave(rows)  # so that the learner's seat keeps no former policy
        self._sitting[rows[:, None], seats] += self._pool.sample(chosen)

    def leave(self, rows: Rows) -> None:
        """Forget who sat in the games, intp[R], so that no former pool is kept for them."""
        self._sitting[rows] = len(self._policies) - len(self._pool.policies)

    def close(self) -> None:
        """End the processes that were started for its pools."""
        end_processes(self._started)

    def names(self, rows: Rows) -> Array:
        """Return object[R, P], the names of the policies; a learner's entry is meaningless."""
        return np.array(self._names, object)[self._sitting[rows]]

    def broken(self, error: IllegalAction) -> IllegalAction:
        """Return the error of an opponent's action, with the opponent's name."""
        row = error.row
        name = self.names(np.array([row]))[0, self._engine.to_move[row]]
        return IllegalAction(f"opponent {name!r} breaks the rules, not the learner: {error}", row)

    def choose(self, rows: Rows) -> Rows:
        """Return intp[R], the choices of the policies in games that wait for one of them."""
        return choices(self._engine, self._policies, self._sitting, rows)
