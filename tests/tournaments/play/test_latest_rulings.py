"""The rulings are read beside the play."""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play import latest_rulings
from bridge_arena.tournaments.play.latest_rulings import LatestRulings
from bridge_arena.tournaments.schedule.rulings import Pause
from bridge_arena.tournaments.store import Store, StoreError
from tests.patience import PATIENCE
from tests.server.lobby import until
from tests.tournaments.ruled import rule
from tests.tournaments.scores import event


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(latest_rulings, "SECONDS", 0)
    path = tmp_path / "results.sqlite"
    Store.create(path, event(Format.MATCH, 2)).close()
    return path


async def test_a_ruling_is_known_after_a_moment(path: Path) -> None:
    with closing(Store.open(path)) as store, closing(Store.open(path)) as other:
        latest = LatestRulings(store)
        async with asyncio.timeout(PATIENCE), latest:
            assert latest.read() == ()
            made = rule(other, Pause())
            await until(lambda: len(latest.read()) == 1)
        assert list(latest.read()) == [made]


async def test_nobody_waits_for_a_slow_database(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_asked, may_answer = threading.Event(), threading.Event()
    count = Store.count_rulings

    def slow(store: Store) -> int:
        is_asked.set()
        may_answer.wait(PATIENCE)
        return count(store)

    monkeypatch.setattr(Store, "count_rulings", slow)
    with closing(Store.open(path)) as store:
        latest = LatestRulings(store)
        async with asyncio.timeout(PATIENCE), latest:
            await until(is_asked.is_set)
            assert latest.read() == ()
            may_answer.set()


async def test_a_database_that_fails_is_told_to_whoever_reads(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_store: Store) -> int:
        raise StoreError("cannot read it")

    monkeypatch.setattr(Store, "count_rulings", broken)
    with closing(Store.open(path)) as store:
        latest = LatestRulings(store)
        async with asyncio.timeout(PATIENCE), latest:
            with pytest.raises(StoreError, match="cannot read it"):
                await until(lambda: len(latest.read()) == 1)
