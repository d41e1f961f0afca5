"""Requests to whatever listens: an answer or a trouble comes of each, and nothing else."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.http_robot.client import RobotClient, TroubleError
from bridge_arena.bots.http_robot.robot import Robot
from tests.bots.http_robot.stand_in import StandIn, packed, too_many
from tests.late_imports import late_imports
from tests.patience import PATIENCE

with late_imports():
    import trustme


def ask(url: str) -> Any:
    return asyncio.run(RobotClient(Robot.parse(url)).ask("bid", {"hand": "AKQ"}))


@contextmanager
def saying(data: bytes) -> Iterator[str]:
    """The address of a server that says this to the first who comes, and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.recv(65536)
                connection.sendall(data)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


HEADS = st.sampled_from(
    [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://xn--de/\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: \xe4://[::1\r\n",
        b"HTTP/1.1 429 No\r\nRetry-After: Mon, 01 Jan 0001 00:00:00 +2359\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nSet-Cookie: \xff=\x80\r\n",
        b"",
    ]
)


@pytest.mark.slow
@given(HEADS, st.binary(max_size=40), st.binary(max_size=40))
@settings(deadline=None)
def test_whatever_a_robot_says_is_read_or_refused(head: bytes, more: bytes, body: bytes) -> None:
    with saying(head + more + b"\r\n" + body) as url, suppress(TroubleError):
        ask(url)


def test_a_time_to_come_again_is_heeded() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    for text, least, most in [("7", 7.0, 7.0), (soon, 3590.0, 3600.0)]:
        head = f"HTTP/1.1 429 No\r\nRetry-After: {text}\r\nContent-Length: 0\r\n\r\n"
        with saying(head.encode()) as url, pytest.raises(TroubleError) as caught:
            ask(url)
        assert caught.value.pause is not None
        assert least <= caught.value.pause <= most


@pytest.mark.parametrize("text", ["soon", "-1", "1e9", "Mon, 99 Xyz 2020", ""])
def test_a_time_that_cannot_be_read_is_ignored(text: str) -> None:
    head = f"HTTP/1.1 429 No\r\nRetry-After: {text}\r\nContent-Length: 0\r\n\r\n"
    with saying(head.encode()) as url, pytest.raises(TroubleError) as caught:
        ask(url)
    assert caught.value.pause is None


@pytest.mark.parametrize("name", ["identity", " Identity ", ""])
def test_an_answer_that_says_it_is_not_packed_is_read(name: str) -> None:
    with StandIn().listening() as robot:
        robot.misdeeds.append(lambda handler: handler.tell({"bid": "P"}, Content_Encoding=name))
        assert ask(robot.url) == {"bid": "P"}


def test_no_cookie_comes_back() -> None:
    with StandIn().listening() as robot:
        robot.misdeeds.append(lambda handler: handler.tell({"bid": "P"}, Set_Cookie="a=b"))
        robot.misdeeds.extend([too_many, packed])
        client = RobotClient(Robot.parse(robot.url))
        for _ in range(3):
            with suppress(TroubleError):
                asyncio.run(client.ask("bid", {}))
            assert "cookie" not in robot.headers


def test_a_name_that_cannot_be_written_for_the_network_gets_no_answer() -> None:
    with pytest.raises(TroubleError, match="no answer"):
        ask("http://xn--a.b")


def test_a_request_that_is_given_up_before_its_time_does_not_delay_others() -> None:
    with StandIn().listening() as robot:
        client = RobotClient(Robot.parse(f"{robot.url},rate=60"))

        async def turns() -> Any:
            await client.ask("bid", {"hand": "AKQ"})
            for _ in range(100):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(client.ask("bid", {"hand": "AKQ"}), 0.001)
            return await asyncio.wait_for(client.ask("bid", {"hand": "AKQ"}), PATIENCE / 2)

        for _ in range(2):
            robot.misdeeds.append(lambda handler: handler.tell({"bid": "P"}))
        assert asyncio.run(turns()) == {"bid": "P"}
        assert len(robot.asked) == 2


def test_variables_for_proxies_send_no_request_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to a proxy, nor with a password of .netrc."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    with StandIn().listening() as robot:
        robot.misdeeds.append(lambda handler: handler.tell({"bid": "P"}))
        assert ask(robot.url) == {"bid": "P"}


def test_a_key_for_whom_the_certificate_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_KEY", "s3cret")
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with StandIn(tls=context).listening() as robot:
        url = f"{robot.url},key=ROBOT_KEY".replace("http:", "https:")
        with pytest.raises(TroubleError, match="CERTIFICATE_VERIFY_FAILED"):
            ask(url)
        assert robot.asked == []
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        robot.misdeeds.append(lambda handler: handler.tell({"bid": "P"}))
        assert ask(url) == {"bid": "P"}
    assert robot.headers["authorization"] == "Bearer s3cret"
