"""A table: one game after the other among the same seats, with undo and a log."""

import copy
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rummy_env.baselines.asking import ask
from rummy_env.core.actions import as_actions
from rummy_env.core.arrays import Float64s
from rummy_env.core.checks import check_range
from rummy_env.core.engine import Engine
from rummy_env.core.keys import MOST_SEED
from rummy_env.core.naming import action_name
from rummy_env.core.rules import Rules
from rummy_env.play.seats import Agent, Person, Seat, labels
from rummy_env.records.record import MAX_ACTIONS, Outcome, Record

NOBODY = -1
"""The seat of an entry of the log that is about no one seat."""


class Entry(NamedTuple):
    """A line of the log: a seat, or `NOBODY`, and what it did in words that all may read."""

    seat: int
    words: str


class Refused(ValueError):  # noqa: N818  (named for what it is)
    """Something that cannot be done at the table now; nothing was changed."""


@dataclass
class _Game:
    """All of a game that an action changes, so that undo can put it back."""

    engine: Engine
    earned: Float64s  # not changed but replaced, so copies share it
    actions: list[int] = field(default_factory=list)
    log: list[Entry] = field(default_factory=list)

    def kept(self) -> "_Game":
        """Return a copy, to which undo can go back.

        It copies the engine rather than a snapshot, which lacks the last action and the seeds of
        the games to come.
        """
        return _Game(copy.copy(self.engine), self.earned, [*self.actions], [*self.log])


