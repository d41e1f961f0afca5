"""Prepare the processes of a benchmark, tell how far it has come, and why it was stopped."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

from bridge_arena.bots.registry import parse
from bridge_arena.oracle.solver import limit_threads

PROCESSES = 2


def progress(text: str) -> None:
    """Tell on standard error how far a benchmark has come."""
    print(text, file=sys.stderr, flush=True)


def prepare(specs: Sequence[str]) -> None:
    """Prepare a process: ignore interrupts, and load the code of the bots.

    The parent handles interrupts. All code is loaded now, so that changes to it have no effect.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads(1)
    for spec in specs:
        parse(spec)


def interrupted() -> int:
    """Report an interruption by Ctrl-C; what was done is kept."""
    return _goes_on("interrupted", 3)


def lost() -> int:
    """Report that a process of the benchmark was lost; what was done is kept."""
    return _goes_on("a process was lost", 1)


def _goes_on(why: str, status: int) -> int:
    print(f"\n{why}: the same command goes on from here", file=sys.stderr)
    return status
