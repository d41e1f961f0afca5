"""The server of a robot, against those who do not ask as they should."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlencode

import pytest

from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.http_robot.position import Position
from bridge_arena.protocol.messages import Thinking
from bridge_arena.web.robot.application import MOST_WAITING, RobotRequests, serve_robot
from bridge_arena.web.robot.bot_decider import Decision
from tests.patience import PATIENCE
from tests.protocol.http_robot.test_position import BID

BID_LINE = f"/bid?{urlencode(BID | {'details': 'true'})}"
MEGABYTES = 8 << 20


class Passing:
    """Passes, with as many thoughts as a bot can have."""

    def __init__(self) -> None:
        self.asked = 0

    async def decide(self, _position: Position) -> Decision:
        self.asked += 1
        weights = {f"1{suit}": 0.5 for suit in "CDHS"}
        return Decision(MadeCall(PASS), (Thinking(candidates=weights),))


@asynccontextmanager
async def served(host: str = "127.0.0.1") -> AsyncIterator[tuple[Passing, int]]:
    """A bot that passes, and the port on which it is asked."""
    bot, ready = Passing(), asyncio.Event()
    with socket.create_server((host, 0)) as listener:
        serving = asyncio.create_task(
            serve_robot(RobotRequests(bot.decide, "ours"), listener, (), ready.set)
        )
        async with asyncio.timeout(PATIENCE):
            await ready.wait()
            yield bot, listener.getsockname()[1]
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def said(port: int, request: bytes, host: str = "127.0.0.1") -> bytes:
    """All that is said to what is sent, until the connection ends."""
    reader, writer = await asyncio.open_connection(host, port)
    with suppress(ConnectionError):
        writer.write(request)
        await writer.drain()
    answer = b""
    with suppress(ConnectionError):
        while piece := await reader.read(1 << 16):
            answer += piece
    writer.close()
    return answer


def request(line: str, host: str, *headers: str) -> bytes:
    lines = [f"GET {line} HTTP/1.1", f"Host: {host}", *headers, "", ""]
    return "\r\n".join(lines).encode()


def told(answer: bytes) -> Any:
    return json.loads(answer.partition(b"\r\n\r\n")[2])


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
async def test_only_who_names_this_machine_is_answered(host: str) -> None:
    """Whichever of its addresses: a page of a stranger may have a name that points at any."""
    async with served(host) as (bot, port):
        for name in ("evil.org", f"evil.org:{port}", "", f"{host}:1", f"{host}:{port}, evil.org"):
            answer = await said(port, request(BID_LINE, name, "Connection: close"), host)
            assert answer.startswith((b"HTTP/1.1 421", b"HTTP/1.1 400"))
        twice = request(BID_LINE, f"{host}:{port}", "Host: evil.org", "Connection: close")
        assert not (await said(port, twice, host)).startswith(b"HTTP/1.1 200")
        assert bot.asked == 0
        good = request(BID_LINE, f"{host}:{port}", "Connection: close")
        assert told(await said(port, good, host))["bid"] == "PASS"


async def test_a_query_of_megabytes_is_not_read() -> None:
    async with served() as (bot, port):
        line = f"{BID_LINE}&x={'1' * MEGABYTES}"
        answer = await said(port, request(line, f"127.0.0.1:{port}"))
        assert answer == b"" or answer.startswith(b"HTTP/1.1 400")
        assert bot.asked == 0


async def test_a_body_of_megabytes_changes_nothing() -> None:
    async with served() as (bot, port):
        length = f"Content-Length: {MEGABYTES}"
        head = request(BID_LINE, f"127.0.0.1:{port}", length, "Connection: close")
        answer = await said(port, head + b"x" * MEGABYTES)
        assert answer == b"" or told(answer)["bid"] == "PASS"
        assert bot.asked == 1


async def test_a_client_that_does_not_read_or_end_keeps_nobody_waiting() -> None:
    """Requests that are not complete, and answers that nobody reads, take no place of others."""
    async with served() as (bot, port), AsyncExitStack() as open_ones:
        good = request(BID_LINE, f"127.0.0.1:{port}")
        for sent in [good[:-1], good * 3] * MOST_WAITING:
            _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
            open_ones.callback(writer.close)
            writer.write(sent)
            await writer.drain()
        last = request(BID_LINE, f"127.0.0.1:{port}", "Connection: close")
        assert told(await said(port, last))["bid"] == "PASS"
        assert bot.asked <= 3 * MOST_WAITING + 1
