"""What happens at a table, for all who watch it: shown when it may be, encoded once.

    feed = Feed(Welcome(table="table 1"), Broadcast.parse("30"))
    async for events in feed.watch():   # first the board on show so far, then what comes
        for event in events:
            event.number, event.message, event.encoded

Those who watch see all four hands and what players think (`protocol.visibility.Kibitzer`), so
nobody is given anything but through here. They never hold up the play: each reads in its own
time what is kept for all of them together, and who falls too far behind is told so and may
begin anew with the board on show. How they are reached is for others: `server.gallery` has those
who come over websockets.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from bridge_arena.protocol.messages import BoardShown, Goodbye, Message, Snapshot, Welcome
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.snapshot import SoFar
from bridge_arena.protocol.visibility import Kibitzer
from bridge_arena.server.broadcast import LIVE, Broadcast

KEPT = 4096
"""How many events those who watch may be behind: some forty boards."""


class FellBehindError(Exception):
    """What was to be read next is not kept any more."""


class Shown:
    """An event as all who watch are shown it. `number`: its place in all that the feed has
    shown, from 1."""

    def __init__(self, number: int, outgoing: Outgoing) -> None:
        self.number = number
        self._outgoing = outgoing

    @cached_property
    def message(self) -> Message:
        return self._outgoing.message

    @cached_property
    def encoded(self) -> bytes:
        """As the protocol has it."""
        return self._outgoing.encoded

    @cached_property
    def json(self) -> str:
        """The same for pages, on one line; what is absent is left out."""
        return self.message.model_dump_json(exclude_none=True)


class Feed:
    """The feed of one table. `welcome`: what those who watch are told first."""

    def __init__(self, welcome: Welcome, broadcast: Broadcast = LIVE) -> None:
        self.welcome = welcome
        self.viewer = Kibitzer()
        # Whether the last event was shown.
        self.is_over = False
        self._broadcast = broadcast
        # What waits for its time, with that, in the loop's time; and what rings then.
        self._delayed: deque[tuple[float, Outgoing]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        # What waits for its board to be over everywhere: each board that was played, by its
        # number in the event's supply, in order.
        self._held: list[tuple[int, list[Outgoing]]] = []
        # What was shown, as far as it is kept, in order of its numbers; and the numbers of the
        # last, of the first of the board on show, and of the first since anybody was told.
        self._shown: list[Shown] = []
        self._last = 0
        self._board = 1
        self._fresh = 1
        # Set when there is something new, and replaced by another.
        self._news = asyncio.Event()

    # For the table's driver, and who runs the table.

    def begin(self, board: int) -> None:
        """What is told from now on is of a board, by its number in the event's supply."""
        if self._broadcast.after_board:
            self._held.append((board, []))

    def tell(self, outgoing: Outgoing) -> None:
        if self._broadcast.after_board:
            if self._held:  # else nobody knows when it may be shown
                events = self._held[-1][1]
                if outgoing.kind is BoardShown:
                    events.clear()  # it begins anew where actions are taken back
                events.append(outgoing)
        elif self._broadcast.seconds:
            loop = asyncio.get_running_loop()
            self._delayed.append((loop.time() + self._broadcast.seconds, outgoing))
            if self._timer is None:
                self._timer = loop.call_at(self._delayed[0][0], self._ring)
        else:
            self._add(outgoing)

    async def flush(self) -> None:
        self._wake()

    @property
    def held(self) -> set[int]:
        """The boards that wait until they are over everywhere."""
        return {board for board, _ in self._held}

    def release(self, boards: Collection[int]) -> None:
        """Show what was held of boards, in the order in which they were played here."""
        self._add_all(events for board, events in self._held if board in boards)
        self._held = [(board, events) for board, events in self._held if board not in boards]
        self._wake()

    def end(self, reason: str) -> None:
        """All boards are over: show what waited, and say goodbye."""
        if self._timer is not None:
            self._timer.cancel()
        self._add_all([[outgoing for _, outgoing in self._delayed]])
        self._add_all(events for _, events in self._held)
        self._delayed.clear()
        self._held.clear()
        self._add(Outgoing.of(Goodbye(reason=reason)))
        self.is_over = True
        self._wake()

    # For those who watch.

    @property
    def number(self) -> int:
        """That of the last event that was shown."""
        return self._last

    def watch(self, after: int | None = None) -> Watching:
        """Who begins to watch reads from the beginning of the board on show; who has seen the
        event of number `after` reads on there, if that is kept."""
        first = self._shown[0].number if self._shown else self._last + 1
        if after is None or not first - 1 <= after <= self._last:
            after = self._board - 1
        return Watching(self, after)

    def snapshot(self) -> Snapshot | None:
        """The board on show so far, in one message of the protocol, without thoughts; None before
        the first."""
        so_far = SoFar()
        for shown in self.after(self._board - 1):
            so_far.take(shown._outgoing)
        return so_far.snapshot()

    def after(self, number: int) -> Sequence[Shown]:
        """What was shown after the event of a number. Raises FellBehindError."""
        if not self._shown or number >= self._last:
            return ()
        start = number + 1 - self._shown[0].number
        if start < 0:
            raise FellBehindError(f"{-start} events too far")
        return self._shown[start:]

    async def wait(self) -> None:
        """Until there is something new."""
        if not self.is_over:
            await self._news.wait()

    # Private methods.

    def _ring(self) -> None:
        """Show what has waited long enough."""
        now = asyncio.get_running_loop().time()
        while self._delayed and self._delayed[0][0] <= now:
            self._add(self._delayed.popleft()[1])
        self._timer = None
        if self._delayed:
            self._timer = asyncio.get_running_loop().call_at(self._delayed[0][0], self._ring)
        self._wake()

    def _add_all(self, boards: Iterable[Iterable[Outgoing]]) -> None:
        for events in boards:
            for outgoing in events:
                self._add(outgoing)

    def _add(self, outgoing: Outgoing) -> None:
        self._last += 1
        if outgoing.kind is BoardShown:
            self._board = self._last
        self._shown.append(Shown(self._last, outgoing))

    def _wake(self) -> None:
        """Tell those who wait of what is new."""
        if self._fresh > self._last:
            return
        # What is new is kept however much it is: nobody could have read it yet.
        oldest = min(self._board, self._fresh - KEPT)
        if self._shown[0].number < oldest - KEPT:  # seldom, as it takes time
            del self._shown[: oldest - self._shown[0].number]
        self._fresh = self._last + 1
        self._news.set()
        self._news = asyncio.Event()


class Watching:
    """One who watches: iterate over what is shown, some events at a time. Raises FellBehindError
    where that is not done often enough; ends with the event."""

    def __init__(self, feed: Feed, number: int) -> None:
        self._feed = feed
        # That of the last event that was read.
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
