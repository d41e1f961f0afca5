"""The guard before every server of the arena.

It admits requests that name the server, and adds to every answer the policy for pages.
"""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge_arena.web.common.policy import HEADERS

HTTP = 80
"""The default port, which addresses leave out."""


class Guard:
    """An application that admits only requests that name one of its hosts.

    A name that a stranger's page has pointed at this machine (DNS rebinding) is none of them, so
    that page learns nothing, whatever the browser lets it read.

    Args:
        application: The application behind the guard.
        hosts: The hosts, as `NAME:PORT`; None for any.
    """

    def __init__(self, application: ASGIApp, hosts: Collection[str] | None) -> None:
        self._application = application
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse one that does not name the server."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if not self._is_named(scope):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            refusal = PlainTextResponse("This is not the address of this server.\n", 421)
            await refusal(scope, receive, send_with_headers)
            return
        await self._application(scope, receive, send_with_headers)

    def _is_named(self, scope: Scope) -> bool:
        names = Headers(scope=scope).getlist("host")
        return len(names) == 1 and (self._hosts is None or names[0] in self._hosts)


def local_hosts(port: int, host: str = "127.0.0.1") -> list[str]:
    """Return the hosts by which browsers of this machine may name a server.

    Args:
        port: The server's port; names without it are added if it is the default one.
        host: The server's loopback address.

    Returns:
        The hosts.
    """
    names = (f"[{host}]" if ":" in host else host, "localhost")
    return [f"{name}:{port}" for name in names] + [name for name in names if port == HTTP]
