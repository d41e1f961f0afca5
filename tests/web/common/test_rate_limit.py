"""How often addresses may ask, and whose address a request has."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from bridge_arena.web.common import rate_limit
from bridge_arena.web.common.rate_limit import RateLimit, address_of_client


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_some_come_at_once_and_then_so_many_a_second() -> None:
    clock = Clock()
    limit = RateLimit(rate=2, at_once=3, now=clock)
    assert [limit.admit("192.0.2.1") for _ in range(5)] == [0, 0, 0, 0.5, 0.5]
    assert limit.admit("192.0.2.2") == 0, "another address"
    clock.time += 0.5
    assert [limit.admit("192.0.2.1") for _ in range(2)] == [0, 0.5]
    clock.time += 60
    assert [limit.admit("192.0.2.1") for _ in range(4)] == [0, 0, 0, 0.5]


def test_who_asks_in_vain_does_not_wait_longer_for_it() -> None:
    clock = Clock()
    limit = RateLimit(rate=1, at_once=1, now=clock)
    limit.admit("a")
    assert {limit.admit("a") for _ in range(1000)} == {1.0}
    clock.time += 1
    assert limit.admit("a") == 0


def test_a_network_of_ipv6_is_one_address() -> None:
    limit = RateLimit(rate=1, at_once=1, now=Clock())
    assert limit.admit("2001:db8::1") == 0
    assert limit.admit("2001:db8::ffff:2") > 0
    assert limit.admit("2001:db8:0:1::1") == 0
    assert limit.admit("::ffff:192.0.2.1") == 0
    assert limit.admit("192.0.2.1") > 0


def test_few_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_ORIGINS", 10)
    limit = RateLimit(rate=1, at_once=1, now=Clock())
    assert {limit.admit(f"192.0.2.{number}") for number in range(100)} == {0}
    assert len(limit._free) == 10
    assert limit.admit("192.0.2.99") > 0


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["192.0.2.1"], "192.0.2.1"),
        ("::1", ["forged, 192.0.2.1"], "192.0.2.1"),
        ("127.0.0.1", ["forged", "192.0.2.1"], "192.0.2.1"),
        ("127.0.0.1", ["192.0.2.1, "], "127.0.0.1"),
        ("127.0.0.1", ["192.0.2.1:5678"], "192.0.2.1"),
        ("127.0.0.1", ["192.0.2.1:"], "192.0.2.1"),
        ("127.0.0.1", ["2001:DB8::0:1"], "2001:db8::1"),
        ("127.0.0.1", ["[2001:db8::1]"], "2001:db8::1"),
        ("127.0.0.1", ["[2001:db8::1]:5678"], "2001:db8::1"),
        ("127.0.0.1", ["x" * 5000], "127.0.0.1"),
        ("127.0.0.1", ["unknown"], "127.0.0.1"),
        ("127.0.0.1", ["2001:db8::1%5678"], "127.0.0.1"),
        ("127.0.0.1", ["[]:5678"], "127.0.0.1"),
        ("127.0.0.1", ["192.0.2.1 5678"], "127.0.0.1"),
        ("127.0.0.1", ["[192.0.2.1"], "127.0.0.1"),
        ("127.0.0.1", ["192.0.2.1/5678"], "127.0.0.1"),
        ("127.0.0.1", ["anybody@192.0.2.1"], "127.0.0.1"),
        ("198.51.100.7", ["192.0.2.1"], "198.51.100.7"),
        ("", ["192.0.2.1"], ""),
    ],
)
def test_only_a_proxy_of_this_machine_names_its_clients(
    peer: str, forwarded: list[str], address: str
) -> None:
    headers = [(b"x-forwarded-for", one.encode()) for one in forwarded]
    scope = {"type": "http", "headers": headers, "client": (peer, 1) if peer else None}
    assert address_of_client(HTTPConnection(scope)) == address
