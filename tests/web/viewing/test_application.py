"""Tests of the answers of `arena view`, without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.errors import DeadlineError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.web.replays.of_files import replays_of_records
from bridge_arena.web.viewing.application import LONGEST_QUERY, Library, Viewing
from bridge_arena.web.viewing.on_demand import Figures

KEY = "key"

RECORDS = [
    BoardRecord(
        Board.dealt(1, number),
        ("Ann", "Bob", "Cid", "Dee"),
        contract=Contract.parse("4S", Seat.NORTH),
        tricks=9,
        score=-50,
    )
    for number in range(1, 251)
]


class Counted(Oracle):
    """An oracle that finds ten tricks everywhere, and counts how often it was asked."""

    def __init__(self) -> None:
        super().__init__(workers=1)
        self.asked = 0

    async def play_values(self, *_line: Any, **_of_play: Any) -> tuple[int, ...]:
        self.asked += 1
        return (10,)


class Slow(Oracle):
    """An oracle that finds nothing in time."""

    async def play_values(self, *_line: Any, **_of_play: Any) -> tuple[int, ...]:
        raise DeadlineError("no answer from the solver within 60 s of processor time")


def answers(oracle: Oracle, *paths: str) -> list[tuple[int, str]]:
    """Status and body of the answer to each request, one after the other."""
    viewing = Viewing(Library(replays_of_records(RECORDS)), "boards.pbn", Figures(oracle))
    application = viewing.application(KEY)

    async def answer(path: str) -> tuple[int, str]:
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request"}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        name, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": "GET",
            "path": name,
            "query_string": query.encode(),
            "headers": [],
        }
        await application(scope, receive, send)
        return sent[0]["status"], sent[1]["body"].decode()

    async def all_answers() -> list[tuple[int, str]]:
        return [await answer(path) for path in paths]

    with oracle:
        return asyncio.run(all_answers())


def test_figures_that_were_found_are_kept() -> None:
    oracle = Counted()
    path = f"/{KEY}/boards/board-7-table-1.json"
    first, again = answers(oracle, path, path)
    assert first == again
    assert first[0] == 200
    assert json.loads(first[1])["dd"] == 10
    assert json.loads(first[1])["claim"] == {"tricks": 9, "cost": 1, "charged": "declarer"}
    assert oracle.asked == 1


def test_a_solver_that_finds_nothing_is_told() -> None:
    path = f"/{KEY}/boards/board-7-table-1.json"
    told = "no answer from the solver within 60 s of processor time\n"
    assert answers(Slow(), path) == [(504, told)]


def test_a_long_list_comes_in_parts() -> None:
    """The parts end with the list, and a part beyond it is empty."""
    texts = [
        body
        for status, body in answers(
            Oracle(),
            f"/{KEY}/",
            f"/{KEY}/?from=201",
            f"/{KEY}/?from=251",
            f"/{KEY}/?from=-1",
            f"/{KEY}/?from=9999999999999",
            f"/{KEY}/?q=" + "9" * (2 * LONGEST_QUERY),
        )
        if status == 200
    ]
    rows = [text.count('<th scope="row">') for text in texts]
    assert rows == [100, 50, 100, 100, 100, 0]
    assert 'href="?from=101"' in texts[0]
    assert 'href="?from=101"' in texts[1]
    assert "0 of 250 boards" in texts[-1]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/wrong/",
        "/boards/board-1.html",
        f"/{KEY}/boards/board-251.html",
        f"/{KEY}/boards/board-1-table-2.js",
        f"/{KEY}/boards/board-1-table-0.json",
        f"/{KEY}/boards/board-1-table-١.json",
        f"/{KEY}/boards/board-1-table-.js",
        f"/{KEY}/static/application.py",
        f"/{KEY}/static/../viewing/application.py",
    ],
)
def test_other_addresses_are_not_found(path: str) -> None:
    ((status, _),) = answers(Oracle(), path)
    assert status == 404
