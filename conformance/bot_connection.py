"""A place of the bot at one table: its connection, what it is sent, its answers, its conduct."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any

import msgpack
from websockets.exceptions import ConnectionClosed

from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.frames import (
    WireForm,
    fragments,
    frames,
    packed,
    readable_frame,
    readable_message,
)
from bridge_arena.conformance.point import NotHeldError
from bridge_arena.protocol.codec import encode
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode, ProtocolError
from bridge_arena.protocol.messages import (
    MOST_THOUGHTS,
    Answer,
    ClientAction,
    Error,
    Goodbye,
    Hello,
    Leave,
    Message,
    Stamp,
    Thought,
    Welcome,
    YourTurn,
    stamp_of,
)
from bridge_arena.protocol.outgoing import Outgoing, SoFar
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.link import ClientLink


@dataclass(frozen=True, slots=True)
class Slip:
    """Something that the bot should not have sent: what is wrong with it, and its frame as JSON."""

    text: str
    frame: Any


@dataclass(slots=True)
class Slips:
    """The slips of one kind: their number, the first and the last."""

    count: int = 0
    first: Slip | None = None
    last: Slip | None = None

    def note(self, slip: Slip) -> None:
        self.count += 1
        self.first = self.first or slip
        self.last = slip


@dataclass(slots=True)
class Conduct:
    """What the bot does throughout, whatever point is tried."""

    unasked: Slips = field(default_factory=Slips)  # messages that answer no open turn
    explanations: Slips = field(default_factory=Slips)  # explanations that are not of the protocol
    times: list[float] = field(default_factory=list)  # the times of the answers, in seconds

    def timing(self) -> dict[str, float]:
        """Return the number of answers, and their median and longest time in milliseconds."""
        times = self.times
        return {
            "actions": len(times),
            "median_ms": round(1000 * median(times), 1) if times else 0.0,
            "max_ms": round(1000 * max(times), 1) if times else 0.0,
        }


MOST_UNREAD = 1000
"""The most unread frames of a bot that are kept; then its connection is read no more."""


@dataclass(frozen=True, slots=True)
class _Frame:
    data: bytes | str
    # The time of its arrival, by the loop's clock.
    at: float


@dataclass(eq=False, slots=True)
class _Link:
    """A connection, and the frames that came over it; `lost` is the reason for its end."""

    client: ClientLink
    inbox: asyncio.Queue[_Frame | None] = field(default_factory=asyncio.Queue)
    lost: str | None = None


@dataclass(eq=False, slots=True)
class BotConnection:
    """A place of the bot at one table."""

    welcome: Welcome  # the Welcome that the bot is sent
    seat: Seat  # the bot's seat
    seconds: float  # the time that the bot has for an answer, in seconds
    _conduct: Conduct  # receives the bot's slips and times
    _news: Callable[[], None]  # called when the bot has come
    taken: bool = False  # whether a bot has ever sat down here
    hellos: list[Hello] = field(default_factory=list)  # the Hello of each time that it came
    form: WireForm = WireForm.PLAIN  # the form of the messages that it is sent
    _link: _Link | None = None
    # Packed messages that wait for the next frame, and whether one of them cannot wait.
    _outbox: list[bytes] = field(default_factory=list)
    _urgent: bool = False
    _so_far: SoFar = field(default_factory=SoFar)
    _sent_at: float = 0.0  # the time since which the open turn waits, by the loop's clock
    _readers: set[asyncio.Task[None]] = field(default_factory=set)
    # The turns to which an answer may still be on its way.
    _excused: list[Stamp] = field(default_factory=list)

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.seat)

    # For the gateway: connections come and go.

    @property
    def is_connected(self) -> bool:
        return self._link is not None and self._link.lost is None

    async def attach(self, client: ClientLink) -> None:
        """Take in the bot's connection, be it its first or a later one."""
        hello = client.session.hello
        assert hello is not None
        self.hellos.append(hello)
        if self._link is not None and self._link.lost is None:
            self.lose(self._link.client, "the bot opened another one in its place")
        self._link = link = _Link(client)
        self._outbox = [encode(self.welcome)]
        snapshot = self._so_far.snapshot(self._so_far.turn)
        if snapshot is not None:
            self._outbox.append(encode(snapshot))
            self._sent_at = asyncio.get_running_loop().time()
        self._urgent = True
        await self.flush()
        reader = asyncio.create_task(_read(link))
        self._readers.add(reader)
        reader.add_done_callback(self._readers.discard)
        self._news()

    def lose(self, client: ClientLink, why: str) -> None:
        link = self._link
        if link is not None and link.client is client and link.lost is None:
            link.lost = why
            link.inbox.put_nowait(None)

    def cut(self) -> None:
        """Cut the connection as a failing network does."""
        if self._link is not None:
            self._link.lost = "cut"
            self._link.client.connection.transport.abort()
        self._link = None

    # What the bot is told.

    def tell(self, outgoing: Outgoing) -> None:
        """Queue a message to the bot."""
        self._so_far.take(outgoing)
        self._outbox.append(packed(outgoing.message, self.form))
        self._urgent = self._urgent or outgoing.urgent

    async def say(self, message: Message) -> None:
        """Send a message that is no event of a board."""
        self.tell(Outgoing.of(message))
        await self.flush()

    async def flush(self) -> None:
        """Send the messages that are due."""
        link = self._link
        if not self._outbox or link is None or link.lost is not None:
            return
        if not self._urgent and (not self.is_live or self.form is WireForm.GATHERED):
            return
        due, self._outbox, self._urgent = self._outbox, [], False
        try:
            for data in frames(due, self.form if self.is_live else WireForm.PLAIN):
                if self.form is WireForm.FRAGMENTED:
                    await link.client.connection.send(fragments(data))
                else:
                    await link.client.connection.send(data)
        except ConnectionClosed as closed:
            self.lose(link.client, f"connection lost ({closed})")
        self._sent_at = asyncio.get_running_loop().time()

    @property
    def is_live(self) -> bool:
        """Whether events reach the bot as they happen."""
        return bool(self.hellos) and self.hellos[-1].delivery == Delivery.LIVE

    async def ping(self) -> None:
        link = self._link
        expected = f"a pong within {self.seconds:g} s, while the bot waits for messages"
        if link is None or link.lost is not None:
            raise NotHeldError(expected, self._why_lost)
        try:
            async with asyncio.timeout(self.seconds):
                await (await link.client.connection.ping())
        except TimeoutError:
            raise NotHeldError(expected, "nothing") from None
        except ConnectionClosed as closed:
            raise NotHeldError(expected, f"the connection was lost ({closed})") from None

    async def say_goodbye(self, reason: str) -> None:
        """Send Goodbye, and close the connection."""
        await self.say(Goodbye(reason=reason))
        if self._link is not None:
            await self._link.client.connection.close()

    async def part(self, reason: str) -> None:
        """Close the connection without Goodbye, because the place is given up."""
        if self._link is not None:
            await self._link.client.connection.close(1012, reason)

    # What it answers.

    def excuse(self, turn: YourTurn) -> None:
        """Allow an answer to this turn to come late, or twice."""
        self._excused.append(stamp_of(turn))

    async def answer(self, turn: YourTurn) -> Answer:
        """Return the bot's answer to a turn that it was sent, legal or not."""
        what = "AnswerClaim" if turn.claim else "an action"
        expected = (
            f"{what} with table {turn.table!r}, board {turn.board} and seq {turn.seq} "
            f"within {self.seconds:g} s"
        )
        stamp, failed = stamp_of(turn), partial(NotHeldError, asked=readable_message(turn))
        others: list[Slip] = []
        thoughts = 0
        while True:
            try:
                async with asyncio.timeout_at(self._sent_at + self.seconds):
                    frame = await self._receive()
            except TimeoutError:
                last = others[-1] if others else Slip("nothing", None)
                raise failed(expected, last.text, frame=last.frame) from None
            if frame is None:
                raise failed(expected, self._why_lost)
            shown = readable_frame(frame.data)
            try:
                actions = self._decode(frame.data)
            except ProtocolError as error:
                raise failed("a frame of the protocol", str(error), frame=shown) from None
            own_answer: Answer | None = None
            for action in actions:
                if isinstance(action, Thought):
                    thoughts += stamp_of(action) == stamp
                    if thoughts > MOST_THOUGHTS:
                        most = f"{MOST_THOUGHTS} thoughts at a turn, or fewer"
                        raise failed(most, "a fifth", frame=shown)
                    continue
                if isinstance(action, Leave):
                    raise failed(expected, "Leave", frame=shown)
                if own_answer is None and stamp_of(action) == stamp:
                    own_answer = action
                else:
                    others += await self._refuse(action, shown)
            if own_answer is not None:
                for other in others:
                    self._conduct.unasked.note(other)
                self._conduct.times.append(max(0.0, frame.at - self._sent_at))
                return own_answer

    async def sweep(self) -> None:
        """Note the messages that came unasked."""
        link = self._link
        while link is not None and not link.inbox.empty():
            frame = link.inbox.get_nowait()
            if frame is None:
                link.inbox.put_nowait(None)
                return
            shown = readable_frame(frame.data)
            try:
                actions = self._decode(frame.data)
            except ProtocolError as error:
                self._conduct.unasked.note(Slip(str(error), shown))
                continue
            for action in actions:
                for slip in await self._refuse(action, shown):
                    self._conduct.unasked.note(slip)

    # Private methods.

    @property
    def _why_lost(self) -> str:
        return (self._link.lost if self._link is not None else None) or "no connection"

    async def _receive(self) -> _Frame | None:
        """Return the next frame; None if there are no more."""
        link = self._link
        if link is None or (link.lost is not None and link.inbox.empty()):
            return None
        return await link.inbox.get()

    def _decode(self, data: bytes | str) -> list[ClientAction]:
        """Return the actions of a frame; wrong explanations are noted and left out."""
        link = self._link
        assert link is not None
        try:
            return link.client.session.receive(data)
        except ProtocolError as error:
            bare = _without_explanations(data)
            if bare is None:
                raise
            try:
                actions = link.client.session.receive(bare)
            except ProtocolError:
                raise error from None
            self._conduct.explanations.note(Slip(str(error), readable_frame(data)))
            return actions

    async def _refuse(self, action: ClientAction, shown: object) -> list[Slip]:
        """Tell the bot, as the server does, that it was not asked."""
        if isinstance(action, Leave):
            return [Slip("Leave, out of turn", shown)]
        if isinstance(action, Thought):  # it came late, and is dropped silently
            return []
        text = f"{action.type} for table {action.table!r}, board {action.board}, seq {action.seq}"
        error = f"{text} answers no open turn of {self.seat}"
        sent_at = self._sent_at
        await self.say(Error(code=ErrorCode.STALE, text=error, seat=self.seat, seq=action.seq))
        self._sent_at = sent_at
        if stamp_of(action) in self._excused:
            return []
        return [Slip(f"{text}, which is no open turn", shown)]


async def _read(link: _Link) -> None:
    """Keep the frames that come over a connection, until it ends or too many are unread."""
    now = asyncio.get_running_loop().time
    with contextlib.suppress(ConnectionClosed):  # the gateway reports the reason
        while link.inbox.qsize() < MOST_UNREAD:
            link.inbox.put_nowait(_Frame(await link.client.connection.recv(), now()))


def _without_explanations(data: bytes | str) -> bytes | None:
    """Return a frame without its explanations; None if it has none."""
    if isinstance(data, str):
        return None
    try:
        messages = msgpack.unpackb(data)
    except (ValueError, TypeError, msgpack.UnpackException, RecursionError):
        return None
    if not isinstance(messages, list):
        return None
    bare = [
        {key: value for key, value in message.items() if key != "explanation"}
        if isinstance(message, dict)
        else message
        for message in messages
    ]
    return None if bare == messages else msgpack.packb(bare)
