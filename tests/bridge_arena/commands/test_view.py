"""`arena view`: which boards a source has; the pages are tested elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.view import view
from bridge_arena.lin.write.records import format_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.web.viewing.library import Library
from tests.reports.leaderboard.events import worked_event


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the boards of each server that is started."""
    counts: list[int] = []

    def serve(library: Library, *_: object) -> None:
        counts.append(len(library.pages))

    monkeypatch.setattr("bridge_arena.commands.view.serve", serve)
    return counts


def test_all_files_of_a_folder_are_shown_and_what_cannot_be_read_is_told(
    tmp_path: Path,
    shown: list[int],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    records = [played.record for played in worked_event().played]
    Path("files").mkdir()
    Path("files/one.lin").write_text("".join(format_records(records[:2])))
    two = "".join(format_canonical(game_of(record)) for record in records[2:])
    Path("files/two.PBN").write_text(two)
    Path("files/notes.txt").write_text("nothing to look at")
    Path("files/bad.zip").write_bytes(b"\x00\x01")
    view("files", no_browser=True)
    assert shown == [3]
    assert capsys.readouterr().err == "arena: files/bad.zip: it is neither PBN nor LIN\n"


def test_a_folder_without_boards_is_told(tmp_path: Path, shown: list[int]) -> None:
    with pytest.raises(UnusableError, match="neither a run nor a file of boards in this folder"):
        view(str(tmp_path), no_browser=True)
    assert shown == []
