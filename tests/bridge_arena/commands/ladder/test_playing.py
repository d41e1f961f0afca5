"""Tests of the play of a ladder as a command: what is said before the first match."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bridge_arena.commands.main import UNUSABLE, run
from bridge_arena.tournaments.ladder.runner import LadderRunner

FILE = """\
[ladder]
name = "Club"
webhook = "https://hooks.example.org/secret"
[[player]]
bot = "baseline"
[[player]]
bot = "random"
"""


def test_a_missing_extra_is_told_with_the_key_that_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "bridge_arena.bots.llm.transport", raising=False)
    monkeypatch.setitem(sys.modules, "httpx", None)
    (tmp_path / "club.toml").write_text(FILE)
    out = str(tmp_path / "club")
    assert run(["ladder", str(tmp_path / "club.toml"), "--out", out]) == UNUSABLE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("arena: the key webhook of the ladder's file needs the extra ")
    assert "secret" not in line


def test_a_secret_that_the_results_would_show_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run_nothing(_: LadderRunner) -> None:
        pass

    monkeypatch.setattr(LadderRunner, "run", run_nothing)
    file = FILE.replace('webhook = "https://hooks.example.org/secret"\n', "")
    (tmp_path / "club.toml").write_text(file + 'env = ["KEY=secret"]\n')
    run(["ladder", str(tmp_path / "club.toml"), "--out", str(tmp_path / "club")])
    assert "env of random: the results show the values of KEY:" in capsys.readouterr().err
