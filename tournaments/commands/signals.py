"""Work that Ctrl-C and its like end in good order."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def until_signalled(work: Coroutine[Any, Any, T]) -> T:
    """Do the work; Ctrl-C, SIGTERM and SIGHUP cancel it, and what it started is stopped."""
    task = asyncio.create_task(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)
    return await task
