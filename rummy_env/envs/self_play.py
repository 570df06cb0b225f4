"""Self-play: one learner plays every seat, and every step of the engine is one of its decisions.

All games move together, whichever seat is to act in each, so that no game waits for another. In a
share of them, policies sit in all seats but one, or in one alone; their decisions are not to be
learned from.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from rummy_env.core.actions import as_actions
from rummy_env.core.arrays import Array, Bools, Float32s, Int32s, Rows, Words
from rummy_env.core.checks import check_number, shown
from rummy_env.core.engine import IllegalAction
from rummy_env.core.keys import Purpose, one_way
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import uniform
from rummy_env.envs.autoreset import autoreset
from rummy_env.envs.options import rules_for
from rummy_env.envs.recording import RecordPath, close_records, engine_for
from rummy_env.envs.seating import LEARNER, Opponents, Pool, Seating
from rummy_env.views.features import HINTS
from rummy_env.views.observing import Observation, observer_for


@dataclass(frozen=True)
class Turn:
    """The decisions that B games wait for.

    Attributes:
        observations: [B, F], what the seat to act observes; zeros if a policy decides, which looks
            for itself.
        masks: bool[B, A], the legal actions; none in a game that is over.
        seats: intp[B], the seat to act.
        learning: bool[B], True where the learner decides; elsewhere a policy does, or the game is
            over.
    """

    observations: Array
    masks: Bools
    seats: Rows
    learning: Bools


@dataclass(frozen=True)
class Outcome:
    """What B decisions led to.

    Attributes:
        rewards: float32[B, P], the rewards of every seat, whoever has moved.
        terminated: bool[B], True where a game ended by the rules.
        truncated: bool[B], True where it was cut off.
        scores: int32[B, P], the points of every seat, before a game that ended is dealt anew.
        winners: bool[B, P], the seats that have won a game that ended.
        learners: bool[B, P], the seats that were the learner's.
    """

    rewards: Float32s
    terminated: Bools
    truncated: Bools
    scores: Int32s
    winners: Bools
    learners: Bools


class SelfPlayEnv:
    """B games of the same rules, for a learner that plays every seat.

    The interface is not Gymnasium's, because a step's rewards belong to several seats:

        turn = env.reset(seed=1)
        turn, outcome = env.step(actions)        # actions int[B]; ignored where not turn.learning

    A hand pays all seats with the action that ends it. The reward of a seat's last decision may
    therefore come with another seat's action, several steps later.

    Attributes:
        engine: The tables. Read them as you like; only methods of this class may change them.
        observer: Turns views into observations, of size F.
        learners: bool[B, P], the seats of the learner.
    """

    def __init__(
        self,
        name_or_rules: str | Rules,
        num_envs: int,
        *,
        opponents: Opponents | None = None,
        share: float = 0.0,
        seed: int | Words | None = None,
        observation: Observation = HINTS,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        record: RecordPath | None = None,
        **options: Any,
    ) -> None:
        """Make tables without dealing: call `reset` before the first step.

        Args:
            name_or_rules: A variant's name, with or without options, or complete rules.
            num_envs: B, the number of games.
            opponents: The policies that play some seats, by default greedy; see `LearnerGames`.
            share: The share of games in which they do, 0 to 1. The learner has a single seat in
                one half of these, and all but one in the other, as in comparisons. Which games and
                seats these are is drawn by each game's own seed.
            seed: As given to `Engine`; None draws one.
            observation: What the learner sees; see `views.observing.observer_for`.
            autoreset_mode: When games that are over are dealt anew: in the step that ends them; in
                the one after it, whose actions they ignore; or only by `reset`.
            record: A file to which every game is appended; see `rummy_env.records`.
            **options: Options of the variant.

        Raises:
            ValueError: If an argument is invalid.
            TypeError: If an opponent is not a policy, or the observation not an observer.
        """
        check_number("share", share, "a number from 0 to 1", lambda part: 0 <= part <= 1)
        rules = rules_for(SelfPlayEnv, name_or_rules, options)
        self.autoreset_mode = autoreset(autoreset_mode)
        self.observer = observer_for(rules, observation)
        usual = "greedy" if share else "random"  # which plays any rules, here nobody's
        pool = Pool.of(usual if opponents is None else opponents, rules)
        if opponents is not None:
            _check_played(opponents, share)
        self.engine = engine_for(rules, num_envs, seed, record=record, agents=self._agents)
        self.learners = np.ones((num_envs, rules.num_players), np.bool_)
        self._share = share
        self._seating = Seating(self.engine, pool)
        self._all_rows: Rows = np.arange(num_envs)

    @property
    def num_envs(self) -> int:
        """B."""
        return self.engine.num_envs

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self.engine.rules

    def set_opponents(self, opponents: Opponents) -> None:
        """Replace the opponents of all games that are dealt from now on; see `Pool.of`.

        A ValueError if no game has any, with a `share` of 0.
        """
        pool = Pool.of(opponents, self.engine.rules)
        _check_played(opponents, self._share)
        self._seating.replace(pool)

    def reset(
        self, seed: int | npt.ArrayLike | None = None, rows: npt.ArrayLike | None = None
    ) -> Turn:
        """Deal the games of `rows`, int[R], anew; all games if None.

        With a `seed`, as for the constructor, they start all over; without one, each game goes on
        to the next seed of its chain. Raises a ValueError if the seeds do not fit.
        """
        self._deal(self.engine.as_rows(rows), seed)
        return self.turn()

    def turn(self) -> Turn:
        """Return the decisions that the games wait for."""
        engine, seats = self.engine, self.engine.to_move.astype(np.intp)
        own, over = self.learners[self._all_rows, seats], engine.finished
        return Turn(self._observed(seats, own | over), engine.legal_mask(), seats, own & ~over)

    def _observed(self, seats: Rows, asked: Bools) -> Array:
        """[B, F], what one seat of each game, intp[B], observes; zeros where it is not asked."""
        if asked.all():
            return self.observer(self.engine.look(seats))
        rows = asked.nonzero()[0]
        found = np.zeros((self.num_envs, self.observer.size), self.observer.dtype)
        if rows.size:
            found[rows] = self.observer(self.engine.look(seats[rows], rows))
        return found

    def step(self, actions: npt.ArrayLike) -> tuple[Turn, Outcome]:
        """Play one action in each game: the learner's, int[B], or that of the policy to act.

        Raises:
            IllegalAction: If an action of the learner is not legal; nothing is changed.
            ValueError: If the shape does not fit, or if called before `reset`.
            TypeError: If the actions are not whole numbers.
        """
        engine, over = self.engine, self.engine.finished
        chosen = as_actions(actions, engine.num_envs).copy()
        theirs = ~self.learners[self._all_rows, engine.to_move] & ~over
        if theirs.any():
            rows = theirs.nonzero()[0]
            chosen[rows] = self._seating.choose(rows)
        try:
            engine.step(chosen)
        except IllegalAction as error:
            if theirs[error.row]:
                raise self._seating.broken(error) from None
            raise
        ended = engine.terminated & ~over, engine.truncated & ~over
        scores, winners = engine.state.scores.copy(), engine.state.winners.copy()
        outcome = Outcome(engine.rewards.copy(), *ended, scores, winners, self.learners.copy())
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            self._deal(over.nonzero()[0])
        elif self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._deal(engine.finished.nonzero()[0])
        return self.turn(), outcome

    def close(self) -> None:
        """Record unfinished games."""
        close_records(self.engine)

    def _deal(self, rows: Rows, seed: int | npt.ArrayLike | None = None) -> None:
        if not rows.size:
            return
        self.engine.reset(rows, seed)
        self.learners[rows] = True
        self._seating.leave(rows)
        if not self._share:
            return
        words = one_way(Purpose.LEARNERS, self.engine.seeds.take(rows), count=3)
        some = uniform(words[:, 0]) < self._share
        shared, (_, place, sides) = rows[some], words[some].T
        if not shared.size:
            return
        players = self.engine.rules.num_players
        beside, seats = (part.astype(np.intp) for part in np.divmod(place, np.uint64(players)))
        alone = sides % np.uint64(2) == 0
        self.learners[shared] = ~alone[:, None]
        self.learners[shared, seats] = alone
        # Everybody but one seat is seated; who sits where the learner plays is never asked. Of a
        # list with a policy for each seat, it depends on that one who the lone policy is.
        other = (seats + 1 + beside % (players - 1)) % players
        self._seating.sample(shared, np.where(alone, seats, other))

    def _agents(self, row: int) -> list[str]:
        """Return the names of the players of a game, by seat."""
        names = self._seating.names(np.array([row]))[0]
        names[self.learners[row]] = LEARNER
        return names.tolist()


def _check_played(opponents: Opponents, share: float) -> None:
    """Refuse opponents that would play in no game."""
    if not share:
        raise ValueError(
            f"opponents={shown(opponents)}: with share=0 the learner plays every seat of every "
            f"game; give a share above 0, or no opponents"
        )
