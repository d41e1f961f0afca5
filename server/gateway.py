"""The websocket gateway: lets in who has a token, greets, and seats.

Who is let in is decided by the `admit` function that the gateway is given.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from bridge.record import FaultKind
from protocol.errors import ProtocolError
from protocol.messages import MAX_FRAME, SUBPROTOCOL, Welcome
from protocol.session import ServerSession
from protocol.visibility import Viewer
from server.faults import SeatFault
from server.players import UNREAD_BYTES, WebsocketPlayer

HELLO_SECONDS = 10.0
"""How long a client may take, once connected, to say Hello."""


class GatewayError(OSError):
    """The gateway cannot listen where it was told to."""


@dataclass(frozen=True, eq=False, slots=True)
class Reservation:
    """A seat that waits for its player: `seated` is done when the player sits there,
    or fails with a SeatFault."""

    viewer: Viewer
    welcome: Welcome
    seated: asyncio.Future[WebsocketPlayer] = field(default_factory=asyncio.Future)


class OneTimeTokens:
    """Tokens that each claim one reservation, once."""

    def __init__(self) -> None:
        self._reservations: dict[str, Reservation] = {}

    def issue(self, reservation: Reservation) -> str:
        token = secrets.token_urlsafe(24)
        self._reservations[token] = reservation
        return token

    def admit(self, token: str) -> Reservation | None:
        """The reservation of a token, which is then used up; None if there is none."""
        return self._reservations.pop(token, None)


class Gateway:
    """Listens on `host` and `port` (0: any free one) while its context is entered."""

    def __init__(
        self,
        admit: Callable[[str], Reservation | None],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self._admit = admit
        self._host = host
        self._port = port
        self._server: Server | None = None
        # Reservations claimed in a handshake, until the client has said Hello.
        self._claimed: dict[ServerConnection, Reservation] = {}

    @property
    def url(self) -> str:
        """Where bots connect; known once the context is entered."""
        return f"ws://{self._host}:{self._port}"

    async def __aenter__(self) -> Gateway:
        """Raises GatewayError."""
        try:
            self._server = await serve(
                self._converse,
                self._host,
                self._port,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                # Not sooner: a token is used up only where the handshake is otherwise good.
                process_response=self._check_token,
                compression=None,
                max_size=MAX_FRAME,
                # Sending never waits below this; a player who leaves more unread is stalled.
                write_limit=2 * UNREAD_BYTES,
                # The clock at the table finds dead peers; a bot that thinks need not
                # answer pings. Players send some of their own, to measure the network.
                ping_interval=None,
                # A client that does not answer the end of its session is left behind.
                close_timeout=2.0,
                server_header=None,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise GatewayError(
                f"cannot listen on {self._host} port {self._port}: {reason}"
            ) from error
        self._port = next(iter(self._server.sockets)).getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close(code=1012 if kind else 1001)
            await self._server.wait_closed()

    def _check_token(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> Response | None:
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            return None
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        reservation = self._admit(token) if scheme == "Bearer" else None
        if reservation is None:
            return connection.respond(
                HTTPStatus.UNAUTHORIZED, "This table needs the token of a free seat.\n"
            )
        self._claimed[connection] = reservation
        return None

    async def _converse(self, connection: ServerConnection) -> None:
        """Greet and seat a client, then keep its connection until it closes."""
        reservation = self._claimed.pop(connection)
        session = ServerSession(reservation.welcome)
        try:
            await self._greet(connection, session)
        except SeatFault as fault:
            if not reservation.seated.done():
                reservation.seated.set_exception(fault)
            return
        if not reservation.seated.done():
            player = WebsocketPlayer(connection, session, reservation.viewer)
            reservation.seated.set_result(player)
            # Now the client waits for its first board, and answers at once.
            await player.measure_lag()
            await connection.wait_closed()

    async def _greet(self, connection: ServerConnection, session: ServerSession) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                try:
                    session.receive(await connection.recv())
                except ProtocolError as error:
                    session.refuse(error)
                    await connection.send(session.data_to_send() or b"")
                    await connection.close(1002)
                    raise SeatFault(FaultKind.MALFORMED, str(error)) from None
                await connection.send(session.data_to_send() or b"")
        except TimeoutError:
            raise SeatFault(
                FaultKind.TIMEOUT, f"no Hello within {HELLO_SECONDS:.0f} s of connecting"
            ) from None
        except ConnectionClosed as closed:
            raise SeatFault(
                FaultKind.DISCONNECT, f"connection lost before Hello ({closed})"
            ) from None
