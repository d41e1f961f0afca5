"""What commands on files of boards share: their options, and the work on many files at a time."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, TypeVar

import typer

from bridge_arena.commands.common.errors import FailedError
from bridge_arena.commands.common.options import BOARD_FILES

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help=f"{BOARD_FILES}; or a link to BBO's handviewer"),
]

Workers = Annotated[int, typer.Option(min=1, help="files to read at the same time")]

_T = TypeVar("_T")


def map_files(work: Callable[[str], _T], files: Sequence[str], workers: int) -> Iterator[_T]:
    """Yield the result of each file, in the order of the files.

    Where standard input is one of the files, this process reads all of them, as the others have no
    standard input. `work` and its results go from process to process, so they must be picklable,
    and `work` must raise nothing. Raises FailedError.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    from bridge_arena.board_files.texts import STANDARD_INPUT

    workers = min(workers, len(files))
    if workers == 1 or str(STANDARD_INPUT) in files:
        yield from map(work, files)
        return
    # A spawned process shares no open file or lock with this one; a forked one would.
    context = get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, context, initializer=_leave_interrupts) as pool:
            yield from pool.map(work, files)
    except BrokenProcessPool:
        raise FailedError("a process that read files was lost: was it out of memory?") from None


def _leave_interrupts() -> None:
    """Ignore interrupts in this process: the process that waits for it handles them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
