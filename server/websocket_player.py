"""A bot, or a person, at the other end of websockets: of one at a time, and of the next when that
is lost."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Protocol

from websockets.asyncio.server import ServerConnection

from bridge_arena.bridge.record import FaultKind, Question
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    Answer,
    Goodbye,
    Leave,
    Snapshot,
    Thought,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ClientAction, ServerSession
from bridge_arena.protocol.snapshot import SoFar
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.client_connection import ClientConnection
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.link import Link, LinkLostError

MOST_RETURNS = 100
"""How often a bot may come back without acting between: it costs its clock, but log and
network too."""

PINGS = 5
"""Of how many pings, one a board, the fastest tells a client's lag."""


class Noted(Protocol):
    """Is told when a player's connection is lost, and when it is `back`."""

    def __call__(self, news: str, *, back: bool) -> None: ...


class WebsocketPlayer:
    """A seat at a table for a bot that connects by itself.

    `welcome`: what it is told when it has said Hello, with the session that it may come
    back by and how long it may take.
    """

    def __init__(
        self,
        viewer: Viewer,
        welcome: Welcome,
        noted: Noted | None = None,
    ) -> None:
        self.viewer = viewer
        self.welcome = welcome
        # Done when a bot has sat down here; may be given a SeatFault when none will.
        self.seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # What the bot calls itself: name and version.
        self.hello = ""
        # How many actions it has sent that were taken in.
        self.answers = 0
        self._noted = noted
        # None before the first connection, and after one was lost until the next.
        self._link: Link | None = None
        # Set while there is a connection, or when none will come.
        self._here = asyncio.Event()
        # When the connection was lost, in the loop's time, and why; None while there is one,
        # and before the first.
        self._lost_at: float | None = None
        self._why_lost = ""
        # Seconds without a connection before that, since the bot last acted: coming back
        # alone gains no time.
        self._away = 0.0
        # How often it has come back since it last acted.
        self._returns = 0
        # Why the player is given up, whatever its grace; None while it is not.
        self._given_up: SeatFault | None = None
        # The last word, also for a bot that comes back when all is over; None before. Set when
        # it has been said to one that came back.
        self._farewell: Outgoing | None = None
        self._parted = asyncio.Event()
        # Actions received and not yet judged.
        self._actions: deque[ClientAction] = deque()
        self._so_far = SoFar()
        # When the turn that waits for the bot's answer was told.
        self._turn_told = 0.0
        # The answer to the last ping; None before the first.
        self._pong: asyncio.Future[float] | None = None
        # How long the last pings took, in seconds.
        self._lags: deque[float] = deque(maxlen=PINGS)

    @property
    def table(self) -> str:
        return self.welcome.table

    @property
    def turn(self) -> YourTurn | None:
        """The turn that waits for an answer, as it was told."""
        return self._so_far.turn

    def snapshot(self) -> Snapshot | None:
        """What whoever sits here was told of the board in play; None before the first."""
        return self._so_far.snapshot(self._turn_as_it_stands())

    # For the gateway: connections come and go.

    @property
    def is_connected(self) -> bool:
        return self._link is not None

    async def attach(self, connection: ServerConnection, session: ServerSession) -> None:
        """The bot sits down here, or is back: over this connection, and no other any more."""
        await self.sit(ClientConnection(connection, session))

    async def sit(self, link: Link) -> None:
        """Whoever is at the other end of a link sits down here, or is back."""
        before, self._link = self._link, link
        if before is not None:
            before.cut(1008, "replaced by a new connection")
            self._note("replaced by a new connection", back=False)
        if self._lost_at is not None:
            self._away += asyncio.get_running_loop().time() - self._lost_at
            self._lost_at = None
        self._here.set()
        link.send(Outgoing.of(self.welcome), urgent=True)
        snapshot = self.snapshot()
        if snapshot is not None and self._farewell is None:
            link.send(Outgoing.of(snapshot), urgent=True)
        if self._farewell is not None:
            link.send(self._farewell, urgent=True)
        self.hello = link.name
        if not self.seated.done():
            self.seated.set_result(None)
        else:
            self._returns += 1
            self._note("back", back=True)
        if self._returns > MOST_RETURNS:
            why = f"it came back {self._returns} times without acting"
            self.give_up(SeatFault(FaultKind.DISCONNECT, why))
            self.part(why)
            return
        await self.flush()
        if self._farewell is not None:
            await link.close()
            self._parted.set()
            return
        # Now the client waits for its first board, and answers at once.
        await self.measure_lag()

    def lose(self, connection: object, why: str) -> None:
        """A connection is lost: nothing, if it is not the one that counts any more."""
        if self._link is None or self._link.connection is not connection:
            return
        self._link = None
        self._here.clear()
        self._why_lost = why
        self._lost_at = asyncio.get_running_loop().time()
        self._note(why, back=False)

    def lose_connection(self, why: str) -> None:
        """The bot is gone for certain, whatever its connection looks like."""
        if self._link is not None:
            connection = self._link.connection
            self._link.cut(1001, why)
            self.lose(connection, why)

    def give_up(self, fault: SeatFault) -> None:
        """The bot will not come back."""
        self._given_up = fault
        self._here.set()

    # For the table's driver.

    def tell(self, outgoing: Outgoing) -> None:
        self._so_far.take(outgoing)
        if outgoing.kind is YourTurn:
            self._turn_told = asyncio.get_running_loop().time()
        if self._link is not None:
            self._link.send(outgoing, urgent=outgoing.urgent)

    async def flush(self) -> None:
        # A lost connection is noticed by the gateway.
        if self._link is None or self._given_up is not None:
            return
        if self._link.is_clogged:
            self.give_up(SeatFault(FaultKind.STALL, "the bot does not read what it is sent"))
        else:
            await self._link.flush()

    @property
    def lag(self) -> float:
        # The least, because a bot that thinks answers late.
        return min(self._lags, default=0.0)

    async def measure_lag(self) -> None:
        """By a ping, unless no lag is forgiven here, the last was not answered yet, or the
        client does not read."""
        link = self._link
        if link is None or not self.welcome.lag_seconds:
            return
        if self._pong is not None and not self._pong.done():
            return
        self._pong = await link.ping()
        if self._pong is not None:
            self._pong.add_done_callback(self._note_lag)

    async def act(self, turn: YourTurn) -> Answer | Thought:
        del turn  # the client was sent it
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
                self.lose(link.connection, str(lost))
            except ProtocolError as error:
                raise SeatFault(FaultKind.MALFORMED, str(error)) from None
            else:
                self._actions.extend(received)
                if not received:
                    await asyncio.sleep(0)  # empty frames that come in heaps hold up nobody
        action = self._actions.popleft()
        if type(action) is Leave:
            raise SeatFault(FaultKind.REFUSED, action.reason or "the bot left")
        if type(action) is Thought:
            return action  # the turn is not answered
        self.answers += 1
        self._returns = 0
        self._away = 0.0
        turn_told = self._so_far.turn
        if turn_told is not None and _answers(turn_told, action):
            self._so_far.turn = None
        return action

    @property
    def questions(self) -> tuple[Question, ...]:
        return ()

    def part(self, reason: str) -> None:
        """The place is no more; another may be had for the asking."""
        self.give_up(SeatFault(FaultKind.DISCONNECT, reason))
        if self._link is not None:
            self._link.cut(1012, reason)

    async def say_goodbye(self, reason: str) -> None:
        """End the session in good order, also with a bot that is on its way back."""
        self._farewell = Outgoing.of(Goodbye(reason=reason))
        self.tell(self._farewell)
        await self.flush()
        link, self._link = self._link, None
        if link is not None:
            if await link.close():
                return
            # The connection was broken before all was said.
            self._lost_at = asyncio.get_running_loop().time()
        if self._lost_at is None or self._given_up is not None:
            return  # nobody sat here, or nobody will come back
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._end_of_grace(self._lost_at)):
                await self._parted.wait()

    # Private methods.

    async def _wait_until_back(self) -> None:
        """Until there is a connection again. Raises SeatFault when the grace is over."""
        lost_at = self._lost_at
        if lost_at is None:  # nobody has ever sat here
            raise SeatFault(FaultKind.DISCONNECT, self._why_lost or "nobody came")
        grace = self.welcome.grace_seconds
        try:
            async with asyncio.timeout_at(self._end_of_grace(lost_at)):
                await self._here.wait()
        except TimeoutError:
            late = f", and the bot was not back within {grace:g} s" if grace else ""
            raise SeatFault(FaultKind.DISCONNECT, f"{self._why_lost}{late}") from None

    def _end_of_grace(self, lost_at: float) -> float:
        """Until when a bot whose connection was lost may come back, in the loop's time."""
        return lost_at + self.welcome.grace_seconds - self._away

    def _note(self, news: str, *, back: bool) -> None:
        if self._noted is not None:
            self._noted(news, back=back)

    def _turn_as_it_stands(self) -> YourTurn | None:
        """The open turn, with the time that is left of it now."""
        turn = self._so_far.turn
        if turn is None:
            return None
        gone = asyncio.get_running_loop().time() - self._turn_told
        left = {
            name: round(max(0.0, seconds - gone), 3)
            for name in ("seconds", "board_seconds", "match_seconds")
            if (seconds := getattr(turn, name)) is not None
        }
        return turn.model_copy(update=left)

    def _note_lag(self, pong: asyncio.Future[float]) -> None:
        if not pong.cancelled() and pong.exception() is None:
            self._lags.append(pong.result())


def _answers(turn: YourTurn, action: Answer) -> bool:
    """Whether an action is an answer to a turn, good or bad, and not to an earlier one."""
    return (action.table, action.board, action.seq) == (turn.table, turn.board, turn.seq)
