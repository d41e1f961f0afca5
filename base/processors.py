"""How many processors there are."""

from __future__ import annotations

import os


def processors() -> int:
    """The processors that this process may use, where the system tells."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
