"""The Blue Chip table manager protocol: its gateway, its seats, and the programs in them.

One port serves all seats, which programs take by team and seat. The protocol has no way for a
program to prove who it is.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

from bridge_arena.base.wording import cannot_listen
from bridge_arena.bridge.record import FaultKind, Question
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.bluechip.lines import (
    VERSIONS,
    Connecting,
    FramingError,
    LineBuffer,
    Refusal,
    to_bytes,
)
from bridge_arena.protocol.bluechip.manager import ManagerSession
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks, tidy
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    Answer,
    AnswerClaim,
    BoardStart,
    Goodbye,
    YourTurn,
    stamp_of,
)
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.tcp_keepalive import notice_loss
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.connection_limits import (
    TAKEN_IN_AT_ONCE,
    ConnectionLimits,
    Visit,
    lengthen_queue,
)
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.gateway import CLOSE_SECONDS, GatewayError
from bridge_arena.server.players import UNREAD_BYTES, Unmeasured
from bridge_arena.server.seating import SeatRefusedError
from bridge_arena.server.websocket_player import Noted, unnoted

SEATING_SECONDS = 30.0
"""Seconds that a client may take from connecting until it is ready to start."""

_CHUNK = 4096
"""The number of bytes that are read at a time."""

FAREWELL_SECONDS = 1.0
"""Seconds that a client has to ask for the end of the last board, and to read why its connection
is closed."""

MOST_WAITING = 8
"""The number of invalid lines that are read ahead of the client's turn."""


