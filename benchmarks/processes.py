"""The processes in which a benchmark has bots play."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from bridge_arena.bots.registry import parse
from bridge_arena.oracle.solver import limit_threads

PROCESSES = 2


def prepare(specs: Sequence[str]) -> None:
    """Make a process ready: an interrupt is the parent's to handle, and all code is loaded
    before it can change."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads(1)
    for spec in specs:
        parse(spec)
