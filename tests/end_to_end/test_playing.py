"""People at the table: real browsers, real bots, real events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import IO, TYPE_CHECKING, Any

import pytest

from tests.end_to_end.arena import records_of, started
from tests.end_to_end.browsing import SIZES, Opened, listen
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocket

MATCH = ("match", "Us=random & human:Ann & random & random", "random", "--seed", "3", "--web")

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
def seated(browser: Browser, address: str, width: int = 1400) -> Iterator[AtTheTable]:
    """A window that has used a link."""
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]}, reduced_motion="reduce"
    )
    context.set_default_timeout(1000 * PATIENCE)
    try:
        found = AtTheTable(context.new_page())
        listen(found)

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


def by_mouse(page: Page, boards: int) -> None:
    """Play boards by pressing what can be pressed: pass, the first card, the next board."""
    for _ in range(2000):
        page.locator(DUE).first.wait_for()
        if page.locator("#next").count():
            boards -= 1
            if not boards:
                return
            page.locator("#next").click()
        elif page.locator(".playable").count():
            card = page.locator(".playable").first
            told = card.get_attribute("data-card")
            card.click()
            page.wait_for_function(PLAYED, arg=told)
        else:
            page.locator(".calls button").first.click()
    raise AssertionError("no end")


PLAYED = "card => !document.querySelector(`.hand .playable[data-card=${card}]`)"


@pytest.mark.slow
def test_four_boards_with_the_mouse_alone(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path, *MATCH, "--boards", "4", "--out", "m", "--concurrency", "2") as process:
        with seated(browser, link(process, "Us / Ann (S)")) as ann:
            by_mouse(ann.page, 4)
            ann.page.get_by_role("link", name="Replay of board 4").wait_for()
            assert ann.complaints == []
            ann.check_secrecy("S")
        line_with(process.stdout, "results in m")
    assert len(records_of(tmp_path / "m" / "boards.pbn")) == 8
