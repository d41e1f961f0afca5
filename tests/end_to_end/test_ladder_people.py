"""People play against the bots of a ladder in real browsers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocket, expect

from tests.end_to_end.arena import started
from tests.end_to_end.browsing import look, opened
from tests.end_to_end.serving import Served
from tests.end_to_end.sitting import AtTheTable, board_of, by_mouse, look_at

pytestmark = pytest.mark.slow

FILE = """\
[ladder]
name = "Club"
boards = 1
concurrency = 1

[people]
tables = 2

[[player]]
bot = "baseline"

[[player]]
bot = "random"
name = "<b>Ann"
"""


def test_a_person_plays_a_board_and_sees_what_others_made_of_it(
    tmp_path: Path, browser: Browser
) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    with started(tmp_path, "ladder", "club.toml", "--out", "run", "--web") as process:
        ladder = Served(process)
        home = ladder.read_until(r"watch it at (http\S+/)")[1]
        ladder.read_until("match 2: ")
        for page in ("play/", "today/"):
            look(browser, home + page, home)
        with opened(browser, f"{home}players/1/") as found:
            you = AtTheTable(found.page, found.complaints, found.requests)

            def on_socket(socket: WebSocket) -> None:
                socket.on("framereceived", lambda frame: you.frames.append(json.loads(frame)))

            you.page.on("websocket", on_socket)
            you.page.get_by_role("link", name="Play against it").click()
            you.page.get_by_label("Boards").select_option("1")
            you.page.get_by_role("button", name="Play", exact=True).click()
            you.page.locator(".felt").wait_for()
            you.page.get_by_role("button", name="Done").click()
            board_of(you.page, by_mouse)
            you.check_secrecy("S")
            over = you.page.locator("#over")
            expect(over).to_contain_text(re.compile(r"match \d+, open room"))
            expect(you.page.locator("#scorecard")).to_contain_text("Total")
            with you.page.expect_popup() as popup:
                over.get_by_role("link", name="What others made of").click()
            field = popup.value
            expect(field.get_by_role("row")).to_have_count(4)
            expect(field.get_by_role("row", name="Your table")).to_be_visible()
            field.get_by_role("link", name="Replay").click()
            expect(field).to_have_title(re.compile("Board 1"))
            look_at(you, home)


def test_a_person_invites_another_to_the_table(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    with started(tmp_path, "ladder", "club.toml", "--out", "run", "--web") as process:
        ladder = Served(process)
        home = ladder.read_until(r"watch it at (http\S+/)")[1]
        ladder.read_until("match 1: ")
        with opened(browser, f"{home}play/") as ann:
            ann.page.get_by_label("Boards").select_option("1")
            ann.page.get_by_label("Your name").fill("Ann & Co")
            ann.page.get_by_role("button", name="Invite others first").click()
            ann.page.get_by_role("button", name="Begin").wait_for()
            link = ann.page.url
            look(browser, link, home)
            with opened(browser, link, 390) as bob:
                bob.page.get_by_label("Seat").select_option("N")
                bob.page.get_by_label("Your name").fill("<b>Bob")
                bob.page.get_by_role("button", name="Sit down").click()
                bob.page.get_by_role("button", name="Begin").click()
                for one in (ann, bob):
                    one.page.locator(".felt").wait_for()
                # Each is told who sits there.
                expect(ann.page.locator(".felt")).to_contain_text("<b>Bob")
                expect(bob.page.locator(".felt")).to_contain_text("Ann & Co")
                assert not ann.complaints + bob.complaints


def test_a_person_plays_the_board_of_the_day(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    command = "ladder", "club.toml", "--out", "run", "--max-boards", "2"
    with started(tmp_path, *command) as process:
        Served(process).read_until("match 2: ")
        process.wait()
    with started(tmp_path, "ladder", "web", "run") as process:
        home = Served(process).read_until(r"watch it at (http\S+/)")[1]
        with opened(browser, f"{home}today/") as you:
            while not you.page.get_by_label("Your name").count():
                you.page.reload()  # until it is drawn
            you.page.get_by_label("Your name").fill("<b>Zoë")
            you.page.get_by_role("button", name="Play", exact=True).click()
            you.page.locator(".felt").wait_for()
            you.page.get_by_role("button", name="Done").click()
            board_of(you.page, by_mouse)
            expect(you.page.locator("#over")).to_contain_text("The board of the day")
            assert "IMPs" not in you.page.locator("#over").inner_text()
            you.page.goto(f"{home}today/")
            expect(you.page.get_by_role("row", name="<b>Zoë")).to_be_visible()
            expect(you.page.get_by_text("told after midnight UTC.")).to_be_visible()
            you.check(home)
