"""Crowds of connections, of one address and of several, over real ones."""

from __future__ import annotations

import asyncio

import pytest

from bridge_arena.server import connection_limits
from bridge_arena.web.common import serving as server_module
from tests.patience import PATIENCE
from tests.server.lobby import until
from tests.web.common.test_streams import Counter
from tests.web.live.serving import served
from tests.web.seat.reception import heard, reception

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]

MOST = 4


@pytest.fixture(autouse=True)
def few_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "most_connections", lambda: 2 * MOST)
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", MOST - 2)


async def come(port: int, address: str) -> Connection:
    """Follow a stream from an address of this machine."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
    await reader.readline()
    return reader, writer


async def ends(connection: Connection) -> None:
    """Read until the server cuts a connection."""
    reader, _ = connection
    try:
        while await reader.read(1000):
            pass
    except ConnectionResetError:
        pass


async def test_the_address_with_most_connections_makes_room_for_others() -> None:
    counter = Counter()
    async with (
        asyncio.timeout(PATIENCE),
        served(counter.application(), [counter.channel]) as port,
    ):
        crowd = [await come(port, "127.0.0.2") for _ in range(MOST)]
        other = [await come(port, "127.0.0.3") for _ in range(2)]
        for first in crowd[:2]:
            await ends(first)
        await until(lambda: counter.channel.watching == MOST)
        for _, writer in [*crowd, *other]:
            writer.close()
        await until(lambda: counter.channel.watching == 0)
        crowd = [await come(port, "127.0.0.2") for _ in range(MOST)]
        assert counter.channel.watching == MOST, "who goes counts no more"
        for _, writer in crowd:
            writer.close()


async def test_one_address_has_a_share_where_it_tells_who_comes() -> None:
    """Behind a proxy on this machine, as above, all have one address."""
    counter = Counter()
    async with (
        asyncio.timeout(PATIENCE),
        served(counter.application(), [counter.channel], "0.0.0.0") as port,
    ):
        crowd = [await come(port, "127.0.0.2") for _ in range(MOST - 1)]
        await ends(crowd[0])
        await until(lambda: counter.channel.watching == MOST - 2)
        for _, writer in crowd:
            writer.close()


async def test_no_crowd_costs_a_player_the_seat() -> None:
    async with reception() as desk, desk.window(await desk.cookie("Bob")) as window:
        assert (await heard(window))["type"] == "Welcome"
        crowd = [await asyncio.open_connection("127.0.0.1", desk.port) for _ in range(3 * MOST)]
        for connection in crowd[:MOST]:
            await ends(connection)
        await window.send("nonsense")
        assert (await desk.ask("GET", "/")).status == 200
        assert desk.places["Bob"].is_connected
        for _, writer in crowd:
            writer.close()


KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"


@pytest.mark.parametrize(
    "key", ["", KEY, f"{KEY}Transfer-Encoding: chunked\r\n", KEY + "X: y\r\n" * 130]
)
async def test_nobody_without_a_seat_keeps_a_websocket(key: str) -> None:
    async with asyncio.timeout(PATIENCE), reception() as desk:
        reader, writer = await asyncio.open_connection("127.0.0.1", desk.port)
        head = f"GET /seat/socket/S HTTP/1.1\r\nHost: 127.0.0.1:{desk.port}\r\n{key}"
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n"
        writer.write((head + upgrade).encode())
        await ends((reader, writer))
        writer.close()
