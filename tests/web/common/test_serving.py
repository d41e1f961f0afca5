"""Tests of the guard: which requests it admits, and the headers of every answer."""

from __future__ import annotations

import asyncio
import gzip
import os
import socket
import subprocess
import sys
import threading
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bridge_arena.web.common import serving
from bridge_arena.web.common.pages import HEADERS, POLICY, static_files
from bridge_arena.web.common.serving import (
    Guard,
    SameUserProtocol,
    is_same_user,
    local_hosts,
    static_route,
)
from tests.patience import PATIENCE
from tests.web.live.serving import ask, served

Message = MutableMapping[str, Any]


def asked(hosts: list[str], kind: str = "http") -> list[Message]:
    """Return what is answered to a request with these Host headers."""
    sent: list[Message] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            return
        answer = PlainTextResponse("secret", headers={"cache-control": "max-age=60"})
        await answer(scope, receive, send)

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "method": "GET",
        "path": "/",
        "headers": [(b"host", host.encode()) for host in hosts],
    }
    asyncio.run(Guard(application, local_hosts(8000))(scope, receive, send))
    return sent


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000"])
def test_a_server_answers_requests_under_its_own_name(host: str) -> None:
    start, body = asked([host])
    assert (start["status"], body["body"]) == (200, b"secret")
    assert asked([host], "websocket") == [{"type": "websocket.accept"}]


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        ["evil.example"],
        ["evil.example:8000"],
        ["127.0.0.1"],
        ["127.0.0.1:8001"],
        ["127.0.0.1:8000.evil.example"],
        ["127.0.0.1:8000", "evil.example"],
        ["127.0.0.1:8000", "127.0.0.1:8000"],
        ["[::1]:8000"],
    ],
    ids=" ".join,
)
def test_a_server_refuses_requests_under_another_name(hosts: list[str]) -> None:
    start, body = asked(hosts)
    assert start["status"] == 421
    assert b"secret" not in body["body"]
    assert asked(hosts, "websocket") == [{"type": "websocket.close", "code": 1008}]


async def test_a_flood_of_requests_leaves_others_their_turns() -> None:
    turn, answered = 0, []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive, send
        answered.append(turn)

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        raise AssertionError(message)

    guard = Guard(application, None)
    scope = {"type": "http", "headers": [(b"host", b"a")]}
    requests = [asyncio.create_task(guard(scope, receive, send)) for _ in range(100)]
    while not all(request.done() for request in requests):
        await asyncio.sleep(0)
        turn += 1
    assert len({*answered}) == len(answered) == 100


async def test_an_answer_is_sent_at_once() -> None:
    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        connection = scope["state"]["arena.transport"].get_extra_info("socket")
        delay = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await PlainTextResponse(str(delay))(scope, receive, send)

    async with served(application, []) as port:
        answer = await ask(port, "GET", "/", {})
    assert answer.text != "0"


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/boards", "/boards/"),
        ("/boards?a=b", "/boards/?a=b"),
        ("//evil.example", "/evil.example/"),
    ],
)
async def test_a_redirection_stays_on_this_server_whatever_a_proxy_calls_it(
    path: str, location: str
) -> None:
    def answer(_: Request) -> PlainTextResponse:
        return PlainTextResponse("here")

    application = Starlette(routes=[Route("/boards/", answer), Route("//evil.example/", answer)])
    async with served(application, []) as port:
        redirection = await ask(port, "GET", path, {})
    assert redirection.status == 307
    assert redirection.headers["location"] == location


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "evil.example"])
def test_every_answer_says_what_a_page_may_do(host: str) -> None:
    headers = dict(asked([host])[0]["headers"])
    for name, value in HEADERS.items():
        if name != "cache-control":
            assert headers[name.encode()] == value.encode()
    policy = headers[b"content-security-policy"].decode()
    assert policy == f"{POLICY}; frame-ancestors 'none'", "no page of others lies over a live one"
    assert "frame-ancestors" not in POLICY, "a published page may stand in one of others"
    # What the application says itself stands.
    kept = b"max-age=60" if host.startswith("127") else b"no-store"
    assert headers[b"cache-control"] == kept


