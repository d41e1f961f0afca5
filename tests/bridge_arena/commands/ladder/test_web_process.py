"""Tests of what the process of a ladder's pages is told."""

import pytest

from bridge_arena.commands.ladder.web_process import address_for_bots


@pytest.mark.parametrize(
    ("url", "pages", "told"),
    [
        ("", "http://127.0.0.1:8000/", ""),
        ("ws://127.0.0.1:7770", "http://127.0.0.1:8000/", "ws://127.0.0.1:7770"),
        # A proxy stands before it, of whose port for bots the ladder knows nothing.
        ("ws://127.0.0.1:7770", "https://ladder.example.org/", ""),
        ("ws://10.0.0.7:7770", "https://ladder.example.org/", "ws://10.0.0.7:7770"),
        ("ws://0.0.0.0:7770", "https://ladder.example.org/", "ws://ladder.example.org:7770"),
        ("ws://[::]:7770", "http://[2001:db8::1]:8000/", "ws://[2001:db8::1]:7770"),
    ],
)
def test_authors_are_told_an_address_that_their_bots_reach(url: str, pages: str, told: str) -> None:
    assert address_for_bots(url, pages) == told
