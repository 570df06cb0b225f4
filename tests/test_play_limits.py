"""The limits of a server: of pages, tables, files and games of agents."""

import asyncio
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.play import house as house_module
from rummy_env.play import shelf as shelf_module
from rummy_env.play import watched as watched_module
from rummy_env.play.house import House
from rummy_env.play.journal import Journal
from rummy_env.play.offer import Offer
from rummy_env.play.orders import order_of
from rummy_env.play.room import MOST_PAGES, MOST_WAITING, Line, Room
from rummy_env.play.shelf import Shelf
from rummy_env.play.table import Refused
from rummy_env.play.watched import Watched
from tests.play_tables import at_random, order, people, set_up


def room_of(table: Any) -> Room:
    return Room("name", table, Journal(None), pace=0, on_record=lambda record: 1)


def agents_game(**options: Any) -> Watched:
    told = {"variant": "gin", "seats": [{"agent": "random"}] * 2, "seed": 3, "options": options}
    return Watched(order_of(told, Offer()), asyncio.Semaphore())


def test_a_seat_has_so_many_pages_and_no_more() -> None:
    room = room_of(people(rummy_env.rules("basic")))
    for _ in range(MOST_PAGES):
        room.join(Line(0))
    room.join(Line(1))
    with pytest.raises(Refused, match="8 pages are open at this seat"):
        room.join(Line(0))


def test_a_page_that_is_too_slow_is_cut_off() -> None:
    async def heard() -> list[Any]:
        line = Line(0)
        for number in range(MOST_WAITING + 1):
            line.send({"number": number})
        return [await line.next()]

    assert asyncio.run(heard()) == [None]


def test_a_finished_table_that_somebody_looks_at_makes_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(house_module, "MAX_TABLES", 1)
    house = House(Offer(), pace=0)
    set_up(house, order("basic"))
    (room,) = house.rooms
    table, rng = room.table, np.random.default_rng(1)
    while not table.finished:
        table.play(table.mover, at_random(table, rng))
    line = Line(0)
    room.join(line)
    with pytest.raises(Refused, match="1 tables are taken"):
        set_up(house, order("basic"))
    room.leave(line)
    set_up(house, order("basic"))
    assert room not in house.rooms


def test_agents_play_on_as_long_as_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(watched_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    watched = agents_game()
    act = watched._act

    async def slowly() -> None:
        await act()
        now[0] += watched_module.PATIENCE / 2

    monkeypatch.setattr(watched, "_act", slowly)

    async def looked() -> None:
        watched.look()
        assert watched._playing is not None
        await watched._playing
        assert watched.going
        assert watched.shown.steps == 2
        watched.look()
        await watched._playing
        assert watched.shown.steps == 4

    asyncio.run(looked())


def test_a_game_of_agents_has_so_many_actions_and_thoughts_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watched_module, "MOST_ACTIONS", 5)
    monkeypatch.setattr(watched_module, "MOST_THOUGHTS", 2)
    watched = agents_game()

    async def play() -> None:
        watched.look()
        assert watched._playing is not None
        await watched._playing

    asyncio.run(play())
    assert not watched.going
    assert watched.shown.steps == 5
    assert [*watched._thoughts] == [3, 4]


def test_what_was_not_looked_at_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf_module, "MAX_BOXES", 2)
    shelf = Shelf()
    first, second = shelf.bring(b"x"), shelf.bring(b"y")
    shelf.games(first)
    shelf.bring(b"z")
    assert shelf.games(first)
    with pytest.raises(ValueError, match="these games are gone"):
        shelf.games(second)


def test_a_game_of_agents_that_makes_room_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf_module, "MAX_BOXES", 1)
    shelf, old = Shelf(), agents_game()

    async def replaced() -> None:
        shelf.begin(old)
        old.look()
        shelf.begin(agents_game())
        assert old._playing is not None
        with pytest.raises(asyncio.CancelledError):
            await old._playing

    asyncio.run(replaced())


def test_a_game_of_agents_goes_on_until_its_end_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that ask between the last action and its being shown are told that more comes."""
    watched, going = agents_game(), []
    steps = watched._steps

    def noted(before: Any) -> Any:
        going.append(watched.going)
        return steps(before)

    monkeypatch.setattr(watched, "_steps", noted)

    async def play() -> None:
        watched.look()
        assert watched._playing is not None
        await watched._playing

    asyncio.run(play())
    assert len(going) > 5
    assert all(going)
    assert not watched.going
