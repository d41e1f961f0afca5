"""Report that a benchmark was stopped before its end, and return its exit status."""

from __future__ import annotations

import sys


def interrupted() -> int:
    """Report an interruption by Ctrl-C; what was done is kept."""
    return _goes_on("interrupted", 3)


def lost() -> int:
    """Report that a process of the benchmark was lost; what was done is kept."""
    return _goes_on("a process was lost", 1)


def _goes_on(why: str, status: int) -> int:
    print(f"\n{why}: the same command goes on from here", file=sys.stderr)
    return status
