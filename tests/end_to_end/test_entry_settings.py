"""Entries with settings of their own: two versions of a program in two folders, with time odds."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.data import DOCS
from tests.end_to_end.arena import arena, log_of, records_of, summary_of

EXAMPLES = DOCS / "examples" / "events"

PATH = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
"""Where the example finds `python`."""


@pytest.mark.slow
def test_two_versions_are_tried_play_and_go_on_from_any_folder(tmp_path: Path) -> None:
    events, away = tmp_path / "events", tmp_path / "away"
    shutil.copytree(EXAMPLES / "versions", events / "versions")
    shutil.copy(EXAMPLES / "two-versions.toml", events)
    away.mkdir()
    weights = events / "versions/v2/weights.json"

    weights.rename(weights.with_suffix(".gone"))
    tried = arena(
        tmp_path, "tournament", "events/two-versions.toml", "--check", "--start", environment=PATH
    )
    assert tried.status == 2, tried
    assert "(v1)" not in tried.errors
    assert "bot python bot.py (v2) (N) ended before it sat down" in tried.errors
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'weights.json'" in tried.errors
    assert tried.errors.endswith("arena: 1 of 2 programs cannot be started\n")

    weights.with_suffix(".gone").rename(weights)
    options = ("--out", str(tmp_path / "out"), "--concurrency", "1", "--no-control")
    begun = arena(
        tmp_path,
        *("tournament", "events/two-versions.toml", *options, "--max-boards", "2"),
        environment=PATH,
    )
    assert "stopped" in begun.errors, begun
    ended = arena(
        away, "tournament", "../events/two-versions.toml", *options, "--resume", environment=PATH
    )
    assert ended.status == 0, ended
    assert "clock of python bot.py (v2) 30." in ended.output
    summary = summary_of(tmp_path / "out")
    assert summary["names"] == ["python bot.py (v1)", "python bot.py (v2)"]
    assert summary["terms"] == {"clock of python bot.py (v2)": "30"}
    records = records_of(tmp_path / "out" / "match.pbn")
    assert len(records) == 16
    assert not any(record.faults for record in records)
    seated = [line["says"] for line in log_of(tmp_path / "out") if line["event"] == "seated"]
    assert set(seated) == {"my bot 1", "my bot 2"}
