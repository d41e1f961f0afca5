"""Tests of the addresses of an event's pages."""

from __future__ import annotations

import pytest

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.options import LOOPBACK
from bridge_arena.commands.common.web import WebOptions, web_options


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("https://bridge.example.org", "https://bridge.example.org/"),
        ("https://Bridge.Example.org:443/", "https://bridge.example.org/"),
        ("http://[::1]:80", "http://[::1]/"),
        ("http://bridge:8443/", "http://bridge:8443/"),
    ],
)
def test_an_address_is_kept_as_browsers_write_it(url: str, written: str) -> None:
    """Otherwise the guard would refuse requests to that name."""
    assert web_options(web=True, host=LOOPBACK, port=0, url=url) == WebOptions(LOOPBACK, 0, written)


@pytest.mark.parametrize(
    "url",
    [
        "bridge.example.org",
        "ftp://bridge.example.org",
        "https://",
        "https://bridge.example.org/club",
        "https://bridge.example.org/?a",
        "https://me@bridge.example.org",
        "https://bridge.example.org:99999",
        "https://[::1",
        "https://:secret@bridge.example.org",
        "https://a b",
        "https://brücke.example.org",
    ],
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(UnusableError, match="expected http or https, a name, and at most a port"):
        web_options(web=True, host=LOOPBACK, port=0, url=url)


def test_options_of_pages_need_pages() -> None:
    for host, port, url in [("::", 0, ""), (LOOPBACK, 1, ""), (LOOPBACK, 0, "http://a")]:
        with pytest.raises(UnusableError, match="need --web"):
            web_options(web=False, host=host, port=port, url=url)


def test_the_options_are_told_to_who_goes_on() -> None:
    assert WebOptions(LOOPBACK, 0).words == ["--web"]
    words = ["--web", "--web-host", "::", "--web-port", "80", "--web-url", "https://a/"]
    assert WebOptions("::", 80, "https://a/").words == words
