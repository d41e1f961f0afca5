"""A seat at a table for bots or people that connect over WebSockets, one connection at a time."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from contextlib import suppress
from enum import StrEnum
from typing import Protocol

from bridge_arena.bridge.record import FaultKind, Question
from bridge_arena.protocol.codec import encode
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    FINAL,
    Answer,
    BoardStart,
    ClientAction,
    Goodbye,
    Leave,
    Snapshot,
    Thought,
    Welcome,
    YourTurn,
    is_about,
)
from bridge_arena.protocol.outgoing import Outgoing, SoFar
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.link import Link, LinkLostError

MOST_RETURNS = 100
"""The number of times that a bot may reconnect on a board without acting. It costs the bot's time,
but also space in the log and network traffic."""

PINGS = 5
"""The number of pings, one for each board, the fastest of which gives a client's lag."""


def new_session() -> str:
    """Return a session that nobody can guess."""
    return secrets.token_urlsafe(16)


class Noted(Protocol):
    """A callback for lost and restored connections of a player."""

    def __call__(self, news: str, *, back: bool) -> None:
        """Note that a connection was lost or, if `back`, restored; `news` says how."""


def unnoted(news: str, *, back: bool) -> None:
    """Note nothing."""


class Direction(StrEnum):
    """The way of a message."""

    SENT = "sent"  # by the server
    RECEIVED = "received"  # from the player


class WireLog(Protocol):
    """A callback for the messages between the server and a player."""

    def __call__(self, direction: Direction, message: bytes) -> None:
        """Note a message, as it is encoded and without secrets."""


