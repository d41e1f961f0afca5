"""Tests of how much a browser loads for each kind of page, with all its scripts and styles.

In bytes as they are sent, where scripts and styles are compressed and the page is not, and as they
lie on a disk.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.web.board.of_records import document_of
from bridge_arena.web.board.page import board_page
from bridge_arena.web.common.pages import page_of, static_files
from bridge_arena.web.live import application as live
from bridge_arena.web.seat import application as seat
from bridge_arena.web.seat.people import Offers

STATIC = "static/"


def seat_page() -> str:
    template = Path(seat.__file__).with_name("seat.html")
    offers = Offers(hints=True, undo=True)
    return page_of(
        template, title="", static=STATIC, who="", seats="N", most_asked=4, offers=offers
    )


def table_page() -> str:
    template = Path(live.__file__).with_name("table.html")
    return page_of(template, title="", static=STATIC, number=1, tables=2)


def lobby_page() -> str:
    return page_of(Path(live.__file__).with_name("lobby.html"), title="", static=STATIC)


def board() -> str:
    return board_page(document_of(Board.dealt(1, 1), "", []), STATIC)


@pytest.mark.parametrize(
    ("page", "most_sent", "most_kept"),
    [
        (seat_page, 53_000, 140_000),
        (board, 26_000, 74_000),
        (table_page, 30_000, 86_000),
        (lobby_page, 16_500, 39_000),
    ],
)
def test_a_page_is_light(page: Callable[[], str], most_sent: int, most_kept: int) -> None:
    text = page()
    names = set(re.findall(rf'"{STATIC}([^"]+)"', text))
    files = [file.read_bytes() for file in static_files() if file.name in names]
    assert len(files) == len(names)
    sent = len(text.encode()) + sum(len(gzip.compress(file)) for file in files)
    kept = len(text.encode()) + sum(map(len, files))
    assert sent < most_sent, f"{page.__name__}: {sent} bytes"
    assert kept < most_kept, f"{page.__name__}: {kept} bytes"
