"""The pages of a ladder in a real browser, while it is played."""

from __future__ import annotations

import json
import os
import re
import signal
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from bridge_arena.base.background import BACKGROUND
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from tests.end_to_end.arena import children, interrupt, is_alive, started, wait_until
from tests.end_to_end.browsing import look, opened
from tests.end_to_end.conftest import Here
from tests.end_to_end.serving import Served
from tests.tournaments.ladder.ladders import ladder_file

pytestmark = pytest.mark.slow

LADDER_PAGES = ("", "status", "players/1/", "matches/1/")

FILE = """\
[ladder]
name = "Club"
boards = 2
concurrency = 1

[[player]]
bot = "baseline"

[[player]]
bot = "random"
name = "<b>Ann"
author = "<i>Bo"
"""


def test_a_ladder_is_watched_and_administered_from_afar(
    here: Here, tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    command = ["ladder", "club.toml", "--out", "run", "--web"]
    with started(tmp_path, *command) as process:
        ladder = Served(process)
        home = ladder.read_until(r"watch it at (http\S+/)")[1]
        ladder.read_until("match 1: ")
        monkeypatch.setenv(
            "ARENA_TOKEN", here("ladder", "token", "run", "--administrator").output.strip()
        )
        with opened(browser, home) as shown:
            row = shown.page.get_by_role("row", name="<b>Ann <i>Bo")
            expect(row).to_contain_text("<i>Bo")
            shown.page.get_by_label("Author").select_option("<i>Bo")
            expect(shown.page.get_by_text("1 of 2 players")).to_be_visible()
            paused = here("ladder", "pause", home, "<b>Ann")
            assert paused.output == "<b>Ann plays no more matches until it is resumed\n", paused
            # The page changes by itself.
            expect(row).to_contain_text("paused")
            # What is chosen stays.
            expect(shown.page.get_by_text("1 of 2 players")).to_be_visible()
            row.get_by_role("link").click()
            expect(shown.page.get_by_role("heading", level=1)).to_have_text("<b>Ann <i>Bo")
            expect(shown.page.get_by_text("It is paused.")).to_be_visible()
            shown.page.get_by_role("link", name="Match 1", exact=True).click()
            expect(shown.page.get_by_role("heading", level=1)).to_contain_text("Match 1: ")
            shown.page.get_by_role("link", name="Board 1", exact=True).click()
            expect(shown.page).to_have_title(re.compile("Board 1"))
            shown.page.get_by_role("link", name="All matches").click()
            shown.page.locator("select[name=player]").select_option("<b>Ann")
            shown.page.get_by_role("button", name="Find").click()
            expect(shown.page).to_have_url(re.compile(r"/matches/\?player=2&against=$"))
            expect(shown.page.get_by_role("link", name="Match 1", exact=True)).to_be_visible()
            assert not shown.complaints, shown.complaints
        for page in LADDER_PAGES:
            look(browser, home + page, home)
        status = here("ladder", "status", home)
        assert status.output.startswith("the ladder is being played\nClub after "), status
        printed = here("ladder", "status", home, "--json")
        assert json.loads(printed.output)["is_played"], printed
        monkeypatch.setenv("ARENA_TOKEN", "x")
        wrong = here("ladder", "ban", home, "<b>Ann")
        assert wrong.complaint(2) == "the token is wrong, or was replaced"


def test_pages_and_play_end_and_begin_apart(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    with started(tmp_path, "ladder", "club.toml", "--out", "run", "--web") as process:
        ladder = Served(process)
        home = ladder.read_until(r"watch it at (http\S+/)")[1]
        assert "The ladder is being played" in text_of(f"{home}status")
        os.kill(pages_below(process.pid), signal.SIGKILL)
        # Who asks meanwhile waits for the next process.
        assert "The ladder is being played" in text_of(f"{home}status")
        pages = pages_below(process.pid)
        nice, nice_of_play = (os.getpriority(os.PRIO_PROCESS, pid) for pid in (pages, process.pid))
        assert nice == min(nice_of_play + BACKGROUND, 19)
        process.kill()
        wait_until(lambda: not is_alive(pages), "the end of the pages")
        assert "the pages ended with status -9; they are begun again" in ladder.errors
    with started(tmp_path, "ladder", "web", "run") as process:
        home = Served(process).read_until(r"watch it at (http\S+/) until Ctrl-C")[1]
        assert "Nobody plays the ladder" in text_of(f"{home}status")
        assert interrupt(process).status == 0


def text_of(address: str) -> str:
    with urlopen(address) as answer:
        text: str = answer.read().decode()
        return text


def pages_below(pid: int) -> int:
    """Return the process of the pages."""
    words = {child: Path(f"/proc/{child}/cmdline").read_text() for child in children(pid)}
    (found,) = [child for child, line in words.items() if "ladder.web_process" in line]
    return found


def test_a_long_leaderboard_is_published_and_filtered_on_a_phone_too(
    here: Here, browser: Browser
) -> None:
    file = ladder_file("baseline", "random")
    with closing(LadderStore.open(Path("results.sqlite"), file.definition)) as store:
        for number in range(1, 61):
            name, bot = f"{number} " + "W" * 90, "remote:x" if number % 3 else "random"
            author = "Ann " * 25 if number % 2 else "Bo & co"
            store.enter(Registration(Entrant(bot=bot, name=name), author))
            store.note_presence(number, store.add_version(number, "1").number, is_there=True)
    published = here("publish", ".", "--out", "site")
    assert published.output.splitlines()[-1] == "1 ladder in site/index.html", published
    site = Path("site").resolve()
    page = site / "Club" / "index.html"
    for name in ("index", "tests", "figures", "matches/index", "players/7/index"):
        look(browser, (page.parent / f"{name}.html").as_uri(), site.as_uri())
    with opened(browser, (site / "index.html").as_uri(), 390) as shown:
        expect(shown.page.get_by_text("1 ladder, made by")).to_be_visible()
        expect(shown.page.get_by_text("60 players, 0 boards. The first 3:")).to_be_visible()
        shown.page.get_by_role("link", name="Club", exact=True).click()
        rows = shown.page.locator(".ladder tbody tr:visible")
        expect(rows).to_have_count(60)
        shown.page.get_by_label("Kind").select_option("remote")
        expect(rows).to_have_count(40)
        shown.page.get_by_label("Author").select_option("Bo & co")
        expect(rows).to_have_count(20)
        expect(shown.page.get_by_text("20 of 60 players")).to_be_visible()
        # The choice is part of the address.
        shown.page.reload()
        expect(rows).to_have_count(20)
        rows.first.get_by_role("link").click()
        expect(shown.page.get_by_role("heading", level=1)).to_contain_text("WWW")
        shown.page.get_by_role("link", name="Figures").click()
        expect(shown.page.get_by_role("heading", name="Rating", exact=True)).to_be_visible()
        assert not shown.complaints, shown.complaints
