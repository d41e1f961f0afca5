"""`arena tournament --dask`: the same event, board for board, on a cluster."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.arena import (
    arena,
    is_alive,
    records_of,
    started,
    wait_until,
    write_bot,
)
from tests.end_to_end.dask import cluster
from tests.patience import PATIENCE
from tests.server.sandbox.sandboxes import needs_sandbox

EVENT = """
[event]
name = "Cluster"
format = "round-robin"
boards = 3
seed = 11

[[entry]]
bot = "baseline"

[[entry]]
bot = "baseline:bidding=natural"
name = "natural"

[[entry]]
bot = "random"

[[entry]]
bot = "random"
"""
TABLES = 6 * 3 * 2


def played(folder: Path) -> int:
    """The tables that the store holds."""
    path = folder / "results.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        (count,) = connection.execute("select count(*) from record").fetchone()
    return int(count)


def boards_of(folder: Path) -> list[Any]:
    """Return every record without its dates and times."""
    return [
        (record.board, record.players, record.calls, record.cards, record.score, record.table)
        for record in records_of(folder / "event.pbn")
    ]


@pytest.mark.slow
def test_an_event_ends_on_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "event.toml").write_text(EVENT)
    with cluster(tmp_path, workers=2) as (address, (first, second)):
        command = ["tournament", "event.toml", "--out", "remote", "--dask", address]
        with started(tmp_path, *command) as process:
            wait_until(lambda: played(tmp_path / "remote") > 0, "a share is played")
            first.kill()
            killed_at = played(tmp_path / "remote")
            _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")
        assert killed_at < TABLES
        assert is_alive(second.pid)
    assert played(tmp_path / "remote") == TABLES

    assert arena(tmp_path, "tournament", "event.toml", "--out", "here").status == 0
    assert boards_of(tmp_path / "remote") == boards_of(tmp_path / "here")
    standings = [
        json.loads((tmp_path / folder / "leaderboard.json").read_text())["events"]
        for folder in ("remote", "here")
    ]
    assert standings[0] == standings[1]


@pytest.mark.slow
def test_an_address_without_a_cluster_ends_the_event_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "event.toml").write_text(EVENT)
    command = "tournament event.toml --out out --dask tcp://127.0.0.1:1"
    assert arena(tmp_path, *command.split()).complaint(2).startswith("no Dask scheduler at tcp:")
    assert not (tmp_path / "out").exists()


# Plays nowhere but in a sandbox.
SHY = """
    import os
    from pathlib import Path
    from bridge_arena.bots.sdk.client import run
    from bridge_arena.bots.random.bot import RandomBot

    assert os.environ["ARENA_URL"].startswith("ws+unix:")
    assert not Path(__file__).with_name("event.toml").is_file()
    run(RandomBot)
"""

APART = """
[event]
name = "Apart"
format = "match"
boards = 2
isolation = "sandbox"

[[entry]]
bot = {bot}

[[entry]]
bot = "random"
"""


@needs_sandbox
@pytest.mark.slow
def test_workers_of_a_cluster_run_bots_in_sandboxes(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    bot = write_bot(tmp_path, "shy", SHY).replace("shy.py", f"{tmp_path}/shy.py")
    (tmp_path / "event.toml").write_text(APART.format(bot=json.dumps(bot)))
    with cluster(tmp_path, workers=1) as (address, _):
        command = ["tournament", "event.toml", "--out", "remote", "--dask", address]
        ended = arena(tmp_path, *command)
    assert (ended.status, ended.errors) == (0, "")
    assert played(tmp_path / "remote") == 4
