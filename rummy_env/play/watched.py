"""Games of agents against agents, played while they are watched."""

import asyncio
import copy
import json
import logging
import time
from collections.abc import Iterator, Sequence

from rummy_env.core.engine import Engine
from rummy_env.play.minds import Thought, think, told_thought
from rummy_env.play.orders import Order
from rummy_env.play.seats import Agent, cannot_go_on
from rummy_env.play.table import Table
from rummy_env.replay import Steps

MOST_ACTIONS = 20_000
"""Actions of such a game; one that is longer is shown as far as it went."""
MOST_THOUGHTS = 1000
"""Decisions whose reasons are kept, the latest."""
APART = 16
"""Steps from one table that is kept to the next; those between are played again when looked at."""
PATIENCE = 20.0
"""Seconds for which agents play on when nobody looks."""

log = logging.getLogger("rummy_env.play")


class Watched:
    """A game that agents play for as long as somebody looks.

    Attributes:
        shown: The game so far, which never changes but is replaced.
        trouble: Why an agent cannot go on; empty if it can.
    """

    def __init__(self, order: Order, busy: asyncio.Semaphore) -> None:
        """Set the table and deal; agents think while they hold `busy`.

        Raises:
            ValueError: If a seat is for a person.
        """
        if not all(isinstance(seat, Agent) for seat in order.seats):
            raise ValueError("a person sits here: give every seat an agent, or sit down and play")
        self._table = Table(order.rules, order.seats, order.seed)
        self._busy = busy
        self.shown = self._steps([])
        self.trouble = ""
        self._thoughts: dict[int, str] = {}
        self._looked = 0.0
        self._playing: asyncio.Task[None] | None = None

    @property
    def going(self) -> bool:
        """True while more may come; told by what is shown, as several threads ask."""
        shown = self.shown
        over = shown.record.outcome.end != "unfinished" or shown.steps >= MOST_ACTIONS
        return not over and not self.trouble

    def _steps(self, before: Sequence[Engine]) -> Steps:
        more = [] if len(self._table.actions) % APART else [copy.copy(self._table.engine)]
        return Steps(self._table.record(), [*before, *more], APART)

    def look(self) -> None:
        """Let the agents play on for a while, as somebody looks."""
        self._looked = time.monotonic()
        if self.going and (self._playing is None or self._playing.done()):
            self._playing = asyncio.create_task(self._play())

    def stop(self) -> None:
        """End the playing."""
        if self._playing is not None:
            self._playing.cancel()

    def thought(self, step: int, seat: int | None) -> str:
        """Return what the mover thought at a step, or thinks now, as JSON; null where unknown.

        Args:
            step: The step.
            seat: Whose eyes to see by; None for all hands open. Other minds tell of their hands.
        """
        mover = int(self.shown.at(step).to_move[0])
        return self._thoughts.get(step, "null") if seat in (None, mover) else "null"

    async def _play(self) -> None:
        try:
            while self.going and time.monotonic() - self._looked < PATIENCE:
                await self._act()
        except Exception as error:  # an agent may raise anything
            name = self._table.names[self._table.mover]
            log.warning("agent %s failed", name, exc_info=True)
            self.trouble = cannot_go_on(name, error)

    async def _act(self) -> None:
        """Let the agent to move think aloud, and play what it ends with."""
        agent, step = self._table.agent_to_move, len(self._table.actions)
        assert agent is not None
        thoughts, chosen = think(agent.policy, self._table.engine), -1
        async with self._busy:
            while (told := await asyncio.to_thread(self._next, agent.name, thoughts)) is not None:
                chosen, self._thoughts[step] = told
        self._thoughts.pop(step - MOST_THOUGHTS, None)
        self._table.play(self._table.mover, chosen)
        self.shown = self._steps(self.shown.kept)

    def _next(self, agent: str, thoughts: Iterator[Thought]) -> tuple[int, str] | None:
        """Return the next of some thoughts, the action that it would play and JSON, or None."""
        thought = next(thoughts, None)
        if thought is None:
            return None
        told = {"agent": agent, **told_thought(thought, self._table.engine)}
        return thought.chosen, json.dumps(told, separators=(",", ":"))
