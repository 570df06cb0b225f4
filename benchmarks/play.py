"""Load on the server of tables: `python -m benchmarks.play`, games at once over real sockets.

Each of the games is a person of one's own on a socket of the loopback, who thinks for a while,
then plays a legal move at random against an agent. What is measured is how long the server takes
from a move until the person is told that it was played, and until it is the person's turn again.
"""

import asyncio
import json
import multiprocessing
import resource
import secrets
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

import numpy as np

from benchmarks.flags import asked
from rummy_env.command_line import plain_errors
from rummy_env.core.checks import check_range
from rummy_env.importing import extra

with extra("play", "the load test"):
    import uvicorn
    from websockets.asyncio.client import ClientConnection, connect

    from rummy_env.play.addresses import bound
    from rummy_env.play.house import House
    from rummy_env.play.offer import Offer
    from rummy_env.play.server import app_of

MOST_GAMES, MOST_SECONDS = 1000, 600
PERCENTILES = (50, 95, 99)


@dataclass(frozen=True)
class Settings:
    """Plays many games at once against a server on the loopback, and tells how fast it answers.

    Attributes:
        variant: What is played.
        agent: Who plays the other seat.
        games: Games at once.
        seconds: How long.
        think: Seconds that a person thinks before a move, on average.
        seed: Of the people's moves.
    """

    variant: str = "gin"
    agent: str = "greedy"
    games: int = 300
    seconds: float = 30
    think: float = 2
    seed: int = 1


@dataclass(frozen=True)
class Times:
    """Seconds from a move until it was told, and until the next turn."""

    told: list[float]
    turn: list[float]


def serve(listening: socket.socket, ready: Any) -> None:
    """Serve in a process of its own; agents do not wait before they act."""
    config = uvicorn.Config(
        app_of(House(Offer(), pace=0)), log_level="error", ws="websockets-sansio"
    )
    ready.set()
    uvicorn.Server(config).run(sockets=[listening])


def tokens(address: str, settings: Settings) -> list[str]:
    """Return the links of as many tables as games."""
    order = {
        "variant": settings.variant,
        "seats": [{"person": "Load"}, {"agent": settings.agent}],
    }
    found = []
    for _ in range(settings.games):
        asked = Request(
            f"http://{address}/api/tables",
            json.dumps(order).encode(),
            {"Content-Type": "application/json", "Origin": f"http://{address}"},
        )
        with urlopen(asked, timeout=10) as answer:
            found.append(json.load(answer)["links"][0]["token"])
    return found


class Player:
    """A person who plays at random."""

    def __init__(self, table: ClientConnection, settings: Settings, number: int) -> None:
        self._socket, self._think = table, settings.think
        self._rng = np.random.default_rng([settings.seed, number])
        self._state: dict[str, Any] = {}
        self.times = Times([], [])

    async def play(self, token: str, end: float) -> None:
        """Play one game after the other until the time is over."""
        await self._send(type="sit", token=token, own=secrets.token_urlsafe())
        while not self._state:
            await self._hear()
        while time.perf_counter() < end:
            while not (self._state["mine"] or self._state["over"]):
                await self._hear()
            await asyncio.sleep(self._rng.exponential(self._think))
            await self._move()

    async def _move(self) -> None:
        """Play a move, or deal the next game, and wait until it is told."""
        version, begun = self._state["version"], time.perf_counter()
        if self._state["over"]:
            await self._send(type="again", version=version)
        else:
            legal = [each["action"] for each in self._state["legal"]]
            await self._send(type="play", version=version, action=int(self._rng.choice(legal)))
        while self._state["version"] == version:
            await self._hear()
        self.times.told.append(time.perf_counter() - begun)
        while not (self._state["mine"] or self._state["over"]):
            await self._hear()
        self.times.turn.append(time.perf_counter() - begun)

    async def _send(self, **message: Any) -> None:
        await self._socket.send(json.dumps(message))

    async def _hear(self) -> None:
        message = json.loads(await self._socket.recv())
        if message["type"] == "refused":
            raise RuntimeError(f"the server refused a legal move: {message['why']}")
        if message["type"] == "table":
            self._state = message


async def load(address: str, links: Sequence[str], settings: Settings) -> Times:
    """Play all games at once."""
    end = time.perf_counter() + settings.seconds

    async def one(number: int, token: str) -> Times:
        headers: Any = f"http://{address}"
        async with connect(f"ws://{address}/socket", origin=headers) as table:
            player = Player(table, settings, number)
            await player.play(token, end)
            return player.times

    every = await asyncio.gather(*(one(number, token) for number, token in enumerate(links)))
    return Times(
        [t for times in every for t in times.told], [t for times in every for t in times.turn]
    )


def told(name: str, seconds: Sequence[float]) -> str:
    """Return a line of figures."""
    if not seconds:
        return f"{name}: no move was made"
    found = np.percentile(seconds, PERCENTILES) * 1000
    each = ", ".join(f"{ms:.1f} ms ({p} %)" for p, ms in zip(PERCENTILES, found, strict=True))
    return f"{name}: {each}"


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    with plain_errors():
        settings = asked(Settings, "benchmarks.play", argv)
        check_range("--games", settings.games, 1, MOST_GAMES)
        if not 0 < settings.seconds <= MOST_SECONDS:
            raise ValueError(f"--seconds {settings.seconds}: give up to {MOST_SECONDS}")
        if not 0 <= settings.think <= MOST_SECONDS:
            raise ValueError(f"--think {settings.think}: give 0 to {MOST_SECONDS}")
    listening = bound("127.0.0.1", 0)
    address = f"127.0.0.1:{listening.getsockname()[1]}"
    context = multiprocessing.get_context("fork")
    ready = context.Event()
    server = context.Process(target=serve, args=(listening, ready), daemon=True)
    server.start()
    ready.wait()
    try:
        times = asyncio.run(load(address, tokens(address, settings), settings))
    finally:
        server.terminate()
        server.join()
    print(
        f"{settings.variant} against {settings.agent}, {settings.games} games at once, "
        f"{len(times.told):,} moves in {settings.seconds:g} s, {settings.think:g} s of thought"
    )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = (used.ru_utime + used.ru_stime) / max(1, len(times.told))
    print(f"the server used {spent * 1000:.1f} ms of a processor for a move and the answer to it")
    print(told("until a move is told", times.told))
    print(told("until the next turn", times.turn))


if __name__ == "__main__":
    main()
