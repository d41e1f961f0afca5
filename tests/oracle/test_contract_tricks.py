"""`oracle.contract_tricks`: each contract solved once, looked for first, kept whatever happens."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.base.bounded_work import AHEAD
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import DENOMINATIONS, Denomination
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle import contract_tricks, solver
from bridge_arena.oracle.contract_tricks import Request
from bridge_arena.oracle.double_dummy_table import PartialTable
from bridge_arena.oracle.errors import WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.table_store import NAME, TableStore
from tests.oracle.vectors import FREAK_DEAL, KNOWN_DEAL, KNOWN_TABLE

DEALS = [random_deal(11, number) for number in range(1, 13)]


def requests_of(deals: int, of_each: int = 2) -> list[Request]:
    choice = random.Random(4)
    requests = [
        (deal, choice.choice(SEATS), choice.choice(DENOMINATIONS))
        for deal in DEALS[:deals]
        for _ in range(of_each)
    ]
    choice.shuffle(requests)
    return requests


def solved(requests: list[Request]) -> list[int | None]:
    """The answers of the solver itself."""
    return [
        solver.partial_table(deal, [(denomination, declarer)]).tricks(denomination, declarer)
        for deal, declarer, denomination in requests
    ]


class Counting(Oracle):
    """A pool that notes what it is asked. `answer` may answer in its place."""

    def __init__(
        self, store: TableStore, answer: Callable[..., PartialTable] | None = None
    ) -> None:
        super().__init__(workers=1, store=store)
        self.asked: list[tuple[Any, ...]] = []
        self.most = 0
        self._waiting: list[Future[Any]] = []
        self._answer = answer

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked.append(args)
        if self._answer is None:
            future = super().submit(function, *args, **kwargs)
        else:
            future = Future()
            try:
                future.set_result(self._answer(*args))
            except Exception as error:
                future.set_exception(error)
        self._waiting = [each for each in self._waiting if not each.done()] + [future]
        self.most = max(self.most, len(self._waiting))
        return future


@pytest.fixture
def store(tmp_path: Path) -> TableStore:
    return TableStore(tmp_path / NAME)


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle(workers=1) as oracle:
        yield oracle


def test_the_answers_are_in_the_order_of_the_requests(oracle: Oracle) -> None:
    counts: list[int] = []
    requests = requests_of(6)
    assert contract_tricks.tricks(oracle, requests, counts.append) == solved(requests)
    assert sum(counts) == len(requests)
    assert len(counts) > 2


def test_nothing_asked_has_no_answers(oracle: Oracle) -> None:
    assert contract_tricks.tricks(oracle, []) == []


def test_all_cells_of_the_known_table_are_answered(oracle: Oracle) -> None:
    requests = [(KNOWN_DEAL, seat, each) for each in DENOMINATIONS for seat in SEATS]
    assert contract_tricks.tricks(oracle, requests) == list(KNOWN_TABLE.results)


def test_results_that_are_known_are_not_solved_again(store: TableStore) -> None:
    requests = [*requests_of(3), *requests_of(3)]
    with Counting(store) as first:
        found = contract_tricks.tricks(first, requests)
    assert [deal for deal, _ in first.asked] == list(dict.fromkeys(each[0] for each in requests))

    assert store.path is not None
    counts: list[int] = []
    with Counting(TableStore(store.path)) as second:
        assert contract_tricks.tricks(second, requests, counts.append) == found == solved(requests)
    assert second.asked == []
    assert sum(counts) == len(requests)


def test_only_the_missing_results_are_solved(store: TableStore) -> None:
    store.keep(KNOWN_DEAL, PartialTable.of([3, *(19 * [None])]))
    requests = [
        (KNOWN_DEAL, Seat.NORTH, Denomination.CLUBS),
        (KNOWN_DEAL, Seat.EAST, Denomination.HEARTS),
    ]
    with Counting(store) as oracle:
        assert contract_tricks.tricks(oracle, requests) == [3, 11]
    assert oracle.asked == [(KNOWN_DEAL, [(Denomination.HEARTS, Seat.EAST)])]
    (kept,) = store.find([KNOWN_DEAL])
    assert kept == PartialTable.of([3, *(8 * [None]), 11, *(10 * [None])])


@pytest.mark.slow
def test_a_deal_beyond_the_deadline_has_no_answer(store: TableStore) -> None:
    freak = (FREAK_DEAL, Seat.NORTH, Denomination.NOTRUMP)
    requests = [freak, *requests_of(1), freak]
    counts: list[int] = []
    with Oracle(workers=1, deadline=2.0, store=store) as oracle:
        found = contract_tricks.tricks(oracle, requests, counts.append)
    assert found == [None, *solved(requests[1:-1]), None]
    assert sum(counts) == len(requests)


def test_few_requests_wait_in_the_pool(store: TableStore) -> None:
    with Counting(store) as oracle:
        contract_tricks.tricks(oracle, requests_of(12, 1))
    assert oracle.most <= AHEAD


def test_solved_results_are_kept_when_the_solving_is_interrupted(store: TableStore) -> None:
    requests = requests_of(12, 1)
    done = 0

    def interrupt(count: int) -> None:
        nonlocal done
        done += count
        if done >= 4:
            raise KeyboardInterrupt

    with Oracle(workers=1, store=store) as oracle:
        with pytest.raises(KeyboardInterrupt):
            contract_tricks.tricks(oracle, requests, interrupt)
        assert store.path is not None
        known = [
            table.tricks(denomination, declarer)
            for (_, declarer, denomination), table in zip(
                requests,
                TableStore(store.path).find([deal for deal, _, _ in requests]),
                strict=True,
            )
        ]
        assert 4 <= sum(each is not None for each in known) < 12
        assert contract_tricks.tricks(oracle, requests) == solved(requests)


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_worker_that_dies_is_forgiven_once(store: TableStore, deaths: int) -> None:
    left = deaths

    def die(deal: Any, cells: Any) -> PartialTable:
        nonlocal left
        if left:
            left -= 1
            raise WorkerError("a worker ended during its task, with status -9")
        return solver.partial_table(deal, cells)

    requests = requests_of(1, 1)
    with Counting(store, die) as oracle:
        if deaths == 1:
            assert contract_tricks.tricks(oracle, requests) == solved(requests)
        else:
            with pytest.raises(WorkerError, match="status -9"):
                contract_tricks.tricks(oracle, requests)


def test_tricks_that_are_solved_in_this_process_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = requests_of(3)
    assert contract_tricks.tricks_here(TableStore(tmp_path / NAME), requests) == solved(requests)

    def refuse(*_: object) -> PartialTable:
        raise AssertionError("it is known")

    monkeypatch.setattr(solver, "partial_table", refuse)
    again = contract_tricks.tricks_here(TableStore(tmp_path / NAME), requests)
    monkeypatch.undo()
    assert again == solved(requests)
