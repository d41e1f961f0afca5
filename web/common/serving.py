"""The server of every page, in the event loop of what it shows.

A guard admits requests that name the server, and adds to every answer the policy for pages.
Connections of other users are cut off where only the user of this process may connect: Linux lists
all connections with their owners. Elsewhere nothing is known of them. A client that misbehaves
cannot keep the WebSocket of a seat open, as bots cannot theirs.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import socket
import struct
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bridge_arena.protocol.messages import MAX_FRAME
from bridge_arena.server.connection_limits import ConnectionLimits, most_connections
from bridge_arena.server.guarded_connection import MOST_UNREAD
from bridge_arena.web.common.pages import HEADERS, TYPES, static_files
from bridge_arena.web.common.streams import Broadcast, StreamingProtocol

HTTP = 80
"""The default port, which addresses leave out."""


class Guard:
    """An application that admits only requests that name one of its hosts, as `NAME:PORT`.

    A name that a stranger's page has pointed at this machine (DNS rebinding) is none of them, so
    that page learns nothing, whatever the browser lets it read. None admits any host.

    One request is answered in each turn of the event loop, so that a flood of them does not hold up
    what else the loop does.
    """

    def __init__(self, application: ASGIApp, hosts: Collection[str] | None) -> None:
        self._application = application
        self._hosts = None if hosts is None else frozenset(hosts)
        # Held by the request whose turn is next.
        self._turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse one that does not name the server."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        if scope["type"] == "http":
            async with self._turn:
                await asyncio.sleep(0)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if (location := headers.get("location")) is not None:
                    headers["location"] = _here(location)
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


def _here(location: str) -> str:
    """Return where a redirection goes, without the scheme and host: a proxy may have others.

    A path that begins with two slashes would name another host.
    """
    parts = urlsplit(location)
    if not parts.netloc:
        return location
    return f"/{parts.path.lstrip('/')}" + (f"?{parts.query}" if parts.query else "")


def local_hosts(port: int, host: str = "127.0.0.1") -> list[str]:
    """Return the hosts by which browsers of this machine may name a server at a loopback address.

    They name the port; if it is the default one, names without it are added.
    """
    names = (f"[{host}]" if ":" in host else host, "localhost")
    return [f"{name}:{port}" for name in names] + [name for name in names if port == HTTP]


class QuietServer(uvicorn.Server):
    """A server that leaves signals to the code that started it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The system's lists of connections, by IPv4 and IPv6."""

_ENDS_AND_STATE, _OWNER = slice(1, 4), 7
"""The columns of the lists that are read, from 0."""

_ESTABLISHED = "01"
"""The state of a connection whose end its owner has not closed; the others have no owner."""

_MAPPED = bytes(10) + b"\xff\xff"
"""What an IPv4 address begins with that is written as an IPv6 address."""

_Address = tuple[str, int]


class SameUserProtocol(asyncio.Protocol):
    """A protocol, to be mixed in before another, that cuts off connections of other users."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        client, server = map(transport.get_extra_info, ("peername", "sockname"))
        if not is_same_user(client, server):
            transport.abort()


def is_same_user(client: _Address | None, server: _Address | None) -> bool:
    """Return whether a connection comes from a program of this user, as far as the system tells.

    One of the administrator counts too: it may pass on what this user asks, and can read all that
    this user can. The client's end is None if it is gone already.
    """
    tables = [(table, _rows(table)) for table in TABLES]
    if not any(rows for _, rows in tables):
        return True
    if not client or not server:
        return False
    for table, rows in tables:
        ends = [_written(host, port, table) for host, port in (client, server)]
        for columns in rows:
            if columns[_ENDS_AND_STATE] == [*ends, _ESTABLISHED]:
                return int(columns[_OWNER]) in (0, os.getuid())
    return False


def _rows(table: Path) -> list[list[str]]:
    """Return the columns of each line of a list; none if there is no such list."""
    try:
        lines = table.read_text().splitlines()
    except OSError:
        return []
    return [line.split() for line in lines[1:]]


def _written(host: str, port: int, table: Path) -> str:
    """Return an address as a list has it: words of 32 bits in the order of this machine's bytes."""
    address = ip_address(host)
    is_mapped = address.version == 4 and table.name.endswith("6")
    packed = (_MAPPED if is_mapped else b"") + address.packed
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"


class Packed:
    """Content that anybody may see, compressed once for all who accept it.

    No other answer is, as the length of secrets compressed beside a stranger's text tells of them.
    """

    def __init__(self, content: bytes, media_type: str) -> None:
        self._plain = content
        self._compressed = gzip.compress(content, mtime=0)
        self._media_type = media_type

    def answer(
        self, request: Request, headers: Mapping[str, str] = MappingProxyType({})
    ) -> Response:
        """Answer with it."""
        accepts = "gzip" in request.headers.get("accept-encoding", "")
        encoding = {"content-encoding": "gzip"} if accepts else {}
        return Response(
            self._compressed if accepts else self._plain,
            headers={"vary": "accept-encoding", **encoding, **headers},
            media_type=self._media_type,
        )


