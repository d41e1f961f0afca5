"""A network that fails on demand.

It passes connections on to a server, and cuts them, delays them, lets them go dead, or flips bits
of their data.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from enum import StrEnum
from random import Random
from types import TracebackType

from bridge_arena.protocol.codec import decode_server
from bridge_arena.protocol.errors import ProtocolError

_CHUNK = 64 * 1024

_LATENCY = (0.05, 1.5)
"""How long traffic is held up, in seconds."""

_DEAD = (2.0, 8.0)
"""How long a dead connection stays so, in seconds, before both ends hear of it."""

_BINARY, _CONTROL = 0x82, (0x88, 0x89, 0x8A)
"""The first bytes of the frames of a websocket: those of messages; close, ping and pong."""

_TRIES = 100
"""How many ways of spoiling a frame are tried."""


class Trouble(StrEnum):
    """A fault of a connection."""

    CUT = "cut"  # both ends are told at once, by a reset
    CLOSED = "closed"  # both ends are told in good order
    DELAYED = "delayed"  # nothing passes for a while
    DEAD = "dead"  # nothing passes any more, and nobody is told for a while
    SPOILT_UP = "spoilt to the server"  # a bit is flipped in what comes next
    SPOILT_DOWN = "spoilt to the bot"


class Connection:
    """A connection through the network: two sockets, and the data between them."""

    def __init__(
        self,
        bot: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        random: Random,
    ) -> None:
        self._bot, self._server = bot, server
        self._random = random
        # The number of times that the bot has sent data; the handshake and Hello are the first.
        self._sent = 0
        # Set while traffic passes.
        self._open = asyncio.Event()
        self._open.set()
        self._spoilt: set[Trouble] = set()
        self.is_dead = False

    @property
    def is_in_use(self) -> bool:
        """Whether the bot has acted over the connection, and it is not dead yet."""
        return self._sent > 2 and not self.is_dead

    async def carry(self) -> None:
        """Carry data until one end closes; then close the other, unless the connection is dead."""
        up = asyncio.create_task(self._pass(self._bot[0], self._server[1], Trouble.SPOILT_UP))
        down = asyncio.create_task(self._pass(self._server[0], self._bot[1], Trouble.SPOILT_DOWN))
        try:
            await asyncio.wait([up, down], return_when=asyncio.FIRST_COMPLETED)
            if self.is_dead:
                await asyncio.wait([up, down])
        finally:
            for task in (up, down):
                task.cancel()
            await asyncio.gather(up, down, return_exceptions=True)
            for _, writer in (self._bot, self._server):
                writer.close()

    async def suffer(self, trouble: Trouble) -> None:
        """Have the fault happen, and return when it is over."""
        if trouble is Trouble.CUT:
            self._abort()
        elif trouble is Trouble.CLOSED:
            for _, writer in (self._bot, self._server):
                writer.close()
        elif trouble is Trouble.DELAYED:
            self._open.clear()
            await asyncio.sleep(self._random.uniform(*_LATENCY))
            if not self.is_dead:
                self._open.set()
        elif trouble is Trouble.DEAD:
            self.is_dead = True
            self._open.clear()
            await asyncio.sleep(self._random.uniform(*_DEAD))
            self._abort()
        else:
            self._spoilt.add(trouble)

    def _abort(self) -> None:
        for _, writer in (self._bot, self._server):
            writer.transport.abort()
        self._open.set()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, spoiling: Trouble
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                await self._open.wait()
                if spoiling in self._spoilt:
                    self._spoilt.discard(spoiling)
                    spoil = spoilt_up if spoiling is Trouble.SPOILT_UP else spoilt_down
                    data = spoil(data, self._random)
                if spoiling is Trouble.SPOILT_UP:
                    self._sent += 1
                writer.write(data)
                await writer.drain()


def spoilt_up(data: bytes, random: Random) -> bytes:
    """Return a bot's data with any one bit flipped: the server must withstand any data."""
    return _flipped(data, random)


def spoilt_down(data: bytes, random: Random) -> bytes:
    """Return a server's data with one bit flipped, so that the bot's end can notice it.

    A frame that is changed but still valid can be noticed only by the checksums of the network and
    of TLS.
    """
    for _ in range(_TRIES):
        spoilt = _flipped(data, random)
        if not _makes_sense(spoilt):
            return spoilt
    return bytes((data[0] ^ 0x40,)) + data[1:]  # a frame of an extension that there is not


def _flipped(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data))
    return data[:place] + bytes((data[place] ^ 1 << random.randrange(8),)) + data[place + 1 :]


def _makes_sense(data: bytes) -> bool:
    """Return whether bytes are whole websocket frames that a client accepts."""
    while data:
        if len(data) < 2 or data[0] not in (_BINARY, *_CONTROL) or data[1] >= 127:
            return False
        kind, start, length = data[0], 2, data[1]
        if length == 126:
            start, length = 4, int.from_bytes(data[2:4], "big")
        payload, data = data[start : start + length], data[start + length :]
        if len(payload) < length:
            return True  # not noticed: the end waits for more
        if kind in _CONTROL:
            continue  # a ping, or the end: it tells a bot nothing
        try:
            decode_server(payload)
        except ProtocolError:
            return False
    return True


class BadNetwork:
    """A network that listens on a free port while its context is entered.

    It passes each connection on to the port of this machine that the path of its URL names, and
    cuts it where no process listens there.
    """

    def __init__(self, random: Random) -> None:
        self.port = 0
        self._random = random
        self._listener: asyncio.Server | None = None
        self._connections: list[Connection] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def connections(self) -> Iterator[Connection]:
        """Yield the connections that can have a fault."""
        return (one for one in self._connections if one.is_in_use)

    @property
    def has_dead(self) -> bool:
        """Whether there is a dead connection that one of its ends may still believe alive."""
        return any(one.is_dead for one in self._connections)

    async def __aenter__(self) -> BadNetwork:
        self._listener = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=1024)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._listener is not None
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # Cancelled at the end, and asyncio takes a task of a server that was cancelled for a fault.
        with contextlib.suppress(asyncio.CancelledError):
            await self._carry(reader, writer)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await reader.readuntil(b"\r\n")
            port = int(request.split()[1].removeprefix(b"/"))
            server = await asyncio.open_connection("127.0.0.1", port)
        except (OSError, asyncio.IncompleteReadError):
            writer.transport.abort()
            return
        server[1].write(request)
        connection = Connection((reader, writer), server, self._random)
        self._connections.append(connection)
        try:
            await connection.carry()
        finally:
            self._connections.remove(connection)
