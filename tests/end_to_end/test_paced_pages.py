"""Pages that show one after another what comes at once: without a table, on a clock that stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import Seat
from bridge_arena.web.board.document import BoardDocument
from bridge_arena.web.board.of_records import document_of
from bridge_arena.web.common.pages import static_files
from tests.web.test_weights import STATIC, seat_page, table_page

pytestmark = pytest.mark.slow

HOME = "http://pages.test/seat/"

STREAM = """
  let number = 0;
  const listeners = {};
  window.EventSource = class {
    addEventListener(type, listener) { listeners[type] = listener; }
    close() {}
  };
  window.hear = (changes) => listeners.message(
    { data: JSON.stringify(changes.map((change) => [number += 1, change])) });
"""
"""A stream that says what `hear` is given."""

COUNTED = """
  window.visited = 0;
  for (const name of ["map", "slice", "reverse", "find", "findIndex", "filter", "some"]) {
    const method = Array.prototype[name];
    Array.prototype[name] = function (...given) {
      window.visited += this.length;
      return method.apply(this, given);
    };
  }
"""
"""Counts the members of the lists that are gone through."""

STEP = "(({ view }) => [view.step, view.actions.length])(Arena.page)"

CALLS = ("1NT", "Pass", "2C", "Pass", "2D", "Pass", "Pass", "Pass")


@contextmanager
def page_at_rest(browser: Browser, html: str, *scripts: str) -> Iterator[Page]:
    """Open a page that moves, while its clock stands."""
    context = browser.new_context(reduced_motion="no-preference")
    page = context.new_page()
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    for script in scripts:
        page.add_init_script(script)
    files = {HOME + STATIC + file.name: file for file in static_files()}

    def answer(route: Route) -> None:
        file = files.get(route.request.url)
        if file is not None:
            route.fulfill(path=file)
        elif route.request.url == HOME:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            route.fulfill(status=404)

    page.route(f"{HOME}**", answer)
    try:
        yield page
    finally:
        context.close()


# A table.


def state(calls: int = 0, number: int = 1) -> dict[str, Any]:
    """Return the state of a table, in an auction that has so many calls."""
    document: BoardDocument = document_of(Board.dealt(1, number), "", [])
    table: Any = {
        "number": 1,
        "name": "Open room",
        "players": {"N": "a", "E": "b", "S": "c", "W": "d"},
        "calls": [{"call": call} for call in CALLS[:calls]],
        "cards": [],
        "winners": [],
    }
    document["tables"] = [table]
    key = f"1-1-{number}"
    return {
        "state": {
            "table": 1,
            "over": "",
            "place": 0,
            "key": key,
            "board": document,
            "score": "",
            "pace": 0.0,
        }
    }


def made(*calls: str) -> list[dict[str, Any]]:
    return [{"place": 0, "calls": [{"call": call}]} for call in calls]


@contextmanager
def live_table(browser: Browser) -> Iterator[Page]:
    with page_at_rest(browser, table_page(), STREAM, COUNTED) as page:
        page.goto(HOME)
        yield page


def hear(page: Page, *changes: dict[str, Any]) -> None:
    page.evaluate("changes => window.hear(changes)", list(changes))


def test_what_is_repeated_after_an_undo_is_shown_at_once(browser: Browser) -> None:
    with live_table(browser) as page:
        hear(page, state(), *made(*CALLS[:6]))
        assert page.evaluate(STEP) == [1, 1]
        page.clock.run_for(6 * 500)
        assert page.evaluate(STEP) == [6, 6]
        # The last three are taken back, and others made.
        hear(page, state(), *made(*CALLS[:3], "X", "Pass", "Pass"))
        assert page.evaluate(STEP) == [4, 4]
        page.clock.run_for(500)
        assert page.evaluate(STEP) == [5, 5]


def test_what_comes_of_an_action_is_shown_with_it_and_costs_no_search(browser: Browser) -> None:
    """However many boards wait."""

    def boards(first: int, count: int) -> list[dict[str, Any]]:
        changes = []
        for number in range(first, first + count):
            contract = {"place": 0, "set": {"contract": "2D", "declarer": "S"}}
            changes += [state(0, number), *made(*CALLS), contract]
        return changes

    with live_table(browser) as page:
        hear(page, *boards(1, 1))
        page.clock.run_for(6 * 500)
        assert page.evaluate("Arena.page.view.table.contract") is None
        page.clock.run_for(500)
        assert page.evaluate("Arena.page.view.table.contract") == "2D"
        visited = []
        for count in (20, 40):
            before = page.evaluate("window.visited")
            hear(page, *boards(2 + count, count))
            visited.append(page.evaluate("window.visited") - before)
        assert visited[1] < 3 * visited[0]


def test_a_table_with_a_quick_pace_leaves_the_page_behind_for_a_moment_only(
    browser: Browser,
) -> None:
    steady = 300
    first, second = state(), state(0, 2)
    for begun in (first, second):
        begun["state"]["pace"] = steady / 1000
    over = {"place": 0, "set": {"contract": "2D", "declarer": "S", "tricks": 8, "score": 90}}
    with live_table(browser) as page:
        hear(page, first)
        for call in made(*CALLS):
            page.clock.run_for(steady)
            hear(page, call)
        hear(page, over, second)
        for number, call in enumerate(made(*CALLS), start=1):
            page.clock.run_for(steady)
            hear(page, call)
            expect(page.locator("#go-live")).to_be_hidden()
            if number > 6:
                assert page.evaluate(STEP) == [number, number]


# A seat.

START = {
    "type": "BoardStart",
    "dealer": "E",
    "vulnerability": "None",
    "hand": str(Board.dealt(1, 1).deal[Seat.NORTH]),
}

SHOWN = ".auction [data-step]"


def called(*calls: str) -> list[dict[str, Any]]:
    """Return the calls of the others, from East."""
    return [
        {"type": "CallMade", "seat": seat, "call": call}
        for seat, call in zip("ESW", calls, strict=False)
    ]


@contextmanager
def seat(browser: Browser, *messages: dict[str, Any]) -> Iterator[Page]:
    """Open North's page, which is sent messages at once."""

    def tell(line: WebSocketRoute) -> None:
        for seq, message in enumerate(messages, start=1):
            line.send(json.dumps({"table": "A1", "board": 1, "seq": seq, **message}))

    with page_at_rest(browser, seat_page()) as page:
        page.route_web_socket("**/seat/socket/*", tell)
        page.goto(HOME)
        yield page


