"""The WebSocket gateway: it checks tokens, receives Hello, and seats clients.

The gateway is given a function, `admit`, that decides which tokens are good and what they open, and
`pages`, the answers to plain HTTP requests.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections import deque
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from bridge_arena.base.masking import UNMASKED, Masking, bearer_token
from bridge_arena.base.wording import cannot_listen
from bridge_arena.bridge.record import FaultKind
from bridge_arena.protocol.errors import ErrorCode, ProtocolError, VersionMismatchError
from bridge_arena.protocol.messages import HELLO_LATE, MAX_FRAME, SUBPROTOCOL, Hello
from bridge_arena.protocol.session import ServerSession
from bridge_arena.server.connection_limits import TAKEN_IN_AT_ONCE, ConnectionLimits, lengthen_queue
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.guarded_connection import GuardedConnection
from bridge_arena.server.link import ClientLink, how_lost
from bridge_arena.server.players import UNREAD_BYTES
from bridge_arena.server.seating import SeatRefusedError

HELLO_SECONDS = 10.0
"""Seconds that a client may take to connect, and as many to say Hello once connected."""

CLOSE_SECONDS = 2.0
"""Seconds that a client may take to answer the end of its session, before it is cut off."""

MOST_FRAMES = 4
"""The number of frames of a client that are read ahead of its turn; more stay in the network."""

MOST_BAD_HELLOS = 20
"""The number of bad Hellos that may come with a token within BAD_HELLO_SECONDS."""

BAD_HELLO_SECONDS = 60.0


class GatewayError(OSError):
    """The gateway cannot listen where it was told to."""


class NotAdmittedError(Exception):
    """A token is good, but opens nothing now; the message says why in one line."""


class Guest(Protocol):
    """The purpose of a connection: a seat at a table, or a place to watch one from."""

    async def attach(self, link: ClientLink) -> None:
        """Take in a client that has said Hello."""

    def lose(self, link: ClientLink, why: str) -> None:
        """Note that the connection is lost."""


class Admission(Protocol):
    """The places that a token opens."""

    def claim(self, hello: Hello) -> Guest:
        """Return the place that a client asks for; SeatRefusedError if there is none or taken."""

    def complain(self, fault: SeatFault) -> None:
        """Note that a client had the token but failed before it claimed a place."""


Page = Callable[[], tuple[str, str]]
"""A function that returns the content type and the text of the answer to a plain HTTP request."""


class Gateway:
    """A gateway that listens while its context is entered; entering raises GatewayError.

    Args:
        admit: Returns what a token opens; None for an unknown token. Raises NotAdmittedError.
        host: The address to listen on.
        port: The port; 0 for any free one.
        tls: The TLS context; None for no TLS.
        pages: The answers to plain HTTP requests, by path.
        path: A Unix socket to listen on instead, which only this process's user may open.
        limits: The limits of connections that have not taken a seat, if shared with other gateways.
        on_wrong_token: Called with the address of each client that is refused for its token.
        masking: Masks secrets in what clients say.
    """

    def __init__(
        self,
        admit: Callable[[str], Admission | None],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        pages: Mapping[str, Page] | None = None,
        path: Path | None = None,
        limits: ConnectionLimits | None = None,
        on_wrong_token: Callable[[str], None] = lambda _: None,
        masking: Masking = UNMASKED,
    ) -> None:
        # Of the connections that have not taken a seat.
        self.limits = limits or ConnectionLimits()
        # Refused so far: for a wrong token, a bad Hello, or because no seat was free.
        self.refused = 0
        self._admit = admit
        self._host = host
        self._port = port
        self._tls = tls
        self._pages = pages or {}
        self._path = path
        self._on_wrong_token = on_wrong_token
        self._masking = masking
        self._server: Server | None = None
        # All connections, including those that have not sent anything.
        self._everyone: set[GuardedConnection] = set()
        # What each token in a handshake opens, until the client has said Hello.
        self._opened: WeakKeyDictionary[ServerConnection, Admission] = WeakKeyDictionary()
        # When the last bad Hellos came with each token.
        self._bad_hellos: WeakKeyDictionary[Admission, deque[float]] = WeakKeyDictionary()

    @property
    def url(self) -> str:
        """The URL for bots; known once the context is entered."""
        if self._path is not None:
            return f"ws+unix:{self._path}"
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"{'wss' if self._tls else 'ws'}://{host}:{self._port}"

    async def __aenter__(self) -> Gateway:
        """Start to listen. Raises GatewayError."""
        guarded = type(
            "Guarded",
            (GuardedConnection,),
            {
                "limits": self.limits,
                "tls": self._tls,
                "tls_seconds": HELLO_SECONDS,
                "everyone": self._everyone,
            },
        )
        where: dict[str, Any] = {"host": self._host, "port": self._port}
        if self._path is not None:
            where = {"unix": True, "path": str(self._path)}
        try:
            self._server = await serve(
                self._converse,
                **where,
                backlog=TAKEN_IN_AT_ONCE,
                create_connection=guarded,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                process_request=self._show_page,
                # Only now, as a token counts only in a handshake that is otherwise good.
                process_response=self._check_token,
                compression=None,
                open_timeout=HELLO_SECONDS,
                max_size=MAX_FRAME,
                max_queue=MOST_FRAMES,
                # Below this size sending never waits; a player who leaves more unread is stalled.
                write_limit=2 * UNREAD_BYTES,
                # The clock at the table detects dead peers, and a bot that thinks need not answer
                # pings. Players send pings of their own to measure the network.
                ping_interval=None,
                close_timeout=CLOSE_SECONDS,
                server_header=None,
            )
        except OSError as error:
            place = self._path or f"{self._host} port {self._port}"
            raise GatewayError(cannot_listen(place, error)) from error
        lengthen_queue(self._server.sockets)
        if self._path is not None:
            self._path.chmod(0o600)
        else:
            self._port = next(iter(self._server.sockets)).getsockname()[1]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close all connections, and wait for no client longer than CLOSE_SECONDS."""
        if self._server is None:
            return
        self._server.close(code=1012 if kind else 1001)
        for connection in self._everyone:
            if connection.state is State.CONNECTING:
                connection.cut()
        closed = asyncio.create_task(self._server.wait_closed())
        await asyncio.wait([closed], timeout=CLOSE_SECONDS)
        for connection in self._everyone:
            connection.cut()
        await closed

    # The handshake.

    def _show_page(self, _: ServerConnection, request: Request) -> Response | None:
        """Answer a plain HTTP request for one of the pages; leave the rest to the handshake."""
        page = self._pages.get(request.path.partition("?")[0])
        if page is None or "Upgrade" in request.headers:
            return None
        content_type, text = page()
        body = text.encode()
        headers = Headers(
            {"Content-Type": content_type, "Content-Length": str(len(body)), "Connection": "close"}
        )
        return Response(HTTPStatus.OK, HTTPStatus.OK.phrase, headers, body)

    def _check_token(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> Response | None:
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            return None
        token = _token_in(request.headers)
        try:
            admission = self._admit(token) if token else None
        except NotAdmittedError as error:
            self.refused += 1
            return connection.respond(HTTPStatus.FORBIDDEN, f"{error}\n")
        if admission is None:
            self.refused += 1
            peer = connection.remote_address
            self._on_wrong_token(str(peer[0]) if peer else "an unknown address")
            text = "This server needs the token of a bot that takes part.\n"
            return connection.respond(HTTPStatus.UNAUTHORIZED, text)
        if self._says_hello_badly(admission):
            self.refused += 1
            text = "Too many bad Hellos came with this token: try again in a minute.\n"
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, text)
        self._opened[connection] = admission
        assert isinstance(connection, GuardedConnection)
        connection.shows(admission)
        return None

    def _says_hello_badly(self, admission: Admission) -> bool:
        came = self._bad_hellos.get(admission)
        since = asyncio.get_running_loop().time() - BAD_HELLO_SECONDS
        return came is not None and len(came) == MOST_BAD_HELLOS and came[0] > since

    # The connection.

    async def _converse(self, connection: ServerConnection) -> None:
        """Receive Hello and seat the client, then wait until the connection closes."""
        admission = self._opened.pop(connection)
        link = ClientLink(connection, ServerSession(self._masking))
        try:
            guest = admission.claim(await self._hear_hello(link, admission))
        except SeatFault as fault:
            self.refused += 1
            admission.complain(fault)
            if fault.kind is FaultKind.TIMEOUT:
                await connection.close(HELLO_LATE, fault.detail)
            return
        except SeatRefusedError as error:
            self.refused += 1
            with contextlib.suppress(ConnectionClosed):
                await _refuse(link, ErrorCode.TAKEN, str(error), 1013)
            return
        assert isinstance(connection, GuardedConnection)
        connection.sits()
        await guest.attach(link)
        await connection.wait_closed()
        guest.lose(link, self._masking.text(how_lost(connection.protocol.close_exc)))

    async def _hear_hello(self, link: ClientLink, admission: Admission) -> Hello:
        """Receive the client's Hello. Raises SeatFault and SeatRefusedError."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                try:
                    data = await link.connection.recv()
                    if self._says_hello_badly(admission):  # others have, since it came
                        raise SeatRefusedError("too many bad Hellos came with this token")
                    link.session.receive(data)
                except ProtocolError as error:
                    # Now, as the client may be gone before it is told.
                    came = self._bad_hellos.setdefault(admission, deque(maxlen=MOST_BAD_HELLOS))
                    came.append(asyncio.get_running_loop().time())
                    mismatch = isinstance(error, VersionMismatchError)
                    code = ErrorCode.VERSION if mismatch else ErrorCode.MALFORMED
                    await _refuse(link, code, str(error), 1002)
                    raise SeatFault(FaultKind.MALFORMED, str(error)) from None
        except TimeoutError:
            raise SeatFault(
                FaultKind.TIMEOUT, f"no Hello within {HELLO_SECONDS:g} s of connecting"
            ) from None
        except ConnectionClosed as closed:
            raise SeatFault(
                FaultKind.DISCONNECT, f"connection lost before Hello ({closed})"
            ) from None
        assert link.session.hello is not None
        return link.session.hello


def _token_in(headers: Headers) -> str:
    """Return the token in a handshake's headers; "" if there is none, or more than one."""
    given = headers.get_all("Authorization")
    return bearer_token(given[0]) if len(given) == 1 else ""


async def _refuse(link: ClientLink, code: ErrorCode, text: str, close: int) -> None:
    """Give the reason and close the connection. Raises ConnectionClosed."""
    link.session.refuse(code, text)
    await link.connection.send(link.session.data_to_send() or b"")
    await link.connection.close(close)
