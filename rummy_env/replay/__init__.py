"""Recorded games, step by step: `python -m rummy_env.replay FILE` shows one."""

import copy
from collections.abc import Sequence
from itertools import islice

from rummy_env.core.checks import check_range
from rummy_env.core.display import Trace
from rummy_env.core.engine import Engine
from rummy_env.core.visibility import SeatView
from rummy_env.envs.rendering import last_trace, last_words
from rummy_env.records import Record, play
from rummy_env.records.record import check_record
from rummy_env.views.scene import seat_views
from rummy_env.views.text import open_text, seat_text

TABLES = 1000
"""Tables that a replay keeps, about; the memory of one is some ten kibibytes."""


class Steps:
    """A game, as far as it has gone, that can be looked at step by step.

    Step 0 is the deal, step k the table after k actions.

    Attributes:
        record: The game.
        steps: The number of its actions.
        kept: Its tables at steps that are `apart` from each other, which nobody may play on.
        apart: Steps from one table that is kept to the next; those between are played again.
    """

    def __init__(self, record: Record, kept: Sequence[Engine], apart: int) -> None:
        """Take a game that was played as its record says."""
        self.record, self.kept, self.apart = record, kept, apart
        self.steps = len(record.actions)

    def at(self, step: int) -> Engine:
        """Return a new engine with the game at a step; it may be played on.

        Raises:
            ValueError: If there is no such step.
        """
        check_range("step", step, 0, self.steps)
        number, ahead = divmod(step, self.apart)
        engine = copy.copy(self.kept[number])
        for action in self.record.actions[step - ahead : step]:
            engine.step([action])
        return engine


class Replay(Steps):
    """A recorded game, with what is to be shown of any step."""

    def __init__(self, record: Record) -> None:
        """Play the game through once, and keep it at its steps: all, or `TABLES` of a long game.

        Raises:
            ValueError: If the game departs from what was recorded; see `records.play`.
            TypeError: If it is no record.
        """
        check_record(record)
        apart = 1 + len(record.actions) // TABLES
        games = islice(play(record), 0, None, apart)
        super().__init__(record, [copy.copy(engine) for engine in games], apart)

    def shown(self, step: int) -> tuple[Sequence[SeatView], str, Trace | None]:
        """Return all that a picture of a step shows.

        Returns:
            The views of all seats, N = 1 each; the player and the action that led there, in words,
            at step 0 the deal; and what that action has left to be seen, None at step 0.
        """
        engine = self.at(step)
        return seat_views(engine), self._words(engine), last_trace(engine)

    def views(self, step: int) -> Sequence[SeatView]:
        """Return the views of all seats at a step, N = 1 each."""
        return seat_views(self.at(step))

    def said(self, step: int) -> str:
        """Return the player and the action that led to a step, in words; of step 0, the deal."""
        return self._words(self.at(step))

    def _words(self, engine: Engine) -> str:
        return last_words(engine, agents=self.record.agents) or "the deal"

    def text(self, step: int, seat: int | None = None) -> str:
        """Return the table as text, as a seat knows it; all hands open where the seat is None.

        Raises:
            ValueError: If there is no such step or seat.
        """
        if seat is None:
            return open_text(self.views(step), self.record.agents)
        check_range("seat", seat, 0, self.record.rules.num_players - 1)
        return seat_text(self.at(step).look(seat), seat, self.record.agents)