class WebsocketPlayer:
    """A seat at a table for a bot that connects by itself.

    Args:
        viewer: The seat.
        welcome: The answer to Hello, with the session by which the bot may come back and the time
            that it may take.
        noted: Called when a connection is lost or restored.
        wire_log: Called with each message that is sent or received; None for nobody.
    """

    questions: tuple[Question, ...] = ()  # the table answers all questions

    def __init__(
        self,
        viewer: Viewer,
        welcome: Welcome,
        noted: Noted = unnoted,
        wire_log: WireLog | None = None,
    ) -> None:
        self.viewer = viewer
        self.welcome = welcome
        # Done when a bot has sat down here; it may be given a SeatFault if none will.
        self.seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # The bot's own name and version.
        self.hello = ""
        # The number of the bot's actions so far.
        self.answers = 0
        self._noted = noted
        self._wire_log = wire_log
        # The present link; None before the first, and between a lost one and the next.
        self._link: Link | None = None
        # Set while there is a connection, or when none will come.
        self._here = asyncio.Event()
        # When the connection was lost, or the board began without it, in the loop's time, and why
        # it was lost. The time is None while there is a connection, and before the first.
        self._lost_at: float | None = None
        self._why_lost = ""
        # How the bot's process ended, until a bot sits here again; "" if it is not known.
        self._process_end = ""
        # Seconds without a connection before that, since the board began or the bot last acted, so
        # that merely coming back gains no time.
        self._away = 0.0
        # The number of times that the bot has come back since it last acted or a board began.
        self._returns = 0
        # The fault for which the player is given up even within its grace; None while it is not.
        self._given_up: SeatFault | None = None
        # The last message, also for a bot that comes back when all is over; None before that. The
        # event is set when a bot that came back has received it.
        self._farewell: Outgoing | None = None
        self._parted = asyncio.Event()
        # Whether a bot was here to the end, and none is awaited.
        self.is_over = False
        # Actions that were received and not returned yet.
        self._actions: deque[ClientAction] = deque()
        self._so_far = SoFar()
        # When the bot was told the turn that waits for its answer.
        self._turn_sent = 0.0
        # The answer to the last ping; None before the first.
        self._pong: asyncio.Future[float] | None = None
        # The times of the last pings, in seconds.
        self._lags: deque[float] = deque(maxlen=PINGS)

    @property
    def table(self) -> str:
        """The name of the table."""
        return self.welcome.table

    @property
    def turn(self) -> YourTurn | None:
        """The turn that waits for an answer, as it was told."""
        return self._so_far.turn

    def snapshot(self) -> Snapshot | None:
        """Return all that this seat was told of the board in play; None before the first board."""
        return self._so_far.snapshot(self.turn_now())

    def turn_now(self) -> YourTurn | None:
        """Return the open turn, with the time that is left of it now."""
        turn = self._so_far.turn
        if turn is None:
            return None
        gone = asyncio.get_running_loop().time() - self._turn_sent
        left = {
            name: round(max(0.0, seconds - gone), 3)
            for name in ("seconds", "board_seconds", "match_seconds")
            if (seconds := getattr(turn, name)) is not None
        }
        return turn.model_copy(update=left)

    @property
    def back_within(self) -> float | None:
        """The seconds that a client which is away has left to come back; None if it is here."""
        if self._lost_at is None:
            return None
        return max(0.0, self._end_of_grace(self._lost_at) - asyncio.get_running_loop().time())

    # For the gateway, where connections come and go.

    def renew_session(self) -> None:
        """Begin a new session for another bot, so that the one that sat here does not come back."""
        if self.welcome.session:
            self.welcome = self.welcome.model_copy(update={"session": new_session()})

    @property
    def is_connected(self) -> bool:
        return self._link is not None

    async def until_connected(self) -> None:
        """Wait until the seat has a connection. Raises SeatFault if it will have none."""
        while self._link is None:
            if self._given_up is not None:
                raise self._given_up
            await self._here.wait()

    async def attach(self, link: Link) -> None:
        """Seat whoever is at the other end, for the first time or back; cut an older link."""
        before, self._link = self._link, link
        self._process_end = ""
        if before is not None:
            before.cut(FINAL, "replaced by a new connection")
            self._noted("replaced by a new connection", back=False)
        if self._lost_at is not None:
            self._away += asyncio.get_running_loop().time() - self._lost_at
            self._lost_at = None
        self._here.set()
        self._send(link, Outgoing.of(self.welcome), urgent=True)
        snapshot = self.snapshot()
        if snapshot is not None and self._farewell is None:
            self._send(link, Outgoing.of(snapshot), urgent=True)
        if self._farewell is not None:
            self._send(link, self._farewell, urgent=True)
        self.hello = link.name
        if not self.seated.done():
            self.seated.set_result(None)
        else:
            self._returns += 1
            self._noted("back", back=True)
        if self._returns > MOST_RETURNS:
            why = f"it came back {self._returns} times without acting"
            self.give_up(SeatFault(FaultKind.DISCONNECT, why))
            self.part(why)
            return
        self.flush()
        if self._farewell is not None:
            self._link = None  # so that its end is no loss
            await link.close()
            self._parted.set()
            return
        # Measured now, as the client waits for its first board and answers at once.
        await self.measure_lag()

    def lose(self, link: Link, why: str) -> None:
        """Note that a connection is lost, if it is the present one."""
        if self._link is not link:
            return
        self._link = None
        self._here.clear()
        self._why_lost = why
        self._lost_at = asyncio.get_running_loop().time()
        self._noted(why, back=False)

    def lose_process(self, how: str) -> None:
        """Note how the bot's process ended, and cut its connection, which may seem intact."""
        self._process_end = how
        self.cut_off(1001, how)

    def cut_off(self, code: int, why: str) -> None:
        """Cut the connection, if there is one, and note that it is lost."""
        link = self._link
        if link is not None:
            link.cut(code, why)
            self.lose(link, f"connection lost ({why})")

    def give_up(self, fault: SeatFault) -> None:
        """Stop waiting for a bot that will not come back."""
        self._given_up = fault
        self._here.set()

    # For the table's driver.

    def change_terms(self, clock: TimeControl, grace: float) -> None:
        """Have other terms from the next board on; each turn tells the bot its time."""
        terms: dict[str, object] = {**clock.in_welcome(), "grace_seconds": grace}
        if any(getattr(self.welcome, name) != value for name, value in terms.items()):
            self.welcome = self.welcome.model_copy(update=terms)

    def tell(self, outgoing: Outgoing) -> None:
        """Queue an event, and remember it for a bot that comes back."""
        if outgoing.kind is YourTurn:
            self._turn_sent = asyncio.get_running_loop().time()
        elif outgoing.kind is BoardStart and not self._so_far.begins_again(outgoing):
            self._returns = 0
            # A bot that was away between boards kept nobody waiting: its grace begins anew.
            self._away = 0.0
            if self._lost_at is not None:
                self._lost_at = asyncio.get_running_loop().time()
        self._so_far.take(outgoing)
        if self._link is not None:
            self._send(self._link, outgoing, urgent=outgoing.urgent)

    def flush(self) -> None:
        """Send what is due; a bot that leaves too much unread is given up."""
        # A lost connection is noticed by the gateway.
        if self._link is None or self._given_up is not None:
            return
        if not self._link.flush():
            self.give_up(SeatFault(FaultKind.STALL, "the bot does not read what it is sent"))

    @property
    def lag(self) -> float:
        """The shortest of the last round-trip times in seconds; longer ones include thinking."""
        return min(self._lags, default=0.0)

    async def measure_lag(self) -> None:
        """Send a ping, if lag is compensated, no ping is open, and the client reads."""
        link = self._link
        if link is None or not self.welcome.lag_seconds:
            return
        if self._pong is not None and not self._pong.done():
            return
        self._pong = await link.ping()
        if self._pong is not None:
            self._pong.add_done_callback(self._note_lag)

    async def act(self, turn: YourTurn) -> Answer | Thought:
        """Wait for the next action, also of a bot that is away; SeatFault if none is in time."""
        del turn  # the client has been told it
        while not self._actions:
            if self._given_up is not None:
                raise self._given_up
            link = self._link
            if link is None:
                await self._wait_until_back()
                continue
            try:
                received = await link.receive()
            except LinkLostError as lost:
                self.lose(link, str(lost))
            except ProtocolError as error:
                raise SeatFault(FaultKind.MALFORMED, str(error)) from None
            else:
                self._actions.extend(received)
                if self._wire_log is not None:
                    for action in received:
                        self._wire_log(Direction.RECEIVED, encode(action))
                if not received:
                    await asyncio.sleep(0)  # so that many empty frames hold up nobody
        action = self._actions.popleft()
        if type(action) is Leave:
            raise SeatFault(FaultKind.REFUSED, action.reason or "the bot left")
        if type(action) is Thought:
            return action  # the turn is not answered
        self.answers += 1
        self._returns = 0
        self._away = 0.0
        open_turn = self._so_far.turn
        if open_turn is not None and is_about(action, open_turn):
            self._so_far.turn = None  # whether the answer is good or bad
        return action

    def part(self, reason: str) -> None:
        """Close the seat for good; the bot may ask for another one."""
        self.give_up(SeatFault(FaultKind.DISCONNECT, reason))
        if self._link is not None:
            self._link.cut(1012, reason)

    async def say_goodbye(self, reason: str) -> None:
        """End the session in good order, also with a bot that is on its way back."""
        self._farewell = Outgoing.of(Goodbye(reason=reason))
        self.tell(self._farewell)
        self.flush()
        link, self._link = self._link, None
        self._here.clear()
        if link is not None:
            self.is_over = True  # also for the bot that is back before this end has closed
            if await link.close():
                return
            # The connection broke before everything was received.
            self.is_over = False
            self._lost_at = asyncio.get_running_loop().time()
        if self._lost_at is None or self._given_up is not None:
            return  # nobody ever sat here, or nobody will come back
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._end_of_grace(self._lost_at)):
                await self._parted.wait()
        self.is_over = True

    # Private methods.

    def _send(self, link: Link, outgoing: Outgoing, *, urgent: bool) -> None:
        link.send(outgoing, urgent=urgent)
        if self._wire_log is not None:
            self._wire_log(Direction.SENT, outgoing.encoded)

    async def _wait_until_back(self) -> None:
        """Wait until there is a connection again. Raises SeatFault when the grace is over."""
        lost_at = self._lost_at
        if lost_at is None:  # nobody has ever sat here
            raise SeatFault(FaultKind.DISCONNECT, self._why_lost or "nobody came")
        grace = self.welcome.grace_seconds
        try:
            async with asyncio.timeout_at(self._end_of_grace(lost_at)):
                await self._here.wait()
        except TimeoutError:
            late = f", and the bot was not back within {grace:g} s" if grace else ""
            if self._process_end:
                raise SeatFault(FaultKind.CRASH, f"{self._process_end}{late}") from None
            raise SeatFault(FaultKind.DISCONNECT, f"{self._why_lost}{late}") from None

    def _end_of_grace(self, lost_at: float) -> float:
        """Return the time until which a bot may come back, in the loop's time."""
        return lost_at + self.welcome.grace_seconds - self._away

    def _note_lag(self, pong: asyncio.Future[float]) -> None:
        if not pong.cancelled() and pong.exception() is None:
            self._lags.append(pong.result())
