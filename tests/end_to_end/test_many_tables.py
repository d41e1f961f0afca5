"""Tests of more tables at once than usual."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from tests.end_to_end.arena import arena, end_of, started, summary_of

TABLES = 60


@pytest.mark.slow
def test_more_tables_than_the_system_allows_are_told(tmp_path: Path) -> None:
    options = f"--boards 100 --concurrency {TABLES} --out out"
    with started(tmp_path, "match", "random", "random", *options.split()) as process:
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (400, 400))
        ended = end_of(process)
    assert ended.complaint(2) == (
        "60 tables at once take 480 connections, and 336 may be open (ulimit -n): "
        "--concurrency 42 is the most"
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.weekly(part="load")
def test_bots_that_all_come_at_once_are_seated(tmp_path: Path) -> None:
    """Eight processes open 480 connections from one address."""
    boards = TABLES // 2
    options = f"--boards {boards} --concurrency {TABLES} --out out"
    ended = arena(tmp_path, "match", "random", "random-2=random", *options.split())
    assert ended.status == 0, ended
    assert summary_of(tmp_path / "out")["boards"] == boards
