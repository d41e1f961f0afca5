"""Tests of whose the other end of a connection is: by the system's lists, and with real users."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bridge_arena.web.common import same_user
from bridge_arena.web.common.same_user import may_be_same_user
from tests.patience import PATIENCE

NOBODY = 65534

CLIENT = """
import os, socket, sys
os.setuid(int(sys.argv[3]))
own = socket.socket(socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET)
own.connect((sys.argv[1], int(sys.argv[2])))
sys.stdin.read()
"""
"""Connects as a user, and stays until its input ends."""


NO_IPV6 = pytest.mark.skipif(not same_user.TABLES[1].exists(), reason="there is no IPv6 here")

HOSTS = ("127.0.0.1", pytest.param("::ffff:127.0.0.1", marks=NO_IPV6))


@contextmanager
def connected(host: str, user: int) -> Iterator[dict[str, object]]:
    """Have a program of a user connect to this process, and yield the request's scope."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.settimeout(PATIENCE)
        port = listener.getsockname()[1]
        command = [sys.executable, "-c", CLIENT, host, str(port), str(user)]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as program:
            assert program.stdin is not None
            accepted, address = listener.accept()
            with closing(accepted):
                yield {"type": "http", "client": address, "server": accepted.getsockname()}
            program.stdin.close()


@pytest.mark.parametrize("host", HOSTS)
def test_a_program_of_this_user_is_one(host: str) -> None:
    with connected(host, os.getuid()) as scope:
        assert may_be_same_user(scope)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as another user")
@pytest.mark.skipif(not same_user.TABLES[0].exists(), reason="the system does not list owners")
@pytest.mark.parametrize("host", HOSTS)
def test_a_program_of_another_user_is_not(host: str) -> None:
    with connected(host, NOBODY) as scope:
        assert not may_be_same_user(scope)


@pytest.mark.parametrize(
    ("owner", "may"), [(os.getuid(), True), (0, True), (os.getuid() + 1, False)]
)
def test_the_owner_is_that_of_the_clients_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: int, *, may: bool
) -> None:
    """The server's own end of the connection stands in the list too, the other way round."""
    ends = [same_user._written("127.0.0.1", port, Path("tcp")) for port in (40000, 8000)]
    rows = [
        "sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode",
        f"0: {ends[1]} {ends[0]} 01 0:0 0:0 0 {os.getuid() + 2} 0 17",
        f"1: {ends[0]} {ends[1]} 01 0:0 0:0 0 {owner} 0 18",
    ]
    (tmp_path / "tcp").write_text("\n".join(rows))
    monkeypatch.setattr(same_user, "TABLES", (tmp_path / "tcp6", tmp_path / "tcp"))
    scope = {"client": ("127.0.0.1", 40000), "server": ("127.0.0.1", 8000)}
    assert may_be_same_user(scope) == may
    # Where nothing is known of a connection, it may be this user's.
    assert may_be_same_user({**scope, "client": ("127.0.0.1", 40001)})
    assert may_be_same_user({**scope, "client": None})
