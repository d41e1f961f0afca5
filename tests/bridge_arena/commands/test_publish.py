"""`arena publish` of a database that holds a ladder and events."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.commands.main import DONE, UNUSABLE, run
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.store import Store
from tests.reports.leaderboard.events import event
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """The folder of a ladder with two matches."""
    opened(tmp_path / "results.sqlite", ladder_file("baseline", "random")).close()
    level = venues(lambda event, unit: record(event, unit, 0))
    play(tmp_path / "results.sqlite", level, 4, concurrency=1)
    return tmp_path


def test_a_ladder_is_published_beside_events(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = club / "site"
    assert run(["publish", str(club), "--out", str(site)]) == DONE
    assert capsys.readouterr().out == f"1 ladder in {site}/index.html\n"
    index = (site / "index.html").read_text()
    assert 'href="Club/index.html"' in index
    assert "to download" not in index
    assert (site / "Club" / "matches" / "2" / "board.html").is_file()

    place = f"sqlite:///{club}/results.sqlite"
    with closing(Store.create(place, event(Format.MATCH, "a", "b", title="Cup"))) as store:
        assert store.reveal(0)
    assert run(["publish", place, "--out", str(site)]) == DONE
    told = capsys.readouterr()
    assert told.out == f"1 event and 1 ladder in {site}/index.html\n"
    assert "left out" not in told.err
    assert {"Club", "database"} <= {path.name for path in site.iterdir()}


def test_a_folder_without_events_and_ladders_is_no_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["publish", str(tmp_path), "--out", str(tmp_path / "site")]) == UNUSABLE
    assert "there is no run in this folder" in capsys.readouterr().err
