"""Watching: agents against agents, records that a page brings, and what is refused of them."""

import asyncio
import codecs
import json
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines.explanation import Explanation
from rummy_env.play import shelf as shelf_module
from rummy_env.play.house import House
from rummy_env.play.offer import Offer
from rummy_env.play.orders import order_of
from rummy_env.play.shelf import MAX_BOXES, MAX_BYTES, Records, Shelf
from rummy_env.play.watched import APART, Watched
from rummy_env.records import Record
from tests.own_variants import OWN
from tests.play_tables import at_random, client, people, record_line
from tests.policies import Slow


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
def test_agents_play_a_game_that_is_watched(variant: str) -> None:
    seats = [{"agent": "greedy"}, {"agent": "random"}]
    with client() as server:
        order = {"variant": variant, "seats": seats, "options": {"max_turns": 20}, "seed": 3}
        told = server.post("/api/matches", json=order).json()
        path = f"/api/records/{told['box']}/{told['game']}"
        while (shown := server.get(path).json())["going"]:
            assert len(shown["tables"]) == shown["steps"] + 1
        assert shown["seats"] == ["greedy", "random"]
        assert len(shown["tables"]) == shown["steps"] + 1
        assert shown["tables"][0]["words"] == "the deal"
        assert shown["tables"][-1]["over"]
        assert server.get("/api/records/here").json()["games"] == []


def test_a_record_is_brought_and_listed() -> None:
    content = "\n".join([record_line(), "{damaged", record_line("gin", 4)])
    with client() as server:
        told = server.post("/api/records", content=content).json()
        assert [game.get("variant") for game in told["games"]] == ["basic", None, "gin"]
        assert "cut short or altered" in told["games"][1]["error"]
        assert [game["game"] for game in told["games"]] == [1, 2, 3]
        assert told["games"][0]["players"] == ["Person 0", "Person 1"]
        assert server.get(f"/api/records/{told['box']}").json() == told
        assert server.get(f"/api/records/{told['box']}/2").status_code == 400
        game = f"/api/records/{told['box']}/1"
        assert len(server.get(f"{game}?count=3").json()["tables"]) == 3
        for count in (0, 401):
            refused = server.get(f"{game}?count={count}")
            assert (refused.status_code, "from 1 to 400" in refused.text) == (400, True)


def test_a_game_of_an_own_variant_that_ended_here_can_be_watched() -> None:
    shelf, table = Shelf(), people(rummy_env.rules(OWN), 3)
    rng = np.random.default_rng(1)
    while not table.finished:
        table.play(table.mover, at_random(table, rng))
    number = shelf.add(table.record())
    assert "beside the record, by variants=" in shelf.games("here")[0]["error"]
    shelf.know(table.rules.name)
    assert shelf.games("here")[0]["variant"] == OWN
    assert shelf.steps("here", number, seat=None, first=0)["steps"] == len(table.actions)


def test_a_file_of_too_many_games_is_refused_and_one_with_a_byte_order_mark_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content, shelf = f"{record_line()}\n".encode(), Shelf()
    (told,) = shelf.games(shelf.bring(codecs.BOM_UTF8 + content))
    assert told["variant"] == "basic"
    monkeypatch.setattr(shelf_module, "MAX_GAMES", 2)
    with pytest.raises(ValueError, match="the file has 3 lines: bring 2 at most"):
        shelf.bring(3 * content)


def test_what_a_list_tells_goes_with_its_file() -> None:
    shelf = Shelf()
    lines = Records([record_line().encode()])
    kept = weakref.ref(lines)
    shelf._put(lines)
    assert shelf._boxes
    del lines
    for _ in range(MAX_BOXES):
        shelf.games(shelf.bring(b"{damaged \xf0\x9f\x8d\x92"))
    assert kept() is None


