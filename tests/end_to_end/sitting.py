"""People at the table: windows with a seat, and what is pressed and typed there."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import IO, Any

from playwright.sync_api import Browser, Locator, Page, WebSocket

from tests.end_to_end.arena import started, write_bot
from tests.end_to_end.browsing import SCHEMES, SIZES, Opened, listen
from tests.patience import PATIENCE

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
"""The messages that a seat may be sent: no thoughts, and no BoardShown, which has all hands."""


@dataclass
class AtTheTable(Opened):
    """A window with a seat. `frames`: what its websockets were sent."""

    frames: list[dict[str, Any]] = field(default_factory=list)

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the messages of the window, those of snapshots one by one."""
        for frame in self.frames:
            assert frame["type"] in TO_SEATS
            yield from frame["events"] if frame["type"] == "Snapshot" else [frame]

    def wait_for(self, kind: str, count: int) -> None:
        """Wait until the window was sent so many messages of a kind."""
        end = time.monotonic() + PATIENCE
        while [event["type"] for event in self.events()].count(kind) < count:
            assert time.monotonic() < end, f"not {count} of {kind}"
            self.page.wait_for_timeout(20)

    def check_secrecy(self, seat: str) -> None:
        """Check that it saw its own hand, dummy's after the lead, and no other."""
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
    """Return the next line of a command's output that contains some words."""
    assert output is not None
    for line in output:
        if words in line:
            return line.strip()
    raise AssertionError(f"no line with {words!r}")


def link(process: Popen[str], who: str) -> str:
    """Return the link at which a person sits down."""
    return line_with(process.stdout, f"{who} sits down at").rpartition(" ")[2]


def own_link(process: Popen[str]) -> str:
    """Return the link for the person who started `arena play`."""
    return line_with(process.stdout, "sit down at").rpartition(" ")[2]


@contextmanager
def seated(
    browser: Browser,
    address: str,
    prepare: Callable[[Page], object] | None = None,
    *,
    is_phone: bool = False,
) -> Iterator[AtTheTable]:
    """Open a window with a link, of a computer or a phone. `prepare` changes its page before."""
    width = 390 if is_phone else 1400
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]},
        reduced_motion="reduce",
        has_touch=is_phone,
        is_mobile=is_phone,
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
        found.page.get_by_role("button", name="Done").click()
        yield found
    finally:
        context.close()


PASSER = """
    from bridge_arena import Bot, PASS, run


    class Passer(Bot):
        # Passes, and plays low.

        def call(self, view):
            return PASS

        def play(self, view):
            return min(view.legal_cards())


    run(Passer)
"""


@contextmanager
def with_passers(
    folder: Path, browser: Browser, boards: int, *options: str, is_phone: bool = False
) -> Iterator[tuple[Popen[str], AtTheTable]]:
    """Have a person play, whose partner and opponents pass and play low unless options say else."""
    passer = write_bot(folder, "passer", PASSER)
    command = ("play", "--partner", passer, "--against", passer, "--boards", str(boards), *options)
    with (
        started(folder, *command, "--no-browser", "--out", "m") as process,
        seated(browser, own_link(process), is_phone=is_phone) as you,
    ):
        yield process, you


SEAT_SIZES = {1024: 768, **SIZES}
"""Widths of the windows of seats, and their heights."""

LEGAL = ".calls button:not([aria-disabled=true])"
"""The selector of pass, double and redouble where they are legal, and of the answers to a claim."""

DUE = f"#next, #end, {LEGAL}, .playable"
"""The selectors of all that a player may press next, and of the end of the last board."""

ANSWERED = """([board, seq]) => {
  const choices = document.querySelector("#act");
  return choices.dataset.board !== board || choices.dataset.seq !== seq;
}"""
"""Whether a turn is over."""


def by_mouse(page: Page) -> bool:
    """Press what can be pressed: pass, the first card; whether the board was over instead."""
    page.locator(DUE).first.wait_for()
    if page.locator("#next, #end").count():
        return True
    turn = turn_of(page)
    page.locator(f".playable, {LEGAL}").first.click()
    page.wait_for_function(ANSWERED, arg=turn)
    return False


def by_keyboard(page: Page) -> bool:
    """Type a pass or a card, or go to a card by arrows; whether the board was over instead."""
    page.locator(DUE).first.wait_for()
    if page.locator("#next, #end").count():
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
    for width, height in SEAT_SIZES.items():
        opened.page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            opened.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            opened.check(home)


def thirty_clicks(page: Page, control: Locator) -> set[str]:
    """Click thirty times at the middle of a control without looking; return the names of all that
    was pressed."""
    page.evaluate(_LISTEN_FOR_PRESSES)
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    assert box is not None
    for _ in range(30):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(10)
    pressed: list[str] = page.evaluate("window.pressed")
    return set(pressed)


_LISTEN_FOR_PRESSES = """() => {
  if (!window.pressed) {
    document.addEventListener("click", (event) => {
      const control = event.target.closest("button, a, input, label, [data-card][data-seat]");
      if (!control || control.ariaDisabled === "true") return;
      const { call, card, step } = control.dataset;
      window.pressed.push(call || card || step || control.id || control.textContent.trim());
    }, true);
  }
  window.pressed = [];
}"""


def turn_of(page: Page) -> list[str]:
    """Return the board and the number of the open turn."""
    act = page.locator("#act")
    return [act.get_attribute("data-board") or "", act.get_attribute("data-seq") or ""]


def board_of(page: Page, step: Callable[[Page], bool]) -> None:
    """Play a board to its end."""
    while not step(page):
        pass
