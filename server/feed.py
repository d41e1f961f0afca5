"""The feed of a table for all who watch it: shown when it may be, and encoded once.

    feed = Feed(Welcome(table="table 1"), Broadcast.parse("30"))
    async for events in feed.watch():   # first the present board so far, then new events
        for event in events:
            event.number, event.message, event.encoded

Spectators see all four hands and the players' thoughts (`protocol.visibility.Kibitzer`), so the
feed is their only source. They never hold up the play: each reads at its own pace from what is kept
for all of them together, and one that falls too far behind gets an error and may begin again with
the present board. `server.kibitzers` serves those who come over WebSockets.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self
from weakref import WeakSet

from bridge_arena.protocol.messages import BoardShown, Goodbye, Message, Snapshot, Welcome
from bridge_arena.protocol.outgoing import Outgoing, SoFar
from bridge_arena.protocol.visibility import Kibitzer
from bridge_arena.server.pace import Pace

KEPT = 4096
"""The number of events that a spectator may be behind: about forty boards. Where nobody watches, no
event of an earlier board is kept."""

MOST_SECONDS = 86_400.0
"""A day; `board` serves those who want a longer delay."""


@dataclass(frozen=True, slots=True)
class Broadcast:
    """When spectators are shown what happens: live, some seconds later, or after the board.

    As text it is `live`, a number of seconds, or `board`.
    """

    seconds: float = 0.0  # the delay; 0 for live
    # Whether a board is shown only when nobody is to play it any more, at any table.
    after_board: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `live`, a number of seconds, or `board`. Raises ValueError."""
        if text == "live":
            return cls()
        if text == "board":
            return cls(after_board=True)
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= MOST_SECONDS:
            raise ValueError(f"{text!r} is neither live, board nor seconds up to {MOST_SECONDS:g}")
        return cls(seconds)


LIVE = Broadcast()

AFTER_BOARD = Broadcast(after_board=True)


class FellBehindError(Exception):
    """The next event to read is no longer kept."""


class Shown:
    """An event as all spectators are shown it, which happened at a `time` of its table's pace."""

    def __init__(self, outgoing: Outgoing, time: float) -> None:
        self.time = time
        # 0 before it is shown.
        self.number = 0
        self._outgoing = outgoing

    @cached_property
    def message(self) -> Message:
        return self._outgoing.message

    @cached_property
    def encoded(self) -> bytes:
        """The message in the protocol's encoding."""
        return self._outgoing.encoded

    @cached_property
    def json(self) -> str:
        """The message for web pages, as JSON on one line, without absent values."""
        return self.message.model_dump_json(exclude_none=True)