class Page:
    """Content that anybody may see, which is not sent again to a client that has it.

    Args:
        content: The content.
        media_type: Its media type.
        headers: The headers of each answer; by default clients ask each time whether it changed.
    """

    def __init__(
        self,
        content: bytes,
        media_type: str,
        headers: Mapping[str, str] = MappingProxyType({"cache-control": "no-cache"}),
    ) -> None:
        self._packed = Packed(content, media_type)
        self._tag = f'"{sha256(content).hexdigest()[:32]}"'
        self._headers = {"vary": "accept-encoding", **headers, "etag": self._tag}

    def answer(self, request: Request) -> Response:
        """Answer with it, unless the client has it."""
        known = ",".join(request.headers.getlist("if-none-match"))
        if self._tag in known or known.strip() == "*":
            return Response(status_code=304, headers=self._headers)
        return self._packed.answer(request, self._headers)


def static_route() -> Route:
    """Return the route of `/static/FILE`."""
    packed = {file.name: Packed(file.read_bytes(), TYPES[file.suffix]) for file in static_files()}

    async def answer(request: Request) -> Response:
        file = packed.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        return file.answer(request)

    return Route("/static/{name}", answer)


def address_of(listener: socket.socket) -> str:
    """Return the address of a server for browsers.

    A server that listens at all addresses of this machine has the machine's name.
    """
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = socket.gethostname()
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def hosts_at(listener: socket.socket, address: str) -> list[str] | None:
    """Return the hosts by which browsers may name a server; None for any.

    At a loopback address they are those of this machine, and that of the address for browsers.
    """
    host, port = listener.getsockname()[:2]
    if not ip_address(host).is_loopback:
        return None
    return [*local_hosts(port, host), urlsplit(address).netloc]


CLOSE_SECONDS = 2.0
"""Seconds that a client may take to let a connection close that is done with."""


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn that is cut when its client does not read or does not close."""

    def data_received(self, data: bytes) -> None:
        """Receive data, and cut a connection whose answers to pings are not read."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Cut the connection unless it is closed soon, which waits until all is read."""
        super().on_task_complete(task)
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


Channels = Callable[[], Iterable[Broadcast]]

ALIVE_SECONDS = 15.0
"""Seconds after which a silent stream sends a sign of life, as proxies close silent streams."""


@asynccontextmanager
async def serving(
    application: ASGIApp,
    listener: socket.socket,
    hosts: Collection[str] | None,
    channels: Channels,
    *,
    only_me: bool = False,
) -> AsyncIterator[None]:
    """Answer requests that name one of the hosts, None for any, while the context is entered."""
    protocols = (SameUserProtocol, StreamingProtocol) if only_me else (StreamingProtocol,)
    config = uvicorn.Config(
        Guard(application, hosts),
        http=type("Limited", protocols, {"limits": _limits(listener)}),
        ws=GuardedWebSocket,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        # Anybody can send these headers.
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        backlog=4096,
    )
    server = QuietServer(config)
    # Connections inherit it; asyncio sets it only for sockets that name TCP, which these do not.
    # Without it the body of an answer waits until the client acknowledges the head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    running = asyncio.create_task(server.serve(sockets=[listener.dup()]))
    alive = asyncio.create_task(_keep_alive(channels))
    try:
        yield
    finally:
        alive.cancel()
        for channel in channels():
            channel.close()
        server.should_exit = True
        await running
        # Who came at the last moment, or does not read, would wait for ever: nobody serves it now.
        for connection in list(server.server_state.connections):
            connection.transport.abort()


async def serving_here(
    application: ASGIApp, listener: socket.socket, on_ready: Callable[[], None]
) -> None:
    """Answer requests by this user of this machine until SIGINT, SIGTERM or SIGHUP."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, ended.set)
    hosts = local_hosts(listener.getsockname()[1])
    async with serving(application, listener, hosts, tuple, only_me=True):
        on_ready()
        await ended.wait()


def _limits(listener: socket.socket) -> ConnectionLimits:
    """Return the limits of all connections.

    Those of each address are limited too, unless all may come from a proxy on this machine.
    """
    limits = ConnectionLimits()
    most = most_connections() // 2  # the other half is for bots
    is_local = ip_address(listener.getsockname()[0]).is_loopback
    limits.room, limits.expected = (0, most) if is_local else (most, 0)
    return limits


async def _keep_alive(channels: Channels) -> None:
    """Send a sign of life on every stream from time to time."""
    while True:
        await asyncio.sleep(ALIVE_SECONDS)
        for channel in channels():
            await channel.keep_alive()
