"""Games in which one seat learns and policies play the others: the core of every single-agent face.

Only the learner's own decisions are steps; whatever the others do lies between two of them. So a
reward, won or lost, always comes with the learner's last decision before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import stream, uniform
from rummy_env.opponents import Policy, resolve
from rummy_env.views.features import Features, observer

Opponents = Policy | str | Sequence[tuple[Policy | str, float]]
"""A policy or its name; or a pool, pairs of a policy and its weight."""

ROTATE = "rotate"
_SEAT_STREAM, _OPPONENT_STREAM = 2 << 40, 3 << 40
"""Keep these draws apart from those of shuffles and decisions."""
_MAX_DEALS = 1000


@dataclass(frozen=True)
class Pool:
    """Who may sit down at the other seats.

    Attributes:
        policies: At least one.
        weights: How often each is drawn, in proportion; all positive.
    """

    policies: tuple[Policy, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, opponents: Opponents) -> "Pool":
        """Reads opponents as users give them.

        Raises:
            ValueError: If there are none, or a weight is not a positive number.
            TypeError: If one of them is no policy.
        """
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            return cls((resolve(opponents),), (1.0,))
        if not opponents:
            raise ValueError(f"opponents={opponents!r}: give at least one pair (policy, weight)")
        for pair in opponents:
            _check_pair(pair)
        policies, weights = zip(*opponents, strict=True)
        return cls(tuple(map(resolve, policies)), tuple(map(float, weights)))

    def draw(self, words: Words) -> Rows:
        """Which policy each random word draws, intp of the same shape."""
        ends = np.cumsum(self.weights)
        return np.searchsorted(ends[:-1], uniform(words) * ends[-1], side="right")


def _check_pair(pair: object) -> None:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"opponents: {pair!r} is no pair (policy, weight), such as ('greedy', 1)")
    policy, weight = pair
    if not isinstance(weight, int | float | np.number) or not 0 < weight < float("inf"):
        raise ValueError(f"opponents: weight {weight!r} of {policy!r}: give a positive number")


@dataclass(frozen=True)
class Step:
    """What came of one decision of the learner in each of B games, E of which ended.

    Attributes:
        rewards: float32[B], all that the learner earned up to its next decision or the end.
        terminated: bool[B], which games ended by the rules.
        truncated: bool[B], which games were cut off.
        ended: intp[E], the games that ended, ascending; what follows tells of these.
        final_observations: int8[E, F], what the learner saw at the end.
        won: bool[E], whether the learner won, alone or with others.
        seats: intp[E], where the learner sat.
        returns: float32[E], the sum of the learner's rewards.
        lengths: int32[E], the decisions that the learner made.
    """

    rewards: npt.NDArray[np.float32]
    terminated: Bools
    truncated: Bools
    ended: Rows
    final_observations: Features
    won: Bools
    seats: Rows
    returns: npt.NDArray[np.float32]
    lengths: npt.NDArray[np.int32]


class LearnerGames:
    """B games of the same rules, in each of which one seat is the learner's.

    Every game waits for a decision of the learner. A finished game is dealt anew in the same step;
    one that ends before the learner has decided anything is dealt again. What is earned before the
    first decision comes with it. Game i depends on its own seed and the learner's actions alone.

    Attributes:
        engine: The tables. Read them as you like; only `step` and `reset` may change them.
        observer: What turns views into observations, of size F.
        seats: intp[B], the learner's seat.
    """

    def __init__(
        self,
        rules: Rules,
        num_envs: int,
        *,
        opponents: Opponents,
        seed: int | Words = 0,
        seat: int | str = ROTATE,
    ) -> None:
        """Makes tables without dealing: call `reset` before the first step.

        Args:
            rules: What is played.
            num_envs: How many games, B.
            opponents: Who plays the other seats. From a pool, every seat of every episode draws
                its policy by the game's own seed.
            seed: As given to `Engine`.
            seat: The learner's in every episode; or "rotate": drawn by the game's own seed, then
                moving on by one every episode.

        Raises:
            ValueError: If one of these is impossible.
            TypeError: If an opponent is no policy.
        """
        self.engine = Engine(rules, num_envs, seed)
        self.observer = observer(rules)
        self._rotates = seat == ROTATE
        first = 0 if self._rotates else _as_seat(seat, rules.num_players)
        self.seats: Rows = np.full(num_envs, first, np.intp)
        self._all_rows: Rows = np.arange(num_envs)
        self._pool = Pool.of(opponents)
        self._policies = list(self._pool.policies)
        """Those of running episodes, then those of the pool."""
        self._sitting: Rows = np.zeros((num_envs, rules.num_players), np.intp)
        """intp[B, P], which of the policies plays each seat; that of the learner's is not asked."""
        self._owed = np.zeros(num_envs, np.float32)
        """float32[B], earned since the learner's last decision."""
        self._returns = np.zeros(num_envs, np.float32)
        self._lengths = np.zeros(num_envs, np.int32)
        self._begun = False

    def set_opponents(self, opponents: Opponents) -> None:
        """Replaces the opponents of all episodes that begin from now on; see `Pool.of`."""
        self._pool = Pool.of(opponents)
        playing, self._sitting = np.unique(self._sitting, return_inverse=True)
        self._policies = [*(self._policies[i] for i in playing), *self._pool.policies]

    def observations(self) -> Features:
        """int8[B, F], what the learner sees in each game."""
        return self.observer(self.engine.look(self.seats))

    def masks(self) -> Bools:
        """bool[B, A], the actions that the learner may choose from."""
        return self.engine.legal_mask()

    def reset(self, seed: int | npt.ArrayLike | None = None) -> None:
        """Begins new episodes in all games.

        Args:
            seed: To start all over, as given to the constructor. Without, each game goes on to the
                next seed of its chain, and the learner to the next seat.

        Raises:
            ValueError: If the seeds do not fit.
        """
        self.engine.reset(seeds=seed)
        if seed is not None or not self._begun:
            self._draw_seats()
        else:
            self._rotate(self._all_rows)
        self._begun = True
        self._begin(self._all_rows)

    def step(self, actions: npt.ArrayLike) -> Step:
        """Plays the learner's decision in each game, and the others up to its next one.

        Args:
            actions: int[B].

        Raises:
            IllegalAction: If an action is not legal; nothing is changed in any game.
            ValueError: If the shape does not fit, or before `reset`.
            TypeError: If the actions are not whole numbers.
        """
        self.engine.step(actions)
        self._collect(self._all_rows)
        self._play_on(self._all_rows)
        self._returns += self._owed
        self._lengths += 1
        step = self._told()
        self._owed.fill(0)
        if step.ended.size:
            self.engine.reset(step.ended)
            self._rotate(step.ended)
            self._begin(step.ended)
        return step

    def _told(self) -> Step:
        """The report of a step, made before finished games are dealt anew."""
        engine = self.engine
        ended = engine.finished.nonzero()[0]
        seats = self.seats.take(ended)
        return Step(
            rewards=self._owed.copy(),
            terminated=engine.terminated.copy(),
            truncated=engine.truncated.copy(),
            ended=ended,
            final_observations=self.observer(engine.look(seats, ended)),
            won=engine.state.winners[ended, seats],
            seats=seats,
            returns=self._returns.take(ended),
            lengths=self._lengths.take(ended),
        )

    def _draw_seats(self) -> None:
        if self._rotates:
            draws = stream(self.engine.seeds, _SEAT_STREAM) >> np.uint64(32)
            self.seats[:] = draws % np.uint64(self.engine.rules.num_players)

    def _rotate(self, rows: Rows) -> None:
        if self._rotates:
            self.seats[rows] = (self.seats.take(rows) + 1) % self.engine.rules.num_players

    def _begin(self, rows: Rows) -> None:
        """Plays games just dealt up to the learner's first decision."""
        for _ in range(_MAX_DEALS):
            self._seat_opponents(rows)
            self._owed[rows] = self._returns[rows] = self._lengths[rows] = 0
            self._play_on(rows)
            rows = rows[self.engine.finished.take(rows)]
            if not rows.size:
                return
            self.engine.reset(rows)
        raise RuntimeError(
            f"game {rows[0]} ended {_MAX_DEALS} times before seat {self.seats[rows[0]]} had its "
            f"turn: give rules that let every seat play, not {self.engine.rules!r}"
        )

    def _seat_opponents(self, rows: Rows) -> None:
        seats = np.arange(self.engine.rules.num_players)
        words = stream(self.engine.seeds.take(rows)[:, None], _OPPONENT_STREAM, seats)
        first = len(self._policies) - len(self._pool.policies)
        self._sitting[rows] = first + self._pool.draw(words)

    def _play_on(self, rows: Rows) -> None:
        """Lets the others play until the game waits for the learner, or has ended."""
        engine = self.engine
        while True:
            others = engine.to_move.take(rows) != self.seats.take(rows)
            rows = rows[others & ~engine.finished.take(rows)]
            if not rows.size:
                return
            engine.step(self._others_choose(rows), rows)
            self._collect(rows)

    def _others_choose(self, rows: Rows) -> Rows:
        """intp[R], what the policies choose in games that wait for one of them."""
        engine = self.engine
        actions: Rows = np.empty(len(rows), np.intp)
        seats = engine.to_move.take(rows)
        who = self._sitting[rows, seats]
        for index in np.bincount(who).nonzero()[0]:
            items = (who == index).nonzero()[0]
            some = rows.take(items)
            view = engine.look(seats.take(items), some)
            policy = self._policies[index]
            chosen = policy.act(view, engine.legal_mask(some), engine.random(some))
            actions[items] = _as_choice(policy, chosen, len(items))
        return actions

    def _collect(self, rows: Rows) -> None:
        """Notes what the learner earned by the last step."""
        self._owed[rows] += self.engine.rewards[rows, self.seats.take(rows)]


def _as_seat(seat: int | str, num_players: int) -> int:
    if not isinstance(seat, int | np.integer) or not 0 <= seat < num_players:
        raise ValueError(f"seat={seat!r}: give 0 to {num_players - 1}, or {ROTATE!r}")
    return seat


def _as_choice(policy: Policy, chosen: npt.ArrayLike, count: int) -> Rows:
    actions = np.asarray(chosen)
    if actions.shape != (count,) or actions.dtype.kind not in "ui":
        raise ValueError(
            f"{policy!r} chose actions of shape {actions.shape} and dtype {actions.dtype}: "
            f"a policy gives one whole number a game, shape ({count},)"
        )
    return actions.astype(np.intp, copy=False)