class Feed:
    """The feed of one table; `welcome` is the first message for spectators."""

    def __init__(
        self, welcome: Welcome, broadcast: Broadcast = LIVE, pace: Pace | None = None
    ) -> None:
        self.welcome = welcome
        # The pace of the table, and so the time by which its players think.
        self.pace = pace or Pace()
        self.viewer = Kibitzer()
        # Whether the last event was shown.
        self.is_over = False
        self._broadcast = broadcast
        # Delayed events with the times, in the loop's time, at which they are shown; and the timer.
        self._delayed: deque[tuple[float, Shown]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        # The events that wait until their board is over everywhere: for each board that was played
        # here, in order, its number in the event's supply and its events.
        self._held: list[tuple[int, list[Shown]]] = []
        # The shown events that are kept, in order; and the numbers of the last one, of the first of
        # the present board, and of the first since spectators were last woken.
        self._shown: list[Shown] = []
        self._last = 0
        self._board = 1
        self._fresh = 1
        # Those who watch; and of them those who read every event.
        self._watching: WeakSet[Watching] = WeakSet()
        self._readers: list[Watching] = []
        # Set when there is something new; None while nobody waits for that.
        self._news: asyncio.Event | None = None

    # For the table's driver, and the owner of the table.

    def begin(self, board: int) -> None:
        """Begin a board, by its number in the event's supply: all further events belong to it."""
        if self._broadcast.after_board:
            self._held.append((board, []))

    def tell(self, outgoing: Outgoing) -> None:
        """Show an event, or keep it until it may be shown."""
        event = Shown(outgoing, self.pace.now())
        if self._broadcast.after_board:
            if self._held:  # else it is not known when it may be shown
                events = self._held[-1][1]
                if outgoing.kind is BoardShown:
                    events.clear()  # the board is shown anew after actions were taken back
                events.append(event)
        elif self._broadcast.seconds:
            loop = asyncio.get_running_loop()
            self._delayed.append((loop.time() + self._broadcast.seconds, event))
            if self._timer is None:
                self._timer = loop.call_at(self._delayed[0][0], self._ring)
        else:
            self._add(event)

    def flush(self) -> None:
        self._wake()

    @property
    def held(self) -> set[int]:
        """The boards that wait until they are over everywhere."""
        return {board for board, _ in self._held}

    def release(self, boards: Collection[int]) -> None:
        """Show the events of boards that were held, in the order in which they were played here."""
        self._add_all(events for board, events in self._held if board in boards)
        self._held = [(board, events) for board, events in self._held if board not in boards]
        self._wake()

    def end(self, reason: str) -> None:
        """Show all events that waited, as all boards are over, and say goodbye."""
        if self._timer is not None:
            self._timer.cancel()
        self._add_all([[event for _, event in self._delayed]])
        self._add_all(events for _, events in self._held)
        self._delayed.clear()
        self._held.clear()
        self._add(Shown(Outgoing.of(Goodbye(reason=reason)), self.pace.now()))
        self.is_over = True
        self._wake()

    # For spectators.

    @property
    def number(self) -> int:
        """The number of the last event that was shown."""
        return self._last

    def watch(self, after: int | None = None) -> Watching:
        """Return an iterator over the events after the one that the spectator has seen last.

        If that is no longer kept, or None, it starts with the present board.
        """
        first = self._shown[0].number if self._shown else self._last + 1
        if after is None or not first - 1 <= after <= self._last:
            after = self._board - 1
        watching = Watching(self, after)
        self._watching.add(watching)
        return watching

    def watch_all(self) -> Watching:
        """Return an iterator over all events from the next one on.

        They are kept until it has read them, so it cannot fall behind. Whoever stops reading must
        `leave`.
        """
        reader = Watching(self, self._last)
        self._readers.append(reader)
        return reader

    def leave(self, reader: Watching) -> None:
        """Keep nothing any more for an iterator of `watch_all`."""
        self._readers.remove(reader)

    def snapshot(self) -> Snapshot | None:
        """Return the board so far as one message, without thoughts; None if there is none yet."""
        so_far = SoFar()
        for shown in self.after(self._board - 1):
            so_far.take(shown._outgoing)
        return so_far.snapshot()

    def after(self, number: int) -> Sequence[Shown]:
        """Return the events after the one of a number; FellBehindError if they are not kept."""
        if not self._shown or number >= self._last:
            return ()
        start = number + 1 - self._shown[0].number
        if start < 0:
            raise FellBehindError(f"{-start} events too far")
        return self._shown[start:]

    async def wait(self) -> None:
        """Wait until there is something new."""
        if not self.is_over:
            self._news = self._news or asyncio.Event()
            await self._news.wait()

    # Private methods.

    def _ring(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._delayed and self._delayed[0][0] <= now:
            self._add(self._delayed.popleft()[1])
        self._timer = None
        if self._delayed:
            self._timer = asyncio.get_running_loop().call_at(self._delayed[0][0], self._ring)
        self._wake()

    def _add_all(self, boards: Iterable[Iterable[Shown]]) -> None:
        for events in boards:
            for event in events:
                self._add(event)

    def _add(self, event: Shown) -> None:
        self._last += 1
        event.number = self._last
        if event._outgoing.kind is BoardShown:
            self._board = self._last
        self._shown.append(event)

    def _wake(self) -> None:
        """Wake the spectators who wait, if there is anything new."""
        if self._fresh > self._last:
            return
        if self._shown[0].number < self._board:
            self._forget()
        self._fresh = self._last + 1
        if self._news is not None:
            self._news.set()
            self._news = None

    def _forget(self) -> None:
        """Keep no more events than are needed, which is done only seldom, as it takes time."""
        # All new events are kept, however many, as nobody could have read them yet.
        kept = KEPT if self._watching else 0
        unread = (reader.number + 1 for reader in self._readers)
        oldest = min(self._board, self._fresh - kept, *unread)
        if self._shown[0].number < oldest - kept:
            del self._shown[: oldest - self._shown[0].number]


class Watching:
    """A spectator's iterator over what is shown, some events at a time.

    It ends with the event. If it is not read often enough it raises FellBehindError, unless all
    events are kept for it.
    """

    def __init__(self, feed: Feed, number: int) -> None:
        self._feed = feed
        # The number of the last event that was read.
        self.number = number

    def __aiter__(self) -> Watching:
        return self

    async def __anext__(self) -> Sequence[Shown]:
        while not (events := self._feed.after(self.number)):
            if self._feed.is_over:
                raise StopAsyncIteration
            await self._feed.wait()
        self.number = events[-1].number
        return events
