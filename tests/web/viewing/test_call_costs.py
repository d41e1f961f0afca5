"""Tests of the costs of calls that a page asks for: found once, and kept."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.analysis.analysis_files import ANSWERS
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.web.viewing.on_demand import CallCosts
from tests.patience import PATIENCE
from tests.reports.leaderboard.events import event, play_event


@cache
def record() -> BoardRecord:
    return play_event(event(Format.MATCH, "a", "b", boards=1)).played[0].record


@pytest.mark.slow
async def test_costs_are_found_when_they_are_asked_for_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with CallCosts(folder, {}) as costs:
        assert not folder.exists(), "nobody has asked yet"
        asked = costs.of(record())
        assert (asked.done, asked.is_over) == (0, False)
        assert costs.of(record()) is asked
        assert asked.finding is not None
        async with asyncio.timeout(PATIENCE):
            await asked.finding
        assert asked.is_over
        assert asked.done == len(record().calls)
        assert all(cost is not None for cost in asked.costs)
    assert (folder / ANSWERS).exists()
    with CallCosts(folder, {}) as again:
        found = again.of(record())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert found.costs == asked.costs, "known at once"


async def test_a_folder_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with CallCosts(tmp_path / "file", {}) as costs, pytest.raises(OSError, match="file"):
        costs.of(record())
