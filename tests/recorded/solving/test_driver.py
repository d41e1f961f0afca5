"""Solving what is missing: all of it, once, and what becomes of failures."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bridge.board import random_deal, redeal
from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle import solver
from bridge_arena.oracle.errors import SolverError, WorkerError
from bridge_arena.oracle.solved_deals import SolvedDeals, read
from bridge_arena.recorded.analysis.solvers import LocalSolvers, Solvers
from bridge_arena.recorded.analysis.units import table_in
from bridge_arena.recorded.solving import shards
from bridge_arena.recorded.solving.shards import Series, Shards, UnsolvedError, solve_missing
from tests.recorded.solving.solvers import Instant, tricks_of

FIVE = Series(seed=7, layouts=5)


def solve(folder: Path, deals: int, solvers: Solvers, series: Series = FIVE) -> int:
    """Return how many tables were solved."""
    counted: list[int] = []
    with solvers:
        solve_missing(Shards(folder, series), deals, solvers, counted.append)
    return sum(counted)


def tables_in(folder: Path, deals: int, series: Series = FIVE) -> SolvedDeals:
    return SolvedDeals.joined(read(Shards(folder, series).paths(deals)))


def test_every_layout_is_solved_once(tmp_path: Path) -> None:
    solvers = Instant()
    assert solve(tmp_path, 3, solvers) == 15
    deals = [redeal(7, number, layout) for number in (1, 2, 3) for layout in range(5)]
    assert Counter(solvers.asked) == Counter(map(str, deals))
    found = tables_in(tmp_path, 3)
    assert [found.deal(place) for place in range(15)] == deals

    solvers = Instant()
    assert solve(tmp_path, 4, solvers) == 5, "only what is not there"
    assert solve(tmp_path, 4, solvers) == 0


def test_two_layouts_may_be_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def one_layout(_seed: int, number: int, _layout: int) -> Deal:
        return random_deal(7, number)

    monkeypatch.setattr("bridge_arena.recorded.solving.shards.redeal", one_layout)
    assert solve(tmp_path, 2, Instant()) == 10
    assert Shards(tmp_path, FIVE).count(2) == 2


def test_deals_are_solved_by_processes(tmp_path: Path) -> None:
    assert solve(tmp_path, 2, LocalSolvers(1, deadline=None), Series(7, 2)) == 4
    deals = [redeal(7, number, layout) for number in (1, 2) for layout in range(2)]
    expected = SolvedDeals.of(deals, solver.tables(deals))
    assert np.array_equal(tables_in(tmp_path, 2, Series(7, 2)).tricks, expected.tricks)


def test_solved_deals_are_kept_when_the_solver_fails(tmp_path: Path) -> None:
    bad = str(redeal(7, 3, 2))

    def fail(unit: str) -> str:
        if unit == bad:
            raise SolverError("the double-dummy solver failed in CalcAllTables: 7")
        return tricks_of(unit)

    with pytest.raises(UnsolvedError) as caught:
        solve(tmp_path, 4, Instant(fail))
    assert str(caught.value).startswith(f"{bad} could not be solved: the double-dummy solver")
    assert Shards(tmp_path, FIVE).count(4) == 2
    assert solve(tmp_path, 4, Instant()) == 10


def test_solved_deals_are_kept_on_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it happens: here, when the thirteenth table is looked at."""
    looked = 0

    def interrupt(answer: str) -> object:
        nonlocal looked
        looked += 1
        if looked == 13:
            raise KeyboardInterrupt
        return table_in(answer)

    monkeypatch.setattr(shards, "table_in", interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve(tmp_path, 4, Instant())
    assert Shards(tmp_path, FIVE).count(4) == 2


def test_a_worker_that_dies_is_forgiven_once(tmp_path: Path) -> None:
    deadly = str(redeal(7, 2, 0))
    deaths = 0

    def die(unit: str) -> str:
        nonlocal deaths
        if unit == deadly and deaths == 0:
            deaths += 1
            raise WorkerError("a worker ended during its task, with status -9")
        return tricks_of(unit)

    assert solve(tmp_path, 4, Instant(die)) == 20
    assert deaths == 1

    def die_again(_unit: str) -> str:
        raise WorkerError("a worker ended during its task, with status -9")

    with pytest.raises(UnsolvedError, match="a worker ended during its task"):
        solve(tmp_path, 5, Instant(die_again))
