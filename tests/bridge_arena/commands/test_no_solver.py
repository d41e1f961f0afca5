"""Commands where there is no double-dummy solver."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.commands.main import DONE, UNUSABLE, run
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_game
from bridge_arena.tournaments.events.pbn_header import header_of
from tests.no_solver import MISSING, hide_solver
from tests.reports.leaderboard.events import worked_event


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a file of boards, on a machine without a solver."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    hide_solver(monkeypatch, hidden)
    event = worked_event()
    games = "".join(format_game(game_of(each.record)) for each in event.played)
    path = tmp_path / "boards.pbn"
    path.write_bytes((header_of(event.event) + games).encode("latin-1"))
    return str(path)


def test_a_leaderboard_is_made_without_the_figures_of_the_solver(
    boards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["leaderboard", boards]) == DONE
    printed = capsys.readouterr()
    assert printed.err == f"arena: no double-dummy figures: {MISSING}: nothing here\n"
    assert "alpha" in printed.out


def test_nothing_can_be_analysed(
    boards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["analyse", boards, "--out", str(tmp_path / "out")]) == UNUSABLE
    assert capsys.readouterr().err == f"arena: {MISSING}: nothing here\n"
