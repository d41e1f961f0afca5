"""The Blue Chip gateway, which seats programs by team and seat.

One port serves all seats. `OpenSeats` knows who is expected. The protocol has no way for a program
to prove who it is.
"""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType

from bridge_arena.base.wording import cannot_listen
from bridge_arena.protocol.bluechip.framing import FramingError, LineBuffer, to_bytes
from bridge_arena.protocol.bluechip.lines import VERSIONS, Connecting, Refusal
from bridge_arena.protocol.bluechip.manager import ManagerSession
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.tcp_keepalive import notice_loss
from bridge_arena.server.bluechip.player import BlueChipPlayer
from bridge_arena.server.bluechip.seat import BlueChipSeat
from bridge_arena.server.bluechip.seats import OpenSeats
from bridge_arena.server.connection_limits import ConnectionLimits, Visit
from bridge_arena.server.gateway import CLOSE_SECONDS, GatewayError
from bridge_arena.server.listen_queue import TAKEN_IN_AT_ONCE, lengthen_queue
from bridge_arena.server.players import UNREAD_BYTES
from bridge_arena.server.seating import SeatRefusedError

SEATING_SECONDS = 30.0
"""Seconds that a client may take from connecting until it is ready to start."""

_CHUNK = 4096
"""The number of bytes that are read at a time."""


class BlueChipGateway:
    """A gateway that listens while its context is entered; entering raises GatewayError.

    Args:
        seats: The seats that programs may take.
        host: The address to listen on.
        port: The port; 0 for any free one.
        limits: The limits of connections that have not taken a seat, if shared with other gateways.
    """

    def __init__(
        self,
        seats: OpenSeats,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        limits: ConnectionLimits | None = None,
    ) -> None:
        self._seats = seats
        self._limits = limits or ConnectionLimits()
        self._host = host
        self._port = port
        self._server: asyncio.Server | None = None
        # The tasks of the connections.
        self._conversations: set[asyncio.Task[None]] = set()

    @property
    def host(self) -> str:
        """The address on which it listens."""
        return self._host

    @property
    def port(self) -> int:
        """The port for clients; known once the context is entered."""
        return self._port

    async def __aenter__(self) -> BlueChipGateway:
        """Start to listen. Raises GatewayError."""
        try:
            self._server = await asyncio.start_server(
                self._meet, self._host, self._port, backlog=TAKEN_IN_AT_ONCE
            )
        except OSError as error:
            place = f"{self._host} port {self._port}"
            raise GatewayError(cannot_listen(place, error)) from error
        lengthen_queue(self._server.sockets)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        for conversation in self._conversations:
            conversation.cancel()
        await asyncio.gather(*self._conversations, return_exceptions=True)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        visit = self._limits.comes(str(peer[0]) if peer else "", writer.transport.abort)
        notice_loss(writer.get_extra_info("socket"))
        conversation = asyncio.create_task(self._converse(_Lines(reader), writer, visit))
        self._conversations.add(conversation)
        conversation.add_done_callback(self._conversations.discard)

    async def _converse(self, lines: _Lines, writer: asyncio.StreamWriter, visit: Visit) -> None:
        """Seat a client, then receive its lines until the connection closes."""
        # Below this size sending never waits; a player who leaves more unread is stalled.
        writer.transport.set_write_buffer_limits(high=2 * UNREAD_BYTES)
        try:
            taken = await self._seat(lines, writer, visit)
            if taken is not None:
                self._limits.sits_or_goes(visit)
                seat, player = taken
                await _listen(seat, player, lines)
        finally:
            await _close(writer)
            self._limits.sits_or_goes(visit)

    async def _seat(
        self, lines: _Lines, writer: asyncio.StreamWriter, visit: Visit
    ) -> tuple[BlueChipSeat, BlueChipPlayer] | None:
        """Return the seat and the player of a client; None if it gets none, which it is told."""
        seat: BlueChipSeat | None = None
        try:
            async with asyncio.timeout(SEATING_SECONDS):
                connecting = Connecting.parse(await lines.next())
                seat = self._claim(connecting)
                # There are no tokens, so the seat serves as one: only as many clients come so far.
                self._limits.shows(visit, seat)
                session = ManagerSession(
                    seat.viewer.seat, seat.teams, seat.quirks, called=connecting.team
                )
                writer.write(session.data_to_send())
                while not session.started:
                    session.receive(await lines.next())
                    if writer.transport.get_write_buffer_size() > UNREAD_BYTES:
                        writer.transport.abort()
                    if writer.transport.is_closing():
                        return None
                    writer.write(session.data_to_send())
            player = BlueChipPlayer(writer, session, seat.viewer)
            seat.sit(player)
        except (SeatRefusedError, ProtocolError) as error:
            writer.write(to_bytes(Refusal(str(error)).format()))
        except TimeoutError:
            refusal = Refusal(f"not ready to start within {SEATING_SECONDS:.0f} s of connecting")
            writer.write(to_bytes(refusal.format()))
        except EOFError:
            pass
        else:
            return seat, player
        finally:
            if seat is not None:
                self._seats.settled(seat)
        return None

    def _claim(self, connecting: Connecting) -> BlueChipSeat:
        """Return the seat that a client asks for. Raises SeatRefusedError."""
        if connecting.version not in VERSIONS:
            raise SeatRefusedError(f"version {connecting.version} is not spoken here (18 is)")
        return self._seats.claim(connecting.team, connecting.seat)


class _Lines:
    """The lines that come over a connection."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._buffer = LineBuffer()
        # Lines that were received and not returned yet.
        self._waiting: deque[str] = deque()

    async def next(self) -> str:
        """Return the next line. Raises FramingError, and EOFError at the end of the connection."""
        while not self._waiting:
            try:
                data = await self._reader.read(_CHUNK)
            except OSError as error:
                raise EOFError(str(error)) from None
            if not data:
                raise EOFError("the connection was closed")
            self._waiting.extend(self._buffer.feed(data))
        return self._waiting.popleft()


async def _close(writer: asyncio.StreamWriter) -> None:
    """Send the remaining data and close, but do not wait long for a client that does not read."""
    writer.close()
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await writer.wait_closed()
    except (OSError, TimeoutError):
        pass
    finally:
        writer.transport.abort()


async def _listen(seat: BlueChipSeat, player: BlueChipPlayer, lines: _Lines) -> None:
    """Receive the lines of a player until its connection ends."""
    why = "connection closed (the server stops)"
    try:
        while True:
            await player.hear(await lines.next())
    except EOFError as end:
        why = f"connection lost ({end})"
    except FramingError as error:
        why = f"connection closed ({error})"
        await player.refuse(str(error))
    finally:
        player.lose(why)
        seat.lose(player, why)
