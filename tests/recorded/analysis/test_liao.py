"""The double-dummy tricks that a published study of these games lists."""

from __future__ import annotations

import csv

import pytest

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bridge.seats import Side
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.analysis.answers import Outcome
from bridge_arena.recorded.analysis.findings import find
from bridge_arena.recorded.analysis.games import Entry, read_entries
from bridge_arena.recorded.analysis.units import play_unit, solve
from tests.data import data_path


@pytest.mark.slow
def test_all_113_games_agree() -> None:
    """North-South's tricks, double dummy before the lead and as the players took them."""
    folder = data_path("liao")
    with (folder / "liao_113_games.csv").open() as file:
        rows = list(csv.DictReader(file))
    problems: list[Problem] = []
    games: dict[tuple[str, int], Entry] = {
        (name, entry.game.number): entry
        for name in sorted({row["file"] for row in rows})
        for entry in read_entries([folder / f"{name}.PBN"], problems.append)
    }
    with Oracle() as oracle:
        asked = []
        for row in rows:
            entry = games[row["file"], int(row["record"])]
            assert entry.record is not None
            # Its first value is that of the contract: the whole table is not needed.
            unit = play_unit(entry.record)
            assert unit is not None
            asked.append((row, entry, unit, oracle.submit(solve, unit)))
        for row, entry, unit, answer in asked:
            finding = find(entry, {unit: Outcome(answer.result())})
            record = entry.record
            assert record is not None
            assert record.contract is not None
            assert record.tricks is not None
            assert finding.dd_tricks is not None
            tricks = [finding.dd_tricks, record.tricks]
            if record.contract.declarer.side == Side.EW:
                tricks = [13 - each for each in tricks]
            assert tricks == [int(row["dd_ns_tricks"]), int(row["human_ns_tricks"])], row
            assert finding.ledger is not None
    assert (len(rows), problems) == (113, [])
