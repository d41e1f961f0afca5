"""People at the table: real browsers, real bots, real events."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import IO, TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

from tests.end_to_end.arena import records_of, started
from tests.end_to_end.browsing import SCHEMES, SIZES, Opened, listen
from tests.end_to_end.conftest import Here
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocket, WebSocketRoute

MATCH = (
    "match",
    "Us=random & human:Ann & random & random",
    "random",
    *("--seed", "3", "--web", "--out", "m", "--concurrency", "2"),
)

TO_SEATS = {
    "Welcome",
    "BoardStart",
    "YourTurn",
    "CallMade",
    "AuctionEnd",
    "DummyShown",
    "CardPlayed",
    "TrickEnd",
    "ClaimMade",
    "ClaimSettled",
    "ExplanationGiven",
    "BoardEnd",
    "Snapshot",
    "Error",
    "Goodbye",
}
"""What a seat may be told: no thoughts, and no BoardShown, which has all hands."""


@dataclass
class AtTheTable(Opened):
    """A window with a seat. `frames`: what its websockets were sent."""

    frames: list[dict[str, Any]] = field(default_factory=list)

    def events(self) -> Iterator[dict[str, Any]]:
        """What it was told, that of snapshots one by one."""
        for frame in self.frames:
            assert frame["type"] in TO_SEATS
            yield from frame["events"] if frame["type"] == "Snapshot" else [frame]

    def check_secrecy(self, seat: str) -> None:
        """It saw its own hand, dummy's after the lead, and nobody else's."""
        has_led = False
        seen = 0
        for event in self.events():
            assert event["type"] in TO_SEATS
            if event["type"] == "BoardStart":
                has_led = False
                seen += 1
                assert "deal" not in event
            if event["type"] == "CardPlayed":
                has_led = True
            if event["type"] == "DummyShown":
                assert has_led
            if event["type"] in ("YourTurn", "ExplanationGiven"):
                assert event.get("player", event.get("seat")) == seat
            assert not {"deal", "thought", "candidates"} & event.keys()
        assert seen


def line_with(output: IO[str] | None, words: str) -> str:
    """The next line of a command's output that has some words."""
    assert output is not None
    for line in output:
        if words in line:
            return line.strip()
    raise AssertionError(f"no line with {words!r}")


def link(process: Popen[str], who: str) -> str:
    """Where a person sits down."""
    return line_with(process.stdout, f"{who} sits down at").rpartition(" ")[2]


@contextmanager
def seated(
    browser: Browser, address: str, prepare: Callable[[Page], object] | None = None
) -> Iterator[AtTheTable]:
    """A window that has used a link. `prepare`: what is done to its page before."""
    context = browser.new_context(
        viewport={"width": 1400, "height": SIZES[1400]}, reduced_motion="reduce"
    )
    context.set_default_timeout(1000 * PATIENCE)
    try:
        found = AtTheTable(context.new_page())
        listen(found)
        if prepare is not None:
            prepare(found.page)

        def on_socket(socket: WebSocket) -> None:
            socket.on("framereceived", lambda frame: found.frames.append(json.loads(frame)))

        found.page.on("websocket", on_socket)
        found.page.goto(address)
        found.page.get_by_role("button", name="Sit down").click()
        found.page.locator(".felt").wait_for()
        yield found
    finally:
        context.close()


DUE = "#next, .calls button, .playable"
"""What can be pressed at a turn, and at the end of a board."""

ANSWERED = """([board, seq]) => {
  const choices = document.querySelector("#act");
  return choices.dataset.board !== board || choices.dataset.seq !== seq;
}"""
"""Whether a turn is over."""


def by_mouse(page: Page) -> bool:
    """Press what can be pressed: pass, the first card; whether the board was over instead."""
    page.locator(DUE).first.wait_for()
    if page.locator("#next").count():
        return True
    turn = turn_of(page)
    page.locator(".playable, .calls button").first.click()
    page.wait_for_function(ANSWERED, arg=turn)
    return False


def by_keyboard(page: Page) -> bool:
    """Type a pass or a card, or go to a card by arrows; whether the board was over instead."""
    page.locator(DUE).first.wait_for()
    if page.locator("#next").count():
        return True
    turn = turn_of(page)
    card = page.locator(".playable")
    if not card.count():
        page.keyboard.type("p")
    elif int(turn[1]) % 2:
        page.keyboard.type((card.first.get_attribute("data-card") or "").lower())
    else:
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function(ANSWERED, arg=turn)
    return False


