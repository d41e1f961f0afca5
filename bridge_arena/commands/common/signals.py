"""The orderly end of work on Ctrl-C, SIGTERM and SIGHUP."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from bridge_arena.commands.common.errors import FailedError, InterruptedCommandError

T = TypeVar("T")


async def until_signalled(work: Coroutine[Any, Any, T]) -> T:
    """Do the work, and cancel it on Ctrl-C, SIGTERM or SIGHUP."""
    task = asyncio.create_task(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)
    return await task


def run_until_signalled(work: Coroutine[Any, Any, T]) -> T:
    """Do the work in a loop of its own; each of the three signals raises KeyboardInterrupt."""
    try:
        return asyncio.run(until_signalled(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


@contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """Make SIGTERM raise KeyboardInterrupt in the context, as Ctrl-C does."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def going_on_with(again: Sequence[str], *failing: type[Exception]) -> Iterator[None]:
    """Say by which command to go on where a signal, or an error of these kinds, ends the context.

    Raises InterruptedCommandError and FailedError.
    """
    try:
        with sigterm_as_ctrl_c():
            yield
    except KeyboardInterrupt:
        raise InterruptedCommandError(f"interrupted; go on with: {shlex.join(again)}") from None
    except failing as error:
        raise FailedError(f"{error}; go on with: {shlex.join(again)}") from None
