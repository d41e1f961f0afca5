"""Processor time that work takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


def timed(work: Callable[[], _T]) -> tuple[_T, float]:
    """What came of it, and the seconds of processor time that it took."""
    started = time.process_time()
    found = work()
    return found, time.process_time() - started
