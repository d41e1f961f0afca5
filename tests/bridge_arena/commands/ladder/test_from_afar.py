"""Orders that are sent to the pages of a ladder, whatever answers there."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bridge_arena.commands.common.errors import FailedError, UnusableError
from bridge_arena.commands.ladder.from_afar import send
from bridge_arena.commands.main import UNUSABLE, run
from bridge_arena.tournaments.ladder.orders import SetState
from tests.patience import PATIENCE

ORDER = SetState(order="ban", player="Ann")


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "secret")


@contextmanager
def answering(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """The address of a server that gives every request this answer, and what it was sent."""
    requests: list[bytes] = []

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(PATIENCE)
            requests.append(_request(connection))
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", requests
        thread.join()


def _request(connection: socket.socket) -> bytes:
    """Read a request to the end of its body."""
    read = bytearray()
    while (part := connection.recv(1 << 16)) != b"":
        read += part
        head, _, body = bytes(read).partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        if length is not None and len(body) >= int(length[1]):
            break
    return bytes(read)


def _http(status: int, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def test_what_was_done_is_a_text_for_a_terminal() -> None:
    done = json.dumps({"done": "Ann is banned\n\x1b[31mred"}).encode()
    with answering(_http(200, done)) as (address, requests):
        assert send(address, ORDER) == "Ann is banned\n [31mred"
    head, _, body = requests[0].decode().partition("\r\n\r\n")
    assert head.startswith("POST /api/v1/orders HTTP/1.1\r\n")
    assert "authorization: Bearer secret" in head
    assert json.loads(body) == {"order": "ban", "player": "Ann"}


def test_an_order_may_have_any_letters() -> None:
    with answering(_http(200, b'{"done": "done"}')) as (address, requests):
        send(address, SetState(order="ban", player="Zo\u00eb \u2014"))
    body = requests[0].partition(b"\r\n\r\n")[2]
    assert json.loads(body.decode())["player"] == "Zo\u00eb \u2014"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (_http(302, b"", "Location: http://127.0.0.1:9/"), r"no answer of a ladder \(status 302\)"),
        (_http(200, b"<html>"), r"no answer of a ladder \(status 200\)"),
        (_http(200, b"[" * 60000), r"no answer of a ladder \(status 200\)"),
        (_http(429, b'{"error": "too many"}'), r"too many \(status 429\)"),
        (b"SSH-2.0\r\n", "does not answer as a ladder"),
        (b"", "does not answer"),
    ],
)
def test_another_answer_is_a_failure_in_a_line(answer: bytes, says: str) -> None:
    with answering(answer) as (address, _), pytest.raises(FailedError, match=says) as failed:
        send(address, ORDER)
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://example.org", "the token would travel unencrypted: give https://"),
        ("https://", "expected an address as https://ladder.example.org"),
        ("https://ladder.example.org/club", "expected an address"),
        ("https://user@ladder.example.org", "expected an address"),
        ("https://ladder.example.org:x", "expected an address"),
    ],
)
def test_an_address_is_checked_before_the_token_is_sent(address: str, says: str) -> None:
    with pytest.raises(UnusableError, match=says):
        send(address, ORDER)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("backup", "URL club.backup"),
        ("restore", "club.backup URL"),
        ("restore", "URL runs/club"),
        ("audit", "URL"),
        ("token", "URL --administrator"),
        ("run", "URL"),
    ],
)
def test_what_does_not_go_from_afar_says_where_it_goes(
    capsys: pytest.CaptureFixture[str], command: str, words: str
) -> None:
    words = words.replace("URL", "https://ladder.example.org")
    assert run(["ladder", command, *words.split()]) == UNUSABLE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"arena: arena ladder {command} ")
    assert "does not go from afar: run it on the ladder's machine" in line


def test_a_name_that_cannot_be_looked_up_is_a_failure_in_a_line() -> None:
    with pytest.raises(FailedError, match="does not answer"):
        send("https://a..b", ORDER)


def test_without_a_token_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_TOKEN")
    with pytest.raises(UnusableError, match="set ARENA_TOKEN to your token"):
        send("https://ladder.example.org", ORDER)
