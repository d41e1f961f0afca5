"""The doors of authors of a ladder in a real browser: from the request to the own logs."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.end_to_end.arena import arena, started
from tests.end_to_end.browsing import SIZES, Opened, opened
from tests.end_to_end.serving import Served
from tests.web.ladder.authors.author_doors import played

pytestmark = pytest.mark.slow

NAME = "<b>" + "W" * 57


def play(folder: Path) -> None:
    """Play a ladder, in a thread without the browser's event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(played, folder).result().close()


def check(shown: Opened, home: str) -> None:
    """The page, once all of it is there, at all widths."""
    shown.page.wait_for_load_state()
    for width, height in SIZES.items():
        shown.page.set_viewport_size({"width": width, "height": height})
        shown.check(home)


def test_an_author_comes_by_a_request_and_runs_a_player(tmp_path: Path, browser: Browser) -> None:
    play(tmp_path)
    with started(tmp_path, "ladder", "web", ".") as process:
        home = Served(process).read_until(r"watch it at (http\S+/) until")[1]
        with opened(browser, f"{home}author/") as shown:
            page, main = shown.page, shown.page.get_by_role("main")
            check(shown, home)
            main.get_by_role("link", name="by a request").click()
            page.get_by_label("Your name").fill(NAME)
            page.get_by_label("The name of your program").fill("Zed")
            check(shown, home)
            page.get_by_role("button", name="Ask").click()
            expect(page.get_by_role("status")).to_contain_text("waits for the administrator")
            assert "request 1: " in arena(tmp_path, "ladder", "status", ".").output
            approved = arena(tmp_path, "ladder", "approve", ".", "1")
            assert approved.output == f"request 1 of {NAME} is approved\n"
            page.reload()
            page.get_by_role("button", name="Show my token").click()
            token = page.locator("pre").inner_text()
            check(shown, home)
            main.get_by_role("link", name="sign in").click()
            page.get_by_label("Your token").fill(token)
            page.get_by_role("button", name="Sign in").click()
            expect(page.get_by_role("heading", level=1)).to_have_text(f"Players of {NAME}")
            page.get_by_label("Add a player").fill(NAME)
            page.get_by_role("button", name="Add").click()
            main.get_by_role("link", name="Your players").click()
            expect(page.get_by_role("row", name=NAME)).to_contain_text("has not come yet")
            check(shown, home)
            page.get_by_role("link", name=NAME).click()
            page.get_by_role("button", name="New token of").click()
            expect(page.locator("pre")).to_have_text(re.compile(r"[\w-]{43}"))
            paused = arena(
                tmp_path, "ladder", "pause", home, NAME, environment={"ARENA_TOKEN": token}
            )
            assert paused.output == f"{NAME} plays no more matches until it is resumed\n", paused
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_label("Your token")).to_be_visible()


def test_an_author_reads_the_own_log(tmp_path: Path, browser: Browser) -> None:
    play(tmp_path)
    token = arena(tmp_path, "ladder", "token", ".", "--author", "Ann").output.strip()
    with started(tmp_path, "ladder", "web", ".") as process:
        home = Served(process).read_until(r"watch it at (http\S+/) until")[1]
        with opened(browser, f"{home}author/") as shown:
            page = shown.page
            page.get_by_label("Your token").fill(token)
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("link", name="Mine").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("Mine")
            check(shown, home)
            page.get_by_role("link", name="Match 1").click()
            expect(page.get_by_text("output of Mine in 1")).to_be_visible()
            page.get_by_role("link", name="1", exact=True).first.click()
            expect(page.get_by_text("thought of Mine in 1").first).to_be_visible()
            check(shown, home)
            # The cookie is for these pages alone, and scripts cannot read it.
            assert page.evaluate("document.cookie") == ""
            (cookie,) = page.context.cookies()
            assert (cookie["path"], cookie["httpOnly"]) == ("/author/", True)
