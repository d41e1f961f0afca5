"""What a benchmark says that was stopped before its end: the exit status of each."""

from __future__ import annotations

import sys


def interrupted() -> int:
    """By Ctrl-C; what was done is kept."""
    return _goes_on("interrupted", 3)


def lost() -> int:
    """By the end of one of its processes; likewise."""
    return _goes_on("a process was lost", 1)


def _goes_on(why: str, status: int) -> int:
    print(f"\n{why}: the same command goes on from here", file=sys.stderr)
    return status
