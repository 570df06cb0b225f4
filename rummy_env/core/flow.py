"""The turn machine: moves lead from phase to phase, turns pass, hands end and are dealt."""

import copy
from functools import reduce
from operator import or_

import numpy as np

from rummy_env.core.actions import ActionSpace
from rummy_env.core.arrays import Bools, Float32s, Floats, Rows
from rummy_env.core.cards import NO_CARD
from rummy_env.core.dealing import deal, sample_dealer
from rummy_env.core.fields import Lasts
from rummy_env.core.movers import Movers
from rummy_env.core.one_or_many import NO_ROWS, chosen, parted, present
from rummy_env.core.own import (
    check_episode,
    check_flags,
    check_paid,
    check_result,
    check_seating,
)
from rummy_env.core.part import Ending
from rummy_env.core.rules import HAND_ENDS, TURN_ENDS, Rules
from rummy_env.core.state import State

_FINISHED = -1


class Flow:
    """Carries B games on, as their rules say.

    Attributes:
        rewards: float32[B, P], what the last call of `play` paid.
        any_finished: True if some game has ended.
    """

    def __init__(self, rules: Rules, space: ActionSpace, state: State) -> None:
        self.rules = rules
        self.state = state
        self.rewards: Float32s = np.zeros(state.scores.shape, np.float32)
        self.any_finished = False
        self._space = space
        self._transitions: list[int] = space.transitions.reshape(-1).tolist()
        names = [phase.name for phase in rules.turn]
        self._otherwise = [names.index(phase.otherwise or phase.name) for phase in rules.turn]
        self._paid = False

    def over(self, state: State) -> "Flow":
        """Return the same for a copy of the games as they are."""
        made = copy.copy(self)
        made.state, made.rewards = state, self.rewards.copy()
        return made

    def begin(self, rows: Rows) -> None:
        """Begin new episodes; the seeds are in place."""
        self.state.clear(rows, Lasts.EPISODE)
        self.note_laid(rows)
        sample_dealer(self.state, rows)
        self._deal(rows)

    def _deal(self, rows: Rows) -> None:
        """Deal hands, whose first turns begin."""
        deal(self.rules, self.state, rows)
        self._enter(0, rows)

    def note_laid(self, rows: Rows) -> None:
        """Take note of games that have been laid on the table, whatever was there before."""
        self.state.clock += 1
        self.rewards[rows] = 0
        self.any_finished = bool(self.state.finished.any())

    def play(self, actions: Rows, rows: Rows) -> None:
        """Play a legal action in each of the games, none of which is finished.

        One action, in one game, may be numbers: then all is scalars, as far as the parts can.
        """
        if self._paid:
            self.rewards.fill(0)
            self._paid = False
        if not rows.size:
            return
        state, space = self.state, self._space
        state.clock += 1
        state.decisions[rows] += 1
        num_moves = len(space.moves)
        steps = state.phase[rows] * np.intp(num_moves) + space.move_of[actions]
        choice = space.choice_of[actions]
        kinds = present(steps)
        if len(kinds) == 1:
            passing, ended = self._make(kinds[0], rows, choice)
        else:
            each = [(steps == step).nonzero()[0] for step in kinds]
            made = [
                self._make(step, rows[items], choice[items])
                for step, items in zip(kinds, each, strict=True)
            ]
            passing, ended = map(np.concatenate, zip(*made, strict=True))
        self._end_turns(passing)
        self._end_hands(ended, cut_off=False)

    def _make(self, step: int, rows: Rows, choice: Rows) -> tuple[Rows, Rows]:
        """Make the same kind of move in some games, all in the same phase; see `_follow`."""
        move = self._space.moves[step % len(self._space.moves)]
        movers = Movers(self.state, rows).for_part(move)
        move.apply(movers, choice if movers.rows is rows else choice[None])
        return self._follow(movers, step)

    def _follow(self, movers: Movers, step: int) -> tuple[Rows, Rows]:
        """Follow the graph of the turn after a move.

        Returns:
            The games whose turn has ended, and those whose hand has ended.
        """
        then, rows = self._transitions[step], movers.rows
        if then == HAND_ENDS:
            return NO_ROWS, rows
        ended = NO_ROWS
        if self.rules.endings:
            over = reduce(or_, [self._ends(ending, movers) for ending in self.rules.endings])
            ended, rows = parted(rows, over)
        if then == TURN_ENDS:
            return rows, ended
        if then != step // len(self._space.moves):
            self._enter(then, rows)
        return NO_ROWS, ended

    def _ends(self, ending: Ending, movers: Movers) -> Bools:
        asked = movers.for_part(ending)
        flags = ending.ends(asked)
        check_flags(ending, "ends", flags, asked.rows)
        return flags

    def _enter(self, number: int, rows: Rows) -> None:
        """Take games to a phase, or to the one that comes instead."""
        phase = self.rules.turn[number]
        self.state.phase[rows] = number
        if phase.answers:
            self.state.to_move[rows] = self.state.next_seat(rows, self.state.to_move[rows])
        if phase.when is not None and rows.size:
            movers = Movers(self.state, rows).for_part(phase.when)
            flags = phase.when.holds(movers)
            check_flags(phase.when, "holds", flags, movers.rows)
            _, passed_over = parted(movers.rows, flags)
            self._enter(self._otherwise[number], passed_over)

    def _end_turns(self, rows: Rows) -> None:
        """End turns: the next ones begin, unless hands have gone on for too long."""
        if not rows.size:
            return
        self.state.turn_number[rows] += 1
        if self.rules.restocking.ends_hand_at >= 0:
            ended, rows = parted(rows, self._stock_ends_it(rows))
            self._end_hands(ended, cut_off=False)
        too_long, rows = parted(rows, self._too_long(rows))
        self._end_hands(too_long, cut_off=True)
        if rows.size:
            self._begin_turns(rows)

    def cut_off(self, rows: Rows) -> Bools:
        """Return bool[R], True where the last hand of a finished game was cut off."""
        return self.state.finished[rows] & self._too_long(rows) & ~self._stock_ends_it(rows)

    def _stock_ends_it(self, rows: Rows) -> Bools:
        return self.state.stock_left(rows) <= self.rules.restocking.ends_hand_at

    def _too_long(self, rows: Rows) -> Bools:
        return self.state.turn_number[rows] >= self.rules.max_turns

    def _begin_turns(self, rows: Rows) -> None:
        """Pass the turn clockwise."""
        state = self.state
        seat = state.to_move[rows]
        if self.rules.episode.sends_out:
            state.to_move[rows] = state.next_seat(rows, seat)
        else:
            state.to_move[rows] = (seat + 1) % state.num_players
        state.clear(rows, Lasts.TURN)
        empty = chosen(rows, state.stock_left(rows) == 0)
        if empty.size:
            self.rules.restocking.before_turn(state, empty.reshape(-1))
        self._enter(0, rows)

    def _end_hands(self, rows: Rows, *, cut_off: bool) -> None:
        """Score hands, and end the episodes or deal the next hands."""
        if not rows.size:
            return
        rows = rows.reshape(-1)
        state, episode = self.state, self.rules.episode
        won = self._score(rows) if not cut_off else np.zeros_like(state.winners[rows])
        state.hand_winners[rows] = won
        decided = episode.decided(state, rows, cut_off=cut_off)
        stopped = episode.stopped(state, rows, cut_off=cut_off)
        winners = episode.winners(state, rows, won)
        check_episode(episode, decided, stopped, winners, won.shape)
        stopped = stopped & ~decided
        self._end_episodes(rows[decided], winners[decided])
        state.truncated[rows[stopped]] = True
        state.phase[rows] = _FINISHED
        state.taken[rows] = NO_CARD
        going_on = ~(decided | stopped)
        self.any_finished |= not going_on.all()
        if going_on.any():
            rows = rows[going_on]
            episode.seat_next(state, rows, won[going_on], cut_off=cut_off)
            check_seating(episode, state, rows)
            state.hand_number[rows] += 1
            self._deal(rows)

    def _score(self, rows: Rows) -> Bools:
        """Return bool[R, P], the winners of hands, whose points are added and paid."""
        result = self.rules.scoring.score(self.state, rows)
        check_result(result, self.rules.scoring, (len(rows), self.rules.num_players))
        self.state.scores[rows] += result.points.astype(np.int32)
        self._pay(rows, self.rules.rewards.for_hand(result, self.rules.scoring))
        return result.winners

    def _end_episodes(self, rows: Rows, winners: Bools) -> None:
        self.state.terminated[rows] = True
        self.state.winners[rows] = winners
        self._pay(rows, self.rules.rewards.for_episode(winners))

    def _pay(self, rows: Rows, paid: Floats | None) -> None:
        if paid is not None:
            check_paid(self.rules.rewards, paid, (len(rows), self.rules.num_players))
            self.rewards[rows] += paid  # for a hand, and for the episode that it ends
            self._paid = True
