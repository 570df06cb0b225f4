"""Games in which one seat learns and policies play the others: the core of single-agent APIs.

Only the learner's own decisions are steps; whatever the others do happens between two of them. A
reward, gained or lost, therefore always comes with the learner's last decision before it.
"""

from collections.abc import Callable
from contextlib import ExitStack

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.isolated import end_processes
from rummy_env.core.actions import as_actions, choose
from rummy_env.core.arrays import Array, Bools, Int32s, Rows, Words
from rummy_env.core.checks import check_choice, is_whole, shown
from rummy_env.core.engine import IllegalAction
from rummy_env.core.keys import Purpose, one_way
from rummy_env.core.naming import player_name
from rummy_env.core.rules import Rules
from rummy_env.envs.illegal import ILLEGAL_ACTION, ILLEGAL_ENDING, ILLEGAL_REWARD
from rummy_env.envs.move_log import MoveLog
from rummy_env.envs.recording import RecordPath, close_records, engine_for
from rummy_env.envs.seating import LEARNER, Opponents, Pool, Seating
from rummy_env.envs.step import Step
from rummy_env.envs.under_way import UnderWay
from rummy_env.variants import in_short
from rummy_env.views.features import HINTS
from rummy_env.views.observing import Observation, observer_for

ROTATE = "rotate"

_MAX_DEALS = 1000


