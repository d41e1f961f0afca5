"""The gateway in TLS, and the SDK's end of it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from bridge_arena.bots.sdk.client import Bot, run
from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.messages import SUBPROTOCOL, Hello
from bridge_arena.server import connection_limits
from bridge_arena.server import gateway as gateway_module
from tests.late_imports import late_imports
from tests.patience import PATIENCE
from tests.server.hostile import HELLO, hostile_client, upgrade
from tests.server.lobby import Lobby, open_lobby, until
from tests.server.tables import WEST

with late_imports():
    import trustme


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine trusts the authority's certificates."""
    path = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(path))
    monkeypatch.setenv("SSL_CERT_FILE", str(path))


def context(authority: trustme.CA, host: str = "127.0.0.1") -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host).configure_cert(made)
    return made


@asynccontextmanager
async def secure_lobby(authority: trustme.CA, host: str = "127.0.0.1") -> AsyncIterator[Lobby]:
    async with asyncio.timeout(PATIENCE):
        async with open_lobby(tls=context(authority, host), grace=30.0) as lobby:
            yield lobby


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[int]:
    """A port at which everybody is told the same, and no more."""

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4096)
        writer.write(answer)
        writer.close()

    async with (
        asyncio.timeout(PATIENCE),
        await asyncio.start_server(tell, "127.0.0.1", 0) as server,
    ):
        yield server.sockets[0].getsockname()[1]


async def failure(url: str, token: str) -> ConnectionFailedError:
    with pytest.raises(ConnectionFailedError) as failed:
        await asyncio.to_thread(Connection, url, token)
    return failed.value


@pytest.mark.usefixtures("trusted")
async def test_the_sdk_plays_where_it_trusts_the_certificate(authority: trustme.CA) -> None:
    async with secure_lobby(authority) as lobby:
        assert lobby.url.startswith("wss://127.0.0.1:")
        playing = asyncio.create_task(
            asyncio.to_thread(play_table, Bot(), lobby.url, lobby.tokens[WEST])
        )
        place = await lobby.player(WEST)
        await place.say_goodbye("over")
        await playing


@pytest.mark.usefixtures("trusted")
async def test_a_wrong_token_is_refused_in_tls(authority: trustme.CA) -> None:
    async with secure_lobby(authority) as lobby:
        failed = await failure(lobby.url, "wrong")
        assert "the token is wrong" in str(failed)
        assert failed.is_final


async def test_a_certificate_that_is_not_trusted_is_an_error_that_says_so(
    authority: trustme.CA,
) -> None:
    async with secure_lobby(authority) as lobby:
        failed = await failure(lobby.url, lobby.tokens[WEST])
        assert str(failed).startswith(f"cannot trust {lobby.url}: ")
        assert "certificate" in str(failed)
        assert failed.is_final
        assert "\n" not in str(failed)


@pytest.mark.usefixtures("trusted")
async def test_a_certificate_for_another_host_is_not_trusted(authority: trustme.CA) -> None:
    async with secure_lobby(authority, "example.org") as lobby:
        failed = await failure(lobby.url, lobby.tokens[WEST])
        assert "not valid for '127.0.0.1'" in str(failed)
        assert failed.is_final


@pytest.mark.usefixtures("trusted")
async def test_tls_is_spoken_at_both_ends_or_at_none(
    authority: trustme.CA, caplog: pytest.LogCaptureFixture
) -> None:
    """The error names the address that would do."""
    async with secure_lobby(authority) as lobby:
        failed = await failure(lobby.url.replace("wss", "ws"), lobby.tokens[WEST])
        assert str(failed).endswith(f": if the server has TLS, its address is {lobby.url}")
        assert "\n" not in str(failed)
    assert caplog.records == [], "a stranger who does this leaves no trace in the server's log"
    async with open_lobby() as lobby:
        url = lobby.url.replace("ws", "wss")
        failed = await failure(url, lobby.tokens[WEST])
        assert str(failed).startswith(f"cannot connect to {url}: ")
        assert str(failed).endswith(f": if the server has no TLS, its address is {lobby.url}")
        assert "\n" not in str(failed)


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (b"", True),
        (b"\x15\x03\x01\x00\x02\x02\x46", True),  # an alert of TLS
        (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", True),  # as nginx says it
        (b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", False),
    ],
)
async def test_an_answer_to_plain_text_that_tells_of_tls_names_the_other_scheme(
    answer: bytes, *, named: bool
) -> None:
    async with answering(answer) as port:
        failed = await failure(f"ws://127.0.0.1:{port}/x", "token")
    assert str(failed).endswith(f"its address is wss://127.0.0.1:{port}/x") == named
    assert "\n" not in str(failed)


async def test_a_bot_that_the_arena_started_is_told_of_no_other_scheme(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_PATIENCE", "0")
    monkeypatch.setenv("ARENA_STARTED", "1")
    monkeypatch.setenv("ARENA_LOG", "error")
    async with answering(b"") as port:
        with pytest.raises(SystemExit) as ended:
            await asyncio.to_thread(run, Bot, url=f"ws://127.0.0.1:{port}", token="token")
    assert "the server closed the connection" in str(ended.value)
    assert "TLS" not in str(ended.value)


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (b"", True),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", True),
        (b"\x15\x03\x03\x00\x02\x02\x46", False),  # TLS, but of no version that both know
    ],
)
async def test_an_answer_to_tls_that_is_none_names_the_other_scheme(
    answer: bytes, *, named: bool
) -> None:
    async with answering(answer) as port:
        failed = await failure(f"wss://127.0.0.1:{port}/x", "token")
    assert str(failed).endswith(f"its address is ws://127.0.0.1:{port}/x") == named
    assert "\n" not in str(failed)


@pytest.mark.usefixtures("trusted")
async def test_a_bot_that_is_replaced_is_told_so_in_tls(authority: trustme.CA) -> None:
    async with secure_lobby(authority) as lobby:
        session = lobby.places[WEST].welcome.session
        hello = frame([encode(Hello(name="again", resume=session))])
        playing = asyncio.create_task(
            asyncio.to_thread(play_table, Bot(), lobby.url, lobby.tokens[WEST])
        )
        await lobby.player(WEST)
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)
        async with connect(
            lobby.url,
            ssl=trusting,
            additional_headers={"Authorization": f"Bearer {lobby.tokens[WEST]}"},
            subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
            proxy=None,
        ) as connection:
            await connection.send(hello)
            await connection.recv()
            with pytest.raises(ConnectionFailedError, match="replaced by a new connection"):
                await playing
            assert lobby.places[WEST].hello == "again"


async def test_a_client_that_does_not_shake_hands_is_not_waited_for(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_module, "HELLO_SECONDS", 1)
    async with secure_lobby(authority) as lobby:
        host, port = lobby.url.removeprefix("wss://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"\x16\x03\x01")
        await until(lambda: lobby.gateway.limits.waiting == 1)
        assert await reader.read() == b""
        writer.close()
        await until(lambda: lobby.gateway.limits.waiting == 0)


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n"])
@pytest.mark.usefixtures("trusted")
async def test_handshakes_that_do_not_end_are_bounded_and_keep_nobody_out(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 5)
    async with secure_lobby(authority) as lobby, AsyncExitStack() as strangers:
        keeper = lobby.gateway.limits
        port = int(lobby.url.rpartition(":")[2])
        came = [await strangers.enter_async_context(hostile_client(port)) for _ in range(20)]
        for each in came:
            await each.say(said)
        await until(lambda: keeper.turned_away == 15)
        assert keeper.waiting <= 5
        playing = asyncio.create_task(
            asyncio.to_thread(play_table, Bot(), lobby.url, lobby.tokens[WEST])
        )
        await lobby.player(WEST)
        await lobby.places[WEST].say_goodbye("over")
        await playing
    assert keeper.waiting == 0  # the end has cut them all


@pytest.mark.usefixtures("trusted")
async def test_bytes_right_behind_the_handshake_are_read(authority: trustme.CA) -> None:
    """This is a client that does not wait for the end of the server's handshake."""
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trusting.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    async with secure_lobby(authority) as lobby:
        host, port = lobby.url.removeprefix("wss://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                writer.write(outgoing.read())
                incoming.write(await reader.read(65536))
        tls.write(upgrade(lobby.tokens[WEST]) + HELLO)
        writer.write(outgoing.read())  # the end of the handshake and this, at once
        await lobby.player(WEST)
        writer.close()
