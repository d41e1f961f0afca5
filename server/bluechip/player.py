"""A program that speaks Blue Chip, as long as it is connected."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

from bridge_arena.bridge.record import FaultKind, Question
from bridge_arena.protocol.bluechip.manager import ManagerSession
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import Answer, AnswerClaim, Goodbye, YourTurn
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.players import UNREAD_BYTES

FAREWELL_SECONDS = 1.0
"""Seconds that a client has to ask for the end of the last board, and to read why its connection
is closed."""

MOST_WAITING = 8
"""The number of invalid lines that are read ahead of the client's turn."""


class BlueChipPlayer:
    """A program at the other end of a Blue Chip connection.

    Args:
        writer: The connection's stream.
        session: The dialogue over it.
        viewer: The program's seat.

    Attributes:
        viewer: The program's seat.
    """

    def __init__(
        self,
        writer: asyncio.StreamWriter,
        session: ManagerSession,
        viewer: Viewer,
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

    async def flush(self) -> None:
        """Send what is due; a client that leaves too much unread is stalled."""
        data = self._session.data_to_send()
        if not data or self._gone is not None or self._writer.transport.is_closing():
            return
        if self._writer.transport.get_write_buffer_size() > UNREAD_BYTES:
            self._gone = SeatFault(FaultKind.STALL, "the bot does not read what it is sent")
            self._writer.transport.abort()
            return
        self._writer.write(data)

    @property
    def lag(self) -> float:
        """0, as the protocol does not measure it."""
        return 0.0

    async def measure_lag(self) -> None:
        """Do nothing, as the protocol does not measure it."""

    async def act(self, turn: YourTurn) -> Answer:
        """Return the client's next answer; claims are refused.

        Args:
            turn: The turn.

        Returns:
            The answer.

        Raises:
            SeatFault: A line of the client was invalid, or the client is gone.
        """
        if turn.claim:
            # The protocol has no claims, so the program cannot be asked.
            return AnswerClaim(table=turn.table, board=turn.board, seq=turn.seq, accept=False)
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
        """End the session in good order."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                while self._gone is None and not self._session.is_drained:
                    self._news.clear()
                    await self._news.wait()
        self.tell(Outgoing.of(Goodbye(reason=reason)))
        await self.flush()
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
        await self.flush()
        self._news.set()
        while len(self._complaints) >= MOST_WAITING and self._gone is None:
            self._room.clear()
            await self._room.wait()

    async def refuse(self, reason: str) -> None:
        """Tell the client why its lines are no longer read."""
        self._session.refuse(reason)
        await self.flush()

    def lose(self, detail: str) -> None:
        """Note that the connection is lost."""
        if self._gone is None:
            self._gone = SeatFault(FaultKind.DISCONNECT, detail)
        self._news.set()
        self._room.set()

    def _close(self) -> None:
        """Close the connection after a short time for the data that is still being sent."""
        self._writer.close()
        asyncio.get_running_loop().call_later(FAREWELL_SECONDS, self._writer.transport.abort)
