"""Tests of the guard: which requests it admits, and the headers of every answer."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from bridge_arena.web.common.guard import Guard, local_hosts
from bridge_arena.web.common.policy import HEADERS

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


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "evil.example"])
def test_every_answer_says_what_a_page_may_do(host: str) -> None:
    headers = dict(asked([host])[0]["headers"])
    for name, value in HEADERS.items():
        if name != "cache-control":
            assert headers[name.encode()] == value.encode()
    # What the application says itself stands.
    kept = b"max-age=60" if host.startswith("127") else b"no-store"
    assert headers[b"cache-control"] == kept
