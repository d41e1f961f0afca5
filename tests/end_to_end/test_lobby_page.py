"""The lobby's page with states that its events rarely reach, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.end_to_end.test_paced_pages import HOME, STREAM, hear, page_at_rest
from tests.web.test_weights import lobby_page

pytestmark = pytest.mark.slow


def state(**values: Any) -> dict[str, Any]:
    """Return the state of a lobby with one table, in the second round of the same boards."""
    shown = {"board": 3, "round": 1, "lineup": [0, 1, 0, 1], "score": "", "isOver": False}
    row = {"number": 1, "round": 2, "board": 3, "room": "Open", "lineup": [0, 2, 0, 2]}
    return {
        "state": {
            "event": {"name": "League", "format": "round robin"},
            "names": ["a", "b", "c"],
            "isTeams": True,
            "hasCrosstable": False,
            "roundsInAll": 3,
            "isOver": False,
            "progress": "1 of 6 tables played",
            "test": None,
            "swing": None,
            "featured": 1,
            "standings": {"unit": "IMPs", "rows": []},
            "rounds": [],
            "tables": [{**row, "shown": shown}],
            "past": [],
            "own": "",
            **values,
        }
    }


def test_a_felt_tells_boards_of_one_number_in_two_rounds_apart(browser: Browser) -> None:
    with page_at_rest(browser, lobby_page(), STREAM) as page:
        page.goto(HOME)
        hear(page, state())
        felt = page.locator("#tables li")
        expect(felt.locator(".plays")).to_have_text("Board 3, open room, round 2")
        expect(felt.locator(".now")).to_contain_text("Board 3, round 1")
        shown = {"board": 3, "round": 2, "lineup": [0, 2, 0, 2], "score": "", "isOver": False}
        hear(page, {"tables": [{"number": 1, "shown": shown}]})
        expect(felt.locator(".now")).not_to_contain_text("Board 3")


def test_a_swing_that_the_director_made_says_so(browser: Browser) -> None:
    swing = {"key": "1-1-3", "board": 3, "imps": 12, "entries": [0, 1], "results": ["4S N =", ""]}
    with page_at_rest(browser, lobby_page(), STREAM) as page:
        page.goto(HOME)
        hear(page, state(swing={**swing, "isRuled": True}))
        latest = page.locator("#swing")
        expect(latest).to_contain_text("12 IMPs to a against b")
        expect(latest).to_contain_text("no result in the closed room; the director ruled on it")
        hear(page, {"swing": {**swing, "isRuled": False}})
        expect(latest).not_to_contain_text("director")


def test_match_points_say_that_matches_go_on(browser: Browser) -> None:
    standings = {"unit": "VP", "rows": []}
    with page_at_rest(browser, lobby_page(), STREAM) as page:
        page.goto(HOME)
        for more, is_shown in (
            ({"standings": standings}, True),
            ({}, False),
            ({"standings": standings, "isOver": True}, False),
        ):
            hear(page, state(**more))
            expect(page.locator("#so-far")).to_be_visible(visible=is_shown)
