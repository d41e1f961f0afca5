"""What tests of several folders need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from tests.postgresql import new_database, running_server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Callable[[], str]]:
    """Makes a new database on a PostgreSQL server, and gives its URL; skips the test where no
    server is installed."""
    with running_server() as url:
        numbers = count(1)
        yield lambda: new_database(url, f"arena{next(numbers)}")
