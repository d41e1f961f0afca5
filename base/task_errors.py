"""What a task group raises, by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def first_error(*kinds: type[Exception]) -> Iterator[None]:
    """Raises the first exception of a task group by itself, if all that it raises are of these
    kinds. (`except*` did not before Python 3.11.4: it raised a group.)"""
    try:
        yield
    except BaseExceptionGroup as errors:
        if errors.split(kinds)[1] is not None:
            raise
        first: BaseException = errors
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise first from None
