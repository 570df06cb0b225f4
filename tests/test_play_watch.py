"""Watching: agents against agents, records that a page brings, and what is refused of them."""

import json
from pathlib import Path

import numpy as np
import pytest

import rummy_env
from rummy_env.play.shelf import MAX_BOXES, MAX_BYTES, Shelf
from tests.play_tables import at_random, client, people


def line(variant: str = "basic", seed: int = 3, **options: object) -> str:
    """The record of a game of people who play at random."""
    table, rng = people(rummy_env.rules(variant, **options), seed), np.random.default_rng(1)
    while not table.finished:
        table.play(table.mover, at_random(table, rng))
    return table.record().to_line()


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
def test_agents_play_a_game_that_is_watched(variant: str) -> None:
    seats = [{"agent": "greedy"}, {"agent": "random"}]
    with client() as server:
        order = {"variant": variant, "seats": seats, "options": {"max_turns": 20}, "seed": 3}
        told = server.post("/api/matches", json=order).json()
        path = f"/api/records/{told['box']}/{told['game']}"
        shown = server.get(path).json()
        assert shown["seats"] == ["greedy", "random"]
        assert len(shown["tables"]) == shown["steps"] + 1
        assert shown["tables"][0]["words"] == "the deal"
        assert shown["tables"][-1]["over"]
        assert server.get("/api/records/here").json()["games"] == []


def test_a_record_is_brought_and_listed() -> None:
    content = "\n".join([line(), "{damaged", line("gin", 4)])
    with client() as server:
        told = server.post("/api/records", content=content).json()
        assert [game.get("variant") for game in told["games"]] == ["basic", None, "gin"]
        assert "cut short or altered" in told["games"][1]["error"]
        assert [game["game"] for game in told["games"]] == [1, 2, 3]
        assert told["games"][0]["players"] == ["Person 0", "Person 1"]
        assert server.get(f"/api/records/{told['box']}").json() == told
        assert server.get(f"/api/records/{told['box']}/2").status_code == 400


def test_one_seats_eyes_see_one_hand() -> None:
    shelf = Shelf([line("basic", num_players=3)])
    every = shelf.steps("here", 1, seat=None, first=0, count=1)["tables"][0]["scene"]["seats"]
    assert [seat["hand"]["hidden"] for seat in every] == [0, 0, 0]
    own = shelf.steps("here", 1, seat=1, first=0, count=1)["tables"][0]["scene"]["seats"]
    assert [seat["label"] for seat in own] == ["Person 1", "Person 2", "Person 0"]
    assert own[0]["hand"]["hidden"] == 0
    assert all(seat["hand"]["hidden"] == 7 for seat in own[1:])


@pytest.mark.slow
def test_steps_come_in_parts() -> None:
    shelf = Shelf([line()])
    whole = shelf.steps("here", 1, seat=None, first=0)
    parts = [
        table
        for first in range(0, whole["steps"] + 1, 7)
        for table in shelf.steps("here", 1, seat=None, first=first, count=7)["tables"]
    ]
    assert parts == whole["tables"]


def test_a_moment_can_be_asked_about() -> None:
    with client() as server:
        box = server.post("/api/records", content=line("gin")).json()["box"]
        told = server.get(f"/api/records/{box}/1/5").json()
        asked = server.post("/api/positions", json={**told, "agent": "strong"})
        assert asked.json()["mind"]["agent"] == "strong"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nowhere", "drop the file onto the page again"),
        ("here/1", "no game has ended here"),
        ("BOX/2", "game=2: give 1"),
        ("BOX/0", "game=0"),
        ("BOX/1?first=100000", "first=100000"),
        ("BOX/1?first=-1", "give a whole number"),
        ("BOX/1?first=99999999999999999999", "give a whole number"),
        ("BOX/1?seat=2", "seat=2"),
        ("BOX/1?count=100000", "count=100000"),
        ("BOX/1/99999", "step=99999"),
    ],
)
def test_steps_that_are_none_are_refused(path: str, said: str) -> None:
    with client() as server:
        box = server.post("/api/records", content=line()).json()["box"]
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
    values = json.loads(line())
    values["actions"] = values["actions"][:-1]
    with client() as server:
        box = server.post("/api/records", content=json.dumps(values)).json()["box"]
        answer = server.get(f"/api/records/{box}/1")
        assert answer.status_code == 400
        assert "it departs after its" in answer.json()["error"]


def test_a_person_cannot_be_watched_in_a_match_of_agents() -> None:
    seats = [{"agent": "greedy"}, {"person": "Ann"}]
    with client() as server:
        answer = server.post("/api/matches", json={"variant": "basic", "seats": seats})
        assert answer.status_code == 400
        assert "sit down and play" in answer.json()["error"]


def test_old_files_make_room_for_new_ones() -> None:
    shelf, content = Shelf(), line().encode()
    first = shelf.bring(content)
    for _ in range(MAX_BOXES):
        shelf.bring(content)
    with pytest.raises(ValueError, match="these records are gone"):
        shelf.games(first)


def test_a_path_leads_to_no_file_of_the_machine(tmp_path: Path) -> None:
    with client() as server:
        for path in ("/page/../server.py", "/page/%2e%2e/server.py", "/page//etc/passwd"):
            assert server.get(path).status_code in (403, 404)