class LearnerGames:
    """B games of the same rules, in each of which one seat is the learner's.

    Every game waits for a decision of the learner, is under way (between `send` and `receive`,
    where the others play), or is over; if it is over, the next step deals it anew, unless `reset`
    already has. A game that ends before the learner has decided anything is dealt again and
    counted: the `Step` that ends its successor says how many there were. What is earned before the
    first decision is paid with it. Game i depends only on its own seed and the learner's actions.

    Attributes:
        engine: The tables. Read them as you like; only methods of this class may change them.
        observer: Turns views into observations, of size F.
        seats: intp[B], the learner's seat.
        over: bool[B], True where a game has ended and has not been dealt anew.
        on_move: Called after every action of any seat, so that games can be watched.
    """

    def __init__(
        self,
        rules: Rules,
        num_envs: int,
        *,
        opponents: Opponents,
        seed: int | Words | None = None,
        seat: int | str = ROTATE,
        illegal_action: str = "raise",
        observation: Observation = HINTS,
        record: RecordPath | None = None,
        isolate: bool = False,
    ) -> None:
        """Make tables without dealing: call `reset` before the first step.

        Args:
            rules: The rules of the games.
            num_envs: The number of games, B.
            opponents: The policies of the other seats: one for all, as an object or by name; a list
                with one for each, clockwise from the learner; or (policy, weight) pairs, from which
                every seat draws in every episode, by the game's own seed.
            seed: As given to `Engine`; None draws one.
            seat: The learner's seat in every episode; or "rotate", to draw it by the game's own
                seed and then move it on by one every episode.
            illegal_action: The effect of an illegal action of the learner. "raise" raises an error
                and changes nothing; "penalise" gives a reward of -1 and ends the game; "random"
                plays a legal action in its place, all equally likely.
            observation: The learner's observation; see `views.observing.observer_for`.
            record: A file to which every game is appended; see `rummy_env.records`.
            isolate: True if every opponent plays in its own process, one for each seat; see
                `rummy_env.baselines.isolated`.

        Raises:
            ValueError: If an argument is invalid.
            TypeError: If an opponent is not a policy, or the observation not an observer.
            OSError: If the file cannot be written.
        """
        check_choice("illegal_action", illegal_action, ILLEGAL_ACTION)
        self._isolate, self._illegal_action = isolate, illegal_action
        self._rotates = isinstance(seat, str) and seat == ROTATE
        first = 0 if self._rotates else _as_seat(seat, rules.num_players)
        pool = Pool.of(opponents, rules, isolate=isolate)
        with ExitStack() as undo:
            undo.callback(end_processes, pool.started)
            self.observer = observer_for(rules, observation)
            self.engine = engine_for(rules, num_envs, seed, record=record, agents=self.agents)
            undo.pop_all()
        self.seats: Rows = np.full(num_envs, first, np.intp)
        self._seating = Seating(self.engine, pool)
        self._under_way, self._log = UnderWay(num_envs), MoveLog(num_envs)
        self._keep_accounts(num_envs)
        self.on_move: Callable[[], None] = _nobody_watches

    def _keep_accounts(self, num_envs: int) -> None:
        """Begin to note what happens to the learner in each game."""
        self._owed = np.zeros(num_envs, np.float32)
        """float32[B], earned since the learner's last decision."""
        self._returns, self._lengths = np.zeros(num_envs, np.float32), np.zeros(num_envs, np.int32)
        self._skipped = np.zeros((num_envs, 2), np.int32)
        self._begun = np.zeros(num_envs, np.bool_)
        """bool[B], True where a game has had an episode."""
        self._illegal = np.zeros(num_envs, np.bool_)
        """bool[B], True where an action was not legal, until a `Step` has reported it."""
        self._instead = np.full(num_envs, -1)
        """intp[B], the action that was last played in place of an illegal one, -1 for none."""
        self.over = np.zeros(num_envs, np.bool_)

    def set_opponents(self, opponents: Opponents) -> None:
        """Replace the opponents of all episodes that begin from now on; see `Pool.of`."""
        pool = Pool.of(opponents, self.engine.rules, isolate=self._isolate)
        self._seating.replace(pool)

    def close(self) -> None:
        """End the processes of opponents, and record unfinished games if games are recorded."""
        self._seating.close()
        close_records(self.engine)

    def names(self, rows: Rows) -> Array:
        """Return object[R, P], the names of the players of games, intp[R], by seat."""
        names = self._seating.names(rows)
        names[np.arange(len(rows)), self.seats.take(rows)] = LEARNER
        return names

    def agents(self, row: int) -> list[str]:
        """Return those of one game."""
        return self.names(np.array([row]))[0].tolist()

    def observations(self, rows: Rows | None = None) -> Array:
        """[R, F], the learner's observation in each game of `rows`, intp[R]; all games if None."""
        seats = self.seats if rows is None else self.seats.take(rows)
        return self.observer(self.engine.look(seats, rows))

    def others(self) -> Int32s:
        """int32[B, K, 2], the others' moves since the learner's last decision; see `MoveLog`."""
        return self._log.moves()

    def described(self, moves: Int32s) -> list[str]:
        """Return moves of one game, int32[K, 2] of `others`, in words: `"player_1: discard 7h"`."""
        made = moves[moves[:, 0] >= 0].tolist()
        return [f"{player_name(seat)}: {self.engine.describe(action)}" for seat, action in made]

    def masks(self, rows: Rows | None = None) -> Bools:
        """bool[R, A], the actions that the learner may choose from.

        There are none where a game is over, nor where another seat is to move: what that seat may
        play would tell of its hand.
        """
        masks, some = self.engine.legal_mask(rows), slice(None) if rows is None else rows
        waits = (self.engine.to_move[some] == self.seats[some]) & ~self.over[some]
        if not waits.all():
            masks[~waits] = False
        return masks

    def check_home(self) -> None:
        """Refuse, with a ValueError, games that are under way."""
        self._under_way.check_home(np.arange(len(self.over)))

    def reset(
        self, seed: int | npt.ArrayLike | None = None, rows: npt.ArrayLike | None = None
    ) -> None:
        """Begin new episodes in the games of `rows`, int[R]; in all games if None.

        With a `seed`, as for the constructor, they start all over; without one, each game goes on
        to the next seed of its chain, and the learner to the next seat. Raises a ValueError if the
        seeds do not fit.
        """
        some = self.engine.as_rows(rows)
        self._deal(some, seed)
        self.on_move()
        self._under_way.call_off(some)
        self._under_way.send(some)  # until the others have played: one of them may fail
        while (playing := some[~self._ready(some)]).size:
            self._others_move(playing)
        self._under_way.call_off(some)

    def play(self, actions: npt.ArrayLike) -> Step:
        """Play the learner's decision in each game, and the others' up to its next one.

        `actions` is int[B]. A game that is over is dealt anew instead, and its action ignored. This
        is `send` and `receive` for all games, and raises the same errors as `send`.
        """
        self.send(actions)
        return self.receive(len(self.over))[1]

    def send(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> None:
        """Play the learner's actions, int[R], in the games of `rows`; in all games if None.

        Games that are over are dealt anew instead. The others play in `receive`.

        Raises:
            IllegalAction: If an action is not legal and `illegal_action` is "raise"; nothing is
                changed in any game.
            ValueError: If the shape does not fit, if a game is given twice or has not been received
                since it was sent, or if called before `reset`.
            TypeError: If the actions are not whole numbers.
        """
        some = self.engine.as_rows(rows)
        self._under_way.check_home(some)
        chosen, decided, over = as_actions(actions, len(some)), some, some[:0]
        if self.over.any():
            ended = self.over.take(some)
            over, decided, chosen = some[ended], some[~ended], chosen[~ended]
        self._decide(chosen, decided)
        self._log.begin(decided)
        if over.size:
            self._deal(over)
        self._under_way.send(some)

    def receive(self, count: int) -> tuple[Rows, Step]:
        """Let the others play until `count` of the games sent wait for the learner or are over.

        Returns the games that were ready first, intp[count], ascending, and their outcome. Raises a
        ValueError if the count is not from 1 to the number of games that were sent.
        """
        under_way = self._under_way
        under_way.check_under_way(count)
        while under_way.come_back(self._ready(under_way.playing)) < count:
            self._others_move(under_way.playing)
        rows = under_way.receive(count)
        return rows, self._result(rows)

    def _decide(self, actions: Rows, rows: Rows) -> None:
        """Play the learner's actions, and note where one was illegal."""
        try:
            self._move(actions, rows)
        except IllegalAction:
            if self._illegal_action == "raise":
                raise
            self._settle(actions, rows)
        self._lengths[rows] += 1

    def _settle(self, actions: Rows, rows: Rows) -> None:
        """Play the learner's legal actions, and penalise or replace the others."""
        wrong = (~self.engine.is_legal(actions, rows)).nonzero()[0]
        illegal = rows.take(wrong)
        self._illegal[illegal] = True
        if self._illegal_action == "random":
            replaced, uniforms = actions.copy(), self.engine.random(illegal).random()
            replaced[wrong] = choose(self.engine.legal_mask(illegal), uniforms)
            self._instead[illegal] = replaced[wrong]
            self._move(replaced, rows)
        else:
            self._owed[illegal] += ILLEGAL_REWARD
            self.over[illegal] = True
            self._move(np.delete(actions, wrong), np.delete(rows, wrong))

    def _move(self, actions: npt.ArrayLike, rows: Rows) -> None:
        """Play an action in each game, and note what the learner earned by it."""
        self.engine.step(actions, rows)
        self._owed[rows] += self.engine.rewards[rows, self.seats.take(rows)]
        self.on_move()

    def _result(self, rows: Rows) -> Step:
        """Pay what games that are back owe, except those just dealt, and return their outcome."""
        engine = self.engine
        rows = rows[self._lengths.take(rows) > 0]
        self._returns[rows] += self._owed.take(rows)
        ended = rows[(engine.finished | self.over).take(rows)]
        illegal = rows[self._illegal.take(rows)]
        seats = self.seats.take(ended)
        terminated, truncated = np.zeros((2, engine.num_envs), np.bool_)
        truncated[ended] = engine.truncated.take(ended)
        terminated[ended] = ~truncated.take(ended)
        rewards = np.zeros(engine.num_envs, np.float32)
        rewards[rows] = self._owed.take(rows)
        self._owed[rows], self._illegal[rows] = 0, False
        self.over[ended] = True
        return Step(
            rewards=rewards,
            terminated=terminated,
            truncated=truncated,
            ended=ended,
            won=engine.state.winners[ended, seats],
            ending=np.array([how or ILLEGAL_ENDING for how in engine.how_ended(ended)], object),
            scores=engine.state.scores[ended],
            winners=engine.state.winners[ended],
            illegal=illegal,
            instead=self._instead.take(illegal),
            seats=seats,
            returns=self._returns.take(ended),
            lengths=self._lengths.take(ended),
            skipped=self._skipped[ended],
            agents=self.names(ended),
        )

    def _deal(self, rows: Rows, seed: int | npt.ArrayLike | None = None) -> None:
        """Begin episodes as `reset` does; nobody plays yet."""
        self.engine.reset(rows, seed)
        if self._rotates:
            goes_on = self._begun.take(rows) & (seed is None)
            new, players = rows[~goes_on], self.engine.rules.num_players
            words = one_way(Purpose.LEARNERS_SEAT, self.engine.seeds.take(new))[:, 0]
            self.seats[rows] = (self.seats.take(rows) + 1) % players
            self.seats[new] = words % np.uint64(players)
        self._begun[rows] = True
        self._skipped[rows] = 0
        self._sit_down(rows)

    def _sit_down(self, rows: Rows) -> None:
        """Sample the opponents of games just dealt, and forget the previous episode."""
        self._log.begin(rows)
        self._seating.sample(rows, self.seats.take(rows))
        self._owed[rows] = self._returns[rows] = self._lengths[rows] = 0
        self.over[rows] = self._illegal[rows] = False

    def _deal_again(self, rows: Rows) -> None:
        """Deal anew the games that ended before the learner had its turn, and count them."""
        self._skipped[rows, 0] += 1
        self._skipped[rows, 1] += self.engine.state.winners[rows, self.seats.take(rows)]
        often = rows[self._skipped[rows, 0] > _MAX_DEALS]
        if often.size:
            raise RuntimeError(
                f"game {often[0]} ended {_MAX_DEALS} times before seat {self.seats[often[0]]} had "
                f"its turn: give rules that let every seat play, not {in_short(self.engine.rules)}"
            )
        self.engine.reset(rows)
        self._sit_down(rows)

    def _ready(self, rows: Rows) -> Bools:
        """Return bool[R], True where a game waits for the learner, or is over."""
        engine = self.engine
        while True:
            finished = engine.finished.take(rows)
            early = rows[finished & (self._lengths.take(rows) == 0)]
            if not early.size:
                return finished | (engine.to_move.take(rows) == self.seats.take(rows))
            self._deal_again(early)

    def _others_move(self, rows: Rows) -> None:
        actions, seats = self._seating.choose(rows), self.engine.to_move.take(rows)
        try:
            self._move(actions, rows)
        except IllegalAction as error:
            raise self._seating.broken(error) from None
        self._log.add(rows, actions, seats)


def _nobody_watches() -> None:
    """Do nothing after an action: the default, when nobody watches."""


def _as_seat(seat: int | str, num_players: int) -> int:
    if not is_whole(seat) or not 0 <= seat < num_players:
        raise ValueError(f"seat={shown(seat)}: give 0 to {num_players - 1}, or {ROTATE!r}")
    return seat
