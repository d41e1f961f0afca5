"""How much may run at once, and how a group of tasks fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

THREADS = "OMP_NUM_THREADS"
"""The environment variable by which libraries know how many threads they may use."""


def processors() -> int:
    """Return the number of processors that this process may use, or that the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def use_one_thread() -> None:
    """Have libraries that this process loads later use one thread, if no variable says otherwise.

    Where all processors are busy, their threads wait for one another longer than they work, and
    keep the processors from others.
    """
    os.environ.setdefault(THREADS, "1")


def load_numpy_for_one_thread() -> None:
    """Load numpy so that it uses one thread, if it is not loaded and no variable has it otherwise.

    Programs that are started later are not affected.
    """
    is_set = THREADS in os.environ
    use_one_thread()
    import_module("numpy")
    if not is_set:
        del os.environ[THREADS]


@contextmanager
def first_error(*kinds: type[Exception]) -> Iterator[None]:
    """Raise the first exception of the body's task group by itself if all are of these kinds.

    Before Python 3.11.4 `except*` could not do this: it raised a group.

    Raises:
        BaseExceptionGroup: The group as it is, if it holds an exception of another kind.
    """
    try:
        yield
    except BaseExceptionGroup as errors:
        if errors.split(kinds)[1] is not None:
            raise
        first: BaseException = errors
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise first from None
