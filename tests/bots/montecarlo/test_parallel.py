"""Work in several threads, in order and in time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event

import pytest

from bridge_arena.bots.montecarlo import parallel
from bridge_arena.bots.montecarlo.parallel import map_in_time
from tests.patience import FACTOR, PATIENCE


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "processors", lambda: 2)


@pytest.fixture
def release() -> Iterator[Event]:
    """Ends all waiting threads when the test is over."""
    event = Event()
    yield event
    event.set()


def test_results_come_in_the_order_of_the_items() -> None:
    """The results come in order, though the first is done last."""
    others = Event()

    def work(item: int) -> int:
        if item == 0:
            assert others.wait(PATIENCE)
        elif item == 9:
            others.set()
        return item * item

    assert map_in_time(work, range(10)) == [item * item for item in range(10)]


@pytest.mark.parametrize("items", [[], [3], [3, 4]])
@pytest.mark.parametrize("limit", [None, PATIENCE])
def test_any_number_of_items_is_mapped_in_order(items: list[int], limit: float | None) -> None:
    until = None if limit is None else time.monotonic() + limit
    assert map_in_time(str, items, until) == [str(item) for item in items]


def test_what_is_not_done_in_time_is_left_out(release: Event) -> None:
    """The item that hangs delays neither the others nor the caller."""

    def work(item: int) -> int:
        if item == 0:
            release.wait(PATIENCE)
        return item

    results = map_in_time(work, range(5), time.monotonic() + 1.0 * FACTOR)
    assert results == [None, 1, 2, 3, 4]
    release.set()
    assert results[0] is None


def test_nothing_new_is_begun_after_the_time() -> None:
    begun: list[int] = []
    entered, finished = Event(), Event()

    def work(item: int) -> int:
        begun.append(item)
        entered.set()
        finished.wait(PATIENCE)
        return item

    assert map_in_time(work, range(50), time.monotonic() + 0.05) == [None] * 50
    finished.set()
    assert len(begun) <= 2


@pytest.mark.parametrize("limit", [None, PATIENCE])
def test_errors_reach_the_caller(limit: float | None) -> None:
    def work(item: int) -> int:
        if item == 3:
            raise ValueError("three")
        return item

    until = None if limit is None else time.monotonic() + limit
    with pytest.raises(ValueError, match="three"):
        map_in_time(work, range(5), until)
