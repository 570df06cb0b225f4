"""A recorded game at any of its steps: `python -m rummy_env.replay FILE` shows it."""

from collections.abc import Sequence

from rummy_env.core.checks import check_range
from rummy_env.core.engine import Engine
from rummy_env.core.naming import action_name, player_name
from rummy_env.core.visibility import SeatView
from rummy_env.records import Record, play
from rummy_env.views.text import open_text, seat_text


class Replay:
    """A recorded game, to look at forwards and backwards.

    Step 0 is the deal, step k the table after k actions.

    Attributes:
        record: The game.
        steps: How many actions it has.
    """

    def __init__(self, record: Record) -> None:
        """Plays the game through once, and keeps every table.

        Raises:
            ValueError: If the game departs from what was recorded; see `records.play`.
        """
        self.record = record
        self.steps = len(record.actions)
        self._tables, self._movers = [], []
        for engine in play(record):
            self._tables.append(engine.snapshot(0))
            self._movers.append(int(engine.last_mover[0]))

    def at(self, step: int) -> Engine:
        """An engine of its own with the game as it stood; it may be played on.

        Raises:
            ValueError: If there is no such step.
        """
        check_range("step", step, 0, self.steps)
        engine = Engine(self.record.rules)
        engine.restore(0, self._tables[step])
        if step:
            engine.last_action[0] = self.record.actions[step - 1]
            engine.last_mover[0] = self._movers[step]
        return engine

    def views(self, step: int) -> Sequence[SeatView]:
        """What each seat knew, N = 1 each, in the order of the seats.

        Raises:
            ValueError: If there is no such step.
        """
        engine = self.at(step)
        return [engine.look(seat) for seat in range(self.record.rules.num_players)]

    def said(self, step: int) -> str:
        """Who led to the step, and by what action, in words; of step 0, that cards were dealt.

        Raises:
            ValueError: If there is no such step.
        """
        engine = self.at(step)
        if not step:
            return "the deal"
        seat = int(engine.last_mover[0])
        return f"{self.sitting(seat)}: {action_name(engine.describe(int(engine.last_action[0])))}"

    def sitting(self, seat: int) -> str:
        """Who sits there: `"player_0 (greedy)"`."""
        name, agent = player_name(seat), self.record.agents[seat]
        return name if agent == name else f"{name} ({agent})"

    def text(self, step: int, seat: int | None = None) -> str:
        """The table as text; see `rummy_env.views.text`.

        Args:
            step: Which.
            seat: Whose knowledge is shown; None for all hands open.

        Raises:
            ValueError: If there is no such step or seat.
        """
        if seat is None:
            return open_text(self.views(step))
        check_range("seat", seat, 0, self.record.rules.num_players - 1)
        return seat_text(self.at(step).look(seat), seat)
