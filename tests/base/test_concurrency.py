"""Tests of what runs at once, and of errors that leave a task group as themselves."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from bridge_arena.base.bounded_work import as_completed, work_off
from bridge_arena.base.concurrency import first_error


async def fail(error: BaseException) -> None:
    raise error


async def together(*errors: BaseException) -> None:
    async with asyncio.TaskGroup() as group:
        for error in errors:
            group.create_task(fail(error))


async def test_the_first_error_comes_without_its_group() -> None:
    with pytest.raises(KeyError, match="one"), first_error(KeyError, OSError):
        await together(KeyError("one"), OSError("two"))


async def test_the_first_error_comes_without_a_group_within_a_group() -> None:
    with pytest.raises(KeyError, match="one"), first_error(KeyError):
        raise ExceptionGroup("outer", [ExceptionGroup("inner", [KeyError("one")])])


async def test_an_error_of_another_kind_keeps_the_group() -> None:
    with pytest.raises(ExceptionGroup) as found, first_error(KeyError):
        await together(KeyError("one"), ZeroDivisionError("two"))
    assert [type(each) for each in found.value.exceptions] == [KeyError, ZeroDivisionError]


async def test_a_group_without_an_error_ends_as_it_would() -> None:
    with first_error(KeyError):
        await together()


def counted(units: int, taken: list[int]) -> Iterator[tuple[int, int]]:
    for unit in range(units):
        taken.append(unit)
        yield unit, unit


def test_no_more_units_are_taken_than_keep_the_workers_busy() -> None:
    taken: list[int] = []
    given: list[Future[int]] = []

    def submit(unit: int) -> Future[int]:
        given.append(Future())
        if unit == 2:
            given[0].set_result(0)
        return given[-1]

    answers = as_completed(counted(9, taken), submit, lambda: 3)
    assert [key for key, _ in next(answers)] == [0]
    assert taken == [0, 1, 2]


def test_a_unit_is_tried_once_more_after_the_error_that_is_named() -> None:
    tries: list[int] = []

    def submit(unit: int) -> Future[int]:
        tries.append(unit)
        answer: Future[int] = Future()
        answer.set_exception(OSError("gone") if unit == 1 else ValueError("bad"))
        return answer

    answers = as_completed(counted(2, []), submit, lambda: 1, retried=OSError)
    errors = {key: answer.exception() for some in answers for key, answer in some}
    assert tries == [0, 1, 1]
    assert list(map(type, errors.values())) == [ValueError, OSError]


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted as Linux shows them")
@pytest.mark.parametrize(
    "loads", ["bridge_arena.commands.ladder.run", "bridge_arena.commands.rate"]
)
def test_a_ladder_has_numpy_compute_in_one_thread(loads: str) -> None:
    program = f"""
import os, {loads}
from bridge_arena.base.concurrency import THREADS, load_numpy_for_one_thread
before = os.environ.pop(THREADS, None)
load_numpy_for_one_thread()
import numpy as np
np.ones((500, 500)) @ np.ones((500, 500))
print(len(os.listdir("/proc/self/task")), THREADS in os.environ)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"1 False\n"


async def test_an_event_loop_works_units_off_a_few_at_a_time() -> None:
    running, most, kept = 0, 0, []

    async def start(unit: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return unit * unit

    def keep(unit: int, result: int) -> bool:
        kept.append((unit, result))
        return True

    await work_off(range(7), start, lambda: 3, keep)
    assert sorted(kept) == [(unit, unit * unit) for unit in range(7)]
    assert most == 3


@pytest.mark.parametrize("fails", [False, True])
async def test_what_is_at_work_when_the_loop_ends_early_is_cancelled(*, fails: bool) -> None:
    waiting: list[asyncio.Future[int]] = []

    def start(unit: int) -> asyncio.Future[int]:
        waiting.append(asyncio.get_running_loop().create_future())
        if unit == 0 and fails:
            waiting[0].set_exception(ValueError("bad"))
        elif unit == 0:
            waiting[0].set_result(0)
        return waiting[-1]

    work = work_off(range(9), start, lambda: 2, lambda _unit, _result: False)
    if fails:
        with pytest.raises(ValueError, match="bad"):
            await work
    else:
        await work
    assert [future.cancelled() for future in waiting] == [False, True]
