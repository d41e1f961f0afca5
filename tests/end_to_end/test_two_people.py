"""Tests of people against each other: what one asks for at the table, the other answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.arena import records_of, started, write_bot
from tests.end_to_end.sitting import (
    ANSWERED,
    PASSER,
    line_with,
    link,
    look_at,
    seated,
    turn_of,
)

pytestmark = pytest.mark.slow

EVENT = """
[event]
name = "Friends"
format = "match"
boards = 1
seed = 3
undo = true
claims = "players"

[[entry]]
bot = "human:Ann & {passer} & {passer} & {passer}"
name = "Us"

[[entry]]
bot = "{passer} & {passer} & human:Bob & {passer}"
name = "Them"
"""


def say(page: Page, line: str) -> None:
    """Type a line at the next turn, and wait until the turn is over."""
    expect(page.locator("#act")).not_to_have_attribute("data-seq", "")
    turn = turn_of(page)
    page.keyboard.type(line)
    page.keyboard.press("Enter")
    page.wait_for_function(ANSWERED, arg=turn)


def lowest(page: Page) -> None:
    """Play the first card that may be played."""
    card = page.locator(".playable").first
    card.wait_for()
    say(page, (card.get_attribute("data-card") or "").lower())


def test_an_undo_and_a_claim_between_two_people(tmp_path: Path, browser: Browser) -> None:
    passer = write_bot(tmp_path, "passer", PASSER).replace('"', '\\"')
    (tmp_path / "friends.toml").write_text(EVENT.format(passer=passer))
    command = ("tournament", "friends.toml", "--web", "--out", "m", "--concurrency", "2")
    with started(tmp_path, *command) as process:
        links = [link(process, who) for who in ("Us / Ann (N)", "Them / Bob (E)")]
        with seated(browser, links[0]) as ann, seated(browser, links[1]) as bob:
            # North deals, and plays seven notrump; East leads.
            expect(ann.page).to_have_title("● Your turn – Friends")
            expect(bob.page.locator("#state")).to_contain_text("Waiting for Ann (North): 9:")
            say(ann.page, "7n")
            say(bob.page, "p")
            lowest(bob.page)
            expect(ann.page.locator("#undo")).to_be_visible()
            lowest(ann.page)
            ann.page.locator(".playable").first.wait_for()
            let, refuse = (
                bob.page.get_by_role("button", name=name) for name in ("Let them", "Refuse it")
            )
            # Asked for and refused, and for this turn that is all.
            say(ann.page, "undo")
            expect(bob.page.locator("#state")).to_contain_text("Your opponents ask to take back")
            expect(bob.page.locator(".felt .claimed")).to_be_visible()
            look_at(bob, links[0].partition("/sit/")[0])
            refuse.click()
            ann.page.locator(".playable").first.wait_for()
            expect(ann.page.locator("#news")).to_contain_text("Your opponents refuse")
            expect(ann.page.locator("#undo")).to_be_hidden()
            # At the next turn it is asked for again, and agreed to: a card is back.
            lowest(ann.page)
            lowest(bob.page)  # Bob has won the trick
            ann.page.locator(".playable").first.wait_for()
            before = ann.page.locator(".play [data-step]").count()
            say(ann.page, "undo")
            let.click()
            expect(ann.page.locator(".play [data-step]")).not_to_have_count(before)
            ann.page.locator(".playable").first.wait_for()
            # The claim lies on the table.
            say(ann.page, "claim 0")
            expect(bob.page.locator(".felt .claimed")).to_contain_text("North claims 0 of the")
            expect(ann.page.locator(".felt .claimed")).to_contain_text("You claim 0 of the")
            bob.page.get_by_role("button", name="Accept the claim").click()
            for page, text in ((ann.page, "Us"), (bob.page, "Them")):
                expect(page.locator("#end")).to_be_visible()
                expect(page.locator("#scorecard .verdict")).to_contain_text(text)
            assert not ann.complaints + bob.complaints
        line_with(process.stdout, "results in m")
    records = records_of(tmp_path / "m" / "match.pbn")
    assert [fault.kind for record in records for fault in record.faults] == ["undo"]
