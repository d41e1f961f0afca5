"""Who sits at a table: whatever can be told events and asked to act.

A websocket session, a bot in this process, a record that is replayed: the table's
driver knows them only as `Player`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Protocol

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from bridge.record import FaultKind
from protocol.codec import encode
from protocol.decision import Thinker, decide
from protocol.errors import ProtocolError
from protocol.messages import (
    Answer,
    BoardEvent,
    BoardStart,
    Error,
    Goodbye,
    Leave,
    Message,
    YourTurn,
)
from protocol.session import ClientAction, ServerSession
from protocol.view import View
from protocol.visibility import Viewer
from server.faults import SeatFault

UNREAD_BYTES = 64 * 1024
"""How much a client may leave unread, beyond what the network holds, before it counts as
stalled."""


PINGS = 5
"""Of how many pings, one a board, the fastest tells a client's lag."""


class Outgoing:
    """A message on its way to one kind of viewer, encoded at most once."""

    __slots__ = ("_encoded", "message", "urgent")

    def __init__(self, message: Message) -> None:
        self.message = message
        # Whether it may not wait for the receiver's next turn.
        self.urgent = type(message) in _URGENT
        # None until somebody asks for it.
        self._encoded: bytes | None = None

    @property
    def encoded(self) -> bytes:
        if self._encoded is None:
            self._encoded = encode(self.message)
        return self._encoded


_URGENT = frozenset({YourTurn, Error, Goodbye})


class Player(Protocol):
    """A seat's occupant, as the table's driver sees it."""

    @property
    def viewer(self) -> Viewer:
        """Where it sits and whether it may see everything."""

    def tell(self, outgoing: Outgoing) -> None:
        """Take note of an event; what must be sent is sent by `flush`."""

    async def flush(self) -> None:
        """Send what is due."""

    async def act(self, turn: YourTurn) -> Answer:
        """The next action. Raises SeatFault.

        It may be cancelled and called again for the same turn, and then goes on from
        where it was: the time counts from the first call.
        """

    @property
    def lag(self) -> float:
        """How long, in seconds, a message to it and the answer take on the way."""

    async def measure_lag(self) -> None:
        """Begin to measure the lag; it takes its time, and nobody waits for it."""


class WebsocketPlayer:
    """A bot at the other end of a websocket."""

    def __init__(
        self, connection: ServerConnection, session: ServerSession, viewer: Viewer
    ) -> None:
        self.viewer = viewer
        # The name of its table, as it was welcomed there.
        self.table = session.table
        self._connection = connection
        self._session = session
        # Actions received and not yet judged.
        self._actions: deque[ClientAction] = deque()
        # Why nothing can be sent any more; None while the client reads.
        self._stalled: SeatFault | None = None
        # The answer to the last ping; None before the first.
        self._pong: asyncio.Future[float] | None = None
        # How long the last pings took, in seconds.
        self._lags: deque[float] = deque(maxlen=PINGS)

    @property
    def hello(self) -> str:
        """What the bot calls itself: name and version."""
        hello = self._session.hello
        return "" if hello is None else f"{hello.name} {hello.bot_version}".strip()

    def tell(self, outgoing: Outgoing) -> None:
        self._session.send(outgoing.encoded, urgent=outgoing.urgent)

    async def flush(self) -> None:
        data = self._session.data_to_send()
        if data is None or self._stalled is not None:
            return
        if self._connection.transport.get_write_buffer_size() > UNREAD_BYTES:
            self._stalled = SeatFault(FaultKind.STALL, "the bot does not read what it is sent")
            return
        # Never waits: the buffer has room. A lost connection is noticed when the seat
        # is asked to act.
        with contextlib.suppress(ConnectionClosed):
            await self._connection.send(data)

    @property
    def lag(self) -> float:
        # The least, because a bot that thinks answers late.
        return min(self._lags, default=0.0)

    async def measure_lag(self) -> None:
        """By a ping, unless no lag is forgiven here, the last was not answered yet, or the
        client does not read."""
        if not self._session.forgives_lag or (self._pong is not None and not self._pong.done()):
            return
        if self._connection.transport.get_write_buffer_size() > UNREAD_BYTES:
            return
        with contextlib.suppress(ConnectionClosed):
            self._pong = asyncio.ensure_future(await self._connection.ping())
            self._pong.add_done_callback(self._note_lag)

    def _note_lag(self, pong: asyncio.Future[float]) -> None:
        if not pong.cancelled() and pong.exception() is None:
            self._lags.append(pong.result())

    async def act(self, turn: YourTurn) -> Answer:
        del turn  # the client was sent it
        if self._stalled is not None:
            raise self._stalled
        while not self._actions:
            try:
                self._actions.extend(self._session.receive(await self._connection.recv()))
            except ConnectionClosed as closed:
                raise SeatFault(FaultKind.DISCONNECT, f"connection lost ({closed})") from None
            except ProtocolError as error:
                raise SeatFault(FaultKind.MALFORMED, str(error)) from None
        action = self._actions.popleft()
        if type(action) is Leave:
            raise SeatFault(FaultKind.REFUSED, action.reason or "the bot left")
        return action

    async def say_goodbye(self, reason: str) -> None:
        """End the session in good order."""
        self.tell(Outgoing(Goodbye(reason=reason)))
        await self.flush()
        await self._connection.close()


class LocalPlayer:
    """A bot in this process: for tests, where no process need be started."""

    def __init__(self, viewer: Viewer, thinker: Thinker) -> None:
        self.viewer = viewer
        self._thinker = thinker
        # The board in play; None before the first.
        self._view: View | None = None

    def tell(self, outgoing: Outgoing) -> None:
        message = outgoing.message
        if isinstance(message, BoardStart):
            self._view = View(self.viewer.seat, message)
        elif isinstance(message, BoardEvent) and self._view is not None:
            self._view.apply(message)

    async def flush(self) -> None:
        """Nothing is ever queued."""

    @property
    def lag(self) -> float:
        return 0.0

    async def measure_lag(self) -> None:
        """There is no network between."""

    async def act(self, turn: YourTurn) -> Answer:
        view = self._view
        if view is None:
            raise SeatFault(FaultKind.REFUSED, "asked to act before a board began")
        return decide(self._thinker, view, turn)
