"""Boards in a real browser: pages of `arena view`, and those beside a report."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from bridge_arena.bridge.board import by_board
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import Side
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.web.common.serving import TABLES
from tests.data import data_path
from tests.end_to_end.arena import Ended, arena, interrupt, started, summary_of
from tests.end_to_end.browsing import look, opened, web_server
from tests.end_to_end.conftest import FinishedMatch, Here
from tests.end_to_end.serving import Served

STRANGER = """
import os, socket, sys
os.setuid(65534)
own = socket.socket()
try:
    own.connect(("127.0.0.1", int(sys.argv[1])))
    own.sendall(sys.argv[2].encode())
    sys.stdout.buffer.write(own.recv(100))
except ConnectionError:
    pass
"""
"""Asks as another user, and prints what it is answered."""

SCRIPT = "<script>document.title = 'taken'</script>"

BOARD = "boards/board.html#board=board-"
"""The address of a board beside a report, without its number."""


class Viewed(Served):
    """A running `arena view`."""

    def __init__(self, process: object) -> None:
        super().__init__(process)  # type: ignore[arg-type]
        self.url = self.read_until(r"http://\S+")[0]


@contextmanager
def viewed(folder: Path, source: str | Path) -> Iterator[Viewed]:
    with started(folder, "view", str(source), "--no-browser") as process:
        yield Viewed(process)


def records_of(match: FinishedMatch) -> list[BoardRecord]:
    with (match.folder / "match.pbn").open("rb") as file:
        return list(read_records(file))


def write_pbn(path: Path, records: list[BoardRecord]) -> Path:
    games = [format_canonical(game_of(record)) for record in records]
    path.write_text("".join(games), encoding="latin-1")
    return path


def told(page: Page) -> str:
    """Return what the page says was done last at the chosen table."""
    return page.locator(".table.chosen .now").inner_text()


@pytest.mark.slow
class TestBesideTheReport:
    @pytest.fixture
    def home(self, finished_match: FinishedMatch) -> str:
        return finished_match.folder.as_uri()

    def test_the_report_leads_to_the_card_that_cost_most(
        self, browser: Browser, finished_match: FinishedMatch, home: str
    ) -> None:
        """The keyboard alone finds the same card from the board's beginning."""
        rows = summary_of(finished_match.folder)["board_results"]
        row = max(rows, key=lambda row: row["costliest_card"]["tricks"])
        card = row["costliest_card"]
        with opened(browser, f"{home}/report.html") as found:
            boards = found.page.get_by_role("region", name="Boards")
            link = boards.locator(f"a[href^='{row['replay']}&']")
            address = str(link.get_attribute("href"))
            link.click()
            by_link = told(found.page)
        assert f"which cost {card['tricks']} trick" in by_link
        with opened(browser, f"{home}/{row['replay']}") as found:
            page = found.page
            if card["table"]:
                page.keyboard.press("t")
            page.keyboard.press("Home")
            assert told(page) == "Before the first call"
            for _ in range(card["step"]):
                page.keyboard.press("ArrowRight")
            assert told(page) == by_link
            assert page.url.endswith(address.partition("#")[2])
            page.keyboard.press("End")
            assert told(page) != by_link
            for _ in range(52):
                page.keyboard.press("m")
                if told(page) == by_link:
                    break
            assert told(page) == by_link
            # It is marked in the trick on the table, and in the list of tricks.
            mark = page.locator(".table.chosen .center .cost", has_text=f"−{card['tricks']}")
            expect(mark).to_be_visible()
            current = page.locator(".table.chosen .play [aria-current=step] .cost")
            expect(current).to_contain_text(f"−{card['tricks']}")
            found.check(home)

    @pytest.mark.slow
    def test_pages_are_fit_for_all_eyes_and_windows(self, browser: Browser, home: str) -> None:
        for name in (f"{BOARD}2&table=2&step=30", "report.html"):
            look(browser, f"{home}/{name}", home)

    @pytest.mark.slow
    def test_the_pages_of_an_event_are_fit_for_all_eyes_and_windows(
        self, browser: Browser, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        ended = arena(tmp_path, "leaderboard", str(finished_match.folder), "--out", "pages")
        assert ended.status == 0, ended
        home = (tmp_path / "pages").as_uri()
        for name in ("leaderboard.html", "boards/1-1.html", "boards/board.html#board=1-1-board-1"):
            look(browser, f"{home}/{name}", home)

    def test_a_board_is_stepped_through_by_slider_button_and_click(
        self, browser: Browser, home: str
    ) -> None:
        with opened(browser, f"{home}/{BOARD}1") as found:
            page = found.page
            table = page.locator(".table").first
            table.get_by_role("button", name="To the start").click()
            table.get_by_role("button", name="One step on").click()
            assert page.url.endswith("#board=board-1&table=1&step=1")
            slider = table.get_by_role("slider")
            slider.focus()
            page.keyboard.press("ArrowRight")
            assert slider.input_value() == "2"
            assert slider.get_attribute("aria-valuetext") == told(page)
            table.locator(".play button").nth(7).click()
            assert table.locator(".play button").nth(7).get_attribute("aria-current") == "step"
            expect(table.get_by_role("status")).to_have_text(told(page))
            # The focus stays, so that the keyboard goes on from there.
            expect(table.locator(".play button").nth(7)).to_be_focused()

    def test_keys_lead_to_other_boards(self, browser: Browser, home: str) -> None:
        with opened(browser, f"{home}/{BOARD}1") as found:
            page = found.page
            heading = page.get_by_role("heading", level=1)
            page.keyboard.press("ArrowRight")
            seen = told(page)
            page.keyboard.press("n")
            expect(heading).to_contain_text("Board 2")
            assert page.url.endswith("#board=board-2")
            assert page.title().startswith("Board 2: ")
            page.get_by_role("link", name="Board 3").click()
            expect(heading).to_contain_text("Board 3")
            page.keyboard.press("p")
            expect(heading).to_contain_text("Board 2")
            # The other boards came with the first.
            assert len([each for each in found.requests if "/boards-" in each]) == 1
            for number in (3, 2, 1):
                page.go_back()
                expect(heading).to_contain_text(f"Board {number}")
                expect(page).to_have_title(re.compile(f"^Board {number}: "))
            assert told(page) == seen, "as the reader left it"
            page.get_by_role("link", name="Report of the match").click()
            page.wait_for_url("**/report.html")
            found.check(home)

    def test_an_address_without_a_board_says_so_and_leads_on(
        self, browser: Browser, home: str
    ) -> None:
        """Whatever the address says is no address of a script."""
        odd = ("", "#board=board-999", "#board=board-0", "#board=../board-1", "#board=<b>&table=2")
        for place in odd:
            with opened(browser, f"{home}/boards/board.html{place}") as found:
                page = found.page
                expect(page.locator("#no-board")).to_have_role("status")
                expect(page.locator("#no-board")).to_contain_text("There is no such board here.")
                assert not [each for each in found.requests if "boards-" in each]
                found.check(home)
                page.evaluate("location.hash = '#board=board-2&table=2&step=1'")
                expect(page.get_by_role("heading", level=1)).to_contain_text("Board 2")
                assert told(page) != "Before the first call"
                page.evaluate("location.hash = '#board=board-77'")
                expect(page.locator("#no-board")).to_be_visible()
                expect(page.locator(".table").first).to_be_hidden()
                page.keyboard.press("ArrowRight")
                assert page.url.endswith("#board=board-77"), "nobody steps through what is hidden"
                page.get_by_role("link", name="Report of the match").click()
                page.wait_for_url("**/report.html")

    def test_rooms_stand_side_by_side_or_are_switched(self, browser: Browser, home: str) -> None:
        with opened(browser, f"{home}/{BOARD}1") as found:
            boxes = [each.bounding_box() for each in found.page.locator(".table").all()]
            assert boxes[0] is not None
            assert boxes[1] is not None
            assert boxes[0]["y"] == boxes[1]["y"]
            # No suit of a hand needs a second row.
            heights = "all => all.map((each) => each.offsetHeight)"
            assert len(set(found.page.locator(".holding").evaluate_all(heights))) == 1
        with opened(browser, f"{home}/{BOARD}1", 390) as found:
            tables = found.page.locator(".table")
            expect(tables.nth(1)).to_be_hidden()
            found.page.get_by_role("button", name="Closed room").click()
            expect(tables.nth(0)).to_be_hidden()
            expect(tables.nth(1)).to_be_visible()

    def test_four_colours_are_kept(self, browser: Browser, home: str) -> None:
        colours = "[...document.querySelectorAll('.felt .sign .suit')].slice(0, 4)" + (
            ".map((each) => getComputedStyle(each).fill)"
        )
        with opened(browser, f"{home}/{BOARD}1") as found:
            assert len(set(found.page.evaluate(colours))) == 2
            found.page.get_by_role("button", name="Four-colour suits").click()
            assert len(set(found.page.evaluate(colours))) == 4
            found.check(home)
            found.page.keyboard.press("n")
            expect(found.page.get_by_role("heading", level=1)).to_contain_text("Board 2")
            assert len(set(found.page.evaluate(colours))) == 4
            found.page.reload()
            assert len(set(found.page.evaluate(colours))) == 4

    @pytest.mark.slow
    def test_positions_are_those_of_the_rules(
        self, browser: Browser, finished_match: FinishedMatch, home: str
    ) -> None:
        """After every card the page has the cards left, the trick and who is to play as
        `bridge.play` has them."""
        for records in by_board(records_of(finished_match)).values():
            address = f"{home}/{BOARD}{records[0].board.number}"
            with opened(browser, address) as found:
                shown = found.page.evaluate(POSITIONS)
            for record, positions in zip(records, shown, strict=True):
                check_positions(record, positions)


POSITIONS = """() => Arena.page.board.tables.map((table) => {
  const actions = Arena.actions(Arena.page.board, table);
  return Array.from({ length: actions.length + 1 },
    (_, step) => Arena.position(Arena.page.board, table, step));
})"""
"""All positions of all tables of a page."""


def check_positions(record: BoardRecord, positions: Sequence[dict[str, Any]]) -> None:
    if record.contract is None:
        return
    play = Play(record.contract)
    hands = list(record.board.deal.hands)
    for number, position in enumerate(positions[len(record.calls) :]):
        if number:
            card = record.cards[number - 1]
            hands[play.turn] -= Hand.of([card])
            play.push(card)
        shown = [
            ".".join(position["hands"][seat].get(suit, "") for suit in "SHDC") for seat in "NESW"
        ]
        assert shown == [str(hand) for hand in hands]
        assert position["won"] == {str(side): play.won[side] for side in Side}
        if number < 52:
            assert position["turn"] == str(play.turn)
        in_progress = position["trick"] if len(position["trick"]) < 4 else []
        assert [each["card"] for each in in_progress] == list(map(str, play.trick))


class TestView:
    @pytest.mark.slow
    def test_a_run_is_listed_and_looked_at(
        self, browser: Browser, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        with viewed(tmp_path, finished_match.folder) as view:
            look(browser, view.url, view.url)
            with opened(browser, view.url) as found:
                page = found.page
                expect(page.locator("tbody tr")).to_have_count(finished_match.boards)
                page.get_by_label("Search").fill("3")
                expect(page.locator("tbody tr")).to_have_count(1)
                page.get_by_role("link", name="Board 3").click()
                # Solved while one looks at it.
                expect(page.locator(".facts tbody tr")).to_have_count(4)
                expect(page.locator(".par")).to_contain_text("Par NS")
                expect(page.locator(".progress")).to_be_empty()
                found.check(view.url)
            look(browser, f"{view.url}boards/board-3.html", view.url)
            ended = interrupt(view.process)
            assert (ended.status, ended.errors) == (0, "")

    @pytest.mark.slow
    def test_costs_are_filled_in(
        self, browser: Browser, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        """The file has no such values; they equal those of the report."""
        rows = summary_of(finished_match.folder)["board_results"]
        write_pbn(tmp_path / "boards.pbn", records_of(finished_match))
        with viewed(tmp_path, "boards.pbn") as view:
            for row in rows:
                card = row["costliest_card"]
                with opened(browser, f"{view.url}boards/board-{row['board']}.html") as found:
                    table = found.page.locator(".table").nth(card["table"])
                    mistake = table.get_by_role("button", name="Next mistake")
                    for _ in range(52):
                        mistake.click()
                        if found.page.url.endswith(f"&step={card['step']}"):
                            break
                    assert f", which cost {card['tricks']} trick" in told(found.page)

    def test_text_of_strangers_is_text(
        self, browser: Browser, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        first, second = records_of(finished_match)[:2]
        call = MadeCall(first.calls[0].call, alert=True, explanation=Explanation(SCRIPT))
        hostile = replace(
            first,
            players=(SCRIPT, "<img src=x onerror=alert(1)>", "</script>" + SCRIPT, "&lt;b&gt;"),
            calls=(call, *first.calls[1:]),
            event=SCRIPT,
            home=SCRIPT,
            visitors="-->",
        )
        other = replace(second, event=SCRIPT, home=SCRIPT, visitors="-->")
        write_pbn(tmp_path / "hostile.pbn", [hostile, other])
        with viewed(tmp_path, "hostile.pbn") as view:
            with opened(browser, view.url) as found:
                expect(found.page.locator("#list")).to_contain_text(SCRIPT)
                found.check(view.url)
            with opened(browser, f"{view.url}boards/board-1.html") as found:
                page = found.page
                table = page.locator(".table").first
                expect(table.locator(".hand.N .name")).to_have_text(SCRIPT)
                expect(table.locator(".hand.S .name")).to_have_text("</script>" + SCRIPT)
                for do in ("hover", "focus", "click"):
                    page.mouse.move(0, 0)
                    page.keyboard.press("End")
                    expect(table.locator(".explained")).to_be_empty()
                    getattr(table.locator(".auction button").first, do)()
                    expect(table.locator(".explained")).to_contain_text(SCRIPT)
                    page.locator("h1").click()
                    page.evaluate("document.activeElement.blur()")
                assert SCRIPT in page.title()
                assert page.locator("main script, main img").count() == 0
                found.check(view.url)

    @pytest.mark.slow
    def test_many_tables_come_when_they_are_looked_at(
        self, browser: Browser, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        record = next(each for each in records_of(finished_match) if each.contract)
        tables = [
            replace(record, room=None, table=number, players=(f"N{number}", "E", "S", "W"))
            for number in range(1, 71)
        ]
        write_pbn(tmp_path / "field.pbn", tables)
        with viewed(tmp_path, "field.pbn") as view:
            address = f"{view.url}boards/board-{record.board.number}"
            look(browser, f"{address}.html#table=64&step=12", view.url)
            with opened(browser, f"{address}.html") as found:
                page = found.page
                assert [each for each in found.requests if "-table-" in each] == [
                    f"{address}-table-1.js",
                    f"{address}-table-1.json",
                ]
                page.get_by_role("button", name="table 17", exact=True).click()
                expect(page.locator(".hand.N .name")).to_have_text("N17")
                expect(page.locator(".play tbody tr").first).to_be_visible()
                # It opens before the lead, as a table does that was there at once.
                assert told(page).endswith(" called pass")
                assert f"{address}-table-17.js" in found.requests
                # The other tables are on a page of their own.
                page.keyboard.press("n")
                page.wait_for_url("**-from-65.html")
                expect(page.locator(".hand.N .name")).to_have_text("N65")

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can act as another user")
    @pytest.mark.skipif(not TABLES[0].exists(), reason="the system does not list owners")
    def test_other_users_of_the_machine_are_cut_off(
        self, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        """They may know the address, which the browser was started with, and say who they are."""
        with viewed(tmp_path, finished_match.folder) as view:
            address = urlsplit(view.url)
            for headers in ("", "X-Forwarded-For: 1.2.3.4\r\n"):
                said = f"GET {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\n{headers}\r\n"
                command = [sys.executable, "-c", STRANGER, str(address.port), said]
                found = subprocess.run(command, capture_output=True, text=True, check=True)
                assert found.stdout == ""
            with urlopen(view.url) as page:
                assert page.status == 200

    def test_other_peoples_pages_learn_nothing(
        self, browser: Browser, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        """Not by a name of theirs that they have pointed here, not by guessing, not by running
        the scripts that bring tables, not by framing."""
        record = next(each for each in records_of(finished_match) if each.contract)
        write_pbn(tmp_path / "field.pbn", [replace(record, room=None, table=n) for n in range(4)])
        with viewed(tmp_path, "field.pbn") as view:
            address = f"{view.url}boards/board-{record.board.number}"
            for request, status in (
                (Request(view.url, headers={"Host": "evil.example"}), 421),
                (Request(view.url, headers={"Host": "127.0.0.1:1"}), 421),
                (Request(view.url.rsplit("/", 2)[0] + "/"), 404),
                (Request(view.url + "boards/../../../etc/passwd"), 404),
                (Request(view.url + "static/..%2Fviewing%2Fserver.py"), 404),
                (Request(address + "-table-9.js"), 404),
                (Request(address + "-table-999999999999.json"), 404),
            ):
                with pytest.raises(HTTPError) as refused:
                    urlopen(request)
                assert refused.value.code == status
                assert "script-src 'self'" in refused.value.headers["content-security-policy"]
                refused.value.close()
            (tmp_path / "evil.html").write_text(
                f"""<!DOCTYPE html><title>evil</title>
                <script>window.stolen = []; window.Arena = {{ tablesLoaded: (...all) =>
                  window.stolen.push(all) }};</script>
                <script src="{address}-table-1.js"></script>
                <iframe src="{address}.html"></iframe>"""
            )
            with web_server(tmp_path) as other, opened(browser, f"{other}/evil.html") as found:
                assert found.page.evaluate("window.stolen") == []
                frame = found.page.frames[1]
                assert "arena" not in frame.content()
                assert len(found.complaints) >= 2

    @pytest.mark.slow
    def test_wbridge5s_8000_games_open_at_once(self, browser: Browser, tmp_path: Path) -> None:
        source = data_path("wbridge5", "games-1-8000.pbn")
        with viewed(tmp_path, source) as view:
            look(browser, view.url, view.url)
            with opened(browser, f"{view.url}?q=6NTX") as found:
                text = found.page.locator("[role=status]").inner_text()
                assert " of 8000 boards" in text


class TestBadInput:
    def test_a_file_without_boards_is_told_in_one_line(self, here: Here, tmp_path: Path) -> None:
        (tmp_path / "empty.pbn").write_text("% PBN 2.1\n")
        (tmp_path / "text.pbn").write_text("Dear Sir,")
        for name in ("nowhere.pbn", "empty.pbn", "text.pbn"):
            assert name in here("view", name, "--no-browser").complaint(2)
        (tmp_path / "folder").mkdir()
        assert "folder" in here("view", "folder", "--no-browser").complaint(2)

    def test_a_port_that_is_taken_is_told_in_one_line(
        self, here: Here, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        with web_server(tmp_path) as other:
            port = other.rpartition(":")[2]
            ended = here("view", str(finished_match.folder), "--port", port, "--no-browser")
        where = f"127.0.0.1 port {port}"
        assert ended.complaint(2) == f"cannot listen on {where}: Address already in use"

    def test_bad_games_are_told_and_the_others_shown(
        self, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        path = write_pbn(tmp_path / "mixed.pbn", records_of(finished_match)[:2])
        path.write_text(path.read_text() + '[Event "x"]\n[Deal "N:AK.. - - -"]\n')
        with viewed(tmp_path, "mixed.pbn") as view:
            assert view.lines[-1].startswith("1 board at ")
            ended = interrupt(view.process, signal.SIGTERM)
        assert ended.status == 0
        assert ended.errors.startswith("arena: mixed.pbn:")


@pytest.mark.slow
def test_report_again_makes_the_replays_again(
    finished_match: FinishedMatch, tmp_path: Path
) -> None:
    """From the PBN file alone: the same pages, byte for byte."""
    pbn = finished_match.folder / "match.pbn"
    ended: Ended = arena(tmp_path, "report", str(pbn), "--out", "again")
    assert ended.status == 0, ended
    for path in sorted((finished_match.folder / "boards").rglob("*.*")):
        again = tmp_path / "again" / "boards" / path.relative_to(finished_match.folder / "boards")
        assert again.read_bytes() == path.read_bytes(), path.name
        if path.suffix == ".html":
            assert again.stat().st_mode & 0o077 == 0
