"""The first error of a task group, raised without its group."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def first_error(*kinds: type[Exception]) -> Iterator[None]:
    """Raise the first exception of a task group by itself if all of them are of the given kinds.

    Before Python 3.11.4 `except*` could not do this: it raised a group.

    Args:
        kinds: The exceptions that are taken out of their group.

    Yields:
        Nothing: the task group runs in the body.

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
