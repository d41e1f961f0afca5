"""Tests of a seat's page: what it shows and announces, where the focus is, and how it ends."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bridge_arena.base.wording import plural
from bridge_arena.protocol.messages import MOST_QUESTIONS
from tests.end_to_end.arena import records_of, started, write_bot
from tests.end_to_end.sitting import (
    ANSWERED,
    DUE,
    LEGAL,
    SEAT_SIZES,
    board_of,
    by_mouse,
    line_with,
    link,
    look_at,
    seated,
    turn_of,
    with_passers,
)

pytestmark = pytest.mark.slow

MATCH = ("match", "Us=random & human:Ann & random & random", "random", "--seed", "3", "--web")

SEEN = ".seated .hand.S, .auction, .box"
"""The parts of the page that a player must see in order to call."""

CLAIMER = """
    from bridge_arena import Bot, Call, PASS, run


    class Claimer(Bot):
        # Plays one notrump, and claims all, then nothing.
        claims = [13, 0]

        def call(self, view):
            return Call("1NT") if Call("1NT") in view.legal_calls() else PASS

        def play(self, view):
            return min(view.legal_cards())

        def claim(self, view):
            return self.claims.pop(0) if self.claims else None


    run(Claimer)
"""

BIDDER = """
    from bridge_arena import Bot, Call, PASS, run

    BIDS = [Call(text) for text in ("1C", "1D", "1H", "1S", "1NT")]


    class Bidder(Bot):
        # Makes the lowest bid, up to one notrump.

        def call(self, view):
            return next((bid for bid in BIDS if bid in view.legal_calls()), PASS)

        def play(self, view):
            return min(view.legal_cards())


    run(Bidder)
