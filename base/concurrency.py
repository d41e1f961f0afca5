"""How much may run at once, and how a group of tasks fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


def processors() -> int:
    """Return the number of processors that this process may use, or that the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