def test_a_file_that_is_listed_twice_at_once_keeps_its_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = threading.Barrier(2)
    summary = shelf_module._summary

    def slowly(*given: Any) -> Any:
        with suppress(threading.BrokenBarrierError):
            both.wait(timeout=0.5)
        return summary(*given)

    monkeypatch.setattr(shelf_module, "_summary", slowly)
    shelf = Shelf([record_line(), record_line("gin", 4)])
    threads = [threading.Thread(target=shelf.games, args=("here",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [game["game"] for game in shelf.games("here")] == [1, 2]


def test_the_last_games_are_listed_by_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf_module, "MAX_GAMES", 2)
    shelf, record = Shelf(), Record.from_line(record_line())
    assert [shelf.add(record) for _ in range(4)] == [1, 2, 3, 4]
    assert [game["game"] for game in shelf.games("here")] == [3, 4]


def test_names_and_words_of_a_record_can_be_shown_whatever_is_in_them() -> None:
    told = json.loads(record_line())
    odd = json.dumps({**told, "agents": ["\ud800", "\u202eeve\n"]})
    worse = json.dumps({**told, "rummy_env": "\ud800", "options": {}, "variant": "x"})
    with client() as server:
        content = b"\xef\xbb\xbf" + "\n".join([record_line(), odd, worse]).encode()
        brought = server.post("/api/records", content=content).json()
        good, shown, bad = brought["games"]
        assert "error" not in good
        assert shown["players"] == ["\\ud800", "\\u202eeve\\n"]
        assert "\\ud800" in bad["error"]
        watched = server.get(f"/api/records/{brought['box']}/2").json()
        assert watched["seats"] == shown["players"]
        assert server.get(f"/api/records/{brought['box']}/3").status_code == 400


def test_one_seats_eyes_see_one_hand() -> None:
    shelf = Shelf([record_line("basic", num_players=3)])
    every = shelf.steps("here", 1, seat=None, first=0, count=1)["tables"][0]["scene"]["seats"]
    assert [seat["hand"]["hidden"] for seat in every] == [0, 0, 0]
    own = shelf.steps("here", 1, seat=1, first=0, count=1)["tables"][0]["scene"]["seats"]
    assert [seat["label"] for seat in own] == ["Person 1", "Person 2", "Person 0"]
    assert own[0]["hand"]["hidden"] == 0
    assert all(seat["hand"]["hidden"] == 7 for seat in own[1:])


@pytest.mark.slow
def test_steps_come_in_parts() -> None:
    shelf = Shelf([record_line()])
    whole = shelf.steps("here", 1, seat=None, first=0)
    parts = [
        table
        for first in range(0, whole["steps"] + 1, 7)
        for table in shelf.steps("here", 1, seat=None, first=first, count=7)["tables"]
    ]
    assert parts == whole["tables"]


def test_a_moment_can_be_asked_about() -> None:
    with client() as server:
        box = server.post("/api/records", content=record_line("gin")).json()["box"]
        told = server.get(f"/api/records/{box}/1/5").json()
        asked = server.post("/api/positions", json={**told, "agent": "strong"})
        assert asked.json()["mind"]["agent"] == "strong"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nowhere", "bring their file again, or let agents play anew"),
        ("here/1", "no game has ended here"),
        ("BOX/2", "game=2: give 1"),
        ("BOX/0", "game=0"),
        ("BOX/1?first=100000", "first=100000"),
        (f"here/{'1' * 5000}", "give a whole number"),
        (f"BOX/1/{'1' * 5000}", "give a whole number"),
        ("BOX/1?first=-1", "give a whole number"),
        ("BOX/1?first=99999999999999999999", "give a whole number"),
        ("BOX/1?seat=2", "seat=2"),
        ("BOX/1?count=100000", "count=100000"),
        ("BOX/1/99999", "step=99999"),
    ],
)
def test_steps_that_are_none_are_refused(path: str, said: str) -> None:
    with client() as server:
        box = server.post("/api/records", content=record_line()).json()["box"]
        answer = server.get(f"/api/records/{path.replace('BOX', box)}")
        assert answer.status_code == 400
        assert said in answer.json()["error"]


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_file_is_refused(content: bytes) -> None:
    with client() as server:
        answer = server.post("/api/records", content=content)
        assert answer.status_code == 400
        assert "holds no record" in answer.json()["error"]


def test_a_huge_file_is_refused() -> None:
    with client() as server:
        answer = server.post("/api/records", content=b"x" * (MAX_BYTES + 1))
        assert answer.status_code == 400
        assert "send less" in answer.json()["error"]


def test_a_record_that_departs_is_refused_where_it_departs() -> None:
    values = json.loads(record_line())
    values["actions"] = values["actions"][:-1]
    with client() as server:
        box = server.post("/api/records", content=json.dumps(values)).json()["box"]
        answer = server.get(f"/api/records/{box}/1")
        assert answer.status_code == 400
        assert "it departs after its" in answer.json()["error"]


def until(server: Any, path: str, **values: object) -> Any:
    """What is told as soon as it has these values."""
    for _ in range(2000):
        told = server.get(path).json()
        if told is not None and all(told[name] == value for name, value in values.items()):
            return told
        time.sleep(0.005)
    raise AssertionError(f"{path} tells {told}")


