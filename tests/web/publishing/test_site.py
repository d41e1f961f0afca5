"""A site of plain files: what is on it, what is not, and how it takes the place of another."""

from __future__ import annotations

import csv
import errno
import json
import re
import stat
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from bridge_arena.pbn.read.records import read_records
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.web.publishing.site import MARK, NotASiteError, write_site
from tests.reports.leaderboard.events import worked_event
from tests.tournaments.scores import event, play_out, record

SCRIPT = "<script>alert(1)</script>"


def quick(format_: Format, **settings: object) -> EventResults:
    """An event of which only scores are known."""
    whole = event(format_, 2 if format_ is Format.MATCH else 4, **settings)
    records = play_out(whole, lambda unit: record(whole, unit, 100 * unit.lineup[0]))
    return EventResults(whole, [Played(record) for record in records.values()])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("published") / "site"
    named = quick(Format.KNOCK_OUT, name=SCRIPT)
    pairs = quick(Format.PAIRS, name="Pairs", scoring=Scoring.MATCHPOINTS)
    events = [("cup", named), ("match", worked_event()), ("Cup", pairs), ("../../x", named)]
    write_site(events, out, "Our site")
    return out


class _Links(HTMLParser):
    """The addresses to which a page refers."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def test_every_link_of_every_page_leads_to_a_file_of_the_site(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 10
    for page in pages:
        for link in _Links(page).found:
            if link.startswith(("#", "data:")):
                continue
            assert not re.match(r"\w+:|/", link), f"{page}: {link}"
            target = (page.parent / unquote(link.partition("#")[0])).resolve()
            assert target.is_file(), f"{page}: {link}"
            assert target.is_relative_to(site)


def test_every_page_can_be_left_upwards_as_far_as_the_index(site: Path) -> None:
    for page in sorted(site.rglob("*.html")):
        at = page
        for _ in range(4):
            if at == site / "index.html":
                break
            at = (at.parent / _up(at)).resolve()
        assert at == site / "index.html", page


def _up(page: Path) -> str:
    """The address to which a page leads upwards: of a board its document says it."""
    found = re.search(r'<a href="([^"]+)" rel="up">|"index":{"href":"([^"]+)"', page.read_text())
    assert found, page
    return found[1] or found[2]


def test_each_event_has_a_folder_of_its_name_below_the_site(site: Path) -> None:
    assert {path.name for path in site.iterdir()} == {
        *(MARK, "index.html", "static", "cup", "match", "Cup-2", "x"),
    }


def test_downloads_hold_what_was_played(site: Path) -> None:
    folder = site / "match"
    with (folder / "boards.pbn").open("rb") as file:
        assert len(list(read_records(file))) == 6
    assert (folder / "boards.lin").read_text().count("md|") == 6
    assert len(json.loads((folder / "summary.json").read_text())["board_results"]) == 3
    with (folder / "boards.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["imps"] for row in rows] == ["7", "7", "-9", "-9", *[rows[4]["imps"]] * 2]
    assert (rows[0]["contract"], rows[0]["declarer"], rows[0]["score"]) == ("4S", "N", "420")
    assert (site / "cup" / "leaderboard.csv").exists()


def test_nothing_on_a_site_is_secret_and_all_may_read_it(site: Path) -> None:
    for path in site.rglob("*"):
        assert not path.name.endswith((".sqlite", ".jsonl", ".json.lock"))
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode & 0o044 == 0o044, path


def test_a_knock_out_has_its_bracket_and_pairs_a_plot(site: Path) -> None:
    page = (site / "cup" / "leaderboard.html").read_text()
    assert "Semi-finals" in page
    assert "Final" in page
    assert page.count("goes on") == 3
    assert SCRIPT not in page.replace("&lt;", "")
    assert "<h2>Bracket" not in (site / "Cup-2" / "leaderboard.html").read_text()
    assert (
        'aria-label="Pairs and individual play' in (site / "Cup-2" / "leaderboard.html").read_text()
    )


def test_names_are_text_on_the_index(site: Path) -> None:
    page = (site / "index.html").read_text()
    assert SCRIPT not in page
    assert "&lt;script&gt;" in page
    assert "Our site" in page


def test_the_index_of_many_events_has_several_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge_arena.web.publishing.site.ON_PAGE", 2)
    write_site([("match", worked_event())] * 3, tmp_path / "site", "Ours")
    first, second = (tmp_path / "site" / f"index{part}.html" for part in ("", "-from-3"))
    assert "3 events, made by" in first.read_text()
    assert 'href="index-from-3.html" rel="next"' in first.read_text()
    assert second.read_text().count("<section") == 1
    assert 'href="index.html" rel="prev"' in second.read_text()


def test_a_site_takes_the_place_of_the_one_before_and_of_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "site"
    write_site([("old", worked_event())], out, "Old")
    write_site([("new", worked_event())], out, "New")
    assert not (out / "old").exists()
    assert (out / "new" / "report.html").exists()
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter").write_text("all that I have")
    for other in (tmp_path / "thesis", tmp_path / "thesis" / "chapter"):
        with pytest.raises(NotASiteError):
            write_site([("new", worked_event())], other, "")
    assert (tmp_path / "thesis" / "chapter").read_text() == "all that I have"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["site", "thesis"]


def test_foreign_files_in_the_folder_of_a_site_are_not_lost(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_site([("match", worked_event())], site, "")
    (site / "CNAME").write_text("bridge.example")
    with pytest.raises(NotASiteError, match="site holds CNAME, which would be lost"):
        write_site([("new", worked_event())], site, "")
    assert (site / "match").is_dir()
    (site / "CNAME").unlink()
    write_site([("new", worked_event())], site, "")
    assert not (site / "match").exists()


def test_an_error_names_the_site_and_nothing_that_was_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotASiteError, match="file is no folder: choose another --out"):
        write_site([], tmp_path / "file" / "site", "")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / ".site-xyz" / "a"))

    monkeypatch.setattr("bridge_arena.web.publishing.site.write_event", full)
    with pytest.raises(OSError, match="No space left") as raised:
        write_site([("match", worked_event())], tmp_path / "site", "")
    assert raised.value.filename == str(tmp_path / "site")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_site_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    out = tmp_path / "site"
    write_site([("old", worked_event())], out, "Old")
    foreign = EventResults(quick(Format.MATCH).event, worked_event().played)
    with pytest.raises(ValueError):  # noqa: PT011  it is told by what is below
        write_site([("old", worked_event()), ("bad", foreign)], out, "")
    assert (out / "old").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
