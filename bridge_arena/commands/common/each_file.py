"""The same work on each of many files, in several processes; the results in order."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Annotated, TypeVar

import typer

from bridge_arena.board_files.texts import STANDARD_INPUT
from bridge_arena.commands.common.errors import FailedError

Workers = Annotated[int, typer.Option(min=1, help="files that are read at the same time")]

_T = TypeVar("_T")


def each_file(work: Callable[[str], _T], files: Sequence[str], workers: int) -> Iterator[_T]:
    """What comes of each file, in their order. `work` and what it returns go from process to
    process, so that they can be pickled, and `work` raises nothing. Where standard input is
    one of the files, this process reads all of them: the others have none.

    Raises FailedError where a process is lost.
    """
    workers = min(workers, len(files))
    if workers == 1 or str(STANDARD_INPUT) in files:
        yield from map(work, files)
        return
    # A started process shares no open file or lock with this one, as a forked one would.
    context = get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, context, initializer=_leave_interrupts) as pool:
            yield from pool.map(work, files)
    except BrokenProcessPool:
        raise FailedError("a process that read files was lost: was it out of memory?") from None


def _leave_interrupts() -> None:
    """An interrupt is for the process that waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
