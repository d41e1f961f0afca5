"""Streams of changes over real connections: newcomers, those who do not read, and attacks."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge_arena.web.common import serving as serving_module
from bridge_arena.web.common import streams as channel_module
from bridge_arena.web.common import streams as streams_module
from bridge_arena.web.common.streams import Channel, Encoded, Stream, StreamingProtocol
from tests.patience import PATIENCE
from tests.server.lobby import until
from tests.web.live.serving import served

MUCH = 16_000_000
"""The bytes of an answer that no network holds."""


class Counter:
    """A state that grows; as one object, as that of live boards is, or copied each time."""

    def __init__(self, text: str = "", *, copied: bool = True) -> None:
        self.numbers: list[int] = []
        self.text = text
        self.copied = copied
        self.channel = Channel(self.state)

    def state(self) -> dict[str, object]:
        return {"numbers": [*self.numbers] if self.copied else self.numbers, "text": self.text}

    def add(self, number: int) -> None:
        self.numbers.append(number)
        self.channel.change({"number": number, "text": self.text})

    def application(self) -> Starlette:
        async def stream(request: Request) -> Response:
            del request
            return Stream(self.channel)

        return Starlette(routes=[Route("/", stream)])


@asynccontextmanager
async def running(counter: Counter) -> AsyncIterator[int]:
    """The port at which it can be watched."""
    async with (
        asyncio.timeout(PATIENCE),
        served(counter.application(), [counter.channel]) as port,
    ):
        yield port


class Watcher:
    """A browser that follows a stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def head(self) -> str:
        return (await self.reader.readuntil(b"\r\n\r\n")).decode()

    async def event(self) -> list[Any]:
        """The next changes."""
        while True:
            size = int(await self.reader.readline(), 16)
            data = (await self.reader.readexactly(size + 2)).decode().strip()
            if data.startswith("data: "):
                changes: list[Any] = json.loads(data.removeprefix("data: "))
                return changes


@asynccontextmanager
async def watching(port: int) -> AsyncIterator[Watcher]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    watcher = Watcher(reader, writer)
    try:
        yield watcher
    finally:
        writer.close()


async def test_a_newcomer_has_the_state_and_then_every_change_once() -> None:
    counter = Counter()
    counter.add(1)
    async with running(counter) as port, watching(port) as first:
        head = await first.head()
        assert "200 OK" in head
        assert "text/event-stream" in head
        assert "content-security-policy" in head
        ((number, change),) = await first.event()
        assert change == {"state": {"numbers": [1], "text": ""}}
        counter.add(2)
        async with watching(port) as second:
            await second.head()
            ((_, late),) = await second.event()
            assert late["state"]["numbers"] == [1, 2]
            counter.add(3)
            told = await first.event()
            if len(told) == 1:
                told += await first.event()
            assert [change["number"] for _, change in told] == [2, 3]
            assert [each for each, _ in told] == [number + 1, number + 2]
            # What is in its state already may come again, under its number.
            told = await second.event()
            assert told[-1][1]["number"] == 3
            assert all(each <= 2 for each, _ in told[:-1])


async def test_changes_at_the_same_time_go_out_together() -> None:
    counter = Counter()
    async with running(counter) as port, watching(port) as watcher:
        await watcher.head()
        await watcher.event()
        for number in range(10):
            counter.add(number)
        assert [change["number"] for _, change in await watcher.event()] == list(range(10))


async def test_a_watcher_who_does_not_read_is_dropped_and_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channel_module, "UNREAD_BYTES", 1000)
    monkeypatch.setattr(channel_module, "GATHERED", 0.0)
    counter = Counter("x" * 100_000)
    async with running(counter) as port, watching(port) as lazy, watching(port) as reader:
        for each in (lazy, reader):
            await each.head()
            await each.event()
        number = 0
        while counter.channel.watching == 2:
            counter.add(number)
            told = await reader.event()
            assert told[-1][1]["number"] == number
            number += 1
        assert number < 1000


async def test_a_watcher_who_goes_is_forgotten() -> None:
    counter = Counter()
    async with running(counter) as port:
        async with watching(port) as watcher:
            await watcher.head()
            await watcher.event()
            assert counter.channel.watching == 1
        await until(lambda: counter.channel.watching == 0)


@pytest.mark.parametrize("request_line", [b"", b"GET / HTTP/1.1\r\nHost: 127"])
async def test_a_connection_that_asks_nothing_is_closed(
    request_line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams_module, "REQUEST_SECONDS", 0.05)
    counter = Counter()
    async with running(counter) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_line)
        assert await reader.read() == b""
        writer.close()