"""

HOLD_THE_SOLVER = """() => {
  const { fetch } = window;
  window.fetch = async (address) => {
    const answer = await fetch(address);
    if (!address.startsWith("again?")) return answer;
    const json = await answer.json();
    await new Promise((release) => { window.release = release; });
    return { ok: true, json: async () => json };
  };
}"""
"""Keeps what the solver answers until it is released."""


def play_until_claimed(pages: list[Page]) -> None:
    """Call and play with the mouse at every turn, until declarer claims."""
    while not any(page.get_by_text("Accept the claim").count() for page in pages):
        for page in pages:
            assert not page.locator("#next, #end").count()
            if page.locator(".playable, .calls [data-call][aria-disabled=false]").count():
                by_mouse(page)


def test_a_player_sees_all_that_a_call_needs_and_is_told_what_is_wrong(
    tmp_path: Path, browser: Browser
) -> None:
    with (
        started(tmp_path, *MATCH, "--boards", "1", "--out", "m") as process,
        seated(browser, link(process, "Us / Ann (S)")) as ann,
    ):
        page = ann.page
        note = page.locator("#note")
        page.locator(LEGAL).first.wait_for()
        for width, height in SEAT_SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for each in page.locator(SEEN).all():
                box = each.bounding_box()
                assert box is not None
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= height
        turn = turn_of(page)
        page.keyboard.type("xx")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text("You cannot call redouble now.")
        expect(page.locator("#say")).to_have_accessible_description("You cannot call redouble now.")
        page.keyboard.press("Escape")
        page.keyboard.type("sa")
        page.keyboard.press("Enter")
        expect(note).to_have_text("The auction is not over: call first.")
        page.keyboard.press("Escape")
        assert turn_of(page) == turn
        # The focus stays with what is to be done, by whatever means.
        page.locator("[data-call=Pass]").press("Enter")
        page.wait_for_function(ANSWERED, arg=turn)
        expect(page.locator("[data-call=Pass]")).to_be_focused()
        page.mouse.click(5, 5)
        # To a trick in which a suit has to be followed.
        own = page.locator(".hand.S [data-card]")
        page.locator(DUE).first.wait_for()
        while page.locator(".playable").count() in (0, own.count()):
            assert not by_mouse(page)
            expect(page.locator("#act:focus, .box :focus")).to_have_count(1)
            page.locator(DUE).first.wait_for()
        page.locator(".hand.S [data-card]:not(.playable)").first.click(position={"x": 4, "y": 30})
        expect(page.get_by_role("alert")).to_contain_text("You must follow suit: play a ")
        said = [each.inner_text() for each in page.locator("#news").locator("span").all()]
        assert len([each for each in said if each.startswith("Your turn to play")]) >= 1
        expect(page.locator("[role=status]:visible")).to_have_count(0)
        board_of(page, by_mouse)


def test_two_defenders_answer_a_claim(tmp_path: Path, browser: Browser) -> None:
    claimer = write_bot(tmp_path, "claimer", CLAIMER)
    entries = ("Us=human:Ann & human:Bob & random & random", f"Them={claimer}")
    options = ("--claims", "players", "--boards", "1", "--seed", "3", "--out", "m", "--web")
    with started(tmp_path, "match", *entries, *options) as process:
        links = [link(process, who) for who in ("Us / Ann (N)", "Us / Bob (S)")]
        with seated(browser, links[0]) as ann, seated(browser, links[1]) as bob:
            pages = [ann.page, bob.page]
            accept = [page.get_by_role("button", name="Accept the claim") for page in pages]
            play_until_claimed(pages)
            # Declarer's hand lies open, and each says what to make of the claim.
            for page, button in zip(pages, accept, strict=True):
                button.wait_for()
                expect(page.locator("#state")).to_contain_text("East claims 13 of the 13")
                expect(page.locator(".felt .claimed")).to_have_text(
                    "East claims 13 of the 13 tricks left."
                )
                expect(page.locator("[data-hand=E] [data-card]")).to_have_count(13)
            look_at(ann, links[0].partition("/sit/")[0])
            accept[0].click()
            expect(ann.page.locator("#state")).to_have_text("The claim waits for its answers.")
            bob.page.keyboard.type("no")
            bob.page.keyboard.press("Enter")
            for page, button in zip(pages, accept, strict=True):
                for place in ("#news", "#note"):
                    expect(page.locator(place)).to_contain_text("is refused: play goes on.")
                expect(button).to_have_count(0)
            play_until_claimed(pages)
            expect(ann.page.locator("#state")).to_contain_text("East claims 0 of the")
            for button in accept:
                button.click()
            for page in pages:
                expect(page.locator("#news")).to_contain_text("The claim is accepted.")
                expect(page.locator("#state")).to_contain_text("7 down, +350 for you")
                page.locator("#end").wait_for()
        line_with(process.stdout, "results in m")


def test_only_a_whole_number_of_tricks_is_claimed(tmp_path: Path, browser: Browser) -> None:
    with with_passers(tmp_path, browser, 1) as (process, you):
        page = you.page
        claim = page.get_by_role("button", name="Claim", exact=True)
        page.locator("[data-call='7NT']").click()
        while not claim.count():
            assert not by_mouse(page)
        turn = turn_of(page)
        for tricks in ("", "2.5"):
            page.locator("#claimed").fill(tricks)
            claim.click()
            expect(page.locator("#note")).to_have_text("Claim a whole number of tricks.")
        assert turn_of(page) == turn
        page.locator("#claimed").fill("0")
        claim.click()
        expect(page.locator("#news")).to_contain_text("You claimed 0 of the tricks left.")
        page.locator("#end").wait_for()
        line_with(process.stdout, "results in m")
    assert not any(record.faults for record in records_of(tmp_path / "m" / "match.pbn"))


def test_a_late_answer_of_the_solver_does_not_cover_the_next_board(
    tmp_path: Path, browser: Browser
) -> None:
    with with_passers(tmp_path, browser, 2) as (_, you):
        page = you.page
        page.locator("[data-call='7NT']").click()
        page.locator("#claimed").fill("0")
        page.get_by_role("button", name="Claim", exact=True).click()
        page.evaluate(HOLD_THE_SOLVER)
        page.locator(".play [data-step]").first.click()
        page.get_by_role("button", name="Play on from here").click()
        page.locator("#next").click()
        page.locator(DUE).first.wait_for()
        page.wait_for_function("() => window.release")
        page.evaluate("() => window.release()")
        expect(page.locator("#once-more")).to_be_empty()
        expect(page.locator(".felt [data-card][data-seat]")).to_have_count(13)


def test_no_question_is_a_fault(tmp_path: Path, browser: Browser) -> None:
    bidder = write_bot(tmp_path, "bidder", BIDDER)
    with with_passers(tmp_path, browser, 1, "--against", bidder) as (process, you):
        page = you.page
        theirs = page.locator(".told [data-step]:not([disabled])")

        def asked(number: int, told: str) -> bool:
            """Ask about one of their bids; return whether the server was asked."""
            page.locator(DUE).first.wait_for()
            turn = turn_of(page)
            theirs.nth(number).click()
            expect(page.locator("#note")).to_have_text(told)
            page.locator(DUE).first.wait_for()
            return turn_of(page) != turn

        for _ in range(2):
            by_mouse(page)
        page.locator(DUE).first.wait_for()
        expect(theirs).to_have_count(5)
        means = [
            f"{bid} means: nothing was said of it."
            for bid in ("1 club", "1 diamond", "1 heart", "1 spade", "1 notrump")
        ]
        no_more = f"You have asked {MOST_QUESTIONS} questions at this turn: there are no more."
        assert [asked(number, means[number]) for number in (0, 0, 1, 2, 3, 0)] == [
            *(True, False, True, True, True, False)
        ]
        assert not asked(4, no_more)
        page.reload()
        assert not asked(4, no_more)
        by_mouse(page)
        assert asked(4, means[4])
        assert not asked(4, means[4])
        board_of(page, by_mouse)
        line_with(process.stdout, "results in m")
    records = records_of(tmp_path / "m" / "match.pbn")
    assert [(each.call, each.action) for record in records for each in record.questions] == [
        *((1, 10), (3, 10), (5, 10), (7, 10), (9, 13))
    ]
    assert not any(record.faults for record in records)


def test_all_boards_that_ended_during_a_long_look_at_one_are_shown(
    tmp_path: Path, browser: Browser
) -> None:
    hasty = ("--clock", "0.1", "--out", "m")
    with (
        started(tmp_path, *MATCH, "--boards", "3", *hasty) as process,
        seated(browser, link(process, "Us / Ann (S)")) as ann,
    ):
        page = ann.page
        line_with(process.stdout, "the pages stay")
        for number in (1, 2):
            expect(page.locator("#heading")).to_have_text(f"Board {number}")
            expect(page.locator("#state")).to_contain_text(f"Board {number} is over")
            expect(page.locator("#state")).to_contain_text("The event is over.")
            page.locator("#next").click()
        expect(page.locator("#heading")).to_have_text("Board 3")
        expect(page.locator("#end")).to_be_visible()
        expect(page.locator("#state")).to_contain_text("The event is over.")


def test_boards_that_ended_before_the_arena_was_stopped_are_shown(
    tmp_path: Path, browser: Browser
) -> None:
    hasty = ("--clock", "0.1", "--out", "m")
    with (
        started(tmp_path, *MATCH, "--boards", "30", *hasty) as process,
        seated(browser, link(process, "Us / Ann (S)")) as ann,
    ):
        page = ann.page
        ann.wait_for("BoardStart", 3)
        process.send_signal(signal.SIGHUP)
        expect(page.locator("#state")).to_contain_text("Board 1 is over")
        expect(page.locator("#state")).to_contain_text("The arena was stopped.")
        page.locator("#next").click()
        expect(page.locator("#state")).to_contain_text("Board 2 is over")
        while not page.locator("#interrupted").count():
            page.locator("#next").click()
        expect(page.locator("#state")).to_contain_text("The arena was stopped.")
        process.wait()


def test_the_end_of_the_last_board_and_of_the_event(tmp_path: Path, browser: Browser) -> None:
    with (
        started(tmp_path, *MATCH, "--boards", "1", "--out", "m") as process,
        seated(browser, address := link(process, "Us / Ann (S)")) as ann,
    ):
        page = ann.page
        board_of(page, by_mouse)
        expect(page.locator("#end")).to_have_text("That was the last board.")
        expect(page.locator("#act")).to_contain_text("written to the folder m.")
        expect(page.locator("#state")).to_contain_text("The event is over.")
        expect(page.locator("#line")).to_be_hidden()
        page.keyboard.press("Enter")
        expect(page.locator("#note")).to_have_text("The event is over.")
        page.get_by_role("link", name="Replay of board 1").wait_for()
        # The other room and par have the signs of suits.
        expect(page.locator("#over .contract").first).to_be_visible()
        line_with(process.stdout, "the pages stay")
        # Who opens the link again finds the way to the seat.
        page.goto(address)
        page.get_by_role("link", name="go to your seat").click()
        assert "410 (Gone)" in ann.complaints.pop(), "the browser complains of the used link"
        # There, as after a reload, the end is told again: the board with all hands, and the match.
        for _ in range(2):
            expect(page.locator("#state")).to_contain_text("Board 1 is over")
            expect(page.locator("#state")).to_contain_text("The event is over.")
            expect(page.locator("#end")).to_be_visible()
            expect(page.locator("#act")).to_contain_text("written to the folder m.")
            expect(page.locator("#over")).to_contain_text("Par: ")
            for costs in page.locator(".costs").all():
                expect(costs).to_contain_text(re.compile(r" cost.*[^…]$"))
            expect(page.locator("#scorecard tbody tr")).to_have_count(1)
            expect(page.locator(".felt [data-card][data-seat]")).to_have_count(52)
            page.get_by_role("link", name="Replay of board 1").wait_for()
            page.reload()
        summary = json.loads((tmp_path / "m" / "summary.json").read_text())
        result = page.locator("#scorecard .verdict")
        expect(result).to_contain_text(plural(abs(summary["imps"]), "IMP"))
        with page.expect_popup() as report:
            page.get_by_role("link", name="Report", exact=True).click()
        expect(report.value).to_have_title(re.compile("match report"))
        # The most costly cards come first.
        cards = page.locator(".costs").first.locator("button").all_inner_texts()
        lost = [int(words.split("−")[1].split()[0]) for words in cards]
        assert lost
        assert lost == sorted(lost, reverse=True)
        # What a call cost leads to it; bots that call at random lose much by it.
        call = page.locator(".costs button", has_text=" called ").first
        call.click()
        expect(page.locator(".auction [aria-current=step] .cost")).to_be_visible()
        assert (
            call.inner_text()
            .split("−")[1]
            .startswith(
                page.locator(".auction [aria-current=step] .cost").inner_text()[1:].splitlines()[0]
            )
        )
        # A card is tried again, against the solver; nothing of it is kept.
        page.locator(".play [data-step]").nth(40).click()
        page.get_by_role("button", name="Play on from here").click()
        for place in ("#once-more", "#state"):
            expect(page.locator(place)).to_contain_text("your card")
        while page.locator(".playable").count():
            before = page.locator(".play [data-step]").count()
            page.locator(".playable").first.click()
            expect(page.locator(".play [data-step]")).not_to_have_count(before)
        expect(page.locator("#once-more")).to_contain_text("tricks for declarer")
        page.get_by_role("button", name="Stop").click()
        expect(page.locator("#over")).to_contain_text("Par: ")
        look_at(ann, address.partition("/sit/")[0])


def test_a_page_says_that_the_arena_was_stopped(tmp_path: Path, browser: Browser) -> None:
    with (
        started(tmp_path, *MATCH, "--boards", "1", "--out", "n") as process,
        seated(browser, link(process, "Us / Ann (S)")) as ann,
    ):
        page = ann.page
        page.locator(LEGAL).first.wait_for()
        page.keyboard.type("sa")
        page.keyboard.press("Enter")
        expect(page.locator("#note")).not_to_be_empty()
        process.send_signal(signal.SIGHUP)
        expect(page.locator("#state")).to_contain_text("The arena was stopped")
        # What was told before is gone, and the part that has the focus says what there is to do.
        expect(page.locator("#note")).to_be_empty()
        expect(page.locator("#interrupted")).to_contain_text("has a new link for you")
        expect(page.locator("#act")).to_be_focused()
        expect(page.locator(".calls")).to_have_count(0)
        expect(page.locator("#act")).not_to_contain_text("written")
        process.wait()
        expect(page.locator("#state")).not_to_contain_text("trying again")