@pytest.mark.parametrize(
    ("left", "is_at_once"),
    [
        ({"seconds": 600.0}, False),
        ({"seconds": 20.0}, True),
        ({"seconds": 600.0, "match_seconds": 900.0}, True),
    ],
    ids=["ample", "little", "of the match"],
)
def test_a_seat_whose_time_counts_waits_for_nothing(
    browser: Browser, left: dict[str, float], *, is_at_once: bool
) -> None:
    turn = {"type": "YourTurn", "player": "N", "seat": "N", "legal": ["Pass"], **left}
    with seat(browser, START, *called("Pass", "Pass", "Pass"), turn) as page:
        shown = page.locator(SHOWN)
        expect(shown).to_have_count(3 if is_at_once else 1)
        assert page.title().startswith("● Your turn") == is_at_once
        page.clock.run_for(1000)
        expect(shown).to_have_count(3)
        assert page.title().startswith("● Your turn")


def test_a_seat_is_told_what_others_do_anew_after_an_undo(browser: Browser) -> None:
    anew = [START, *called("Pass", "1C", "1D")]
    with seat(browser, START, *called("Pass", "Pass"), *anew) as page:
        page.clock.run_for(600)
        expect(page.locator(SHOWN)).to_have_count(2)
        expect(page.locator("#news")).to_contain_text("Taken back. South called 1 club.")
        page.clock.run_for(300)
        expect(page.locator("#news")).to_contain_text("West called 1 diamond.")
