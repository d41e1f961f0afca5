"""`oracle.cache`, with tables made by the test."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.pool import TableCache

ONE, TWO, THREE = (random_deal(1, number) for number in range(3))
TABLE = DoubleDummyTable((6,) * 20)


class Solver:
    """Collects what it is asked; the test answers."""

    def __init__(self) -> None:
        self.asked: list[Deal] = []
        self.work: list[Future[DoubleDummyTable]] = []

    def __call__(self, deal: Deal) -> Future[DoubleDummyTable]:
        self.asked.append(deal)
        self.work.append(Future())
        return self.work[-1]


def test_a_deal_is_solved_once() -> None:
    cache, solve = TableCache(), Solver()
    first, second = cache.request(ONE, solve), cache.request(ONE, solve)
    assert not first.done()
    solve.work[0].set_result(TABLE)
    assert first.result() == second.result() == TABLE
    assert cache.request(ONE, solve).result() == TABLE
    assert solve.asked == [ONE]


def test_the_least_recently_used_is_dropped() -> None:
    cache, solve = TableCache(size=2), Solver()
    for deal in (ONE, TWO, ONE, THREE, ONE, TWO):
        answer = cache.request(deal, solve)
        if not answer.done():
            solve.work[-1].set_result(TABLE)
    assert solve.asked == [ONE, TWO, THREE, TWO]
    assert len(cache) == 2


def test_a_failure_is_not_kept() -> None:
    cache, solve = TableCache(), Solver()
    answers = [cache.request(ONE, solve) for _ in range(2)]
    solve.work[0].set_exception(RuntimeError("lost"))
    for answer in answers:
        with pytest.raises(RuntimeError, match="lost"):
            answer.result(timeout=0)
    cache.request(ONE, solve)
    assert solve.asked == [ONE, ONE]


def test_whoever_gives_up_leaves_the_others_waiting() -> None:
    cache, solve = TableCache(), Solver()
    first, second = cache.request(ONE, solve), cache.request(ONE, solve)
    assert first.cancel()
    assert not solve.work[0].cancelled()
    solve.work[0].set_result(TABLE)
    assert second.result() == TABLE


def test_work_that_nobody_waits_for_is_cancelled() -> None:
    cache, solve = TableCache(), Solver()
    for answer in [cache.request(ONE, solve) for _ in range(2)]:
        answer.cancel()
    assert solve.work[0].cancelled()
    assert not cache.request(ONE, solve).done()
    assert solve.asked == [ONE, ONE]


def test_work_begun_is_kept_though_nobody_waits() -> None:
    cache, solve = TableCache(), Solver()
    answer = cache.request(ONE, solve)
    solve.work[0].set_running_or_notify_cancel()
    answer.cancel()
    solve.work[0].set_result(TABLE)
    assert cache.request(ONE, solve).result() == TABLE
    assert solve.asked == [ONE]


def test_an_answer_that_is_there_at_once() -> None:
    cache = TableCache()

    def solve(_deal: Deal) -> Future[DoubleDummyTable]:
        work: Future[DoubleDummyTable] = Future()
        work.set_result(TABLE)
        return work

    assert cache.request(ONE, solve).result() == TABLE
    assert len(cache) == 1
