"""`arena publish`: a site from runs, walked through in a real browser without any server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.end_to_end.arena import arena, interrupt, started, wait_until
from tests.end_to_end.browsing import look, opened
from tests.end_to_end.conftest import FinishedMatch, Here

pytestmark = pytest.mark.slow


def test_folders_and_files_that_cannot_be_published_are_told(here: Here, tmp_path: Path) -> None:
    ended = here("publish", "nowhere", "--out", "site")
    assert ended.complaint(2) == "nowhere: there is no such folder or file"
    (tmp_path / "empty.pbn").touch()
    ended = here("publish", "empty.pbn", "--out", "site")
    assert ended.complaint(2) == "empty.pbn: there is no event to publish"
    ended = here("publish", ".", "--out", "site")
    assert ended.complaint(2) == ".: there is no run in this folder"
    assert not (tmp_path / "site").exists()


def test_an_event_that_is_not_over_is_left_out(here: Here, tmp_path: Path) -> None:
    """The deals are secret as long as the key is."""
    command = ["match", "baseline", "random", "--boards", "500", "--out", "run"]
    with started(tmp_path, *command) as process:
        wait_until(lambda: "board_ended" in _log(tmp_path), "a board")
        assert interrupt(process).status == 3
    ended = here("publish", "run", "--out", "site")
    assert ended.status == 2
    assert "it is not over, so the key of its deals is not revealed: left out" in ended.errors
    assert not (tmp_path / "site").exists()


def test_games_that_cannot_be_read_are_a_failure(
    finished_match: FinishedMatch, here: Here, tmp_path: Path
) -> None:
    """The rest is published, but the organiser's script must know that it is not all."""
    whole = (finished_match.folder / "match.pbn").read_bytes()
    (tmp_path / "torn.pbn").write_bytes(whole + b'[Event "bad"]\r\n[Board "x"]\r\n\r\n')
    ended = here("publish", "torn.pbn", "--out", "site")
    assert ended.status == 1
    assert ended.errors.endswith("arena: 1 game could not be read, see above\n")
    assert ended.output == "1 event in site/index.html\n"


def _log(folder: Path) -> str:
    log = folder / "run" / "log.jsonl"
    return log.read_text() if log.exists() else ""


def test_another_folder_is_not_replaced(
    finished_match: FinishedMatch, here: Here, tmp_path: Path
) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter").touch()
    ended = here("publish", str(finished_match.folder), "--out", "thesis")
    assert ended.status == 2
    assert "thesis exists and is not a site: choose another --out" in ended.errors


# The last, as no other test may have an event loop beside the browser's.


def test_a_site_leads_from_its_index_to_a_card(
    browser: Browser, finished_match: FinishedMatch, tmp_path: Path
) -> None:
    ended = arena(
        tmp_path, "publish", str(finished_match.folder.parent), "--out", "site", "--title", "Ours"
    )
    assert ended.status == 0, ended
    assert ended.output == "1 event in site/index.html\n"
    home = (tmp_path / "site").as_uri()
    with opened(browser, f"{home}/index.html") as found:
        page = found.page
        expect(page.get_by_role("heading", name="Ours")).to_be_visible()
        page.get_by_role("link", name="baseline – random").click()
        page.locator("table a[href*='boards/']").first.click()
        expect(page.locator(".table")).to_have_count(2)
        page.keyboard.press("ArrowRight")
        page.get_by_role("link", name="Report of the match").click()
        assert found.complaints == []
        assert all(each.startswith((home, "data:")) for each in found.requests)
    look(browser, f"{home}/index.html", home)
