"""Who may talk to the server: pages that it served itself, and nobody else's.

A page of another site can send requests to this machine, too, by its address or by a name that its
owner lets point here. So the name by which the server is called must be one of its own, and the
origin of whatever changes something must be that name.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from rummy_env.importing import extra
from rummy_env.play.addresses import own_name

with extra("play", "playing in the browser"):
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.responses import PlainTextResponse
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
    }
)
"""Headers of every answer: pages load nothing from elsewhere, and tell nobody where they were."""


class Guard:
    """Refuses requests and sockets under foreign names and from foreign origins."""

    def __init__(self, app: ASGIApp, *, open_to_all: bool, names: Collection[str]) -> None:
        self._app = app
        self._open, self._names = open_to_all, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 403."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif self._trusted(scope):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = (
                "this server answers its own pages alone: open it by the address it printed, or "
                "start it with --own-names and the name that it goes by"
            )
            await PlainTextResponse(refusal, 403)(scope, receive, send)

    def _trusted(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not own_name(host, open_to_all=self._open, names=self._names):
            return False
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and origin is None:
            return True
        return origin is not None and origin.partition("://")[2] == host


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent
