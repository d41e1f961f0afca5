"""Tests of who is admitted, over real websockets."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bridge_arena.bridge.record import FaultKind
from bridge_arena.protocol.codec import decode_server, encode, frame
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import HELLO_LATE, MAX_FRAME, Error, Hello, Leave, Welcome
from bridge_arena.server import gateway as gateway_module
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.gateway import Gateway, GatewayError
from tests.patience import PATIENCE
from tests.server import hostile
from tests.server.lobby import Lobby, connected, hand_bot, open_lobby, until
from tests.server.tables import NORTH, SOUTH, WEST

HELLO = frame([encode(Hello(name="x", delivery=Delivery.TURN))])


def nobody(token: str) -> None:
    del token


async def check_status(status: int, lobby: Lobby, token: str | None, **how: str | None) -> str:
    """Check that a handshake is refused; return the text of the refusal."""
    with pytest.raises(InvalidStatus) as refused:
        async with connected(lobby.url, token, **how):  # type: ignore[arg-type]
            pass
    assert refused.value.response.status_code == status
    return refused.value.response.body.decode()


async def check_seat(lobby: Lobby) -> None:
    """Check that West's place is still free."""
    async with hand_bot(lobby, WEST) as bot:
        assert [message.type for message in await bot.hear()] == ["Welcome"]
        assert (await lobby.player(WEST)).viewer.seat == WEST


async def fault_of(lobby: Lobby) -> SeatFault:
    """The fault for which West was not seated."""
    with pytest.raises(SeatFault) as caught:
        await lobby.player(WEST)
    return caught.value


# Tokens.


async def test_a_token_claims_its_seat() -> None:
    async with open_lobby() as lobby, hand_bot(lobby, WEST) as bot:
        welcome = Welcome(table="A1", seat=WEST, event="Test", **TimeControl(60.0).in_welcome())
        assert await bot.hear() == [welcome]
        assert bot.connection.subprotocol == "bridge-arena.v1"
        assert (await lobby.player(WEST)).viewer.seat == WEST
        assert not lobby.places[NORTH].seated.done()


async def test_without_a_token_nobody_is_let_in() -> None:
    async with open_lobby() as lobby:
        text = await check_status(401, lobby, None)
        assert text == "This server needs the token of a bot that takes part.\n"


async def test_a_wrong_token_is_refused() -> None:
    async with open_lobby() as lobby:
        await check_status(401, lobby, "wrong")
        await check_status(401, lobby, "")
        await check_status(401, lobby, lobby.tokens[WEST], scheme="Basic")
        await check_seat(lobby)


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer "])
async def test_a_scheme_may_be_written_in_any_way_that_http_allows(scheme: str) -> None:
    async with (
        open_lobby() as lobby,
        connected(lobby.url, lobby.tokens[WEST], scheme=scheme) as connection,
    ):
        assert connection.subprotocol == "bridge-arena.v1"


async def test_two_tokens_are_refused_without_a_word_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with open_lobby() as lobby:
        request = f"{hostile.REQUEST}Authorization: Bearer a\r\nAuthorization: Bearer b"
        status, _, _ = await ask(lobby, request)
        assert status == "HTTP/1.1 401 Unauthorized"
        assert lobby.gateway.refused == 1
    assert not caplog.records


async def test_a_wrong_token_is_told_with_the_clients_address_alone() -> None:
    told: list[str] = []
    async with Gateway(nobody, on_wrong_token=told.append) as gateway:
        for token in ("wrong", None):
            with pytest.raises(InvalidStatus):
                async with connected(gateway.url, token):
                    pass
        with pytest.raises(InvalidStatus):  # no handshake, so the token was not looked at
            async with connected(gateway.url, "wrong", subprotocol=None):
                pass
    assert told == ["127.0.0.1"] * 2


async def test_a_token_opens_no_more_places_than_there_are() -> None:
    async with open_lobby() as lobby, hand_bot(lobby, WEST) as first:
        await first.hear()
        async with hand_bot(lobby, WEST) as second:
            error = await second.error()
            assert (error.code, error.fatal) == (ErrorCode.TAKEN, True)
            assert error.text == "every seat of this token is taken"
            with pytest.raises(ConnectionClosed):
                await second.hear()
            assert second.connection.close_code == 1013
        assert lobby.gateway.refused == 1
        assert lobby.places[WEST].is_connected


async def test_each_token_claims_its_own_seat() -> None:
    async with open_lobby() as lobby, hand_bot(lobby, NORTH), hand_bot(lobby, SOUTH):
        for seat in (NORTH, SOUTH):
            assert (await lobby.player(seat)).viewer.seat == seat


# The handshake.


@pytest.mark.parametrize("subprotocol", [None, "bridge-arena.v0", "chat"])
async def test_another_subprotocol_is_refused_and_costs_no_place(subprotocol: str | None) -> None:
    async with open_lobby() as lobby:
        text = await check_status(400, lobby, lobby.tokens[WEST], subprotocol=subprotocol)
        assert "subprotocol" in text
        await check_seat(lobby)


async def test_a_plain_request_is_refused_and_costs_no_place() -> None:
    async with open_lobby() as lobby:
        host, port = lobby.url.removeprefix("ws://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        request = (
            f"GET / HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {lobby.tokens[WEST]}\r\n\r\n"
        )
        writer.write(request.encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 426 ")
        writer.close()
        await writer.wait_closed()
        await check_seat(lobby)


async def test_no_compression_is_agreed_on() -> None:
    async with open_lobby() as lobby, hand_bot(lobby, WEST) as bot:
        response = bot.connection.response
        assert response is not None
        assert "Sec-WebSocket-Extensions" not in response.headers
        assert "Server" not in response.headers


# Pages.


async def ask(lobby: Lobby, request: str) -> tuple[str, dict[str, str], str]:
    """The status line, headers and text of an answer to a plain HTTP request."""
    host, port = lobby.url.removeprefix("ws://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"{request}\r\nHost: {host}\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status, *lines = head.strip().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        body = await reader.readexactly(int(headers.get("Content-Length", "0")))
    writer.close()
    await writer.wait_closed()
    return status, headers, body.decode()


async def test_pages_are_shown_to_whoever_asks() -> None:
    asked: list[str] = []

    def figures() -> tuple[str, str]:
        asked.append("figures")
        return "text/plain; charset=utf-8", "tables 3 é\n"

    async with open_lobby(pages={"/metrics": figures, "/": lambda: ("text/html", "")}) as lobby:
        for path in ("/metrics", "/metrics?name=x"):
            status, headers, text = await ask(lobby, f"GET {path} HTTP/1.1")
            assert status == "HTTP/1.1 200 OK"
            assert headers["Content-Type"] == "text/plain; charset=utf-8"
            assert headers["Connection"] == "close"
            assert text == "tables 3 é\n"
        assert asked == ["figures"] * 2
        status, _, text = await ask(lobby, "GET / HTTP/1.1")
        assert (status, text) == ("HTTP/1.1 200 OK", "")
        status, _, _ = await ask(lobby, "GET /secret HTTP/1.1")
        assert status.startswith("HTTP/1.1 426 ")
        # Who asks for a websocket is no reader of pages, whatever the path.
        async with hand_bot(lobby, WEST) as bot:
            await bot.hear()
        await check_status(401, lobby, "wrong")
        await until(lambda: lobby.gateway.limits.waiting == 0)


# Hello.


@pytest.mark.parametrize(
    ("first", "code", "complaint"),
    [
        (b"\xc1", ErrorCode.MALFORMED, "the frame is not msgpack"),
        ("Hello", ErrorCode.MALFORMED, "expected a binary frame, received a text frame"),
        (frame([]), ErrorCode.MALFORMED, "expected Hello, received a frame without messages"),
        (frame([encode(Leave())]), ErrorCode.MALFORMED, "expected Hello, received Leave"),
        (msgpack.packb([{"type": "Hello"}]), ErrorCode.MALFORMED, "Hello.name: Field required"),
        (
            msgpack.packb([{"type": "Hello", "name": "\0" * 20000}]),
            ErrorCode.MALFORMED,
            "at most 80 characters",
        ),
        (
            frame([encode(Hello(name="x", version=2))]),
            ErrorCode.VERSION,
            "expected version 1, received 2",
        ),
    ],
)
async def test_a_bad_hello_is_told_so_and_cut_off(
    first: bytes | str, code: ErrorCode, complaint: str
) -> None:
    async with open_lobby(strict=True) as lobby:
        async with connected(lobby.url, lobby.tokens[WEST]) as connection:
            await connection.send(first)
            (error,) = decode_server(await connection.recv())
            assert isinstance(error, Error)
            assert (error.code, error.fatal) == (code, True)
            assert complaint in error.text
            with pytest.raises(ConnectionClosed):
                await connection.recv()
            assert connection.close_code == 1002
        fault = await fault_of(lobby)
        assert fault.kind == FaultKind.MALFORMED
        assert complaint in fault.detail


async def test_a_client_that_says_nothing_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_lobby(strict=True) as lobby:
        # From now on: the handshake itself has the usual time, however busy the machine is.
        monkeypatch.setattr(gateway_module, "HELLO_SECONDS", 0.02)
        async with connected(lobby.url, lobby.tokens[WEST]) as connection:
            with pytest.raises(ConnectionClosed):
                await connection.recv()
            assert (connection.close_code, connection.close_reason) == (
                HELLO_LATE,
                "no Hello within 0.02 s of connecting",
            )
        assert (await fault_of(lobby)).kind == FaultKind.TIMEOUT


async def test_a_client_that_goes_before_hello_is_noticed() -> None:
    async with open_lobby(strict=True) as lobby:
        async with connected(lobby.url, lobby.tokens[WEST]):
            pass
        fault = await fault_of(lobby)
        assert fault.kind == FaultKind.DISCONNECT
        assert "connection lost before Hello" in fault.detail


async def test_a_hello_of_any_length_is_not_read() -> None:
    async with open_lobby(strict=True) as lobby:
        async with connected(lobby.url, lobby.tokens[WEST]) as connection:
            await connection.send(b"x" * (MAX_FRAME + 1))
            with pytest.raises(ConnectionClosed):
                await connection.recv()
            assert connection.close_code == 1009
        assert (await fault_of(lobby)).kind == FaultKind.DISCONNECT


async def test_a_place_that_nobody_waits_for_any_more_is_not_given() -> None:
    async with open_lobby() as lobby:
        lobby.places[WEST].seated.cancel()
        async with connected(lobby.url, lobby.tokens[WEST]) as connection:
            await connection.send(HELLO)
            (error,) = decode_server(await connection.recv())
            assert isinstance(error, Error)
            assert error.code == ErrorCode.TAKEN
            with pytest.raises(ConnectionClosed):
                await connection.recv()


async def test_a_bad_hello_was_but_an_attempt_unless_only_the_bot_can_have_made_it() -> None:
    for strict in (False, True):
        async with open_lobby(strict=strict) as lobby:
            async with connected(lobby.url, lobby.tokens[WEST]) as connection:
                await connection.send(b"\xc1")
                await connection.recv()
            if strict:
                assert (await fault_of(lobby)).kind == FaultKind.MALFORMED
            else:
                await check_seat(lobby)
            assert lobby.gateway.refused == 1


async def say_badly(lobby: Lobby, *, waits: bool) -> None:
    async with connected(lobby.url, lobby.tokens[WEST]) as connection:
        await connection.send(b"\xc1")
        if waits:
            await connection.recv()
        else:
            connection.transport.abort()


@pytest.mark.parametrize("waits", [True, False])
async def test_a_token_with_many_bad_hellos_is_let_in_again_a_minute_later(
    monkeypatch: pytest.MonkeyPatch, *, waits: bool
) -> None:
    monkeypatch.setattr(gateway_module, "MOST_BAD_HELLOS", 3)
    async with open_lobby() as lobby:
        for number in range(1, 4):
            await say_badly(lobby, waits=waits)
            await until(lambda number=number: lobby.gateway.refused == number)  # type: ignore[misc]
        text = await check_status(503, lobby, lobby.tokens[WEST])
        assert text == "Too many bad Hellos came with this token: try again in a minute.\n"
        async with hand_bot(lobby, NORTH) as bot:
            assert [message.type for message in await bot.hear()] == ["Welcome"]
        monkeypatch.setattr(gateway_module, "BAD_HELLO_SECONDS", 0)
        await check_seat(lobby)


async def test_clients_that_came_before_are_read_no_more_after_many_bad_hellos(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gateway_module, "MOST_BAD_HELLOS", 1)
    async with open_lobby() as lobby, connected(lobby.url, lobby.tokens[WEST]) as connection:
        await say_badly(lobby, waits=True)
        await connection.send(HELLO)
        (error,) = decode_server(await connection.recv())
        assert isinstance(error, Error)
        assert error.text == "too many bad Hellos came with this token"
        with pytest.raises(ConnectionClosed):
            await connection.recv()
        assert connection.close_code == 1013


# Listening.


async def test_a_port_in_use_is_an_error_that_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(GatewayError, match=f"cannot listen on 127.0.0.1 port {port}: .*in use"):
            async with Gateway(nobody, port=port):
                pass


async def test_a_host_that_is_not_ours_is_an_error() -> None:
    with pytest.raises(GatewayError, match=r"cannot listen on 192\.0\.2\.1 port 0"):
        async with Gateway(nobody, host="192.0.2.1"):
            pass


async def test_any_free_port_is_known_once_it_listens() -> None:
    async with Gateway(nobody) as one, Gateway(nobody) as other:
        assert one.url != other.url
        assert not one.url.endswith(":0")


async def test_when_the_gateway_closes_so_do_its_connections() -> None:
    async with AsyncExitStack() as bots:
        async with open_lobby() as lobby:
            bot = await bots.enter_async_context(hand_bot(lobby, WEST))
            await bot.hear()
            await lobby.player(WEST)
        with pytest.raises(ConnectionClosed):
            await bot.hear()
        assert bot.connection.close_code == 1001
    with pytest.raises(ConnectionRefusedError):
        async with connected(lobby.url, "any"):
            pass
