"""An event that is played, in a real browser: followed, looked back at, and not seen too early."""

from __future__ import annotations

import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.end_to_end.arena import log_of, started, wait_until, write_bot
from tests.end_to_end.browsing import look, opened
from tests.end_to_end.serving import Served

pytestmark = pytest.mark.slow

SCRIPT = "<script>document.documentElement.remove()</script>"

SLOW = """
    import os
    import time
    from pathlib import Path

    from bridge_arena import Bot, Explanation, MadeCall, PASS, Call, run


    class Slow(Bot):
        # Waits before its first card of each board until a file is there, or the arena is gone.
        def call(self, view):
            self.think("{script}", candidates={{PASS: 1.5}}, layouts=12)
            call = PASS if view.calls else Call("1NT")
            return MadeCall(call, alert=True, explanation=Explanation("{script}"))

        def play(self, view):
            gate = Path("gate") / str(view.number)
            parent = os.getppid()
            while not gate.exists() and os.getppid() == parent:
                time.sleep(0.01)
            return min(view.legal_cards())


    run(Slow)
"""


class Watched(Served):
    """A running match with pages; `folder` is where it runs."""

    def __init__(self, process: object, folder: Path) -> None:
        super().__init__(process)  # type: ignore[arg-type]
        self.folder = folder
        self.url = self.read_until(r"watch it at (https?://\S+)")[1]

    def let(self, board: int) -> None:
        """Let the card play of a board begin."""
        (self.folder / "gate").mkdir(exist_ok=True)
        (self.folder / "gate" / str(board)).touch()

    def hang_up(self) -> None:
        """Close the terminal, which drops what is in play."""
        # Not before the arena handles signals.
        wait_until(
            lambda: any(log_of(run) for run in self.folder.glob("runs/*")), "the event has begun"
        )
        self.process.send_signal(signal.SIGHUP)

    def stop(self) -> int:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.end()


@contextmanager
def watched(folder: Path, *options: str) -> Iterator[Watched]:
    bot = write_bot(folder, "slow", SLOW.format(script=SCRIPT))
    command = ["match", f"{SCRIPT}={bot}", f"other={bot}", "--boards", "2", "--seed", "1"]
    with started(folder, *command, "--concurrency", "1", "--web", *options) as process:
        yield Watched(process, folder)


def follow(page: Page) -> None:
    page.locator("#tables").get_by_role("link", name="Table 1").click()
    expect(page.get_by_role("heading", name="Board 1")).to_be_visible()


def felt(page: Page) -> Locator:
    """The picture of table 1 among those of all tables."""
    return page.locator("#tables").get_by_role("listitem")


