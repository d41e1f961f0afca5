"""The number of processors."""

from __future__ import annotations

import os


def processors() -> int:
    """Return the number of processors that this process may use, or that the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
