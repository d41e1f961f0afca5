"""Fixtures and settings that tests of several folders need."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import HealthCheck, settings

from tests.late_imports import LOADED
from tests.postgresql import new_database, running_server

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

# No test finds what another, or the user of this machine, has solved.
os.environ["ARENA_CACHE"] = ""

# A process runs tests on each processor, so numpy must not use several.
os.environ["OMP_NUM_THREADS"] = "1"

# On a busy machine a command that usually says nothing would say how far it is.
os.environ["ARENA_PROGRESS"] = "0"

# How long an example takes says more of the machine than of the code, so no test has a deadline.
# Each run tries the same examples, so that it says of the code alone whether it is good; only
# `searching` draws new ones.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", _UNTIMED, derandomize=True, max_examples=40)
settings.register_profile("thorough", _UNTIMED, derandomize=True)
settings.register_profile("searching", _UNTIMED, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Have the garbage collector leave the thousands of tests alone, which stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note what collecting the tests has loaded, which a test judges."""
    session.config.stash[LOADED] = frozenset(sys.modules)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Callable[[], str]]:
    """Makes a new database on a PostgreSQL server, and gives its URL; skips the test where no
    server is installed."""
    with running_server() as server:
        numbers = count(1)
        yield lambda: new_database(server.url, f"arena{next(numbers)}")


@pytest.fixture(scope="session")
def copy_of_made(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[Callable[[Path], object], Path], None]:
    """Copies to a folder what a function makes in one, for which it is called once."""

    @cache
    def made(make: Callable[[Path], object]) -> Path:
        folder = tmp_path_factory.mktemp("made")
        make(folder)
        return folder

    def copy(make: Callable[[Path], object], folder: Path) -> None:
        shutil.copytree(made(make), folder, dirs_exist_ok=True)

    return copy


class _ErrorsOfEventLoops(logging.Handler):
    """Passes on what asyncio only logs, such as the exception of a task that nobody awaits.

    It goes where exceptions go that cannot be raised: pytest fails the test that runs.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Pass an error on."""
        kind, error, trace = record.exc_info or (None, None, None)
        unraisable = SimpleNamespace(
            exc_type=kind,
            exc_value=error,
            exc_traceback=trace,
            err_msg="An error in an event loop was only logged",
            object=record.getMessage(),
        )
        sys.unraisablehook(cast("UnraisableHookArgs", unraisable))


@pytest.fixture(scope="session", autouse=True)
def errors_of_event_loops() -> Iterator[None]:
    """Has tasks that die unheard fail the run."""
    handler = _ErrorsOfEventLoops(logging.ERROR)
    logger = logging.getLogger("asyncio")
    logger.addHandler(handler)
    yield
    # The exception of a task is logged when the task is deleted: the last test fails for those that
    # wait for it.
    gc.collect()
    logger.removeHandler(handler)
