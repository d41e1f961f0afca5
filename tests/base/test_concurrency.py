"""Tests of errors that leave a task group as themselves."""

from __future__ import annotations

import asyncio

import pytest

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