class BlueChipPlayer(Unmeasured):
    """A program at the other end of a Blue Chip connection."""

    def __init__(
        self, writer: asyncio.StreamWriter, session: ManagerSession, viewer: Viewer
    ) -> None:
        self.viewer = viewer
        self._writer = writer
        self._session = session
        # The errors of invalid lines, which become faults when it is the client's turn.
        self._complaints: deque[ProtocolError] = deque()
        # Set when there is something new for `act`, and when there is room for more errors.
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        # The fault by which the player is gone; None while it is connected.
        self._gone: SeatFault | None = None

    # For the table's driver.

    def tell(self, outgoing: Outgoing) -> None:
        """Queue an event in the lines of the protocol."""
        self._session.tell(outgoing.message, asyncio.get_running_loop().time())

    def flush(self) -> None:
        """Send what is due; a client that leaves too much unread is stalled."""
        data = self._session.data_to_send()
        if not data or self._gone is not None or self._writer.transport.is_closing():
            return
        if self._writer.transport.get_write_buffer_size() > UNREAD_BYTES:
            self._gone = SeatFault(FaultKind.STALL, "the bot does not read what it is sent")
            self._writer.transport.abort()
            return
        self._writer.write(data)

    async def act(self, turn: YourTurn) -> Answer:
        """Return the client's next answer; claims are refused.

        Raises SeatFault if a line of the client was invalid, or the client is gone.
        """
        if turn.claim:
            # The protocol has no claims, so the program cannot be asked.
            return AnswerClaim(**stamp_of(turn), accept=False)
        while True:
            if self._complaints:
                self._room.set()
                raise SeatFault(FaultKind.MALFORMED, str(self._complaints.popleft()))
            answer = self._session.take()
            if answer is not None:
                return answer_to(turn, answer)
            if self._gone is not None:
                raise self._gone
            if self._session.out_of_step:
                raise SeatFault(FaultKind.MALFORMED, self._session.out_of_step)
            self._news.clear()
            await self._news.wait()

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that the program asked on this board."""
        return self._session.questions

    async def say_goodbye(self, reason: str) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                while self._gone is None and not self._session.is_drained:
                    self._news.clear()
                    await self._news.wait()
        self.tell(Outgoing.of(Goodbye(reason=reason)))
        self.flush()
        self._close()

    def part(self, reason: str) -> None:
        """Give the reason and close the connection."""
        self._session.refuse(reason)
        self._writer.write(self._session.data_to_send())
        self.lose(f"connection closed ({reason})")
        self._close()

    # For the gateway.

    async def hear(self, line: str) -> None:
        """Receive a line; while too many were invalid, wait before the next."""
        try:
            self._session.receive(line)
        except ProtocolError as error:
            self._complaints.append(error)
        self.flush()
        self._news.set()
        while len(self._complaints) >= MOST_WAITING and self._gone is None:
            self._room.clear()
            await self._room.wait()

    def refuse(self, reason: str) -> None:
        """Tell the client why its lines are no longer read."""
        self._session.refuse(reason)
        self.flush()

    def lose(self, detail: str) -> None:
        if self._gone is None:
            self._gone = SeatFault(FaultKind.DISCONNECT, detail)
        self._news.set()
        self._room.set()

    def _close(self) -> None:
        """Close the connection after a short time for the data that is still being sent."""
        self._writer.close()
        asyncio.get_running_loop().call_later(FAREWELL_SECONDS, self._writer.transport.abort)


class BlueChipSeat(Unmeasured):
    """A seat of a team for Blue Chip programs.

    No program can be told what happened on a board before it came. So a lost connection costs the
    board in play, and the next program, which may sit down at any time, plays from the next
    `BoardStart` on. The teams are named N/S first; `noted` is called when a connection is lost or
    restored.
    """

    def __init__(
        self,
        viewer: Viewer,
        teams: tuple[str, str],
        quirks: Quirks = STANDARD,
        noted: Noted = unnoted,
    ) -> None:
        self.viewer = viewer
        self.teams = teams
        self.quirks = quirks
        self._vacate()
        # The player of the board in play, connected or not; None before the first board, and if
        # nobody sat here when the board began.
        self._playing: BlueChipPlayer | None = None
        # Whether a program has ever sat here.
        self._known = False
        # Called when a connection is lost or restored.
        self.noted = noted

    @property
    def team(self) -> str:
        """The name of the seat's team."""
        return self.teams[self.viewer.seat.side]

    @property
    def hello(self) -> str:
        """The name of the program: its team's."""
        return f"{self.team} (Blue Chip)"

    # For the gateway, where programs come and go.

    @property
    def is_connected(self) -> bool:
        """Whether a program sits here."""
        return self.seated.done()

    async def until_connected(self) -> None:
        await asyncio.wait([self.seated])

    def sit(self, player: BlueChipPlayer) -> None:
        """Seat a program, where nobody sits."""
        self.seated.set_result(player)
        if self._known:
            self.noted("back", back=True)
        self._known = True

    def lose(self, player: BlueChipPlayer, why: str) -> None:
        """Empty the seat if it is the one of a program whose connection is lost."""
        if self._is_here(player):
            self._vacate()
            self.noted(why, back=False)

    # For the table's driver.

    def tell(self, outgoing: Outgoing) -> None:
        """Pass an event on to the player of the board in play."""
        if outgoing.kind is BoardStart:
            self._playing = self.seated.result() if self.is_connected else None
        if self._playing is not None:
            self._playing.tell(outgoing)

    def flush(self) -> None:
        if self._playing is not None:
            self._playing.flush()

    async def act(self, turn: YourTurn) -> Answer:
        if self._playing is None:
            raise SeatFault(FaultKind.DISCONNECT, "nobody sits there")
        return await self._playing.act(turn)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions of the player of the board in play."""
        return () if self._playing is None else self._playing.questions

    # For the owner of the seat.

    def part(self, reason: str) -> None:
        """Disconnect the player of the last board, unless another program has come since."""
        if self._playing is not None and self._is_here(self._playing):
            self._vacate()
            self._playing.part(reason)

    def dismiss(self, reason: str) -> None:
        """Disconnect whoever sits here."""
        if self.is_connected:
            player = self.seated.result()
            self._vacate()
            player.part(reason)

    async def say_goodbye(self, reason: str) -> None:
        if self.is_connected:
            player = self.seated.result()
            self._vacate()
            await player.say_goodbye(reason)

    def _is_here(self, player: BlueChipPlayer) -> bool:
        return self.seated.done() and self.seated.result() is player

    def _vacate(self) -> None:
        # Done while a program sits here; replaced when the program is lost.
        self.seated: asyncio.Future[BlueChipPlayer] = asyncio.get_running_loop().create_future()


class OpenSeats:
    """The seats that programs may take, in the order in which they were offered.

    A seat whose program is lost may be taken again.
    """

    def __init__(self) -> None:
        self._seats: list[BlueChipSeat] = []
        # The seats that were claimed by a program that is not ready to start yet.
        self._promised: set[BlueChipSeat] = set()

    def offer(self, seat: BlueChipSeat) -> None:
        self._seats.append(seat)

    def withdraw(self, seat: BlueChipSeat) -> None:
        """Offer a seat no more."""
        self._seats.remove(seat)

    def claim(self, team: str, seat: Seat | None) -> BlueChipSeat:
        """Reserve a free seat of a team, or the first for None, until it is `settled`.

        Raises SeatRefusedError if the team is not expected there, or its seats are taken.
        """
        of_team = [place for place in self._seats if team_key(place.team) == team_key(team)]
        wanted = [place for place in of_team if seat in (None, place.viewer.seat)]
        for place in wanted:
            if not place.is_connected and place not in self._promised:
                self._promised.add(place)
                return place
        if not of_team:
            expected = ", ".join(sorted({place.team for place in self._seats})) or "none"
            raise SeatRefusedError(f"team {tidy(team)[:80]!r} is not expected here ({expected})")
        name = of_team[0].team
        if not wanted:
            raise SeatRefusedError(f"team {name!r} does not sit {seat}")
        where = "every seat" if seat is None else f"seat {seat}"
        raise SeatRefusedError(f"{where} of team {name!r} is taken")

    def settled(self, seat: BlueChipSeat) -> None:
        """End the reservation of a seat: the program sits there, or left before it was ready."""
        self._promised.remove(seat)


def team_key(team: str) -> str:
    """Return the key of a team's name: two names with the same key are the same team."""
    return tidy(team).replace('"', "'").casefold()


class BlueChipGateway:
    """A gateway that listens while its context is entered; entering raises GatewayError.

    Port 0 stands for any free one. `limits` are those of connections that have not taken a seat, if
    shared with other gateways.
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
        self.host = host
        # Known once the context is entered.
        self.port = port
        self._server: asyncio.Server | None = None
        # The tasks of the connections.
        self._conversations: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> BlueChipGateway:
        """Start to listen. Raises GatewayError."""
        try:
            self._server = await asyncio.start_server(
                self._meet, self.host, self.port, backlog=TAKEN_IN_AT_ONCE
            )
        except OSError as error:
            place = f"{self.host} port {self.port}"
            raise GatewayError(cannot_listen(place, error)) from error
        lengthen_queue(self._server.sockets)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
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
            writer.write(to_bytes(str(Refusal(str(error)))))
        except TimeoutError:
            text = f"not ready to start within {SEATING_SECONDS:.0f} s of connecting"
            writer.write(to_bytes(str(Refusal(text))))
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
        player.refuse(str(error))
    finally:
        player.lose(why)
        seat.lose(player, why)
