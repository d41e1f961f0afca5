"""Tests of how the boards to show are found."""

from __future__ import annotations

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.web.replays.of_files import replays_of_records
from bridge_arena.web.viewing.application import Library

RECORDS = [
    BoardRecord(
        Board.dealt(1, number),
        ("Ann", "Bob", "Cid", f"Dee {number}"),
        contract=Contract.parse("4S" if number % 2 else "3NTX", Seat.NORTH),
        tricks=10,
        score=420,
        event="Cup" if number < 8 else "League",
    )
    for number in range(1, 13)
]
LIBRARY = Library(replays_of_records(RECORDS))


def found(query: str) -> list[int]:
    return [page.replay.board.number for page in LIBRARY.search(query)]


def test_a_number_is_a_boards() -> None:
    assert found("1") == [1]
    assert found("12") == [12]
    assert found("13") == []


def test_words_are_parts_of_the_text_in_any_order_and_case() -> None:
    assert found("cup 4s") == [1, 3, 5, 7]
    assert found("3ntx LEAGUE") == [8, 10, 12]
    assert found("ann nobody") == []
    assert found("") == list(range(1, 13))


def test_pages_are_found_by_name() -> None:
    assert [LIBRARY.pages[LIBRARY.places[page.name]] for page in LIBRARY.pages] == LIBRARY.pages
    assert "../board-1" not in LIBRARY.places
