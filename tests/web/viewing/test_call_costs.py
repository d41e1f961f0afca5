"""Tests of the costs of calls that a page asks for: found once, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.analysis.analysis_files import ANSWERS
from bridge_arena.recorded.analysis.answers import Answers, AnswersError
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.web.viewing import on_demand
from bridge_arena.web.viewing.on_demand import CallCosts
from tests.patience import PATIENCE
from tests.reports.leaderboard.events import event, play_event

COST, ROUGH = CallCost("2S", "4S", 1.0, 0.1, 3), CallCost("2S", "4S", 2.0, 0.9, 3)


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


async def test_estimates_are_no_costs_where_the_costs_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def estimate(
        units: Sequence[str],
        answers: Answers,
        solvers: object,
        on_cost: Callable[[int, CallCost | None], None],
        on_estimate: Callable[[int, CallCost], None],
    ) -> Awaitable[None]:
        del answers, solvers
        for place in range(len(units)):
            on_estimate(place, ROUGH)
        on_cost(0, COST)
        raise AnswersError("the disk is full")

    monkeypatch.setattr(on_demand, "find_costs", estimate)
    with CallCosts(tmp_path, {}) as costs:
        asked = costs.of(record())
        assert asked.finding is not None
        await asked.finding
        assert (asked.done, asked.is_over) == (1, True)
        assert asked.costs == [COST] + [None] * (len(record().calls) - 1)


async def test_a_folder_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with CallCosts(tmp_path / "file", {}) as costs, pytest.raises(OSError, match="file"):
        costs.of(record())
