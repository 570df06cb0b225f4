"""Stepping many games at once."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.actions import action_space
from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.cards import NO_CARD
from rummy_env.core.dealing import deal, draw_dealer
from rummy_env.core.notation import restore, snapshot
from rummy_env.core.rules import Action, Result, Rules
from rummy_env.core.shuffle import GameRandom, game_seeds, mix, stream
from rummy_env.core.state import State, Turn
from rummy_env.core.visibility import SeatView, look

_END_TURN, _END_HAND = -1, -2
_FINISHED = -1
_DECISION_STREAM = 1 << 40
"""Keeps the random numbers of decisions apart from those of shuffles."""


class IllegalAction(ValueError):
    """An action that the rules do not allow; no game was changed."""


class Engine:
    """B games of the same rules, stepped together; one game is a batch of one.

    A finished game stays as it is until it is reset. Game i depends on its own seed and actions
    alone, not on the other games of the batch.

    Attributes:
        rules: What is played.
        num_envs: B, the number of games.
        state: All games, as arrays.
        rewards: float32[B, P], of the last step: zero but where it ended a hand.
    """

    def __init__(self, rules: Rules, num_envs: int = 1, seed: int | Words = 0) -> None:
        """Makes tables without dealing: call `reset` before the first step.

        Args:
            rules: What is played.
            num_envs: How many games, B.
            seed: A number, from which every game gets a seed of its own; or uint64[B], those seeds.

        Raises:
            ValueError: If the number of games or of seeds is impossible.
        """
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r}: give a whole number of at least 1")
        self.rules = rules
        self.num_envs = num_envs
        self.space = action_space(rules)
        self.state = State.empty(num_envs, rules.num_players, rules.pack)
        self.rewards: npt.NDArray[np.float32] = np.zeros(
            (num_envs, rules.num_players), np.float32
        )
        self._all_rows: Rows = np.arange(num_envs)
        self._legal: Words = np.zeros((num_envs, self.space.num_words), np.uint64)
        self._next_seeds = self._as_seeds(seed, num_envs)
        self._dealt = np.zeros(num_envs, np.bool_)

    @staticmethod
    def _as_seeds(seed: int | Words, count: int) -> Words:
        if isinstance(seed, int | np.integer):
            return game_seeds(int(seed), count)
        seeds = np.asarray(seed)
        if seeds.shape != (count,) or seeds.dtype.kind not in "ui":
            raise ValueError(
                f"seeds of shape {seeds.shape} and dtype {seeds.dtype}: give {count} whole numbers"
            )
        return seeds.astype(np.uint64)

    @property
    def num_actions(self) -> int:
        """A, the number of actions."""
        return len(self.space)

    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """int8[B], the seat to act."""
        return self.state.to_move

    @property
    def terminated(self) -> Bools:
        """bool[B], which games have ended by the rules."""
        return self.state.terminated

    @property
    def truncated(self) -> Bools:
        """bool[B], which games were cut off."""
        return self.state.truncated

    @property
    def finished(self) -> Bools:
        """bool[B], terminated or truncated."""
        return self.state.terminated | self.state.truncated

    @property
    def seeds(self) -> Words:
        """uint64[B], the seed of each game now on the table; with it the game can be dealt again."""
        return self.state.seed

    def describe(self, action: int) -> Action:
        """An action in words.

        Raises:
            ValueError: If there is no such action.
        """
        if not 0 <= action < self.num_actions:
            raise ValueError(f"action {action} is none of 0 to {self.num_actions - 1}")
        return self.space.actions[action]

    def snapshot(self, row: int) -> dict[str, Any]:
        """The table of one game as it lies, hidden cards included, in plain lists and text."""
        self._check_dealt(np.array([row]))
        return snapshot(self.rules, self.state, row)

    def restore(self, row: int, table: Mapping[str, Any]) -> None:
        """Lays the table of one game as a snapshot tells it; see `notation.restore`.

        Raises:
            ValueError: If the table is impossible; the game is then left as it was.
        """
        rows = self._as_rows([row])
        restore(self.rules, self.state, row, table)
        self.rewards[rows] = 0
        self._dealt[rows] = True
        self._update_legal(rows)

    def legal_mask(self, rows: npt.ArrayLike | None = None) -> Bools:
        """The legal actions.

        Args:
            rows: Which games, int[R]; all where None.

        Returns:
            bool[R, A], True = legal; all False in a finished game.
        """
        if rows is None:
            self._check_dealt(self._all_rows)
            return self.space.mask(self._legal)
        some = self._as_rows(rows)
        self._check_dealt(some)
        return self.space.mask(self._legal.take(some, axis=0))

    def look(self, seats: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> SeatView:
        """What a seat of each game may know.

        Args:
            seats: int[R], a seat of each game; or one number for all.
            rows: Which games, int[R]; all where None.
        """
        some = self._all_rows if rows is None else self._as_rows(rows)
        self._check_dealt(some)
        chosen = np.broadcast_to(np.asarray(seats, np.intp), some.shape)
        return look(self.rules, self.state, some, chosen)

    def random(self, rows: Rows) -> GameRandom:
        """Random numbers for the decision that each of the games waits for.

        They depend on the game's seed and on how many actions it has seen, on nothing else.
        """
        state = self.state
        return GameRandom(
            stream(state.seed.take(rows), _DECISION_STREAM, state.decisions.take(rows))
        )

    def reset(
        self, rows: npt.ArrayLike | None = None, seeds: int | npt.ArrayLike | None = None
    ) -> None:
        """Deals new games.

        Args:
            rows: Which games, int[R]; all where None.
            seeds: Their seeds, uint64[R], or a number to draw them from. Without, each game takes the
                next of its own chain of seeds, which starts with the one given at the beginning.
        """
        some = self._all_rows if rows is None else self._as_rows(rows)
        if seeds is not None:
            given = seeds if isinstance(seeds, int) else np.asarray(seeds)
            self._next_seeds[some] = self._as_seeds(given, len(some))
        self._clear(some)
        draw_dealer(self.state, some)
        deal(self.rules, self.state, some)
        self._update_legal(some)

    def _clear(self, rows: Rows) -> None:
        state = self.state
        state.seed[rows] = self._next_seeds[rows]
        self._next_seeds[rows] = mix(~self._next_seeds[rows])
        for array in (
            state.hand_number,
            state.scores,
            state.decisions,
            state.winners,
            state.terminated,
            state.truncated,
            self.rewards,
        ):
            array[rows] = 0
        self._dealt[rows] = True

    def _update_legal(self, rows: Rows) -> None:
        """Works out the legal actions of games that have changed."""
        finished = self.finished.take(rows)
        if finished.any():
            self._legal[rows[finished]] = 0
            rows = rows[~finished]
        self._legal[rows] = self.space.legal(self.state, rows).T

    def step(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> None:
        """Plays one action in each game.

        Afterwards `rewards`, `terminated` and `truncated` tell of this step.

        Args:
            actions: int[B], or int[R] with `rows`; in a finished game the action is ignored.
            rows: Which games, int[R], each at most once; all where None.

        Raises:
            IllegalAction: If an action is not legal; nothing is changed in any game.
            ValueError: If the shapes do not fit, or before `reset`.
            TypeError: If the actions are not whole numbers.
        """
        some = self._all_rows if rows is None else self._as_rows(rows)
        self._check_dealt(some)
        chosen = self._as_actions(actions, len(some))
        self.rewards.fill(0)
        finished = self.finished.take(some)
        if finished.any():
            live = (~finished).nonzero()[0]
            some, chosen = some.take(live), chosen.take(live)
        if some.size:
            self._check_legal(chosen, some)
            self._play(chosen, some)

    def _play(self, actions: Rows, rows: Rows) -> None:
        state, space = self.state, self.space
        state.decisions[rows] += 1
        move_of = space.move_of.take(actions)
        choice = space.choice_of.take(actions)
        for index in np.bincount(move_of).nonzero()[0]:
            items = (move_of == index).nonzero()[0]
            space.moves[index].apply(Turn(state, rows.take(items)), choice.take(items))
        at = state.phase.take(rows) * np.intp(space.leads.shape[1]) + move_of
        then = space.leads.reshape(-1).take(at)
        ended = then == _END_HAND
        for ending in self.rules.endings:
            ended |= ending.ends(state, rows)
        state.phase[rows] = then
        self._end_turns(rows[(then == _END_TURN) & ~ended])
        self._end_hands(rows[ended], cut_off=False)
        self._update_legal(rows)

    def _end_turns(self, rows: Rows) -> None:
        """Turns have ended: the next begin, or the hands have gone on for too long."""
        turns = self.state.turn_number.take(rows) + 1
        self.state.turn_number[rows] = turns
        over = turns >= self.rules.max_turns
        if over.any():
            self._end_hands(rows[over], cut_off=True)
            rows = rows[~over]
        self._begin_turns(rows)

    def _begin_turns(self, rows: Rows) -> None:
        """The turn passes clockwise."""
        state = self.state
        seat = state.to_move.take(rows)
        played = state.plays_made.take(rows).nonzero()[0]
        if played.size:
            some = rows.take(played)
            state.played[some, seat.take(played)] = True
            state.plays_made[some] = False
            state.melds_made[some] = 0
        state.to_move[rows] = (seat + 1) % state.num_players
        state.phase[rows] = 0
        state.taken[rows] = NO_CARD
        empty = rows[state.stock_left(rows) == 0]
        if empty.size:
            self.rules.restock.before_turn(state, empty)

    def _end_hands(self, rows: Rows, *, cut_off: bool) -> None:
        """Scores hands, and ends the episodes or deals the next hands."""
        if not rows.size:
            return
        state, match = self.state, self.rules.match
        won = np.zeros((len(rows), state.num_players), np.bool_)
        if not cut_off:
            result = self.rules.scoring.score(state, rows)
            won = result.winners
            state.scores[rows] += result.points
            self.rewards[rows] = self._rewards(result)
        decided = match.decided(state, rows, cut_off=cut_off)
        stopped = match.stopped(state, rows, cut_off=cut_off) & ~decided
        self._end_episodes(rows[decided], match.winners(state, rows, won)[decided])
        state.truncated[rows[stopped]] = True
        state.phase[rows] = _FINISHED
        going_on = ~(decided | stopped)
        if going_on.any():
            rows = rows[going_on]
            state.dealer[rows] = match.next_dealer(state, rows, won[going_on])
            state.hand_number[rows] += 1
            deal(self.rules, state, rows)

    def _rewards(self, result: Result) -> npt.NDArray[np.float32]:
        """float32[R, P], what a hand pays, by the reward scheme."""
        if self.rules.reward == "points":
            return result.points.astype(np.float32)
        if self.rules.reward == "zero_sum":
            net = (result.points - result.losses) / self.rules.scoring.zero_sum_scale
            return net.astype(np.float32)
        return np.zeros(result.points.shape, np.float32)

    def _end_episodes(self, rows: Rows, winners: Bools) -> None:
        self.state.terminated[rows] = True
        self.state.winners[rows] = winners
        if self.rules.reward == "win":
            losers = ~winners
            share = winners / np.maximum(winners.sum(1, keepdims=True), 1)
            self.rewards[rows] = share - losers / np.maximum(losers.sum(1, keepdims=True), 1)

    def _as_rows(self, rows: npt.ArrayLike) -> Rows:
        some = np.asarray(rows)
        if some.ndim != 1 or (some.dtype.kind not in "ui" and some.size):
            raise ValueError(f"rows of shape {some.shape} and dtype {some.dtype}: give int[R]")
        if some.size and not (0 <= some.min() and some.max() < self.num_envs):
            raise ValueError(f"rows from {some.min()} to {some.max()}: games are 0 to {self.num_envs - 1}")
        return some.astype(np.intp, copy=False)

    def _as_actions(self, actions: npt.ArrayLike, count: int) -> Rows:
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "ui":
            raise TypeError(f"actions of dtype {chosen.dtype}: give whole numbers, such as int64")
        if chosen.shape != (count,):
            raise ValueError(f"actions of shape {chosen.shape}: give one a game, shape ({count},)")
        return chosen.astype(np.intp, copy=False)

    def _check_dealt(self, rows: Rows) -> None:
        if not self._dealt.take(rows).all():
            raise ValueError("nothing has been dealt yet: call reset() first")

    def _check_legal(self, actions: Rows, rows: Rows) -> None:
        inside = (actions >= 0) & (actions < self.num_actions)
        safe = np.where(inside, actions, 0)
        legal = inside & self.space.contains(self._legal.take(rows, axis=0), safe)
        if legal.all():
            return
        item = int((~legal).argmax())
        row, action = int(rows[item]), int(actions[item])
        name = str(self.describe(action)) if inside[item] else f"none of 0 to {self.num_actions - 1}"
        phase = self.rules.turn[self.state.phase[row]].name
        allowed = [str(self.space.actions[a]) for a in self.legal_mask([row])[0].nonzero()[0]]
        raise IllegalAction(
            f"game {row}, seat {self.state.to_move[row]}, phase {phase!r}: action {action} ({name}) "
            f"is not legal; legal are: {', '.join(allowed)}"
        )
