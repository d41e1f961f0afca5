"""The runner, where a whole program would take too long to show it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.board import Board
from bridge.record import BoardRecord
from tournaments import staff
from tournaments.entries import parse_pair
from tournaments.log import EventLog
from tournaments.runner import MatchRunner
from tournaments.schedule import match_schedule
from tournaments.staff import SeatingError
from tournaments.store import MatchSetup, Result, Store

PYTHON = shlex.quote(sys.executable)
BOARDS = (Board.dealt(1, 1), Board.dealt(1, 2))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.create(tmp_path / "results.sqlite", MatchSetup("a", "b", 1, "60", BOARDS))
    yield store
    store.close()


async def test_a_bot_that_never_connects(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staff, "SEATING_SECONDS", 0.3)
    teams = parse_pair(*[f"cmd:{PYTHON} -c 'import time; time.sleep(600)'"] * 2)
    ended: list[BoardRecord] = []
    with EventLog(tmp_path / "log.jsonl") as log:
        match = MatchRunner(store, teams, log, ended.append, concurrency=2)
        with pytest.raises(SeatingError, match=r"bot .* \(N, open room\) did not connect within"):
            await match.run()
    assert ended == []
    assert store.finished() == set()


async def test_nothing_is_left_to_play(tmp_path: Path, store: Store) -> None:
    """No bot is started: these could not be."""
    for unit in match_schedule(BOARDS):
        store.save(unit, Result(unit.id, "", finished=True, timings=[]))
    with EventLog(tmp_path / "log.jsonl") as log:
        teams = parse_pair("cmd:./nowhere", "cmd:./nowhere")
        await MatchRunner(store, teams, log, lambda _: None, concurrency=2).run()
    assert (tmp_path / "log.jsonl").read_text() == ""
