"""The server: the page, requests for tables and records, and the sockets of the seats."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rummy_env.importing import extra
from rummy_env.play.addresses import is_loopback
from rummy_env.play.catalogue import catalogue
from rummy_env.play.house import House
from rummy_env.play.messages import MAX_REQUEST, parse
from rummy_env.play.orders import Order, order_of
from rummy_env.play.positions import ask, dealt, told_position
from rummy_env.play.shelf import MAX_BYTES, MAX_STEPS
from rummy_env.play.watched import Watched

with extra("play", "playing in the browser"):
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import FileResponse, JSONResponse, Response
    from starlette.routing import Mount, Route, WebSocketRoute
    from starlette.staticfiles import StaticFiles
    from starlette.websockets import WebSocket

    from rummy_env.play.guard import Guard
    from rummy_env.play.seat_socket import SeatSocket

PAGE = Path(__file__).parent / "page"
"""The files of the page."""
PATIENCE = 120.0
"""Seconds in which the body of a request must have come."""

Handler = Callable[[Request], Awaitable[Response]]


def app_of(house: House, *, outside: str | None = None, names: Collection[str] = ()) -> Starlette:
    """Return the application of a house of tables.

    Args:
        house: The tables.
        outside: The address of the page for other machines; None if they cannot reach it.
        names: Further names by which the server is reached.
    """
    routes = _Routes(house, outside)
    return Starlette(
        routes=[
            Route("/", _index),
            Route("/api/catalogue", _plainly(routes.catalogue)),
            Route("/api/tables", _plainly(routes.tables), methods=["POST"]),
            Route("/api/matches", _plainly(routes.watched), methods=["POST"]),
            Route("/api/deals", _plainly(routes.deals), methods=["POST"]),
            Route("/api/positions", _plainly(routes.positions), methods=["POST"]),
            Route("/api/records", _plainly(routes.bring), methods=["POST"]),
            Route("/api/records/{box}", _plainly(routes.games)),
            Route("/api/records/{box}/{game}", _plainly(routes.steps)),
            Route("/api/records/{box}/{game}/{step}", _plainly(routes.snapshot)),
            Route("/api/thoughts/{box}/{step}", _plainly(routes.thought)),
            WebSocketRoute("/socket", routes.socket),
            Mount("/page", StaticFiles(directory=PAGE)),
        ],
        middleware=[Middleware(Guard, open_to_all=outside is not None, names=names)],
        lifespan=routes.lifespan,
    )


def _plainly(handler: Handler) -> Handler:
    """Answer with 400 and words where something is impossible."""

    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except (ValueError, TypeError) as error:
            words = str(error).encode(errors="backslashreplace").decode()  # it may quote anything
            return JSONResponse({"error": words}, 400)

    return answered


async def _index(request: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _body(request: Request, most: int) -> bytes:
    """Return the body of a request; refused as soon as it is too large or too slow."""
    content = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for chunk in request.stream():
                content += chunk
                if len(content) > most:
                    raise ValueError(f"more than {most:,} bytes: send less")
    except ClientDisconnect:
        raise ValueError("the page has gone before all had come") from None
    except TimeoutError:
        raise ValueError(f"not all has come in {PATIENCE:g} seconds: send it again") from None
    return bytes(content)


async def _json(request: Request) -> dict[str, Any]:
    return parse(await _body(request, MAX_REQUEST))


def _number(values: Mapping[str, str], name: str) -> int | None:
    """Return a whole number of the path or the query; None where it is not given."""
    text = values.get(name)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"{name}={text!r:.40}: give a whole number")
    return int(text)


def _place(request: Request, name: str) -> int:
    """Return a whole number of the path."""
    return _number(request.path_params, name) or 0


class _Routes:
    """Answers to requests."""

    def __init__(self, house: House, outside: str | None) -> None:
        self._house, self._outside = house, outside
        self._busy = asyncio.Semaphore(2)  # of what takes long
        self._thinking = asyncio.Semaphore(2)  # of watched games
        self._catalogue: dict[str, Any] | None = None

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Wake the agents of resumed tables, and in the end stop all."""
        for room in self._house.rooms:
            room.wake()
        yield
        await self._house.close()

    async def _slowly(self, make: Callable[[], Any]) -> Any:
        async with self._busy:
            return await asyncio.to_thread(make)

    async def _order(self, request: Request) -> Order:
        return order_of(await _json(request), self._house.offer)

    async def catalogue(self, request: Request) -> Response:
        """Return the variants, their options, and the agents."""
        if self._catalogue is None:  # which waits for nobody's questions to agents
            self._catalogue = await asyncio.to_thread(catalogue, self._house.offer)
        return JSONResponse(self._catalogue)

    async def tables(self, request: Request) -> Response:
        """Set a table; answer with the links to its seats."""
        return JSONResponse({"links": self._house.set_up(await self._order(request))})

    async def watched(self, request: Request) -> Response:
        """Let agents play a game; answer with where it is watched."""
        watched = Watched(await self._order(request), self._thinking)
        watched.look()
        return JSONResponse({"box": self._house.shelf.begin(watched), "game": 1})

    async def thought(self, request: Request) -> Response:
        """Return what the agent to move in a watched game thought, or thinks."""
        watched = self._house.shelf.watched(request.path_params["box"])
        step, seat = _place(request, "step"), _number(request.query_params, "seat")
        told = "null" if watched is None else watched.thought(step, seat)
        return Response(told, media_type="application/json")

    async def deals(self, request: Request) -> Response:
        """Return a position to begin with, to be edited."""
        values = await _json(request)
        return JSONResponse(await self._slowly(lambda: dealt(values, self._house.offer)))

    async def positions(self, request: Request) -> Response:
        """Check a position, and tell what an agent thinks of it."""
        values = await _json(request)
        return JSONResponse(await self._slowly(lambda: ask(values, self._house.offer)))

    async def bring(self, request: Request) -> Response:
        """Take a file of records."""
        box = self._house.shelf.bring(await _body(request, MAX_BYTES))
        return JSONResponse({"box": box, "games": await self._games(box)})

    async def games(self, request: Request) -> Response:
        """List the games of a box."""
        box = request.path_params["box"]
        return JSONResponse({"box": box, "games": await self._games(box)})

    async def _games(self, box: str) -> Any:
        return await self._slowly(lambda: self._house.shelf.games(box))

    async def steps(self, request: Request) -> Response:
        """Tell steps of a game."""
        box, game, query = request.path_params["box"], _place(request, "game"), request.query_params
        seat, first = _number(query, "seat"), _number(query, "first") or 0
        count = MAX_STEPS if (asked := _number(query, "count")) is None else asked
        shelf = self._house.shelf
        if (watched := shelf.watched(box)) is not None:
            watched.look()
        return JSONResponse(
            await self._slowly(lambda: shelf.steps(box, game, seat=seat, first=first, count=count))
        )

    async def snapshot(self, request: Request) -> Response:
        """Tell a moment of a game as a snapshot, to be asked about or edited."""
        box, game = request.path_params["box"], _place(request, "game")
        step = _place(request, "step")
        shelf = self._house.shelf
        told = await self._slowly(lambda: told_position(shelf.replay(box, game).at(step)))
        return JSONResponse(told)

    async def socket(self, socket: WebSocket) -> None:
        """Serve the page of a seat."""
        useless = is_loopback(socket.url.hostname or "")
        await SeatSocket(socket, self._house, self._outside if useless else None).serve()