def test_a_game_of_agents_is_shown_as_it_is_played_with_what_the_agent_thinks() -> None:
    slow = Slow()
    seats = [{"agent": "slow"}, {"agent": "slow"}]
    with client(House(Offer({"slow": slow}), pace=0)) as server:
        order = {"variant": "gin", "seats": seats, "seed": 3, "options": {"max_turns": 4}}
        box = server.post("/api/matches", json=order).json()["box"]
        record, mind = f"/api/records/{box}/1", f"/api/thoughts/{box}"
        for step in range(3):
            told = until(server, record, steps=step)
            assert told["going"]
            assert len(told["tables"]) == step + 1
            thought = until(server, f"{mind}/{step}", agent="slow", worlds=1)
            mover = server.get(f"{record}/{step}").json()["table"]["to_move"]
            assert server.get(f"{mind}/{step}?seat={mover}").json() == thought
            assert server.get(f"{mind}/{step}?seat={1 - mover}").json() is None
            slow.go.release()
            done = until(server, f"{mind}/{step}", worlds=2)
            moved = until(server, f"{record}?first={step}", steps=step + 1)
            assert moved["tables"][1]["words"] == done["words"]
        slow.go.release(100)
        assert until(server, record, going=False)["tables"][-1]["over"]


class Broken(Slow):
    """An agent that fails."""

    def explaining(self, view: Any, mask: Any, rng: Any) -> Iterator[Explanation]:
        raise RuntimeError("out of order")


def test_an_agent_that_fails_ends_the_game_with_a_word() -> None:
    with client(House(Offer({"broken": Broken}), pace=0)) as server:
        seats = [{"agent": "broken"}, {"agent": "greedy"}]
        box = server.post("/api/matches", json={"variant": "basic", "seats": seats}).json()["box"]
        told = until(server, f"/api/records/{box}/1", going=False)
        assert told["trouble"] == "broken cannot go on: RuntimeError"


def test_a_match_goes_on_hand_after_hand() -> None:
    seats = [{"agent": "greedy"}, {"agent": "greedy"}]
    options = {"match": "match", "max_hands": 3}
    with client() as server:
        order = {"variant": "gin", "seats": seats, "seed": 3, "options": options}
        box = server.post("/api/matches", json=order).json()["box"]
        told = until(server, f"/api/records/{box}/1", going=False)
        assert [*{each["scene"]["hand_number"] for each in told["tables"]}] == [1, 2, 3]


def test_a_match_keeps_few_tables_and_shows_all_steps() -> None:
    options = {"match": "match", "max_turns": 4}
    order = {"variant": "gin", "seats": [{"agent": "random"}] * 2, "seed": 3, "options": options}
    match = Watched(order_of(order, Offer()), asyncio.Semaphore())
    told = [match.shown.at(0).snapshot(0)]

    async def play_on() -> None:
        while len(told) <= 3 * APART:
            await match._act()
            told.append(match._table.engine.snapshot(0))

    asyncio.run(play_on())
    assert [match.shown.at(step).snapshot(0) for step in range(len(told))] == told
    assert len(match.shown.kept) == 4


def test_a_person_cannot_be_watched_among_agents() -> None:
    seats = [{"agent": "greedy"}, {"person": "Ann"}]
    with client() as server:
        answer = server.post("/api/matches", json={"variant": "basic", "seats": seats})
        assert answer.status_code == 400
        assert "sit down and play" in answer.json()["error"]


def test_old_files_make_room_for_new_ones() -> None:
    shelf, content = Shelf(), record_line().encode()
    first = shelf.bring(content)
    for _ in range(MAX_BOXES):
        shelf.bring(content)
    with pytest.raises(ValueError, match="these games are gone"):
        shelf.games(first)


def test_files_drive_no_game_of_agents_away() -> None:
    order = {"variant": "gin", "seats": [{"agent": "random"}] * 2}
    shelf, watched = Shelf(), Watched(order_of(order, Offer()), asyncio.Semaphore())
    box = shelf.begin(watched)
    for _ in range(MAX_BOXES + 1):
        shelf.bring(b"x")
    assert shelf.watched(box) is watched


def test_a_path_leads_to_no_file_of_the_machine() -> None:
    with client() as server:
        for path in ("/page/../server.py", "/page/%2e%2e/server.py", "/page//etc/passwd"):
            assert server.get(path).status_code in (403, 404)
