"""Tables and servers for the tests of play."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.play.house import House
from rummy_env.play.offer import Offer
from rummy_env.play.orders import order_of
from rummy_env.play.seats import Person, new_token
from rummy_env.play.table import Table

OFFER = Offer()
HOST = "127.0.0.1:8470"


def people(rules: Rules, seed: int | None = 3) -> Table:
    """A table at which people sit in all seats."""
    seats = [Person(f"Person {seat}") for seat in range(rules.num_players)]
    return Table(rules, seats, seed)


def against(agent: str, variant: str = "basic", seed: int | None = 3, **options: Any) -> Table:
    """A table at which a person sits in seat 0 and an agent in all others."""
    rules = rummy_env.rules(variant, **options)
    others = [OFFER.seat(agent, rules)] * (rules.num_players - 1)
    return Table(rules, [Person("Ann"), *others], seed)


def at_random(table: Table, rng: np.random.Generator) -> int:
    """A legal action."""
    return int(rng.choice(np.flatnonzero(table.engine.legal_mask()[0])))


def order(variant: str, *agents: str, seed: int | None = 3, **options: Any) -> dict[str, Any]:
    """What a page orders: a person, and agents in the other seats."""
    seats = [{"person": "Ann"}, *({"agent": agent} for agent in agents or ("greedy",))]
    return {"variant": variant, "options": options, "seats": seats, "seed": seed}


def set_up(house: House, values: dict[str, Any]) -> list[dict[str, Any]]:
    """The links of a new table that a page orders."""
    return house.set_up(order_of(values, house.offer))


@contextmanager
def client(house: House | None = None, **more: Any) -> Iterator[Any]:
    """A client of a server, as a browser on the same machine is."""
    pytest.importorskip("httpx2", reason="tests of the server need httpx2")
    pytest.importorskip("starlette", reason="play needs the extra: pip install 'rummy-env[play]'")
    from starlette.testclient import TestClient

    from rummy_env.play.server import app_of

    app = app_of(house if house is not None else House(Offer(), pace=0), **more)
    headers = {"host": HOST, "origin": f"http://{HOST}"}
    with TestClient(app, base_url=f"http://{HOST}", headers=headers) as opened:
        yield opened


class Page:
    """The page of a seat: what it was told last, and what it may do.

    Attributes:
        state: The last message about the table.
        heard: All messages.
    """

    def __init__(self, socket: Any, token: str, own: str = "") -> None:
        """Sits down, with a secret of its own."""
        self.socket = socket
        self.heard: list[str] = []
        self.state: dict[str, Any] = {}
        self.send(type="sit", token=token, own=own or new_token())
        self.token = self.until("seated")["token"]
        self.until("table")

    def send(self, **message: Any) -> None:
        """Sends a message."""
        self.socket.send_text(json.dumps(message))

    def next(self) -> dict[str, Any]:
        """The next message."""
        text = self.socket.receive_text()
        self.heard.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "table":
            self.state = message
        return message

    def until(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        while (message := self.next())["type"] != kind:
            pass
        return message

    def play(self, action: int) -> None:
        """Plays an action."""
        self.send(type="play", version=self.state["version"], action=action)

    def until_mine(self) -> None:
        """Waits until this seat is to move or the game is over."""
        while not (self.state["mine"] or self.state["over"]):
            self.until("table")


def seated(server: Any, values: dict[str, Any]) -> str:
    """The token of the first seat of a new table."""
    answer = server.post("/api/tables", json=values)
    assert answer.status_code == 200, answer.text
    token: str = answer.json()["links"][0]["token"]
    return token


def play_on(page: Page, rng: np.random.Generator, most: int = 10_000) -> None:
    """Plays legal actions at random until the game is over."""
    for _ in range(most):
        page.until_mine()
        if page.state["over"]:
            return
        version = page.state["version"]
        page.play(int(rng.choice([each["action"] for each in page.state["legal"]])))
        while page.state["version"] == version:
            page.until("table")


def record_line(variant: str = "basic", seed: int = 3, **options: object) -> str:
    """The record of a game of people who play at random."""
    table, rng = people(rummy_env.rules(variant, **options), seed), np.random.default_rng(1)
    while not table.finished:
        table.play(table.mover, at_random(table, rng))
    return table.record().to_line()
