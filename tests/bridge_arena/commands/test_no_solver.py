"""Commands where there is no double-dummy solver."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.commands.main import DONE, UNUSABLE, run
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_game
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import header_of
from tests.no_solver import MISSING, hide_solver
from tests.reports.leaderboard.events import event, play_event


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a file of boards, on a machine without a solver."""
    played = play_event(event(Format.MATCH, "alpha", "beta", boards=1))
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    hide_solver(monkeypatch, hidden)
    games = "".join(format_game(game_of(each.record)) for each in played.played)
    path = tmp_path / "boards.pbn"
    path.write_bytes((header_of(played.event) + games).encode("latin-1"))
    return str(path)


def test_a_leaderboard_is_made_without_the_figures_of_the_solver(
    boards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["leaderboard", boards]) == DONE
    printed = capsys.readouterr()
    assert printed.err == f"arena: no double-dummy figures: {MISSING}: nothing here\n"
    assert "alpha" in printed.out


@pytest.mark.parametrize("command", ["analyse BOARDS", "audit BOARDS", "train deals 2"])
def test_what_only_the_solver_can_tell_is_refused(
    command: str, boards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = command.replace("BOARDS", boards).split(" ")
    assert run([*words, "--out", str(tmp_path / "out")]) == UNUSABLE
    assert capsys.readouterr().err == f"arena: {MISSING}: nothing here\n"