def look_at(opened: Opened, home: str) -> None:
    """Check the page as it is, at all widths and in both colour schemes; end where it was."""
    for width in (390, 1400):
        opened.page.set_viewport_size({"width": width, "height": SIZES[width]})
        for scheme in SCHEMES:
            opened.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            opened.check(home)


def turn_of(page: Page) -> list[str]:
    """The board and the number of the turn that is open."""
    act = page.locator("#act")
    return [act.get_attribute("data-board") or "", act.get_attribute("data-seq") or ""]


def board_of(page: Page, step: Callable[[Page], bool]) -> None:
    """Play a board to its end."""
    while not step(page):
        pass


@pytest.mark.slow
def test_four_boards_with_the_mouse_alone(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path, *MATCH, "--boards", "4") as process:
        address = link(process, "Us / Ann (S)")
        with seated(browser, address) as ann:
            ann.page.locator(DUE).first.wait_for()
            look_at(ann, address.partition("/sit/")[0])
            for number in range(1, 5):
                ann.page.get_by_role("heading", level=1, name=f"Board {number}").wait_for()
                board_of(ann.page, by_mouse)
                if number < 4:
                    ann.page.get_by_role("button", name="Next board").click()
            ann.page.get_by_role("link", name="Replay of board 4").wait_for()
            ann.page.get_by_text("Closed room").wait_for()
            ann.check_secrecy("S")
            assert [each for each in ann.complaints if "about" not in each] == []
        line_with(process.stdout, "results in m")
    assert len(records_of(tmp_path / "m" / "match.pbn")) == 8


@pytest.mark.slow
def test_four_boards_with_the_keyboard_alone(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path, *MATCH, "--boards", "4") as process:
        with seated(browser, link(process, "Us / Ann (S)")) as ann:
            keyboard = ann.page.keyboard
            keyboard.press("?")
            ann.page.get_by_label("Keys", exact=True).wait_for()
            keyboard.press("?")
            for number in range(1, 5):
                ann.page.get_by_role("heading", level=1, name=f"Board {number}").wait_for()
                board_of(ann.page, by_keyboard)
                if number < 4:
                    keyboard.press("Enter")
            ann.check_secrecy("S")
        line_with(process.stdout, "results in m")


