"""Addresses with numbers that no page has: the answer says so, and is never an error of ours."""

from __future__ import annotations

import pytest
from websockets.exceptions import ConnectionClosed

from bridge_arena.oracle.pool import Oracle
from bridge_arena.web.seat.application import NOBODY_AWAITED
from tests.web.seat.reception import reception
from tests.web.viewing.test_application import KEY, answers

NUMBERS = pytest.mark.parametrize(
    "number", ["9" * 5000, "0" * 5000, "0", "-1", "%D9%A3", "1.0", "1e9"]
)


@NUMBERS
async def test_no_page_of_an_event_has_such_a_number(number: str) -> None:
    async with reception() as desk:
        for path in ("tables/{}", "tables/{}/stream", "boards/{}.html", "static/{}", "sit/{}"):
            assert (await desk.ask("GET", f"/{path.format(number)}")).status in (404, 410)
        async with desk.window(await desk.cookie("Bob"), seat=number) as window:
            with pytest.raises(ConnectionClosed):
                await window.recv()
            assert window.close_code == NOBODY_AWAITED


@NUMBERS
def test_no_page_of_a_file_has_such_a_number(number: str) -> None:
    name = f"/{KEY}/boards/board-"
    paths = [f"{name}{number}.html", f"{name}{number}.json"]
    paths += [f"{name}7-table-{number}{end}" for end in (".js", ".json", "-calls.json")]
    assert [status for status, _ in answers(Oracle(workers=1), *paths)] == [404] * 5
    paths = [f"/{KEY}/?from={number}", f"/{KEY}/?q={number}"]
    assert [status for status, _ in answers(Oracle(workers=1), *paths)] == [200] * 2
