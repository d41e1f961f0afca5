"""The director's pages in a real browser: rulings while an event is played, and after it."""

from __future__ import annotations

import re
import signal
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.schedule.rulings import Ruling, in_force
from bridge_arena.tournaments.store import Store
from tests.end_to_end.arena import started, units_played, wait_until
from tests.end_to_end.browsing import SCHEMES, SIZES, Opened, opened
from tests.end_to_end.serving import Served

pytestmark = pytest.mark.slow

EVIL = "<script>document.documentElement.remove()</script>"

CUP = """
[event]
name = "Cup"
format = "swiss"
rounds = 2
boards = 2
seed = 7
""" + "".join(f'[[entry]]\nbot = "random"\nname = "{name}"\n' for name in ("A", "B", "C", EVIL))

PLAY = ("tournament", "cup.toml", "--out", "out", "--concurrency", "1", "--no-control", "--web")


def enter(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill("Dirk")
    page.get_by_role("button", name="Direct this event").click()
    expect(page.get_by_text("Director: Dirk")).to_be_visible()


def confirm(page: Page) -> None:
    """Give the reason, check what follows, and make the ruling of a form."""
    page.get_by_label("Reason").fill("as it was")
    page.get_by_role("button", name="Check what follows").click()
    expect(page.get_by_role("heading", name="What would follow")).to_be_visible()
    page.get_by_role("button", name="Make the ruling").click()
    expect(page.get_by_role("heading", name="Rulings of the director")).to_be_visible()


def check(found: Opened, home: str) -> None:
    """Check the page at all widths and in both colour schemes."""
    found.page.wait_for_load_state()
    for width, height in SIZES.items():
        found.page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            found.page.emulate_media(color_scheme=scheme)
            found.check(home)


def rulings(folder: Path) -> list[Ruling]:
    with closing(Store.open(folder / STORE)) as store:
        return store.rulings()


def test_rulings_are_made_and_taken_back_while_an_event_is_played(
    browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "cup.toml").write_text(CUP)
    out = tmp_path / "out"
    # At this pace nobody rules too late.
    with started(tmp_path, *PLAY, "--pace", "0.05") as process:
        server = Served(process)
        lobby = server.read_until(r"watch it at (https?://\S+)")[1]
        link = server.read_until(r"direct it at (https?://\S+)")[1]
        home = link.partition("direct/")[0]
        with opened(browser, "about:blank") as found, opened(browser, lobby) as watched:
            page = found.page
            enter(page, link)
            assert page.get_by_role("link", name="Lobby").evaluate("link => link.href") == lobby
            wait_until(lambda: len(units_played(out)) > 1, "a board is played in both rooms")
            page.get_by_role("link", name="Pause").click()
            confirm(page)
            page.get_by_role("link", name="1/1: ").click()
            check(found, home)
            page.get_by_label("Match").select_option(index=1)
            expect(page).to_have_url(re.compile("match=1%2F2"))
            expect(page.get_by_label("Board").locator("option")).to_have_count(0)
            page.get_by_label("Match").select_option(index=0)
            expect(page.get_by_label("Board").locator("option")).not_to_have_count(0)
            page.get_by_label("North-South, or home").fill("minus")
            confirm(page)
            page.get_by_role("link", name="Penalty").click()
            page.get_by_label("Entry").select_option(EVIL)
            page.get_by_label("Amount").fill("50")
            confirm(page)
            # The score of the event's own pages follows.
            expect(watched.page.locator("#standings tr", has_text=EVIL)).to_contain_text(
                "\N{MINUS SIGN}50"
            )
            check(found, home)
            before = units_played(out)
            page.get_by_role("link", name="Take ruling 1 back").click()
            confirm(page)
            check(found, home)
            expect(page.locator("#ruling-1")).to_contain_text("taken back by ruling 4")
            wait_until(lambda: len(units_played(out)) > len(before), "the event goes on")
            assert page.request.get(link).status == 410
            assert watched.page.request.get(f"{home}director/").status == 403
    made = rulings(out)
    assert [one.decision.kind for one in made] == ["pause", "adjust", "penalty", "take-back"]
    assert [one.number for one in in_force(made)] == [2, 3]
    assert {one.author for one in made} == {"Dirk"}
    secret = link.rpartition("/")[2].encode()
    assert not [path for path in out.rglob("*") if path.is_file() and secret in path.read_bytes()]


def test_rulings_are_made_after_the_end_by_the_pages_that_stay_and_by_the_command(
    browser: Browser, tmp_path: Path
) -> None:
    match = ("match", "random", "random", "--boards", "1", "--out", "out", "--no-control", "--web")
    direct = ("direct", "out", "web")
    for command, kind, score in ((match, "Adjust", "plus"), (direct, "Penalty", "3")):
        with started(tmp_path, *command) as process:
            server = Served(process)
            link = server.read_until(r"direct it at (https?://\S+)")[1]
            if command is match:
                server.read_until("the pages stay at")
            with opened(browser, "about:blank") as found:
                page = found.page
                enter(page, link)
                expect(page.get_by_text("It is over: 2 tables played.")).to_be_visible()
                page.get_by_role("link", name=kind).click()
                page.get_by_label(re.compile("North-South|Amount")).fill(score)
                confirm(page)
                check(found, link.partition("direct/")[0])
            process.send_signal(signal.SIGINT)
            assert server.end() == 0
    assert [one.decision.kind for one in rulings(tmp_path / "out")] == ["adjust", "penalty"]
