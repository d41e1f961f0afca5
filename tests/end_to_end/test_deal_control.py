"""The luck of the deals: worked out by itself after a match, kept, and told beside the result."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.end_to_end.arena import arena, log_of, summary_of, without_timing

MATCH = "baseline random --boards 16 --seed 1 --out out".split()


def values_of(folder: Path) -> dict[int, dict[int, float]]:
    """The values of deals in a store, by series and board."""
    found: dict[int, dict[int, float]] = {}
    with closing(sqlite3.connect(folder / "results.sqlite")) as connection:
        for series, board, value in connection.execute(
            "select series, board, value from deal_value"
        ):
            found.setdefault(series, {})[board] = value
    return found


def without_control(summary: dict[str, Any]) -> dict[str, Any]:
    return without_timing({**summary, "control": None})


@pytest.mark.slow
def test_a_match_has_a_controlled_estimate(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    ended = arena(tmp_path, "match", *MATCH)
    assert (ended.status, ended.errors) == (0, "")
    summary = summary_of(folder)
    control = summary["control"]
    assert control["other_deals"] == 48
    assert control["stand_ins"] == ["baseline", "random"]
    swings = {row["board"]: row["imps"] for row in summary["board_results"]}
    values = values_of(folder)
    assert values[0] == swings, "they play as in the match"
    assert control["correlation"] == pytest.approx(1)
    every = fmean(value for series in values.values() for value in series.values())
    assert control["imps_per_board"]["mean"] == pytest.approx(every, abs=1e-6)
    assert control["imps_per_board"]["mean"] != pytest.approx(summary["imps_per_board"]["mean"])
    assert "Controlled estimate: +" in ended.output
    assert "Controlled estimate: +" in (folder / "report.html").read_text()
    assert [line["boards"] for line in log_of(folder) if line["event"] == "deals_valued"] == [64]

    # From the store alone, and from PBN alone.
    (folder / "summary.json").unlink()
    assert arena(tmp_path, "report", "out").status == 0
    assert summary_of(folder) == summary
    assert arena(tmp_path, "report", "out/match.pbn", "--out", "again").status == 0
    again = summary_of(tmp_path / "again")
    assert again["control"] is None
    assert without_control(again) == without_control(summary)

    # Killed while it was worked out.
    with closing(sqlite3.connect(folder / "results.sqlite")) as connection:
        connection.execute("delete from deal_value where series > 1 or series = 0 and board > 3")
        connection.commit()
    assert arena(tmp_path, "report", "out").status == 0
    assert summary_of(folder)["control"] is None
    refused = arena(tmp_path, "match", "--resume", "out", "--no-control")
    assert refused.complaint(2).endswith("give only DIR")
    assert arena(tmp_path, "match", "--resume", "out").status == 0
    assert summary_of(folder) == summary


@pytest.mark.slow
def test_a_match_that_does_without(tmp_path: Path) -> None:
    ended = arena(tmp_path, "match", *MATCH, "--no-control")
    assert ended.status == 0
    assert summary_of(tmp_path / "out")["control"] is None
    assert "Controlled" not in ended.output
    assert values_of(tmp_path / "out") == {}


@pytest.mark.slow
def test_an_event_has_controlled_estimates(tmp_path: Path) -> None:
    entries = "".join(f'[[entry]]\nbot = "{bot}"\n' for bot in ("baseline", "random", "qplay"))
    head = '[event]\nname = "Cup"\nformat = "round-robin"\nboards = 16\nseed = 2\n'
    (tmp_path / "cup.toml").write_text(head + entries)
    ended = arena(tmp_path, "tournament", "cup.toml", "--out", "out")
    assert (ended.status, ended.errors) == (0, "")
    assert "Controlled" in ended.output
    board = (tmp_path / "out/leaderboard.html").read_text()
    assert board.count("<br>controlled ") == 6, "of each two, in either cell"


MINE = """
from bridge_arena.bots.baseline.bot import BaselineBot

class Mine(BaselineBot):
    pass
"""


@pytest.mark.slow
def test_a_class_of_a_file_is_controlled_where_asked(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    match = ["match", "mine.py:Mine", *MATCH[1:]]
    assert arena(tmp_path, *match, "--control").status == 0
    control = summary_of(tmp_path / "out")["control"]
    assert control["are_themselves"]
    assert control["correlation"] == pytest.approx(1)


@pytest.mark.slow
def test_asked_for_where_it_cannot_be(tmp_path: Path) -> None:
    ended = arena(tmp_path, "match", "baseline", "cmd:true", "--control", "--out", "out")
    expected = "--control: two bots must ship or be FILE.py:CLASS, and bid and play dealt boards"
    assert ended.complaint(2) == expected
    assert not (tmp_path / "out").exists()
