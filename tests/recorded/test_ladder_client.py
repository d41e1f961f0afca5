"""Ladders on the web as tables, read from a ladder that is served."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge_arena import Ladder
from bridge_arena.recorded import ladder_client
from bridge_arena.recorded.datasets.rows import record_of
from bridge_arena.recorded.match_tables import MATCH_TABLE_COLUMNS
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.common.rate_limit import RateLimit
from tests.late_imports import late_imports
from tests.web.ladder.programs.test_api import win
from tests.web.ladder.test_application import shown, store

with late_imports("pyarrow"):
    import pyarrow as pa

__all__ = ["store"]


async def reading(
    store: LadderStore, folder: Path, read: Callable[[Ladder], Any], port: list[int] | None = None
) -> Any:
    """What is read from a ladder that is served, in a thread."""
    async with shown(store, folder) as pages:
        if port is not None:
            port.append(pages.port)
        return await asyncio.to_thread(read, Ladder(f"http://127.0.0.1:{pages.port}/"))


async def test_a_ladder_is_read_as_tables(store: LadderStore, tmp_path: Path) -> None:
    for _ in range(3):
        win(store)
    players = store.players()
    store.tests.ask(players[1], players[2])

    def read(ladder: Ladder) -> dict[str, Any]:
        tables = {
            name: getattr(ladder, name)()
            for name, method in inspect.getmembers(Ladder, inspect.isfunction)
            if not name.startswith("_") and name != "boards"
        }
        return {**tables, "own": ladder.matches(1), "boards": ladder.boards([1])}

    tables = await reading(store, tmp_path, read)
    assert set(tables) == {"players", "versions", "pairs", "matches", "tests", "own", "boards"}
    assert all(isinstance(table, pa.Table) for table in tables.values())
    first, second = tables["players"].to_pylist()
    assert (first["name"], second["name"]) == ("baseline", "random")
    assert (first["rank_low"], first["rank_high"], second["rating"] < 0) == (1, 2, True)
    gains = {row["player_name"]: row["gain"] for row in tables["pairs"].to_pylist()}
    assert gains["baseline"] == -gains["random"] == pytest.approx(48 / 50)
    assert tables["matches"]["number"].to_pylist() == [5, 4, 3, 1]
    assert tables["matches"].equals(tables["own"])
    assert tables["versions"]["number"].to_pylist() == [2, 1]
    assert tables["tests"]["new"].to_pylist() == ["baseline"]
    boards = tables["boards"]
    assert boards.column_names == ["match", *MATCH_TABLE_COLUMNS]
    assert boards["match"].to_pylist() == [1] * 4
    assert [record_of(row).board.number for row in boards.to_pylist()] == [1, 1, 2, 2]


async def test_pages_are_followed_to_the_last(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        win(store)
    monkeypatch.setattr(ladder_client, "_PAGE", 1)
    matches = await reading(store, tmp_path, Ladder.matches)
    assert matches["number"].to_pylist() == [5, 4, 3, 1]


async def test_a_table_without_rows_has_its_columns(store: LadderStore, tmp_path: Path) -> None:
    tests = await reading(store, tmp_path, Ladder.tests)
    assert tests.num_rows == 0
    assert tests.schema.field("llr").type == pa.float64()


async def test_it_waits_as_long_as_the_ladder_asks_for(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, waited = iter([0.0, 3.5, 1000.0, 0.0]), list[float]()
    monkeypatch.setattr(RateLimit, "admit", lambda *_: next(waits))
    monkeypatch.setattr(time, "sleep", waited.append)
    players = await reading(store, tmp_path, lambda ladder: [ladder.players() for _ in range(2)])
    assert [one.num_rows for one in players] == [2, 2]
    assert waited == [4, 120], "and never longer than two minutes"


async def test_what_is_not_there_is_an_error_that_says_so(
    store: LadderStore, tmp_path: Path
) -> None:
    def read(ladder: Ladder) -> None:
        with pytest.raises(OSError, match="there is nothing of this number"):
            ladder.matches(99)
        with pytest.raises(OSError, match="there is nothing of this number"):
            ladder.boards([2])

    await reading(store, tmp_path, read)
    port: list[int] = []
    await reading(store, tmp_path, repr, port)
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(Ladder(f"http://127.0.0.1:{port[0]}").players)


@pytest.mark.parametrize("address", ["", "runs/club", "file:///etc/passwd", "https://", "ftp://a"])
def test_an_address_is_one_of_the_web(address: str) -> None:
    with pytest.raises(ValueError, match="expected an address"):
        Ladder(address)


def test_it_says_what_it_is() -> None:
    assert repr(Ladder("https://a.example/club/")) == "Ladder('https://a.example/club')"
