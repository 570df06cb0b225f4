"""The server of tables: whole games over its sockets, and all that it refuses."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.play.house import House
from rummy_env.play.messages import MAX_MESSAGE
from rummy_env.play.offer import Offer
from rummy_env.play.seats import new_token
from tests.play_browser import serving
from tests.play_tables import Page, client, order

pytest.importorskip("starlette", reason="play needs the extra: pip install 'rummy-env[play]'")

from starlette.websockets import WebSocketDisconnect

from tests.play_tables import play_on, seated


def level(*pages: Page) -> None:
    """Waits until all pages show the same table, and one of them is to move."""
    while True:
        behind = min(pages, key=lambda page: int(page.state["version"]))
        same = len({page.state["version"] for page in pages}) == 1
        if same and any(page.state["mine"] for page in pages):
            return
        behind.until("table")


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
def test_a_game_of_every_variant_is_played_over_a_socket(variant: str) -> None:
    with client() as server:
        token = seated(server, order(variant, max_turns=30))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            play_on(page, np.random.default_rng(1))
            assert page.state["over"]["how"]
            page.send(type="again", version=page.state["version"])
            assert page.until("table")["game"] == 2
        assert [game["end"] for game in server.get("/api/records/here").json()["games"]]


def test_four_seats_two_of_them_for_people() -> None:
    seats = [{"person": "Ann"}, {"agent": "greedy"}, {"person": "Bob"}, {"agent": "random"}]
    with client() as server:
        links = server.post("/api/tables", json={"variant": "basic", "seats": seats}).json()[
            "links"
        ]
        assert [(link["seat"], link["name"]) for link in links] == [(0, "Ann"), (2, "Bob")]
        with (
            server.websocket_connect("/socket") as one,
            server.websocket_connect("/socket") as two,
        ):
            ann, bob = Page(one, links[0]["token"]), Page(two, links[1]["token"])
            labels = [seat["label"] for seat in bob.state["scene"]["seats"]]
            assert labels == ["Bob", "random", "Ann", "greedy"]
            level(ann, bob)
            mover, other = (ann, bob) if ann.state["mine"] else (bob, ann)
            other.play(mover.state["legal"][0]["action"])
            assert "it is the turn of" in other.until("refused")["why"]
            mover.play(mover.state["legal"][0]["action"])
            assert other.until("table")["version"] == mover.until("table")["version"]
            for page, secret in ((ann, bob.token), (bob, ann.token)):
                assert not any(secret in text for text in page.heard)


def test_a_link_is_good_for_one_person_who_can_come_back() -> None:
    with client() as server:
        token = seated(server, order("gin"))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            page.until_mine()
            version = page.state["version"]
        assert page.token != token
        with server.websocket_connect("/socket") as socket:
            socket.send_text(json.dumps({"type": "sit", "token": token, "own": new_token()}))
            assert "leads to no seat" in socket.receive_json()["why"]
        with server.websocket_connect("/socket") as socket:
            again = Page(socket, page.token)
            assert (again.token, again.state["version"]) == (page.token, version)
            assert again.state["log"]["from"] == 0


def test_a_page_that_lost_its_connection_as_it_sat_down_has_its_seat() -> None:
    with client() as server:
        token, own = seated(server, order("gin")), new_token()
        sit = json.dumps({"type": "sit", "token": token, "own": own})
        with server.websocket_connect("/socket") as socket:
            socket.send_text(sit)
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token, own)
            assert page.token == own


def test_a_secret_that_is_soon_guessed_takes_no_seat() -> None:
    with client() as server:
        token = seated(server, order("gin"))
        with server.websocket_connect("/socket") as socket:
            socket.send_text(json.dumps({"type": "sit", "token": token, "own": "secret"}))
            assert "own has 6 characters: make 20" in socket.receive_json()["why"]
        with server.websocket_connect("/socket") as socket:
            assert Page(socket, token).token != token


def test_a_page_of_this_machine_is_told_where_others_find_an_open_server() -> None:
    outside = "http://192.168.0.7:8470/"
    reached = {"host": "192.168.0.7:8470", "origin": "http://192.168.0.7:8470"}
    for served, headers, told in (
        (outside, {}, outside),
        (outside, reached, None),
        (None, {}, None),
    ):
        with client(outside=served) as server:
            token = seated(server, order("gin"))
            with server.websocket_connect("/socket", headers=headers) as socket:
                socket.send_text(json.dumps({"type": "sit", "token": token, "own": new_token()}))
                assert socket.receive_json()["outside"] == told


def test_a_seat_is_taken_once_its_link_was_used() -> None:
    values = {
        "variant": "basic",
        "seats": [{"person": "Ann"}, {"agent": "greedy"}, {"person": "Bob"}],
    }
    with client() as server:
        links = server.post("/api/tables", json=values).json()["links"]
        with server.websocket_connect("/socket") as one:
            ann = Page(one, links[0]["token"])
            assert ann.state["taken"] == [True, True, False]
            with server.websocket_connect("/socket") as two:
                bob = Page(two, links[1]["token"])
                assert (bob.state["seat"], bob.state["taken"]) == (2, [True, True, True])
            told = [ann.until("present") for _ in range(3)]
            assert [each["present"][2] for each in told] == [False, True, False]
            assert [each["taken"][2] for each in told] == [False, True, True]


BAD = [
    "",
    "no json",
    "[]",
    "{}",
    '{"type": "steal"}',
    '{"type": ["play"]}',
    '{"type": "play"}',
    '{"type": "play", "version": 0}',
    '{"type": "play", "version": 0, "action": "7"}',
    '{"type": "play", "version": 0, "action": true}',
    '{"type": "play", "version": 0, "action": 1e9}',
    '{"type": "play", "version": 0, "action": 99999999999999999999999}',
    '{"type": "play", "version": 0, "action": -5}',
    '{"type": "play", "version": -1, "action": 0}',
    '{"type": "play", "version": 0, "action": 0, "seat": 1}',
    '{"type": "undo", "version": 0}',
    '{"type": "again", "version": 0}',
    '{"type": "sit", "token": "x"}',
    '{"type": "sit", "token": "x", "own": "x"}',
    '{"type": "mind", "agent": "os:system"}',
    '{"type": "mind", "agent": "/etc/passwd.npz"}',
    '{"type": "coach", "agent": "nobody"}',
    "x" * (MAX_MESSAGE + 1),
    "[" * 3000,
]


def test_bad_messages_are_refused_and_change_nothing() -> None:
    with client() as server:
        token = seated(server, order("basic", "random", seed=5))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            page.until_mine()
            before = {**page.state}
            for text in BAD:
                if '"version": 0' in text and before["version"] != 0:
                    text = text.replace('"version": 0', f'"version": {before["version"]}')
                socket.send_text(text)
                assert page.until("refused")["why"], text
            socket.send_bytes(b"\x00\xff")
            assert page.until("refused")["why"] == "send text, no bytes"
            with server.websocket_connect("/socket") as other:
                assert Page(other, page.token).state == before


def test_a_repeated_message_is_refused() -> None:
    with client() as server:
        token = seated(server, order("gin"))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            page.until_mine()
            action = page.state["legal"][0]["action"]
            page.play(action)
            page.play(action)
            assert "the table has moved on" in page.until("refused")["why"]


def test_a_socket_must_sit_down_first() -> None:
    with client() as server, server.websocket_connect("/socket") as socket:
        socket.send_text('{"type": "undo", "version": 0}')
        assert socket.receive_json()["why"] == "say first where you sit"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_a_socket_that_closes_before_it_sits_is_no_error() -> None:
    with client() as server, server.websocket_connect("/socket"):
        pass


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"host": "evil.example:8470", "origin": "http://evil.example:8470"},
        {"host": "192.168.0.7:8470", "origin": "http://192.168.0.7:8470"},
        {"host": ""},
        {"host": "["},
        {"origin": "http://["},
    ],
)
def test_pages_of_others_are_refused(headers: dict[str, str]) -> None:
    with client() as server:
        assert server.post("/api/tables", json=order("gin"), headers=headers).status_code == 403
        with (
            pytest.raises(WebSocketDisconnect),
            server.websocket_connect("/socket", headers=headers) as socket,
        ):
            socket.receive_text()


def test_without_an_origin_nothing_is_changed() -> None:
    with client() as server:
        del server.headers["origin"]
        assert server.get("/").status_code == 200
        assert server.post("/api/tables", json=order("gin")).status_code == 403


def test_an_open_server_goes_by_its_addresses_and_by_no_foreign_name() -> None:
    address = {"host": "192.168.0.7:8470", "origin": "http://192.168.0.7:8470"}
    foreign = {"host": "evil.example:8470", "origin": "http://evil.example:8470"}
    with client(outside="http://192.168.0.7:8470/") as server:
        assert server.post("/api/tables", json=order("gin"), headers=address).status_code == 200
        assert server.post("/api/tables", json=order("gin"), headers=foreign).status_code == 403


def test_behind_another_server_it_goes_by_the_name_of_that_one() -> None:
    proxied = {"host": "rummy.example.org", "origin": "https://rummy.example.org"}
    for names, status in (([], 403), (["rummy.example.org"], 200)):
        with client(names=names) as server:
            answer = server.post("/api/tables", json=order("gin"), headers=proxied)
            assert answer.status_code == status


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"variant": "whist"}, "give one of 'basic'"),
        ({"variant": "my_games:blind"}, "--allow-code"),
        ({"variant": 3}, "give one of basic"),
        ({"options": {"hand_size": 60}}, "hand_size=60"),
        ({"options": {"colour": 1}}, "no option colour"),
        ({"options": {"ace": {"low": 1}}}, "give a number, a word"),
        ({"options": {"ace": [["low"]]}}, "give a number, a word"),
        ({"options": {"ace": ["low"]}}, "ace=('low',)"),
        ({"options": {"num_players": 3}}, "2 given, num_players=3"),
        ({"options": 3}, "give a mapping"),
        ({"seats": []}, "give a list of 2 to 10"),
        ({"seats": [{"person": "Ann"}] * 11}, "give a list of 2 to 10"),
        ({"seats": [{"person": ""}, {"agent": "greedy"}]}, "1 to 24 characters"),
        ({"seats": [{"person": "Ann"}, {"agent": "nobody"}]}, "offered are random"),
        ({"seats": [{"person": "Ann"}, {"agent": "os:getcwd"}]}, "--allow-code"),
        (
            {"options": {"hand_size": 7}, "seats": [{"person": "Ann"}, {"agent": "trained"}]},
            "no trained model",
        ),
        ({"seats": [{"person": "Ann"}, {"agent": "simple"}]}, "cannot play"),
        ({"seats": [{"agent": "greedy"}, {"agent": "greedy"}]}, "only agents sit here"),
        ({"options": {"name": 1}}, "no option name"),
        ({"options": {"\ud800": 1}}, "this is no JSON"),
        ({"variant": "\ud800"}, "this is no JSON"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 1 << 53}, "give a whole number"),
        ({"seed": "7"}, "give a whole number"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused(change: dict[str, Any], said: str) -> None:
    house = House(Offer(), pace=0)
    with client(house) as server:
        answer = server.post("/api/tables", content=json.dumps({**order("basic"), **change}))
    assert answer.status_code == 400
    assert said in answer.json()["error"]
    assert len(house) == 0


def test_a_huge_request_is_refused() -> None:
    with client() as server:
        answer = server.post("/api/tables", content=b"[" * 100_000)
        assert answer.status_code == 400
        assert "send less" in answer.json()["error"]


def test_a_request_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rummy_env.play.server.PATIENCE", 0.05)
    with serving(House(Offer(), pace=0)) as address:
        host = address.removeprefix("http://").rstrip("/")
        headers = {"Origin": f"http://{host}", "Content-Length": "60000"}
        with closing(HTTPConnection(host, timeout=10)) as connection:
            connection.request("POST", "/api/tables", b"{", headers)
            answer = connection.getresponse()
            assert answer.status == 400
            assert b"send it again" in answer.read()


def test_with_allow_code_a_page_may_name_an_import_string() -> None:
    house = House(Offer(allow_code=True), pace=0)
    with client(house) as server:
        token = seated(server, order("basic", "rummy_env.baselines.heuristics:Greedy"))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            assert page.state["scene"]["seats"][1]["label"] == "Greedy"


def test_every_answer_forbids_what_comes_from_elsewhere() -> None:
    with client() as server:
        for path in ("/", "/page/main.js", "/api/catalogue"):
            answer = server.get(path)
            assert answer.status_code == 200
            assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_page_asks_nothing_of_anybody_else() -> None:
    files = [*Path(rummy_env.__file__).parent.glob("play/page/*")]
    assert len(files) > 10
    for path in files:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert "http://" not in text.replace('"http://"', ""), path
        assert "https://" not in text, path


def test_an_agent_that_fails_is_named_and_asked_again_when_a_page_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Broken, "mended", False)
    house = House(Offer({"broken": Broken}), pace=0)
    with client(house) as server:
        token = seated(server, order("basic", "broken"))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            rng = np.random.default_rng(1)
            while not page.state["trouble"]:
                if page.state["mine"]:
                    page.play(int(rng.choice([each["action"] for each in page.state["legal"]])))
                page.until("table")
            assert "broken cannot go on: RuntimeError; reload the page" in page.state["trouble"]
        Broken.mended = True
        with server.websocket_connect("/socket") as socket:
            again = Page(socket, page.token)
            again.until_mine()
            assert again.state["trouble"] == ""


class Broken:
    """A policy that fails until it is mended."""

    mended = False

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        if not self.mended:
            raise RuntimeError("out of order")
        return mask.argmax(axis=1)


def test_the_lobby_waits_for_no_question_to_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    monkeypatch.setattr("rummy_env.play.server.ask", lambda *_: {"waited": go.wait(20)})
    with client() as server, ThreadPoolExecutor() as others:
        asked = [others.submit(server.post, "/api/positions", json={}) for _ in range(3)]
        assert server.get("/api/catalogue").status_code == 200
        go.set()
        assert all(answer.result().json()["waited"] for answer in asked)
