"""The gateway on a Unix socket, and the SDK's end of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.server.gateway import Gateway, GatewayError
from bridge_arena.server.seating import Seating
from tests.server.tables import WEST
from tests.server.test_seating import places, run_quietly


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a socket, in a shallow folder because the path must be short."""
    monkeypatch.chdir(tmp_path)
    return Path("socket")


async def refusal(url: str, token: str = "") -> str:
    with pytest.raises(ConnectionFailedError) as failed:
        await asyncio.to_thread(Connection, url, token)
    return str(failed.value)


async def test_a_bot_plays_over_a_unix_socket(path: Path) -> None:
    (place,) = places(WEST)
    async with Gateway({"good": Seating([place])}.get, path=path) as gateway:
        assert gateway.url == "ws+unix:socket"
        running = asyncio.create_task(asyncio.to_thread(run_quietly, url=gateway.url, token="good"))
        await place.seated
        await place.say_goodbye("over")
        assert await running is None


async def test_a_guessed_token_opens_nothing(path: Path) -> None:
    async with Gateway(lambda _: None, path=path) as gateway:
        assert "the token is wrong" in await refusal(gateway.url, "guessed")
        assert gateway.refused == 1


async def test_an_address_without_a_socket_is_an_error(path: Path) -> None:
    url = f"ws+unix:{path}"
    assert await refusal(url) == f"cannot connect to {url}: [Errno 2] No such file or directory"


async def test_there_are_no_pages_where_none_are_given(path: Path) -> None:
    async with Gateway(lambda _: None, path=path):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 426 ")


async def test_a_place_where_the_gateway_cannot_listen_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "none" / "socket"
    with pytest.raises(GatewayError, match=f"cannot listen on {path}: No such file or directory"):
        await Gateway(lambda _: None, path=path).__aenter__()
