"""`arena view`: which boards a source has; the pages are tested elsewhere."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.view import view
from bridge_arena.lin.writer import format_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.web.viewing.application import Library
from tests.reports.leaderboard.events import worked_event


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Keep the titles of the boards of each server that is started."""
    titles: list[list[str]] = []

    def serve(library: Library, *_: object) -> None:
        titles.append([page.replay.title for page in library.pages])

    monkeypatch.setattr("bridge_arena.web.viewing.application.serve", serve)
    return titles


def test_all_files_of_a_folder_are_shown_and_what_cannot_be_read_is_told(
    tmp_path: Path,
    shown: list[list[str]],
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
    title = "Test: alpha – beta"
    assert shown == [[f"one.lin: {title}", f"two.PBN: {title}", f"two.PBN: {title}"]]
    assert capsys.readouterr().err == "arena: files/bad.zip: it is neither PBN nor LIN\n"


def test_a_folder_without_boards_is_told(tmp_path: Path, shown: list[list[str]]) -> None:
    with pytest.raises(UnusableError, match="neither a run nor a file of boards in this folder"):
        view(str(tmp_path), no_browser=True)
    assert shown == []


def test_the_only_file_of_a_folder_is_not_named(tmp_path: Path, shown: list[list[str]]) -> None:
    record = worked_event().played[0].record
    (tmp_path / "one.lin").write_text("".join(format_records([record])))
    view(str(tmp_path), no_browser=True)
    assert shown == [["Test: alpha – beta"]]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_name_that_is_no_text_can_be_shown(tmp_path: Path, shown: list[list[str]]) -> None:
    text = "".join(format_records([worked_event().played[0].record]))
    for name in (b"\xff.lin", b"two.lin"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(text)
    view(str(tmp_path), no_browser=True)
    ((title,),) = shown
    assert title.encode().decode() == "two.lin, \ufffd.lin: Test: alpha – beta"