@asynccontextmanager
async def unread(
    monkeypatch: pytest.MonkeyPatch, requests: int = 1, buffered: int = 1 << 16
) -> AsyncIterator[StreamingProtocol]:
    """The connection of a client that reads nothing, and is sent more than the network holds.

    Writing pauses when more is `buffered`.
    """
    connections: list[StreamingProtocol] = []

    class Noting(StreamingProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            transport.set_write_buffer_limits(buffered)
            self.timeout_keep_alive = 0

        def handle_events(self) -> None:
            super().handle_events()
            connections.append(self)

    async def much(request: Request) -> Response:
        del request
        return Response(b"x" * MUCH)

    monkeypatch.setattr(serving_module, "StreamingProtocol", Noting)
    application = Starlette(routes=[Route("/", much)])
    async with asyncio.timeout(PATIENCE), served(application, []) as port:
        with socket.create_connection(("127.0.0.1", port)) as client:
            request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
            client.sendall(request * requests)
            await until(lambda: bool(connections))
            await until(lambda: connections[0].transport.get_write_buffer_size() > MUCH // 4)
            yield connections[0]


@pytest.mark.parametrize(("requests", "buffered"), [(1, 1 << 16), (3, 1 << 16), (1, 10 * MUCH)])
async def test_a_client_who_does_not_read_its_answers_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, requests: int, buffered: int
) -> None:
    monkeypatch.setattr(streams_module, "UNREAD_SECONDS", 0.5)
    async with unread(monkeypatch, requests, buffered) as connection:
        await until(lambda: connection not in connection.connections)


async def test_a_client_who_reads_slowly_is_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async with unread(monkeypatch) as connection:
        left = connection.transport.get_write_buffer_size()
        connection._cut_unless_read(left + 1)
        assert connection in connection.connections
        connection._cut_unless_read(left)
        await until(lambda: connection not in connection.connections)


async def test_who_asks_for_the_head_alone_is_sent_nothing_else() -> None:
    counter = Counter()
    async with running(counter) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = f"HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        writer.write(f"{request}\r\n{request}Connection: close\r\n\r\n".encode())
        first, second, rest = (await reader.read()).split(b"\r\n\r\n")
        for head in (first, second):
            assert head.startswith(b"HTTP/1.1 200 OK")
            assert b"text/event-stream" in head
        assert (rest, counter.channel.watching) == (b"", 0)
        writer.close()


async def test_another_name_of_this_machine_opens_nothing() -> None:
    counter = Counter()
    async with running(counter) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert b" 421 " in await reader.readline()
        writer.close()
    assert counter.channel.watching == 0


async def test_a_request_that_does_not_end_is_closed_also_after_a_good_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streams_module, "REQUEST_SECONDS", 0.05)
    counter = Counter()
    async with running(counter) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 404 " in head
        await reader.readexactly(len("Not Found"))
        writer.write(b"GET")
        assert await reader.read() == b""
        writer.close()


async def test_changes_after_a_state_are_not_in_the_state() -> None:
    """Otherwise a browser that adds it to the state would have it twice."""
    counter = Counter(copied=False)
    async with running(counter) as port, watching(port) as watcher:
        await watcher.head()
        await watcher.event()
        counter.add(6)
        counter.channel.renew()
        counter.add(7)
        told = await watcher.event()
        assert [change for _, change in told] == [
            {"number": 6, "text": ""},
            {"state": {"numbers": [6], "text": ""}},
            {"number": 7, "text": ""},
        ]


async def test_a_list_that_changes_no_more_is_encoded_once_for_all_newcomers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = Encoded([{"name": "Zoë"}])
    encoded: list[object] = []
    dumps = json.dumps

    def note(value: object, **options: Any) -> str:
        encoded.append(value)
        return dumps(value, **options)

    class Newcomer:
        def __init__(self) -> None:
            self.read: list[bytes] = []
            self.write = self.read.append

    monkeypatch.setattr(json, "dumps", note)
    channel = Channel(lambda: {"rows": rows, "text": "x"})
    for number in range(1, 4):
        channel.change({})
        newcomer = Newcomer()
        channel.add(cast("asyncio.Transport", newcomer))
        channel.drop(cast("asyncio.Transport", newcomer))
        (event,) = newcomer.read
        told = json.loads(event.split(b"data: ")[1].split(b"\n")[0])
        assert told == [[number, {"state": {"rows": [{"name": "Zoë"}], "text": "x"}}]]
    assert sum(value is rows for value in encoded) == 1