def test_a_match_from_the_lobby_to_its_result(browser: Browser, tmp_path: Path) -> None:
    with watched(tmp_path) as match, opened(browser, match.url) as found:
        page = found.page
        expect(felt(page)).to_contain_text(re.compile("Table 1.*Board 1, open room.*1NT North"))
        expect(page.locator("#featured")).to_contain_text("Table 1")
        follow(page)
        shown = page.locator(".table.chosen .felt")
        # The auction is over, and the first card waits.
        expect(page.locator(".table.chosen .summary")).to_contain_text("1NT")
        expect(shown.locator(".holding .card")).to_have_count(52)
        expect(page.locator("#state")).to_contain_text("live")
        calls = page.locator(".table.chosen .auction button")
        calls.first.hover()
        expect(page.locator(".table.chosen .explained")).to_contain_text(SCRIPT)
        calls.first.click()
        expect(page.locator(".table.chosen .thought")).to_contain_text(SCRIPT)
        expect(page.locator(".table.chosen .thought")).to_contain_text("12 layouts")
        expect(page.locator("#state")).to_contain_text("you look back")
        # The game goes on meanwhile, and is not lost.
        match.let(1)
        expect(page.locator("#state")).to_contain_text("shows board 2")
        expect(page.get_by_role("heading", name="Board 1")).to_be_visible()
        page.keyboard.press("l")
        expect(page.get_by_role("heading", name="Board 2")).to_be_visible()
        expect(page.locator("#state")).to_contain_text(re.compile(r"After 1 board: .* are level\."))
        # What double dummy says of the opening lead, and of the board.
        page.get_by_role("button", name="Double dummy").click()
        expect(shown.locator(".holding .card .cost")).to_have_count(13)
        expect(page.locator(".facts")).to_contain_text("Par")
        match.let(2)
        expect(page.locator(".table")).to_have_count(2)
        expect(page.locator(".table").first.locator(".summary")).to_contain_text("IMPs to NS")
        page.get_by_role("link", name="Board 1").click()
        expect(page.get_by_role("heading", name="Board 1")).to_be_visible()
        page.get_by_role("link", name="Lobby").click()
        expect(page.locator("#state")).to_contain_text("The event is over.")
        look_at_the_boards(page)
        rows = page.locator("#standings tr")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text(SCRIPT)
        # All of it can be looked at afterwards, and nothing is waited for.
        match.read_until("the pages stay at")
        page.get_by_role("link", name="All boards").click()
        page.get_by_role("link", name="Board 2").click()
        expect(page.locator(".table")).to_have_count(2)
        page.goto(f"{match.url}tables/1")
        # What the cards that were played cost, and the calls.
        expect(page.locator(".play .cost").first).to_be_visible()
        page.wait_for_function("() => Arena.page.view.table.calls.some((call) => call.callCost)")
        page.get_by_role("button", name="Double dummy", pressed=True).click()
        expect(page.locator(".play .cost")).to_have_count(0)
        expect(page.locator("#state")).to_have_text(
            re.compile(r"The event is over\. Table 1 showed board 2 last\. .* are level\.")
        )
        # A page that is left gives up its stream, and the server ends it with the event.
        told = [each for each in found.complaints if "net::ERR_" not in each]
        assert [each for each in told if not each.endswith(" failed")] == []
        assert match.stop() == 0
        expect(page.locator("#state")).to_contain_text("The event is over.")


def test_pages_can_be_read_by_all_and_are_small(browser: Browser, tmp_path: Path) -> None:
    with watched(tmp_path) as match:
        home = match.url.rsplit("/", 2)[0]
        with opened(browser, match.url) as found:
            listen_to_the_lobby(found.page, match)
        look(browser, match.url, home)
        look(browser, f"{match.url}tables/1", home)


def look_at_the_boards(page: Page) -> None:
    """Go from the lobby to a board of the match, and back."""
    expect(page.locator("#progress")).to_have_text("4 tables played.")
    page.get_by_role("link", name="2 of 2 boards").click()
    expect(page.get_by_role("row", name="Board 2 1NT E")).to_be_visible()
    page.get_by_role("link", name="Board 1").click()
    expect(page.locator(".table")).to_have_count(2)
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Board 2")).to_be_visible()
    assert page.get_by_role("link", name="Board 3").count() == 0
    page.get_by_role("link", name="← Board 1").click()
    expect(page.get_by_role("heading", name="Board 1")).to_be_visible()
    page.get_by_role("link", name="Lobby").click()


LOBBY = """
- heading /Bridge Arena match/ [level=1]
- paragraph: 0 of 4 tables played.
- region "Featured table":
  - heading "Featured table" [level=2]
  - list:
    - listitem:
      - link "Table 1"
- region "Latest large swing":
  - heading "Latest large swing" [level=2]
  - paragraph: None yet.
- region "Standings":
  - heading "Standings" [level=2]
  - table "Standings":
    - rowgroup:
      - row:
        - columnheader "Rank"
        - columnheader "Entry"
        - columnheader "IMPs"
        - columnheader "Boards"
    - rowgroup:
      - row:
        - rowheader /script/
      - row:
        - rowheader "other"
- region "Tables":
  - heading "Tables" [level=2]
  - list:
    - listitem:
      - heading "Table 1" [level=3]:
        - link "Table 1"
      - paragraph: Board 1, open room
- region "Matches":
  - heading "Matches" [level=2]
  - list:
    - listitem: /script.* – other.*0 of 2 boards/
"""
"""The text that a screen reader is given."""

