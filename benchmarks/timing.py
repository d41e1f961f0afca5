"""Measure the processor time of work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


def timed(work: Callable[[], _T]) -> tuple[_T, float]:
    """Do the work, and return its result and the seconds of processor time it took."""
    started = time.process_time()
    found = work()
    return found, time.process_time() - started
