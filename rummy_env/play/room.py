"""A table with the people who are connected to it, and the clock by which agents play."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from rummy_env.baselines.policies import BASELINES
from rummy_env.play.journal import Journal
from rummy_env.play.messages import check_version
from rummy_env.play.seats import Agent, cannot_go_on
from rummy_env.play.table import Refused, Table
from rummy_env.play.telling import told_table
from rummy_env.records import Record

QUICK = tuple(type(make()) for make in BASELINES.values())
"""Policies that answer at once; all others think in a thread, so that nobody waits for them."""
MOST_PAGES = 8
"""Pages at one seat."""
MOST_WAITING = 256
"""Messages that may wait for a page; a page that is slower is disconnected, and comes back."""

log = logging.getLogger("rummy_env.play")


class Line:
    """The messages on their way to one page.

    Attributes:
        seat: The seat that the page is for.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)

    def send(self, message: Mapping[str, Any]) -> None:
        """Put a message into the queue; the line is cut where too many wait."""
        self._put(json.dumps(message, separators=(",", ":"), ensure_ascii=False))

    def close(self) -> None:
        """End the line after what waits."""
        self._put(None)

    def _put(self, text: str | None) -> None:
        try:
            self._waiting.put_nowait(text)
        except asyncio.QueueFull:
            while not self._waiting.empty():
                self._waiting.get_nowait()
            self._waiting.put_nowait(None)

    async def next(self) -> str | None:
        """Return the next message; None at the end."""
        return await self._waiting.get()


class Room:
    """A table, the lines to its pages, and the task in which its agents play.

    Attributes:
        name: The name of the table, which is in no message.
        table: The table.
        lines: To the pages that are connected.
    """

    def __init__(
        self,
        name: str,
        table: Table,
        journal: Journal,
        *,
        pace: float,
        on_record: Callable[[Record], int],
    ) -> None:
        """Open a room.

        Args:
            name: The name of the table.
            table: The table.
            journal: Writes down what happens.
            pace: Seconds that an agent waits before it acts, in which a slip can be undone.
            on_record: Told the record of every game that ends; says its number.
        """
        self.name, self.table = name, table
        self.lines: set[Line] = set()
        self._journal, self._pace, self._on_record = journal, pace, on_record
        self._agents: asyncio.Task[None] | None = None
        self._trouble = ""
        self._recorded: int | None = None

    def join(self, line: Line) -> None:
        """Connect a page, and tell it the table; the others are told that somebody came.

        An agent that has failed is asked again.

        Raises:
            Refused: If the seat has too many pages.
        """
        if sum(other.seat == line.seat for other in self.lines) >= MOST_PAGES:
            raise Refused(f"{MOST_PAGES} pages are open at this seat: close one of them")
        self.lines.add(line)
        self._trouble = ""
        line.send(self._told(line.seat, whole=True))
        self._tell_present()
        self.wake()

    def leave(self, line: Line) -> None:
        """Disconnect a page; its seat waits."""
        self.lines.discard(line)
        self._tell_present()

    def play(self, seat: int, version: int, action: int) -> None:
        """Play an action of a person; a `Refused` changes nothing."""
        check_version(version, self.table.version)
        self._played(seat, action)
        self.wake()

    def undo(self, seat: int, version: int) -> None:
        """Take back a person's last action; a `Refused` changes nothing."""
        check_version(version, self.table.version)
        self.table.undo(seat)
        self._trouble = ""
        self._journal.undo(self.name)
        self._tell()

    def again(self, version: int) -> None:
        """Deal the next game; a `Refused` changes nothing."""
        check_version(version, self.table.version)
        self.table.again()
        self._trouble, self._recorded = "", None
        self._journal.deal(self.name, self.table)
        self._tell()
        self.wake()

    def _played(self, seat: int, action: int) -> None:
        self.table.play(seat, action)
        self._journal.play(self.name, action)
        if self.table.finished:
            record = self.table.record()
            self._recorded = self._on_record(record)
            self._journal.record(self.name, self.table.number, record)
        self._tell()

    def wake(self) -> None:
        """Let the agents play, if one is to move."""
        idle = self._agents is None or self._agents.done()
        if idle and self.table.agent_to_move is not None and not self._trouble:
            self._agents = asyncio.create_task(self._play_agents())

    async def close(self) -> None:
        """Stop the agents and end the lines."""
        if self._agents is not None:
            self._agents.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._agents
        for line in self.lines:
            line.close()

    async def _play_agents(self) -> None:
        """Play for agents until a person is to move or the game is over."""
        while (agent := self.table.agent_to_move) is not None:
            version = self.table.version
            if self._pace:
                await asyncio.sleep(self._pace)
            if self.table.version != version:
                continue  # somebody has taken an action back
            try:
                if type(agent.policy) in QUICK:
                    action = self.table.choice(agent)
                    await asyncio.sleep(0)
                else:
                    action = await asyncio.to_thread(self.table.choice, agent)
                if self.table.version == version:
                    self._played(self.table.mover, action)
            except Exception as error:  # an agent may raise anything
                if self.table.version != version:
                    continue
                log.warning("agent %s failed", agent.name, exc_info=True)
                why = cannot_go_on(agent.name, error)
                self._trouble = f"{why}; reload the page to ask it again"
                self._tell()
                return

    def _told(self, seat: int, *, whole: bool = False) -> dict[str, Any]:
        told = told_table(self.table, seat, whole=whole)
        more = {"trouble": self._trouble, "recorded": self._recorded}
        return {**told, **more, **self._company(seat)}

    def _tell(self) -> None:
        for line in self.lines:
            line.send(self._told(line.seat))

    def _tell_present(self) -> None:
        for line in self.lines:
            line.send({"type": "present", **self._company(line.seat)})

    def _company(self, seat: int) -> dict[str, list[bool]]:
        """Whether each seat is `present`, counted from one, and whether it is `taken` for good.

        Agents are both. A person takes a seat by using its link, and is present while connected.
        """
        here = {line.seat for line in self.lines}
        seats = [*enumerate(self.table.seats)]
        seats = seats[seat:] + seats[:seat]
        return {
            "present": [isinstance(each, Agent) or place in here for place, each in seats],
            "taken": [isinstance(each, Agent) or each.claimed for _, each in seats],
        }
