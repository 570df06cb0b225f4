"""A seat's socket: messages come in, are checked, and are done or refused."""

import asyncio
import contextlib
import copy
from collections.abc import Iterator
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.policies import strongest
from rummy_env.play.house import House
from rummy_env.play.melds_found import melds_in_hand
from rummy_env.play.messages import read
from rummy_env.play.minds import coach, think, told_thought
from rummy_env.play.room import Line, Room
from rummy_env.play.table import Refused, Table

Message = dict[str, Any]

GONE = 4000
"""The code with which a socket is closed whose token leads to no seat."""
PATIENCE = 10.0
"""Seconds in which a socket must say where it sits."""


class SeatSocket:
    """One page at one seat, from its first message to its end."""

    def __init__(self, socket: WebSocket, house: House, outside: str | None) -> None:
        """Take over a socket.

        Args:
            socket: The socket.
            house: The tables.
            outside: The address to put into links for others; None for that of the page.
        """
        self._socket, self._house, self._outside = socket, house, outside
        self._thinking: asyncio.Task[None] | None = None
        self._wanted: Iterator[Message] | None = None
        """The messages that were asked for last and take time to make; only these are made."""

    async def serve(self) -> None:
        """Accept the socket, and answer until it is closed."""
        await self._socket.accept()
        try:
            room, line = await self._sit()
        except WebSocketDisconnect:
            return
        except (Refused, TimeoutError) as error:
            await self._refuse(str(error) or "say first where you sit")
            return
        writer = asyncio.create_task(self._write(line))
        try:
            while True:
                self._answer(room, line, await self._receive())
                await asyncio.sleep(0)  # what waits to be received is received at once
        except WebSocketDisconnect:
            pass
        finally:
            room.leave(line)
            self._wanted = None
            writer.cancel()

    async def _refuse(self, why: str) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.send_json({"type": "refused", "why": why})
            await self._socket.close(GONE)

    async def _receive(self) -> str | bytes | None:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        return message.get("bytes") if text is None else text

    async def _sit(self) -> tuple[Room, Line]:
        async with asyncio.timeout(PATIENCE):
            message = read(await self._receive())
        if message["type"] != "sit":
            raise Refused("say first where you sit")
        room, seat, token = self._house.sit(message["token"], message["own"])
        line = Line(seat)
        offer, rules = self._house.offer, room.table.rules
        agents = {"agents": offer.for_rules(rules), "usual": strongest(rules)}
        line.send({"type": "seated", "token": token, **agents, "outside": self._outside})
        room.join(line)
        return room, line

    async def _write(self, line: Line) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (text := await line.next()) is not None:
                await self._socket.send_text(text)
            await self._socket.close(1012)

    def _answer(self, room: Room, line: Line, text: str | bytes | None) -> None:
        """Do what a message asks for, or say why not."""
        try:
            self._do(room, line, read(text))
        except (ValueError, TypeError) as error:  # of which Refused is one
            line.send({"type": "refused", "why": str(error)})

    def _do(self, room: Room, line: Line, message: dict[str, Any]) -> None:
        match message["type"]:
            case "play":
                room.play(line.seat, message["version"], message["action"])
            case "undo":
                room.undo(line.seat, message["version"])
            case "again":
                room.again(message["version"])
            case "melds":
                melds = melds_in_hand(room.table.engine.look(line.seat))
                line.send({"type": "melds", "melds": melds})
            case "mind":
                if room.table.mover != line.seat:
                    raise Refused("it is not your turn: ask when you have to decide")
                self._think(line, _thoughts(room.table, *self._asked(room, message)))
            case "coach":
                lessons = _lessons(room.table, line.seat, *self._asked(room, message))
                self._think(line, lessons)
            case _:
                raise Refused("you have a seat already")

    def _think(self, line: Line, messages: Iterator[Message]) -> None:
        """Send messages that take time to make, instead of those that were asked for before."""
        self._wanted = messages
        if self._thinking is None or self._thinking.done():
            self._thinking = asyncio.create_task(self._send_wanted(line))

    async def _send_wanted(self, line: Line) -> None:
        """Send what is wanted, each message made in a thread, one at a time."""
        while (messages := self._wanted) is not None:
            message = await asyncio.to_thread(_next, messages)
            if message is not None:
                line.send(message)
            elif self._wanted is messages:
                self._wanted = None

    def _asked(self, room: Room, message: Message) -> tuple[str, Policy]:
        """Return the agent that a message asks, by name and as it plays."""
        agent: str = message["agent"]
        return agent, self._house.offer.policy(agent, room.table.rules)


def _next(messages: Iterator[Message]) -> Message | None:
    """Return the next message, a refusal where an agent fails; None after the last."""
    try:
        return next(messages, None)
    except Exception as error:  # an agent may raise anything
        return {"type": "refused", "why": f"the agent failed: {type(error).__name__}: {error}"}


def _thoughts(table: Table, agent: str, policy: Policy) -> Iterator[Message]:
    """Return what an agent thinks, one by one, as long as it is about the table as it stands."""
    engine, version = copy.copy(table.engine), table.version

    def messages() -> Iterator[Message]:
        for thought in think(policy, engine):
            if table.version != version:
                return
            told = told_thought(thought, engine)
            yield {"type": "mind", "agent": agent, "version": version, **told}

    return messages()


def _lessons(table: Table, seat: int, agent: str, policy: Policy) -> Iterator[Message]:
    """Return what a coach would have done in a seat's place so far: lines, then the end of it."""
    record, about = table.record(), {"type": "coach", "agent": agent, "game": table.number}

    def messages() -> Iterator[Message]:
        yield {**about, "lines": [], "done": False}
        for line in coach(policy, record, seat):
            yield {**about, "lines": [line], "done": False}
        yield {**about, "lines": [], "done": True}

    return messages()