PLACES = """() => Object.fromEntries(
  Array.from(document.querySelectorAll("a[href], button, summary, h2"))
    .filter((each) => each.offsetParent)
    .map((each) => [each.textContent, each.getBoundingClientRect().y]))"""
"""Where all stands that can be pressed, and what heads a part of the page."""


def listen_to_the_lobby(page: Page, match: Watched) -> None:
    """What changes there says nothing again, takes the focus from nothing, and moves nothing."""
    expect(felt(page)).to_contain_text("1NT North")
    expect(page.locator("main")).to_match_aria_snapshot(LOBBY)
    page.set_viewport_size({"width": 390, "height": 800})
    link = page.locator("#tables").get_by_role("link", name="Table 1")
    link.focus()
    before = page.evaluate(PLACES)
    page.evaluate(
        """() => {
          window.said = 0;
          new MutationObserver(() => { window.said += 1; }).observe(
            document.querySelector("[role=status]"), { childList: true, subtree: true });
        }"""
    )
    match.let(1)
    expect(felt(page)).to_contain_text("Board 2, open room")
    expect(page.get_by_role("link", name="1 of 2 boards")).to_be_visible()
    expect(link).to_be_focused()
    assert page.evaluate("window.said") == 0
    assert before.items() <= page.evaluate(PLACES).items()


EVENT = """
    [event]
    name = "Cup"
    format = "{format}"
    boards = 1
    seed = 1
"""

SHAPES = {"round-robin": "Crosstable", "knock-out": "Bracket", "pairs": "Rounds"}
"""What the lobby shows of events of each format."""


@pytest.mark.parametrize("format_", SHAPES)
def test_the_lobby_fits_the_format(browser: Browser, tmp_path: Path, format_: str) -> None:
    entries = "".join(f'[[entry]]\nbot = "random"\nname = "{name}{SCRIPT}"\n' for name in "abcd")
    (tmp_path / "cup.toml").write_text(dedent(EVENT).format(format=format_) + entries)
    with started(tmp_path, "tournament", "cup.toml", "--out", "cup", "--web") as process:
        server = Served(process)
        address = server.read_until(r"watch it at (https?://\S+)")[1]
        server.read_until("the pages stay at")
        look(browser, address, address.rsplit("/", 2)[0])
        with opened(browser, address) as found:
            page = found.page
            expect(page.locator("#state")).to_have_text("The event is over.")
            part = page.locator("section").filter(has_text=SHAPES[format_]).last
            if format_ == "pairs":
                part.get_by_text("Round 1").click()
            part.get_by_role("link").first.click()
            expect(page.get_by_role("link", name="Board 1", exact=True)).to_be_visible()
            page.get_by_role("link", name="Lobby").click()
            expect(part).to_contain_text(SCRIPT)
            assert not found.complaints


def test_nobody_sees_a_hand_before_the_board_is_over_everywhere(
    browser: Browser, tmp_path: Path
) -> None:
    with watched(tmp_path, "--broadcast", "board") as match, opened(browser, match.url) as found:
        page = found.page
        expect(felt(page)).to_contain_text(re.compile("Table 1.*Board 1.*nothing shown yet"))
        page.locator("#tables").get_by_role("link", name="Table 1").click()
        expect(page.locator("#state")).to_contain_text("has shown no board yet")
        told = _first_event(f"{match.url}tables/1/stream?solver")
        assert '"board":null' in told
        assert "deal" not in told
        assert "1NT" not in _first_event(f"{match.url}lobby")
        for path in (
            "boards/1-1-1.html",
            "matches/1-1.html",
            "tables/2",
            "tables/0",
            "static/../arena.py",
        ):
            assert status_of(match.url + path) == 404
        match.let(1)
        expect(page.get_by_role("heading", name="Board 1")).to_be_visible()
        expect(page.locator(".table")).to_have_count(2)
        assert '"board":2' not in _first_event(f"{match.url}tables/1/stream"), "it is played"


