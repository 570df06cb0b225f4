"""A server that was killed goes on with its tables as they stood."""

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.core.arrays import Bools
from rummy_env.core.movers import Movers
from rummy_env.core.part import Ending
from rummy_env.play.house import House
from rummy_env.play.journal import FORMAT, resume
from rummy_env.play.offer import Offer
from rummy_env.play.orders import Order
from rummy_env.play.room import Room
from rummy_env.play.seats import Person, new_token
from rummy_env.records import play as play_record
from rummy_env.records import read
from tests.own_variants import OWN
from tests.play_tables import Page, at_random, client, order, play_on, seated, set_up

TWO = [{"person": "Ann"}, {"person": "Bob"}]


def house(folder: Path) -> House:
    return House(Offer(), folder=folder, pace=0)


def acted(room: Room, rng: np.random.Generator, actions: int) -> None:
    """Plays some actions of people, and undoes some."""
    for _ in range(actions):
        table = room.table
        if table.finished:
            return
        seat = table.mover
        room.play(seat, table.version, at_random(table, rng))
        if table.can_undo(seat) and rng.random() < 0.3:
            room.undo(seat, table.version)


def standing(room: Room) -> dict[str, Any]:
    """All that a table is."""
    table = room.table
    return {
        "table": table.engine.snapshot(0),
        "actions": list(table.actions),
        "log": list(table.log),
        "version": table.version,
        "wins": table.wins,
        "tokens": [getattr(seat, "token", None) for seat in table.seats],
        "undo": table.mover_before,
    }


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
@pytest.mark.parametrize("seed", [None, 4])
def test_tables_are_resumed_as_they_stood(variant: str, seed: int | None, tmp_path: Path) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    options = {"max_turns": 12}
    for actions in (0, 7, 400):
        values = {"variant": variant, "options": options, "seats": TWO, "seed": seed}
        before.sit(set_up(before, values)[0]["token"], new_token())
        acted(before.rooms[-1], rng, actions)
    last = before.rooms[-1]
    assert last.table.finished
    last.again(last.table.version)
    acted(last, rng, 5)
    after = house(tmp_path)
    assert after.warnings == []
    found = {room.name: standing(room) for room in after.rooms}
    assert found == {room.name: standing(room) for room in before.rooms}
    acted(after.rooms[-1], rng, 400)


def test_finished_games_are_recorded_once(tmp_path: Path) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    set_up(before, {"variant": "gin", "seats": TWO})
    acted(before.rooms[0], rng, 10_000)
    house(tmp_path)
    after = house(tmp_path)
    (record,) = read(tmp_path / "games.jsonl")
    assert record.agents == ("Ann", "Bob")
    assert [*play_record(record)][-1].finished[0]
    assert len(after.shelf.games("here")) == 1


def test_a_line_that_was_cut_short_is_left_out(tmp_path: Path) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    set_up(before, {"variant": "basic", "seats": TWO})
    acted(before.rooms[0], rng, 6)
    (path,) = tmp_path.glob("*.table")
    stood = standing(before.rooms[0])
    before.rooms[0].play(
        before.rooms[0].table.mover, stood["version"], at_random(before.rooms[0].table, rng)
    )
    path.write_bytes(path.read_bytes()[:-4])
    (room,) = house(tmp_path).rooms
    assert standing(room) == stood
    acted(room, rng, 6)
    assert standing(house(tmp_path).rooms[0]) == standing(room)


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda lines: [],
        lambda lines: ["[]"],
        lambda lines: ['{"format":1}'],
        lambda lines: [lines[0].replace('"format":1', '"format":9'), *lines[1:]],
        lambda lines: [lines[0].replace('"basic"', '"whist"'), *lines[1:]],
        lambda lines: [lines[0].replace('"person"', '"agent"'), *lines[1:]],
        lambda lines: [*lines, '{"play": 100000}'],
        lambda lines: [*lines, '{"steal": 1}'],
        lambda lines: [*lines, '{"play": "x"}'],
        lambda lines: [*lines, '{"claim": 0, "token": []}'],
        lambda lines: [lines[0].replace('"token":"', '"token":[],"was":"'), *lines[1:]],
        lambda lines: [*lines, '{"deal": 2, "seed": -1}'],
    ],
)
def test_a_damaged_table_is_left_out_with_a_word(spoiled: Any, tmp_path: Path) -> None:
    before = house(tmp_path)
    for _ in range(2):
        set_up(before, {"variant": "basic", "seats": TWO})
    path = next(tmp_path.glob("*.table"))
    path.write_text("\n".join(spoiled(path.read_text().splitlines())) + "\n")
    after = house(tmp_path)
    assert len(after) == 1
    assert [str(path) in warning for warning in after.warnings] == [True]