@pytest.mark.parametrize("encodings", ["gzip, br", "br", ""])
def test_scripts_and_styles_are_compressed_for_who_accepts_it(encodings: str) -> None:
    (file,) = (file for file in static_files() if file.name == "table.js")
    sent: list[Message] = []

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/static/{file.name}",
        "path_params": {"name": file.name},
        "headers": [(b"accept-encoding", encodings.encode())],
    }
    asyncio.run(static_route().handle(scope, receive, send))
    start, body = sent
    headers = dict(start["headers"])
    assert headers[b"vary"] == b"accept-encoding"
    assert headers[b"content-type"].startswith(b"text/javascript")
    if is_compressed := headers.get(b"content-encoding") == b"gzip":
        assert gzip.decompress(body["body"]) == file.read_bytes()
    else:
        assert body["body"] == file.read_bytes()
    assert is_compressed == ("gzip" in encodings)


NOBODY = 65534

CLIENT = """
import os, socket, sys
os.setuid(int(sys.argv[3]))
own = socket.socket(socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET)
own.connect((sys.argv[1], int(sys.argv[2])))
try:
    own.sendall(b"GET")
    answer = own.recv(100)
except ConnectionError:
    answer = b"cut off"
print(answer.decode() or "cut off")
"""
"""Connects as a user, and prints what it is answered."""

NO_IPV6 = pytest.mark.skipif(not serving.TABLES[1].exists(), reason="there is no IPv6 here")

HOSTS = ("127.0.0.1", pytest.param("::ffff:127.0.0.1", marks=NO_IPV6))


class Answering(asyncio.Protocol):
    """Answers whatever it is asked."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(b"the cards after " + data)


class Guarded(SameUserProtocol, Answering):
    pass


async def answered(host: str, user: int) -> str:
    """Return what a program of a user is answered."""
    loop = asyncio.get_running_loop()
    async with await loop.create_server(Guarded, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", CLIENT, host, str(port), str(user)), stdout=subprocess.PIPE
        )
        async with asyncio.timeout(PATIENCE):
            said, _ = await program.communicate()
    return said.decode().strip()


@pytest.mark.parametrize("host", HOSTS)
async def test_a_program_of_this_user_is_answered(host: str) -> None:
    assert await answered(host, os.getuid()) == "the cards after GET"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as another user")
@pytest.mark.skipif(not serving.TABLES[0].exists(), reason="the system does not list owners")
@pytest.mark.parametrize("host", HOSTS)
async def test_a_program_of_another_user_is_cut_off(host: str) -> None:
    assert await answered(host, NOBODY) == "cut off"


@pytest.mark.parametrize(
    ("owner", "state", "is_same"),
    [
        (os.getuid(), "01", True),
        (0, "01", True),
        (os.getuid() + 1, "01", False),
        (0, "05", False),  # whoever had it has closed it
    ],
)
def test_the_owner_is_that_of_the_clients_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: int, state: str, *, is_same: bool
) -> None:
    """The server's own end of the connection stands in the list too, the other way round."""
    monkeypatch.setattr(serving, "TABLES", (tmp_path / "tcp6", tmp_path / "tcp"))
    client, server = ("127.0.0.1", 40000), ("127.0.0.1", 8000)
    one, other = (serving._written(*each, Path("tcp")) for each in (client, server))
    assert is_same_user(client, server)  # nothing is known
    rows = [
        "sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode",
        f"0: {other} {one} 01 0:0 0:0 0 {os.getuid()} 0 17",
        f"1: {one} {other} {state} 0:0 0:0 0 {owner} 0 18",
    ]
    (tmp_path / "tcp").write_text("\n".join(rows))
    assert is_same_user(client, server) == is_same
    # One that is gone already may have been anybody's.
    assert not is_same_user(("127.0.0.1", 40001), server)
    assert not is_same_user(None, server)


def test_no_connection_is_left_open_that_nobody_serves() -> None:
    begun = threading.Event()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        answer = PlainTextResponse("x" * 50_000_000)  # far more than the network holds
        begun.set()
        await answer(scope, receive, send)

    async def serve(listener: socket.socket, client: socket.socket) -> None:
        async with serving.serving(application, listener, None, tuple):
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert await asyncio.to_thread(begun.wait, PATIENCE)

    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname(), PATIENCE) as client,
    ):
        asyncio.run(serve(listener, client))
        with suppress(ConnectionResetError):
            while client.recv(1 << 20):  # until the end; the patience of the socket is limited
                pass