def test_a_board_that_is_shown_late_is_played_step_by_step(
    browser: Browser, tmp_path: Path
) -> None:
    with watched(tmp_path, "--broadcast", "board") as match, opened(browser, match.url) as found:
        page = found.page
        state, to_present = page.locator("#state"), page.locator("#go-live")
        page.clock.install(time=0)
        page.emulate_media(reduced_motion="no-preference")
        page.goto(f"{match.url}tables/1")
        expect(state).to_contain_text("has shown no board yet")
        page.clock.pause_at(60_000)

        def steps() -> tuple[str, int, int]:
            name, step, known = page.evaluate(
                "(({ view }) => [view.table.name, view.step, view.actions.length])(Arena.page)"
            )
            return name, step, known

        match.let(1)
        expect(state).to_contain_text("Table 1 shows board 1, some seconds late.")
        assert steps() == ("Open room", 1, 1)
        page.clock.run_for(500)
        room, step, known = steps()
        assert room == "Open room"
        assert 2 <= step == known <= 6
        assert page.locator(".table .summary").inner_text() == ""
        to_present.click()
        expect(state).to_contain_text("Table 1 shows board 1, live.")
        assert steps() == ("Closed room", 56, 56)
        expect(page.locator(".table .summary").first).to_contain_text("IMPs to NS")
        assert not to_present.is_visible()
        page.emulate_media(reduced_motion="reduce")
        match.let(2)
        expect(state).to_contain_text("Table 1 showed board 2 last.")
        assert steps() == ("Closed room", 56, 56)
        assert [each for each in found.complaints if "net::ERR_" not in each] == []


def test_only_who_is_told_the_address_sees_what_could_help_a_bot(tmp_path: Path) -> None:
    with watched(tmp_path) as match:
        origin, key = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)(\S+)/", match.url).groups()  # type: ignore[union-attr]
        assert len(key) >= 12
        for path in ("", "lobby", "tables/1", f"{key[:-1]}/", f"{key}x/"):
            assert status_of(origin + path) == 404


def test_pages_for_others_are_called_by_a_name_and_warned_of(tmp_path: Path) -> None:
    with watched(tmp_path, "--web-host", "0.0.0.0") as match:
        assert urlsplit(match.url).hostname == socket.gethostname()
        here = match.url.replace(socket.gethostname(), "127.0.0.1", 1)
        assert status_of(here) == 200
        match.hang_up()
        match.end()
        warning, interrupted = match.errors.splitlines()
    home = match.url.rsplit("/", 2)[0]
    assert warning.startswith(f"arena: whoever is on the way to {home}/ can read what is shown")
    assert interrupted.endswith(" --web --web-host 0.0.0.0")


def test_pages_behind_a_proxy_are_called_by_its_name(tmp_path: Path) -> None:
    with watched(tmp_path, "--web-url", "https://Bridge.example") as match:
        assert match.url.startswith("https://bridge.example/")
        match.hang_up()
        match.end()
        assert len(match.errors.splitlines()) == 1, "nothing to warn of"


def status_of(address: str) -> int:
    """Return the answer to a request."""
    try:
        with urlopen(address) as answer:
            status: int = answer.status
            return status
    except HTTPError as error:
        with error:
            return error.code


def _first_event(address: str) -> str:
    """Return what a new spectator's stream begins with."""
    with urlopen(address) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                text: str = line.decode()
                return text
    raise AssertionError("the stream says nothing")