def test_what_the_first_line_of_a_table_lacks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.table"
    path.write_text('{"format":1,"variant":"gin","options":{}}\n')
    with pytest.raises(ValueError, match=r"mine\.table: its first line lacks seats, seed"):
        resume(path, Offer())


def test_where_nothing_can_be_written_a_table_is_played_on_and_written_down_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    set_up(before, {"variant": "basic", "seats": TWO})
    (room,) = before.rooms
    acted(room, rng, 3)
    with monkeypatch.context() as full:
        full.setattr("os.open", no_space)
        acted(room, rng, 3)
    (warning,) = caplog.messages
    assert "No space left on device" in warning
    acted(room, rng, 1)
    assert standing(house(tmp_path).rooms[0]) == standing(room)


def no_space(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_game_whose_record_cannot_be_written_is_not_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    set_up(before, {"variant": "gin", "seats": TWO})
    games = tmp_path / "games.jsonl"
    games.symlink_to(tmp_path / "gone" / "games.jsonl")  # a folder that is not there
    acted(before.rooms[0], rng, 10_000)
    assert "No such file or directory" in caplog.messages[0]
    games.unlink()
    after = house(tmp_path)  # as after a kill
    assert len(after.shelf.games("here")) == 1
    assert len(house(tmp_path).shelf.games("here")) == 1


def test_games_before_the_last_one_are_not_lost_either(tmp_path: Path) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    set_up(before, {"variant": "gin", "seats": TWO})
    (room,) = before.rooms
    games = tmp_path / "games.jsonl"
    games.symlink_to(tmp_path / "gone" / "games.jsonl")
    for number in range(3):
        if number:
            room.again(room.table.version)
        acted(room, rng, 10_000)
    games.unlink()
    for _ in range(2):
        assert len(house(tmp_path).shelf.games("here")) == 3
    lines = next(tmp_path.glob("*.table")).read_text().splitlines()
    assert [line for line in lines if "recorded" in line] == [
        f'{{"recorded":{number}}}' for number in (1, 2, 3)
    ]


def test_the_record_of_one_game_does_not_stand_for_another(tmp_path: Path) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    set_up(before, {"variant": "gin", "seats": TWO})
    (room,) = before.rooms
    acted(room, rng, 10_000)
    room.again(room.table.version)
    acted(room, rng, 10_000)
    (path,), games = tmp_path.glob("*.table"), tmp_path / "games.jsonl"
    lines = [line for line in path.read_text().splitlines() if "recorded" not in line]
    path.write_text("\n".join([*lines, '{"recorded":1}']) + "\n")  # late, and the second waits
    records = games.read_text().splitlines()
    games.write_text(f"{records[0]}\n")
    house(tmp_path)
    assert games.read_text().splitlines() == records


def test_a_game_is_recorded_once_if_the_kill_came_before_its_table_was_told(
    tmp_path: Path,
) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    set_up(before, {"variant": "gin", "seats": TWO})
    acted(before.rooms[0], rng, 10_000)
    (path,) = tmp_path.glob("*.table")
    *lines, last = path.read_text().splitlines()
    assert last == '{"recorded":1}'
    path.write_text("\n".join(lines) + "\n")
    for _ in range(2):
        assert len(house(tmp_path).shelf.games("here")) == 1
    assert path.read_text().splitlines()[-1] == last


def test_a_game_is_recorded_once_if_a_person_comes_after_its_end(tmp_path: Path) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    set_up(before, {"variant": "gin", "seats": TWO})
    acted(before.rooms[0], rng, 10_000)
    (path,) = tmp_path.glob("*.table")
    before.journal.claim(path.stem, 1, new_token())
    _, unrecorded = resume(path, before.offer)
    assert not unrecorded


def test_what_waits_is_written_with_the_next_line_of_any_file_or_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    for _ in range(2):
        set_up(before, {"variant": "basic", "seats": TWO})
    first, second = before.rooms
    with monkeypatch.context() as full:
        full.setattr("os.open", no_space)
        acted(first, rng, 3)
    acted(second, rng, 1)
    found = {room.name: standing(room) for room in house(tmp_path).rooms}
    assert found[first.name] == standing(first)
    with monkeypatch.context() as full:
        full.setattr("os.open", no_space)
        acted(first, rng, 3)
    asyncio.run(before.close())
    found = {room.name: standing(room) for room in house(tmp_path).rooms}
    assert found[first.name] == standing(first)


class Always(Ending):
    """An ending that compares by identity, so that no record can name its rules."""

    def ends(self, movers: Movers) -> Bools:
        return movers.seat < 0


def unrecordable() -> Rules:
    """Basic rummy with such an ending."""
    return replace(rummy_env.rules("basic"), name=f"{__name__}:unrecordable", endings=(Always(),))


def test_rules_that_cannot_be_recorded_are_refused_before_a_table_is_set(tmp_path: Path) -> None:
    seats = (Person("Ann"), Person("Bob"))
    with pytest.raises(ValueError, match="cannot be recorded"):
        house(tmp_path).set_up(Order(unrecordable(), seats, 3))
    assert not [*tmp_path.glob("*.table")]


@pytest.mark.parametrize("number", [0, 3, 10**9, "2"])
def test_a_file_that_tells_of_another_game_than_the_next_is_left_out(
    tmp_path: Path, number: object
) -> None:
    before = house(tmp_path)
    set_up(before, {"variant": "basic", "seats": TWO, "seed": 3})
    (path,) = tmp_path.glob("*.table")
    with path.open("a") as file:
        file.write(json.dumps({"deal": number, "seed": 3}) + "\n")
    after = house(tmp_path)
    assert len(after) == 0
    assert f"deal={number!r}" in after.warnings[0]


def test_games_of_an_own_variant_can_be_watched_after_a_restart(tmp_path: Path) -> None:
    rng, before = np.random.default_rng(3), house(tmp_path)
    own = rummy_env.rules(OWN)
    before.set_up(Order(own, (Person("Ann"), Person("Bob")), 3))
    acted(before.rooms[0], rng, 10_000)
    again = House(Offer(variant=own.name), folder=tmp_path, pace=0)
    (told,) = again.shelf.games("here")
    assert told["variant"] == own.name


def test_a_file_runs_no_code(tmp_path: Path) -> None:
    """Its variant may be any function of any module, and its options are the arguments."""
    head = {"format": FORMAT, "variant": "os:mkdir", "seed": 1, "seats": []}
    made = tmp_path / "made"
    (tmp_path / "x.table").write_text(json.dumps(head | {"options": {"path": str(made)}}))
    (warning,) = house(tmp_path).warnings
    assert "variant='os:mkdir': import strings from a page or a file need a server" in warning
    assert not made.exists()


def test_tables_are_written_on_systems_without_pread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("os.pread", raising=False)
    set_up(house(tmp_path), {"variant": "basic", "seats": TWO})
    assert len(house(tmp_path)) == 1


def test_nobody_else_may_read_tables(tmp_path: Path) -> None:
    set_up(house(tmp_path / "kept"), {"variant": "basic", "seats": TWO})
    (path,) = (tmp_path / "kept").glob("*.table")
    assert path.stat().st_mode & 0o077 == 0


def test_an_agent_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    with client(house(tmp_path)) as server:
        token = seated(server, order("going_out", "random", seed=None))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            page.until_mine()
            page.play(page.state["legal"][0]["action"])
            page.until("table")
            token = page.token
    with client(house(tmp_path)) as server, server.websocket_connect("/socket") as socket:
        page = Page(socket, token)
        play_on(page, np.random.default_rng(1))
        assert page.state["over"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills a process by a signal")
def test_the_command_survives_a_kill(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="play needs the extra: pip install 'rummy-env[play]'")
    connect = pytest.importorskip("websockets.sync.client").connect
    flags = ["--no-browser", "--port", "0", "--folder", str(tmp_path), "--pace", "0"]
    command = [sys.executable, "-m", "rummy_env", "play"]

    def started(*more: str) -> tuple[subprocess.Popen[str], str, str]:
        process = subprocess.Popen([*command, *more, *flags], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        address = process.stdout.readline().split()[1]
        link = process.stdout.readline()
        return process, address, link.partition("#seat=")[2].strip()

    def sit(address: str, token: str) -> tuple[str, dict[str, Any]]:
        host = address.removeprefix("http://").rstrip("/")
        for _ in range(50):
            try:
                socket = connect(f"ws://{host}/socket", origin=f"http://{host}")
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise AssertionError(f"nobody answers at {address}")
        with socket:
            socket.send(json.dumps({"type": "sit", "token": token, "own": new_token()}))
            told = [json.loads(socket.recv(timeout=10)) for _ in range(2)]
        return told[0]["token"], told[1]

    process, address, token = started("gin", "--seed", "4")
    try:
        token, before = sit(address, token)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    process, address, _ = started()
    try:
        _, after = sit(address, token)
        keep = ("scene", "legal", "log")
        assert {key: after[key] for key in keep} == {key: before[key] for key in keep}
    finally:
        process.terminate()
        process.communicate()
