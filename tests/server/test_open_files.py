"""Tests of the limit of open files, which the server raises."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest

from bridge_arena.server.connection_limits import SPARE, most_connections


@pytest.fixture
def limits() -> Iterator[tuple[int, int]]:
    """The limits of this process, which are as they were afterwards."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield soft, hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_soft_limit_is_raised(limits: tuple[int, int]) -> None:
    _, hard = limits
    if hard <= 512:
        pytest.skip(f"no more than {hard} files may be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    assert most_connections() == hard - SPARE
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