@pytest.mark.slow
def test_who_has_lost_the_connection_comes_back_to_the_same_cards(
    tmp_path: Path, browser: Browser
) -> None:
    lines: list[WebSocketRoute] = []

    def through(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server()

    with (
        started(tmp_path, *MATCH, "--boards", "1") as process,
        seated(
            browser,
            link(process, "Us / Ann (S)"),
            lambda page: page.route_web_socket("**/seat/socket/*", through),
        ) as ann,
    ):
        page = ann.page
        while not page.locator(".playable").count():
            assert not by_mouse(page), "passed out"
        by_mouse(page)
        page.locator(".playable").first.wait_for()
        before = page.locator(".hand.S").inner_text(), turn_of(page)
        lines[-1].close(code=3001)  # as a network is lost
        page.get_by_text("The connection is lost").wait_for()
        page.wait_for_function("count => document.querySelector('.playable') !== null", arg=2)
        assert (page.locator(".hand.S").inner_text(), turn_of(page)) == before
        page.reload()  # as a page is
        page.locator(".playable").first.wait_for()
        assert (page.locator(".hand.S").inner_text(), turn_of(page)) == before
        board_of(page, by_mouse)
        line_with(process.stdout, "results in m")


@pytest.mark.slow
def test_two_people_and_two_bots(tmp_path: Path, browser: Browser) -> None:
    command = list(MATCH)
    command[1] = "Us=human:Ann & human:Bob & random & random"
    with started(tmp_path, *command, "--boards", "2") as process:
        address = line_with(process.stdout, "watch it at").rpartition(" ")[2]
        links = [link(process, who) for who in ("Us / Ann (N)", "Us / Bob (S)")]
        with seated(browser, links[0]) as ann, seated(browser, links[1]) as bob:
            pages = [ann.page, bob.page]
            for number in range(1, 3):
                at_end: set[int] = set()
                while len(at_end) < 2:
                    for which, page in enumerate(pages):
                        if which in at_end or not page.locator(DUE).count():
                            continue
                        if turn_of(page)[1]:  # as nobody answers it but we, the board is not over
                            assert f'"board":{number},' not in seen_by_a_spectator(address)
                        if by_mouse(page):
                            at_end.add(which)
                if number < 2:
                    for page in pages:
                        page.locator("#next").click()
            ann.check_secrecy("N")
            bob.check_secrecy("S")
        line_with(process.stdout, "results in m")


PAIRS = """
[event]
name = "Club"
format = "pairs"
boards = 1
seed = 4

[[entry]]
bot = "human:Ann & random"
name = "A"
"""


@pytest.mark.slow
def test_a_pair_of_a_person_and_a_bot_goes_from_side_to_side(
    tmp_path: Path, browser: Browser
) -> None:
    bots = (f'[[entry]]\nbot = "random"\nname = "{name}"\n' for name in "BCD")
    (tmp_path / "club.toml").write_text(PAIRS + "".join(bots))
    command = ("tournament", "club.toml", "--web", "--out", "m", "--concurrency", "2")
    with started(tmp_path, *command) as process:
        with seated(browser, link(process, "A / Ann (N E)")) as ann:
            for number in range(3):
                board_of(ann.page, by_mouse)
                if number < 2:
                    ann.page.locator("#next").click()
            starts = [event for event in ann.events() if event["type"] == "BoardStart"]
            assert len({start["board"] for start in starts}) == 3
            ann.page.get_by_role("link", name=re.compile("Replay of board")).wait_for()
        line_with(process.stdout, "results in m")


@pytest.mark.slow
def test_arena_play(tmp_path: Path, browser: Browser) -> None:
    command = ("play", "--boards", "1", "--hints", "--no-browser", "--out", "m", "--seed", "1")
    with (
        started(tmp_path, *command, "--against", "baseline") as process,
        seated(browser, link(process, "You / You (S)")) as you,
    ):
        you.page.locator("#hint").first.wait_for()
        you.page.keyboard.type("hint")
        you.page.keyboard.press("Enter")
        you.page.locator("#note", has_text="natural:").wait_for()
        # Whoever bids seven notrump with an alert declares, and may claim.
        while not you.page.locator(".playable").count():
            you.page.locator(".calls button, .playable").first.wait_for()
            turn = turn_of(you.page)
            bid = you.page.locator("[data-call='7NT']").count()
            you.page.keyboard.type("7n! everything" if bid else "p")
            you.page.keyboard.press("Enter")
            you.page.wait_for_function(ANSWERED, arg=turn)
            you.page.locator(DUE).first.wait_for()
        assert {"seat": "S", "alert": True, "explanation": {"text": "everything"}}.items() <= next(
            event for event in you.events() if event.get("call") == "7NT"
        ).items()
        you.page.keyboard.type("claim 13")
        you.page.keyboard.press("Enter")
        you.page.get_by_text("The claim is refused").wait_for()
        you.page.locator(".playable").first.wait_for()
        you.page.keyboard.type("ask 2")  # North deals
        you.page.keyboard.press("Enter")
        you.page.locator("#note", has_text="means:").wait_for()
        you.page.locator(".playable").first.wait_for()
        board_of(you.page, by_keyboard)
        you.page.get_by_text("for you").first.wait_for()
        line_with(process.stdout, "results in m")


def test_arena_play_takes_one_partner(here: Here) -> None:
    ended = here("play", "--partner", "natural & random")
    assert ended.complaint(2) == "--partner: name one bot"
    assert "unknown bot" in here("play", "--against", "nobody").complaint(2)


def seen_by_a_spectator(address: str) -> str:
    """What the first table's stream begins with."""
    with urlopen(f"{address}tables/1/stream", timeout=PATIENCE) as stream:
        assert stream.readline() == b": hello\n"
        stream.readline()
        text: str = stream.readline().decode()
        return text


def test_people_need_pages(here: Here) -> None:
    ended = here("match", "human:Ann", "random")
    assert ended.complaint(2) == "Ann sits down in a browser: give --web"
