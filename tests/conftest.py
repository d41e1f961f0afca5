"""Fixtures and settings that tests of several folders need."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, settings

from tests.postgresql import new_database, running_server

# No test finds what another, or the user of this machine, has solved.
os.environ["ARENA_CACHE"] = ""

# How long an example takes says more of the machine than of the code, so no test has a deadline.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", _UNTIMED, max_examples=40)
settings.register_profile("thorough", _UNTIMED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Callable[[], str]]:
    """Makes a new database on a PostgreSQL server, and gives its URL; skips the test where no
    server is installed."""
    with running_server() as url:
        numbers = count(1)
        yield lambda: new_database(url, f"arena{next(numbers)}")
