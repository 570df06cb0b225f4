"""Stepping many games at once."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.actions import action_space, as_actions
from rummy_env.core.arrays import Bools, Float32s, Int8s, Rows, Words
from rummy_env.core.checks import are_whole, as_array, check_range, shown
from rummy_env.core.fields import CORE
from rummy_env.core.flow import Flow
from rummy_env.core.keys import (
    MOST_SEED,
    Purpose,
    as_seeds,
    keys_after,
    next_games,
    one_way,
    table_keys,
)
from rummy_env.core.memory import keep_freed_memory
from rummy_env.core.notation import CUT_OFF, OWN_WORDS, restore, snapshot
from rummy_env.core.one_or_many import any_set, parted
from rummy_env.core.own import check_endings
from rummy_env.core.part import Action
from rummy_env.core.rules import Rules, check_rules
from rummy_env.core.sampling import sample_bit
from rummy_env.core.shuffle import GameRandom, stream
from rummy_env.core.state import State
from rummy_env.core.visibility import SeatView, look

MAX_GAMES = 1 << 24
"""The most games in one batch; memory runs out sooner."""


class IllegalAction(ValueError):  # noqa: N818  (named for what it is)
    """An action that the rules do not allow; no game was changed."""

    def __init__(self, message: str, row: int = 0) -> None:
        """`row` is the number of the game."""
        super().__init__(message)
        self.row = row


class Engine:
    """B games of the same rules, stepped together; one game is a batch of one.

    A finished game stays as it is until it is reset. Game i depends only on its own seed and
    actions, not on the other games of the batch. A method with `rows`, int[R], concerns these
    games, each given at most once; None means all of them, R = B.

    The arrays below are the engine's own, and change with every step: copy what you keep, and do
    not write to them.

    Attributes:
        rules: The rules of the games.
        num_envs: B, the number of games.
        state: All games, as arrays.
        space: All actions, `ActionSpace`, with their numbers and words.
        last_action: intp[B], the last action played in each game; -1 where there is none.
        last_mover: int8[B], the seat that played it.
    """

    def __init__(self, rules: Rules, num_envs: int = 1, seed: int | Words = 0) -> None:
        """Make tables without dealing: call `reset` before the first step.

        Args:
            rules: The rules of the games.
            num_envs: B, the number of games.
            seed: A number, from which every game gets its own seed; or uint64[B], those seeds; or
                uint64[B, 2], the keys of the tables (`core/keys.py`).

        Raises:
            TypeError: If `rules` is not a `Rules` object.
            ValueError: If the number of games or of seeds is invalid.
        """
        check_rules(rules)
        _check_names(rules)
        check_range("num_envs", num_envs, 1, MAX_GAMES)
        self.rules = rules
        keep_freed_memory()
        self.num_envs = num_envs
        self.space = action_space(rules)
        self.state = State.empty(num_envs, rules.num_players, rules.pack, rules.state_fields)
        self._flow = Flow(rules, self.space, self.state)
        self._all_rows: Rows = np.arange(num_envs)
        self._all_rows.setflags(write=False)  # `as_rows` hands it out
        self._legal: Words = np.zeros((num_envs, self.space.num_words), np.uint64)
        self.last_action: Rows = np.full(num_envs, -1, np.intp)
        self.last_mover = np.zeros(num_envs, np.int8)
        self._given: int | Words | None = _checked_seeds(seed, num_envs)
        self._next_seeds: Words = np.zeros(num_envs, np.uint64)
        self._table_keys: Words = np.zeros((num_envs, 2), np.uint64)
        self._decision_keys: Words = np.zeros((num_envs, rules.num_players), np.uint64)
        self._has_keys = np.zeros(num_envs, np.bool_)
        self._dealt = np.zeros(num_envs, np.bool_)
        self._all_dealt = False
        self._under_way = False
        """True within a step, and after one that was interrupted, or that a part has failed in."""

    def __copy__(self) -> "Engine":
        """Return a copy with its own tables, the same as `copy.deepcopy` makes."""
        made: Engine = object.__new__(type(self))
        kept: Any = self.__getstate__()  # a subclass may leave things out
        made.__dict__ = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in kept.items()}
        made.state, made._all_rows = self.state.copy(), self._all_rows
        made._flow = self._flow.over(made.state)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> "Engine":
        return self.__copy__()

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__ = kept
        self._all_rows.setflags(write=False)  # which pickle forgets

    @property
    def rewards(self) -> Float32s:
        """float32[B, P], the rewards of the last step; zero except where it ended a hand."""
        return self._flow.rewards

    @property
    def hand_winners(self) -> Bools:
        """bool[B, P], the winners of the last hand that has ended in the episode; none if void."""
        return self.state.hand_winners

    @property
    def num_actions(self) -> int:
        """A, the number of actions."""
        return len(self.space)

    @property
    def to_move(self) -> Int8s:
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
        return self.state.finished

    @property
    def running(self) -> Rows:
        """intp[R], the games that are not finished."""
        return (~self.finished).nonzero()[0]

    @property
    def seeds(self) -> Words:
        """uint64[B], the seed of each game on the table, which deals the game again."""
        return self.state.seed

    def describe(self, action: int) -> Action:
        """Return an action in words.

        Raises:
            ValueError: If there is no such action.
        """
        check_range("action", action, 0, self.num_actions - 1)
        return self.space.actions[action]

    def how_ended(self, rows: npt.ArrayLike | None = None) -> list[str]:
        """Say how the last hand of each finished game ended; empty where a game goes on.

        It is `"cut off"`, after too many turns, or an end by the rules: `"went out"`, `"gin"`,
        `"undercut"`, `"void"` ...
        """
        some = self.as_rows(rows)
        self._check_dealt(some)
        cut_off = self._flow.cut_off(some)
        by_rules = (self.finished.take(some) & ~cut_off).nonzero()[0]
        ends = np.where(cut_off, CUT_OFF, "").astype(object)
        if by_rules.size:
            scoring = self.rules.scoring
            told = scoring.how_ended(self.look(0, some.take(by_rules)))
            check_endings(scoring, told, by_rules.size)
            ends[by_rules] = told
        return ends.tolist()

    def snapshot(self, row: int) -> dict[str, Any]:
        """Return the present table of one game, hidden cards included, as plain lists and text."""
        self._check_dealt(self.as_rows([row]))
        return snapshot(self.rules, self.state, row)

    def restore(self, row: int, table: Mapping[str, Any]) -> None:
        """Lay the table of one game according to a snapshot; see `notation.restore`.

        Raises:
            ValueError: If the table is impossible; the game is then left as it was.
        """
        rows = self.as_rows([row])
        game = restore(self.rules, table)
        one = np.zeros(1, np.intp)
        if game.phase[0] >= 0 and not any(words.any() for _, words in self.space.legal(game, one)):
            raise ValueError(
                f"phase={self.rules.turn[game.phase[0]].name!r}: seat {game.to_move[0]} could do "
                f"nothing in this phase; give another, or another table"
            )
        self.lay(game, rows)

    def lay(self, games: State, rows: npt.ArrayLike | None = None) -> None:
        """Replace `rows` by R games of the same rules, such as `determinise` makes.

        Raises:
            ValueError: If there is not one game for each row, or the games are laid out otherwise,
                as most other rules do (that the rules are the same is not checked); nothing is
                changed then.
            TypeError: If the games are no `State`.
        """
        some = self.as_rows(rows)
        if not isinstance(games, State):
            raise TypeError(f"games={shown(games)}: give a State; restore lays a snapshot")
        if len(games.seed) != len(some):
            raise ValueError(f"{len(games.seed)} games for {len(some)} rows: give one for each")
        if games.shapes != self.state.shapes:
            raise ValueError(f"games of other rules than {self.rules!r}: give games of these")
        self.state.put(some, games)
        self._flow.note_laid(some)
        self._note_dealt(some)

    def legal_mask(self, rows: npt.ArrayLike | None = None) -> Bools:
        """Return bool[R, A], True where an action is legal; all False in a finished game."""
        some = self.as_rows(rows)
        self._check_dealt(some)
        return self.space.mask(self._legal if rows is None else self._legal.take(some, axis=0))

    def is_legal(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> Bools:
        """Return bool[R], True where an action of each game, int[R], is legal.

        False for every action of a finished game, and for actions that do not exist.
        """
        some = self.as_rows(rows)
        self._check_dealt(some)
        return self._are_legal(as_actions(actions, len(some)), some)

    def _are_legal(self, actions: Rows, rows: Rows) -> Bools:
        inside = (actions >= 0) & (actions < self.num_actions)
        return inside & self.space.contains(self._legal, rows, actions * inside)

    def look(self, seats: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> SeatView:
        """Return the view of one seat of each game, int[R], or of the same seat in all games.

        Raises:
            ValueError: If there is no such seat, or the shape does not fit.
        """
        some = self.as_rows(rows)
        self._check_dealt(some)
        return look(self.rules, self.state, some, self._as_seats(seats, len(some)))

    def _as_seats(self, seats: npt.ArrayLike, count: int) -> Rows:
        last = self.rules.num_players - 1
        if type(seats) is int and 0 <= seats <= last:  # the usual case, and quick to check
            return np.full(count, seats, np.intp)
        given = as_array("seats", seats)
        if not are_whole(given) or given.shape not in ((), (count,)):
            raise ValueError(
                f"seats={shown(seats)}: give a whole number, or one for each of {count}"
            )
        places = given.astype(np.intp, copy=False)
        if any_set(places.view(np.uintp) > last):  # true of negative numbers, too
            raise ValueError(f"seats from {given.min()} to {given.max()}: give 0 to {last}")
        return places if places.ndim else np.full(count, places)

    def random(self, rows: npt.ArrayLike | None = None) -> GameRandom:
        """Random numbers for the decision that each of the games waits for.

        They depend only on the game's seed, the seat to move and the number of actions that the
        game has seen, and reveal nothing about the cards or another seat's numbers.
        """
        some = self.as_rows(rows)
        self._check_dealt(some)
        if not self._has_keys.take(some).all():
            self._update_decision_keys(some)
        at = some * self.rules.num_players + self.state.to_move.take(some)
        keys = self._decision_keys.reshape(-1).take(at)
        return GameRandom(stream(keys, self.state.decisions.take(some)))

    def _update_decision_keys(self, rows: Rows) -> None:
        """Compute the keys of games whose random numbers nobody has asked for before."""
        rows = rows[~self._has_keys.take(rows)]
        seeds, seats = self.state.seed.take(rows), self.rules.num_players
        self._decision_keys[rows] = one_way(Purpose.DECISIONS, seeds, count=seats)
        self._has_keys[rows] = True

    def random_actions(self, rng: np.random.Generator | None = None) -> Rows:
        """Sample a legal action in each game, all equally likely: intp[B], 0 in a finished game.

        Args:
            rng: The source of randomness; None uses each game's own random numbers.

        Raises:
            TypeError: If it is no Generator.
        """
        if not isinstance(rng, np.random.Generator | None):
            raise TypeError(f"rng={shown(rng)}: give a Generator, as np.random.default_rng(1)")
        self._check_dealt(self._all_rows)
        uniforms = self.random().random() if rng is None else rng.random(self.num_envs)
        return sample_bit(self._legal, uniforms)

    def reset(
        self, rows: npt.ArrayLike | None = None, seeds: int | npt.ArrayLike | None = None
    ) -> None:
        """Deal new games.

        Args:
            rows: The games.
            seeds: Their seeds, uint64[R]; or a number, from which every table gets the key that it
                has in an engine of that seed; or the keys, uint64[R, 2]. If None, each table goes
                on to its next game, whose seed does not follow from the earlier ones.
        """
        some = self.as_rows(rows)
        if not some.size and seeds is None:
            return  # as when all finished games are dealt anew after every step
        if self._given is not None:  # not hashed before: tables laid by hand need no keys
            self._next_seeds, self._table_keys = _first_games(self._given, self.num_envs)
            self._given = None
        if seeds is not None:
            given = _checked_seeds(seeds, len(some))
            if isinstance(given, int):
                given = table_keys(given, self.num_envs)[some]
            self._next_seeds[some], self._table_keys[some] = _first_games(given, len(some))
        self.state.seed[some] = self._next_seeds[some]
        self._next_seeds[some], self._table_keys[some] = next_games(self._table_keys[some])
        self._flow.begin(some)
        self._note_dealt(some)

    def _note_dealt(self, rows: Rows) -> None:
        self.last_action[rows] = -1
        self._dealt[rows] = True
        self._has_keys[rows] = False
        self._all_dealt = bool(self._dealt.all())
        self._under_way &= len(rows) < self.num_envs
        self._update_legal(rows)

    def _update_legal(self, rows: Rows) -> None:
        """Compute the legal actions of games that have changed."""
        if self._flow.any_finished:
            finished, rows = parted(rows, self.finished[rows])
            self._legal[finished] = 0
        for some, words in self.space.legal(self.state, rows):
            self._legal[some] = words

    def step(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> None:
        """Play one action in each game, and set `rewards`, `terminated` and `truncated`.

        Args:
            actions: int[R]; in a finished game the action is ignored.
            rows: The games.

        Raises:
            IllegalAction: If an action is not legal; nothing is changed in any game.
            ValueError: If the shapes do not fit, or if called before `reset`.
            TypeError: If the actions are not whole numbers.
        """
        some = self.as_rows(rows)
        self._check_dealt(some)
        played = as_actions(actions, len(some))
        if self._flow.any_finished:
            live = (~self.finished.take(some)).nonzero()[0]
            some, played = some.take(live), played.take(live)
        if len(some) == 1:  # then all are numbers, which cost a tenth of arrays of one
            some, played = some[0], played[0]
        self._check_legal(played, some)
        self._under_way = True
        self.last_action[some], self.last_mover[some] = played, self.state.to_move[some]
        self._flow.play(played, some)
        self._update_legal(some)
        self._under_way = False

    def as_rows(self, rows: npt.ArrayLike | None) -> Rows:
        """Games in the form that users give them, as intp[R]; all if None.

        Raises a ValueError if they are not whole numbers, not games of this engine, or given twice.
        """
        if rows is None:
            return self._all_rows
        some = as_array("rows", rows)
        if some.ndim != 1 or not are_whole(some):
            raise ValueError(
                f"rows of shape {some.shape} and dtype {some.dtype}: give the numbers of games, "
                f"int[R]; flags have theirs in flags.nonzero()[0]"
            )
        if not some.size:
            return some.astype(np.intp)
        if some.size == 1 and 0 <= some[0] < self.num_envs:
            return some.astype(np.intp, copy=False)
        ascending = bool((some[1:] > some[:-1]).all())  # the usual case, and quick to check
        low, high = (some[0], some[-1]) if ascending else (some.min(), some.max())
        if low < 0 or high >= self.num_envs:
            raise ValueError(f"rows from {low} to {high}: games are 0 to {self.num_envs - 1}")
        if not ascending and (times := np.bincount(some)).max() > 1:
            raise ValueError(f"rows: game {times.argmax()} is given more than once; give each once")
        return some.astype(np.intp, copy=False)

    def _check_dealt(self, rows: Rows) -> None:
        if self._under_way:
            raise RuntimeError("the last step did not come to its end: call reset() first")
        if not self._all_dealt and not self._dealt.take(rows).all():
            raise ValueError("nothing has been dealt yet: call reset() first")

    def _check_legal(self, actions: Rows, rows: Rows) -> None:
        illegal = ~self._are_legal(actions, rows)
        if not any_set(illegal):
            return
        item = np.argmax(illegal)
        row, action = int(rows.reshape(-1)[item]), int(actions.reshape(-1)[item])
        last = self.num_actions - 1
        name = str(self.describe(action)) if 0 <= action <= last else f"none of 0 to {last}"
        phase = self.rules.turn[self.state.phase[row]].name
        allowed = [str(self.space.actions[a]) for a in self.legal_mask([row])[0].nonzero()[0]]
        where = f"game {row}, seat {self.state.to_move[row]}, phase {phase!r}"
        if not allowed:
            stock = self.state.stock_left(np.array([row]))[0]
            pile = self.state.pile_size[row]
            raise ValueError(
                f"{where}: the rules are stuck, since no action is legal and the hand has not "
                f"ended, with {stock} cards in the stock and {pile} in the discard pile; let a "
                f"turn have a way on from every table that it can come to"
            )
        raise IllegalAction(
            f"{where}: action {action} ({name}) is not legal; legal are: {', '.join(allowed)}", row
        )


def _checked_seeds(seeds: int | npt.ArrayLike, count: int) -> int | Words:
    """Refuse anything but seeds for `count` tables."""
    if isinstance(seeds, int | np.integer):
        check_range("seed", seeds, 0, MOST_SEED)
        return int(seeds)
    if np.shape(seeds) not in ((count,), (count, 2)):
        raise ValueError(
            f"seeds={shown(seeds)}: give one whole number, or one for each of {count} games"
        )
    return as_seeds(seeds)


def _first_games(seeds: int | Words, count: int) -> tuple[Words, Words]:
    """Return the seeds of the first games of tables, and the tables' keys from then on."""
    if isinstance(seeds, int):
        return next_games(table_keys(seeds, count))
    return (seeds, keys_after(seeds)) if seeds.ndim == 1 else next_games(seeds)


_TAKEN = frozenset({*dir(State), *vars(State((), {})), *dir(SeatView), *OWN_WORDS, "rules"})
"""Names that mean something in a state, a view or a snapshot."""


def _check_names(rules: Rules) -> None:
    """Refuse fields whose names would hide something, or be hidden."""
    for field in {*rules.state_fields} - {*CORE}:
        if field.name in _TAKEN or field.name.startswith("_"):
            raise ValueError(
                f"state field {field.name!r}: that name has a meaning in states, views or "
                f"snapshots; give it another"
            )
