"""Prepare the processes in which a benchmark has bots play."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from bridge_arena.bots.registry import parse
from bridge_arena.oracle.solver import limit_threads

PROCESSES = 2


def prepare(specs: Sequence[str]) -> None:
    """Prepare a process: ignore interrupts, and load the code of the bots.

    The parent handles interrupts. All code is loaded now, so that changes to it have no effect.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads(1)
    for spec in specs:
        parse(spec)
