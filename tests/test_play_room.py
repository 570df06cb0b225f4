"""A room: agents that fail, and what brings them back."""

import asyncio
import threading
from typing import Any

import numpy as np

import rummy_env
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.play.journal import Journal
from rummy_env.play.room import Room
from rummy_env.play.seats import Agent, Person
from rummy_env.play.table import Table


class Moody:
    """Fails the first time it is asked."""

    asked = 0

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        self.asked += 1
        if self.asked == 1:
            raise RuntimeError("not now")
        return mask.argmax(axis=1)


def test_an_agent_that_failed_is_asked_again_after_another_move() -> None:
    moody = Moody()
    table = Table(rummy_env.rules("basic"), [Person("Ann"), Agent("moody", moody, "moody")], seed=2)

    async def played() -> None:
        more: Any = {"pace": 0, "on_record": lambda record: 1}
        room = Room("name", table, Journal(None), **more)
        for choice in (-1, -2):  # the last discard, and another in its place
            while table.mover == 0:
                legal = np.flatnonzero(table.engine.legal_mask()[0])
                discards = table.engine.describe(int(legal[-1])).kind == "discard"
                room.play(0, table.version, int(legal[choice if discards else 0]))
            assert room._agents is not None
            await room._agents
            if choice == -1:
                room.undo(0, table.version)

    asyncio.run(played())
    assert moody.asked > 1
    assert table.mover == 0


def test_an_agent_that_fails_at_a_position_taken_back_is_asked_at_the_next() -> None:
    asked, failing = threading.Event(), threading.Event()

    class Late:
        """Fails the first time it is asked, when it may."""

        def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
            if not asked.is_set():
                asked.set()
                assert failing.wait(20)
                raise RuntimeError("too late")
            return mask.argmax(axis=1)

    table = Table(rummy_env.rules("basic"), [Person("Ann"), Agent("late", Late(), "late")], seed=2)

    def turn(room: Room) -> None:
        while table.mover == 0:
            room.play(0, table.version, int(np.flatnonzero(table.engine.legal_mask()[0])[-1]))

    async def played() -> None:
        more: Any = {"pace": 0, "on_record": lambda record: 1}
        room = Room("name", table, Journal(None), **more)
        turn(room)
        await asyncio.to_thread(asked.wait, 20)
        room.undo(0, table.version)
        failing.set()
        await asyncio.sleep(0.1)
        turn(room)
        assert room._agents is not None
        await room._agents
        assert room._told(0)["trouble"] == ""

    asyncio.run(played())
    assert table.mover == 0
