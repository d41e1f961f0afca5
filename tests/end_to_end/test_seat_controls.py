"""Tests of what is pressed at a seat: it stays where it is, by mouse and by touch."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.sitting import (
    ANSWERED,
    DUE,
    look_at,
    thirty_clicks,
    turn_of,
    with_passers,
)

pytestmark = pytest.mark.slow

HOME = "http://127.0.0.1"

COUNT_TICKS = """() => {
  window.ticks = 0;
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function () {
    window.ticks += 1;
    start.call(this);
  };
}"""
"""Has the page count its sounds."""


def settings(page: Page) -> dict[str, bool]:
    """Return the settings, and whether each is on."""
    is_on = "all => all.map((each) => [each.dataset.setting, each.ariaPressed === 'true'])"
    return dict(page.locator("[data-setting]").evaluate_all(is_on))


@pytest.mark.parametrize("pointer", ["mouse", "touch"])
def test_thirty_clicks_at_one_point_do_one_thing(
    tmp_path: Path, browser: Browser, pointer: str
) -> None:
    is_phone = pointer == "touch"
    with with_passers(tmp_path, browser, 3, "--hints", "--undo", is_phone=is_phone) as (_, you):
        page = you.page
        page.locator(DUE).first.wait_for()
        controls = ["Settings", "Hint"] if is_phone else ["Settings", "Keys (?)", "Hint"]
        for name in controls:
            button = page.get_by_role("button", name=name)
            own = "hint" if name == "Hint" else name
            assert thirty_clicks(page, button) == {own}
            expect(page.locator(":popover-open")).to_have_count(0)
        assert thirty_clicks(page, page.locator("#alert")) == {"alert"}
        assert thirty_clicks(page, page.locator("[data-call=XX]")) == set()
        if is_phone:
            page.get_by_role("button", name="Level 7").tap()
        assert thirty_clicks(page, page.locator("[data-call='7NT']")) == {"7NT"}
        page.locator(DUE).first.wait_for()  # the lead is made
        if not is_phone:
            assert thirty_clicks(page, page.locator("#undo")) == {"undo"}
            page.locator("[data-call='7NT']").click()
            page.locator(".playable").first.wait_for()
        # Until dummy is to play, or the next trick is led.
        card = page.locator(".playable").first
        name = card.get_attribute("data-card") or ""
        assert thirty_clicks(page, card) == {name}
        page.locator("#claimed").wait_for()
        page.locator("#claimed").fill("0")
        assert thirty_clicks(page, page.get_by_role("button", name="Claim")) == {"Claim"}
        page.locator("#over").wait_for()
        assert thirty_clicks(page, page.locator("#next")) == {"next"}
        page.get_by_role("heading", level=1, name="Board 2").wait_for()
        page.locator(DUE).first.wait_for()
        # Whoever always passes has the next board passed out.
        assert thirty_clicks(page, page.locator("[data-call=Pass]")) == {"Pass"}
        page.locator("#next").wait_for()
        expect(page.locator("#heading")).to_have_text("Board 2")
        assert not you.complaints


def test_few_stops_lead_to_the_bidding_box(tmp_path: Path, browser: Browser) -> None:
    """Arrow keys move in it, and what is wrong stands beside what was pressed."""
    # With this seed dummy has several cards of the suit that is led.
    options = ("--hints", "--undo", "--seed", "3")
    with with_passers(tmp_path, browser, 1, *options) as (_, you):
        page = you.page
        page.locator(DUE).first.wait_for()
        page.mouse.click(5, 5)
        stops = 0
        while not page.locator("[data-call=Pass]:focus").count():
            page.keyboard.press("Tab")
            stops += 1
        assert stops <= 9, "eight before it"
        for key in ("ArrowRight", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        redouble, note = page.locator("[data-call=XX]"), page.get_by_role("alert")
        expect(redouble).to_be_focused()
        expect(note).to_have_text("You cannot call redouble now.")
        expect(redouble).to_have_accessible_description("You cannot call redouble now.")
        near, at = note.bounding_box(), redouble.bounding_box()
        assert near is not None
        assert at is not None
        assert at["y"] < near["y"] < at["y"] + 60
        for key in ("ArrowDown", "ArrowDown", "ArrowLeft"):
            page.keyboard.press(key)
        expect(page.locator("[data-call='2S']")).to_be_focused()
        # In the play there is one stop at the cards.
        page.keyboard.press("Enter")
        page.locator(".playable").first.wait_for()
        expect(page.locator(".playable[tabindex='0']")).to_have_count(1)
        page.keyboard.press("ArrowRight")
        first = page.locator(".playable").first
        expect(first).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".playable").nth(1)).to_be_focused()


def test_the_bidding_box_has_one_geometry(tmp_path: Path, browser: Browser) -> None:
    boxes = "all => all.map((each) => JSON.stringify(each.getBoundingClientRect()))"
    with with_passers(tmp_path, browser, 2) as (_, you):
        page = you.page
        keys = page.locator(".box button")
        page.locator(DUE).first.wait_for()
        first = keys.evaluate_all(boxes)
        assert len(first) == 38
        turn = turn_of(page)
        page.locator("[data-call='1C']").click()
        page.wait_for_function(ANSWERED, arg=turn)
        page.locator(".playable").first.wait_for()
        # Trumps stand at the left.
        suits = "all => [...new Set(all.map((each) => each.dataset.card[0]))].join('')"
        order = page.locator(".hand.S [data-card]").evaluate_all(suits)
        assert order == "".join(suit for suit in "CDSH" if suit in order)
        expect(page.locator(".corner.left")).to_contain_text("Board 1 of 2")
        expect(page.locator(".corner.left")).to_contain_text("Vulnerable: nobody")
        expect(page.locator(".corner.right")).to_contain_text("You 0 of 7, they 0")
        while not page.locator("#next").count():
            page.locator(DUE).first.wait_for()
            if page.locator(".playable").count():
                turn = turn_of(page)
                page.locator(".playable").first.click()
                page.wait_for_function(ANSWERED, arg=turn)
        page.locator("#next").click()
        page.locator(DUE).first.wait_for()
        assert keys.evaluate_all(boxes) == first


def test_a_board_is_played_by_touch(tmp_path: Path, browser: Browser) -> None:
    with with_passers(tmp_path, browser, 1, is_phone=True) as (_, you):
        page = you.page
        note = page.locator("#note")
        page.locator(DUE).first.wait_for()
        assert settings(page) == {
            "four-colours": False,
            "high-contrast": False,
            "confirm": True,
            "tick": False,
        }
        expect(page.locator("#line")).to_be_hidden()
        for key in page.locator(".box button").all():
            box = key.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 48
        you.check(HOME)

        def twice(what: str, name: str) -> None:
            turn = turn_of(page)
            page.locator(what).tap()
            expect(note).to_have_text(f"Press again: {name}.")
            assert turn_of(page) == turn
            page.locator(what).tap()
            page.wait_for_function(ANSWERED, arg=turn)

        # An explanation, the level, the denomination.
        page.locator("#meaning").fill("spades")
        page.locator("[data-call=S]").tap(force=True)
        expect(note).to_have_text("Press a level first.")
        page.get_by_role("button", name="Level 2").tap()
        twice("[data-call='2S']", "2 spades")
        page.locator(".playable").first.wait_for()
        assert {"call": "2S", "explanation": {"text": "spades"}}.items() <= next(
            event for event in you.events() if event.get("call") == "2S"
        ).items()
        you.check(HOME)
        while not page.locator("#next, #end").count():
            page.locator(DUE).first.wait_for()
            card = page.locator(".playable").first
            if card.count():
                code = card.get_attribute("data-card") or ""
                name = page.locator(".playable").first.get_attribute("aria-label") or ""
                twice(f".hand [data-card={code}]", name)
        you.check(HOME)
        expect(page.locator("#state")).to_contain_text("for you")
        # No column of the scorecard is cut off.
        expect(page.locator("#scorecard .across th")).to_have_count(8)
        fits = "across => across.scrollWidth <= across.clientWidth"
        assert page.locator("#scorecard .across").evaluate(fits)


def test_settings_are_offered_at_the_first_visit_and_kept(tmp_path: Path, browser: Browser) -> None:
    with with_passers(tmp_path, browser, 1) as (_, you):  # where Done is pressed
        page = you.page
        page.reload()
        page.locator(DUE).first.wait_for()
        expect(page.locator("#settings")).to_be_hidden()
        assert not any(settings(page).values())
        page.emulate_media(contrast="more")
        page.reload()
        assert settings(page)["high-contrast"]
        page.get_by_role("button", name="Settings").click()
        for name in ("Four-colour suits", "Press twice to call or play", "Tick at my turn"):
            page.get_by_role("button", name=name).click()
        page.get_by_role("button", name="Done").click()
        page.reload()
        page.locator(DUE).first.wait_for()
        assert all(settings(page).values())
        look_at(you, HOME)
        turn = turn_of(page)
        page.locator("[data-call=Pass]").click()
        expect(page.locator("#note")).to_have_text("Press again: pass.")
        assert turn_of(page) == turn
        # Each turn begins with a tick.
        page.evaluate(COUNT_TICKS)
        page.locator("[data-call='7NT']").dblclick()
        page.locator(".playable").first.wait_for()
        assert page.evaluate("window.ticks") == 1
