"""Files of lessons, which several processes make before the training begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from bridge_arena.oracle.pool import Oracle

_WAITING = 32
"""The most files that are being made, or wait for it: each has a copy of all that it is made of."""


def make_missing(
    paths: Sequence[Path],
    make: Callable[[Path], None],
    workers: int | None,
    on_progress: Callable[[int], None],
) -> None:
    """Make the files that are missing, each by `make`, in several processes.

    There are as many as `workers`, or one for each processor if that is None. `on_progress` is
    called with the number of files that exist, at the start and after each file. Raises OracleError
    if a process died or could not be started.
    """
    missing = [path for path in paths if not path.exists()]
    there = len(paths) - len(missing)
    on_progress(there)
    if not missing:
        return
    missing[0].parent.mkdir(parents=True, exist_ok=True)
    # The solver's worker processes: a dead one is noticed, and all end with the block.
    with Oracle(workers, deadline=None) as processes:
        for first in range(0, len(missing), _WAITING):
            some = missing[first : first + _WAITING]
            tasks = [processes.submit(make, path.resolve()) for path in some]
            for task in tasks:
                task.result()
                there += 1
                on_progress(there)