class Table:
    """One game at a time, played by people and policies; it knows no clock and no network.

    Attributes:
        rules: The rules of its games.
        seats: Who sits where.
        seed: The seed of the first game as it was asked for; None for chance.
        number: Games dealt so far.
        version: Grows with every change, so that late and repeated requests are told apart.
        wins: Games won by each seat.
    """

    def __init__(self, rules: Rules, seats: Sequence[Seat], seed: int | None = None) -> None:
        """Set the table and deal the first game.

        Raises:
            ValueError: If the seats are not as many as the rules have.
        """
        if len(seats) != rules.num_players:
            raise ValueError(f"{len(seats)} seats: {rules.name} has {rules.num_players} here")
        self.rules = rules
        self.seats = tuple(seats)
        self.seed = seed
        self.number = 0
        self.version = 0
        self.wins = [0] * rules.num_players
        self._game = _Game(Engine(rules), np.zeros(rules.num_players))
        self._kept: list[_Game] = []
        self._deal(seed)

    @property
    def engine(self) -> Engine:
        """The game on the table, row 0."""
        return self._game.engine

    @property
    def log(self) -> Sequence[Entry]:
        """What has happened in this game, in words that all may read."""
        return self._game.log

    @property
    def actions(self) -> Sequence[int]:
        """The actions of this game so far."""
        return self._game.actions

    @property
    def game_seed(self) -> int:
        """The seed of the game on the table, which nobody is told before it is over."""
        return int(self.engine.seeds[0])

    @property
    def names(self) -> list[str]:
        """The seats' names, which can be told apart."""
        return labels([seat.name for seat in self.seats])

    @property
    def finished(self) -> bool:
        """True if the game is over."""
        return bool(self.engine.finished[0])

    @property
    def mover(self) -> int:
        """The seat to move; `NOBODY` in a finished game."""
        return NOBODY if self.finished else int(self.engine.to_move[0])

    @property
    def agent_to_move(self) -> Agent | None:
        """The agent whose turn it is."""
        seat = None if self.finished else self.seats[self.mover]
        return seat if isinstance(seat, Agent) else None

    def choice(self, agent: Agent) -> int:
        """Return the action that an agent chooses for the seat to move."""
        return int(ask(self.engine, agent.policy, np.arange(1))[0])

    def play(self, seat: int, action: int) -> None:
        """Play an action of a seat.

        Raises:
            Refused: If it is not the seat's turn, or the action is not legal.
        """
        self._check_turn(seat)
        if not self.engine.is_legal(as_actions([action], 1))[0]:
            texts = self.engine.space.texts
            named = f"{texts[action]!r}" if 0 <= action < len(texts) else f"action {action}"
            raise Refused(f"{named} is not legal now")
        if len(self.actions) >= MAX_ACTIONS:
            raise Refused(f"the game has had {MAX_ACTIONS:,} actions, the most that are recorded")
        before = self._game.kept() if self.person_of(seat) else None
        hand = int(self.engine.state.hand_number[0])
        scores = self.engine.state.scores[0].tolist()
        self.engine.step([action])
        self._game.actions.append(action)
        self._game.earned = self._game.earned + self.engine.rewards[0]
        self._game.log.append(Entry(seat, action_name(self.engine.describe(action))))
        self._keep(before, seat)
        self._note_hand(hand, scores)
        self.version += 1

    def _check_turn(self, seat: int) -> None:
        if self.finished:
            raise Refused("the game is over")
        if seat != self.mover:
            raise Refused(f"it is the turn of {self.names[self.mover]}")

    def _keep(self, before: _Game | None, seat: int) -> None:
        """Keep the game before an action as long as that action can be undone.

        It can as long as nobody else has acted, the mover has seen no card that it did not know of
        before, and no cards were shuffled: their order would be the same again. Cards may go out of
        its sight, as under a covered pile. What agents do is never undone, and nothing is kept.
        """
        if before is None or self.mover_before != seat:
            self._kept.clear()
        if before is None:
            return
        then, now = before.engine.look(seat), self.engine.look(seat)
        same_hand = then.hand_number[0] == now.hand_number[0] and not self.finished
        shown = (then.unseen & ~now.unseen).any() or (now.recycled & ~then.recycled).any()
        if same_hand and not shown:
            self._kept.append(before)
        else:
            self._kept.clear()

    def _note_hand(self, hand: int, scores: list[int]) -> None:
        """Write down the end of a hand or of the game."""
        state, unit = self.engine.state, self.rules.scoring.unit
        if not self.finished and state.hand_number[0] == hand:
            return
        gains = state.scores[0] - np.array(scores)
        told = [f"{n} {gain:+d}" for n, gain in zip(self.names, gains, strict=True) if gain]
        words = f"hand {hand + 1} is over: {', '.join(told) or 'nobody scores'} ({unit}s)"
        self._game.log.append(Entry(NOBODY, words))
        if self.finished:
            won = np.flatnonzero(state.winners[0]).tolist()
            for seat in won:
                self.wins[seat] += 1
            names = " and ".join(self.names[seat] for seat in won) or "nobody"
            how = self.engine.how_ended()[0]
            self._game.log.append(Entry(NOBODY, f"the game is over ({how}): {names} won"))

    @property
    def mover_before(self) -> int:
        """The seat whose last action can be undone; `NOBODY` where none can."""
        return int(self._kept[-1].engine.to_move[0]) if self._kept else NOBODY

    def can_undo(self, seat: int) -> bool:
        """Return True if the last action can be undone by this seat."""
        return seat != NOBODY and self.mover_before == seat

    def undo(self, seat: int) -> None:
        """Take back the last action, which must be the seat's own.

        Raises:
            Refused: If somebody has acted since, or the action has shown the seat a card.
        """
        if not self.can_undo(seat):
            raise Refused(
                "there is nothing to undo: only your own last action can be taken back, before "
                "anybody else acts, and not if it has shown you a card"
            )
        self._game = self._kept.pop()
        self.version += 1

    def again(self) -> None:
        """Deal the next game.

        Raises:
            Refused: If this one is not over.
        """
        if not self.finished:
            raise Refused("the game is not over yet")
        self._deal(None)
        self.version += 1

    def _deal(self, seed: int | None) -> None:
        """Deal a game: of a seed, the next of the table's seed, or by chance."""
        engine = copy.copy(self._game.engine)
        if self.seed is None:
            engine.reset(seeds=secrets.randbits(64))
        else:
            engine.reset(seeds=seed)
        self._begin(self.number + 1, engine)

    def _begin(self, number: int, engine: Engine) -> None:
        """Begin a game that has been dealt."""
        self.number = number
        self._kept.clear()
        self._game = _Game(engine, np.zeros(self.rules.num_players))
        self._game.log.append(Entry(NOBODY, f"game {number} is dealt"))

    def deal_as_recorded(self, number: int, game_seed: int) -> None:
        """Deal the game of a number and a seed of its own, as a journal tells.

        Raises:
            ValueError: If it is neither the game on the table nor the next, or the seed is none, or
                not that of this game of the table.
        """
        check_range("deal", number, self.number, self.number + 1)
        check_range("seed", game_seed, 0, MOST_SEED)
        engine = Engine(self.rules, seed=np.array([game_seed], np.uint64))
        if self.seed is not None:  # later games follow from the seed of the table
            engine = Engine(self.rules, seed=self.seed)
            for _ in range(number - 1):
                engine.reset()
        engine.reset()
        if int(engine.seeds[0]) != game_seed:
            raise ValueError(f"game {number} of seed {self.seed} is not dealt from {game_seed}")
        self.version += self.number != number
        self._begin(number, engine)

    def record(self) -> Record:
        """Return the game so far, as records have it."""
        return Record(
            rules=self.rules,
            seed=self.game_seed,
            actions=tuple(self.actions),
            agents=tuple(seat.name for seat in self.seats),
            outcome=Outcome.of(self.engine, 0, self._game.earned),
        )

    def person_of(self, seat: int) -> Person | None:
        """Return the person in a seat; None where an agent plays."""
        found = self.seats[seat]
        return found if isinstance(found, Person) else None
