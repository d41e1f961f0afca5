"""Tests of errors that leave a task group as themselves."""

from __future__ import annotations

import asyncio

import pytest

from bridge_arena.base.task_errors import first_error


async def fail(error: BaseException) -> None:
    raise error


async def together(*errors: BaseException) -> None:
    async with asyncio.TaskGroup() as group:
        for error in errors:
            group.create_task(fail(error))


async def test_it_comes_without_the_group() -> None:
    with pytest.raises(KeyError, match="one"), first_error(KeyError, OSError):
        await together(KeyError("one"), OSError("two"))


async def test_nor_with_that_of_a_group_within() -> None:
    with pytest.raises(KeyError, match="one"), first_error(KeyError):
        raise ExceptionGroup("outer", [ExceptionGroup("inner", [KeyError("one")])])


async def test_what_else_there_is_is_not_hidden() -> None:
    with pytest.raises(ExceptionGroup) as found, first_error(KeyError):
        await together(KeyError("one"), ZeroDivisionError("two"))
    assert [type(each) for each in found.value.exceptions] == [KeyError, ZeroDivisionError]


async def test_where_nothing_is_wrong() -> None:
    with first_error(KeyError):
        await together()
