"""People at the table: real browsers, real bots, real events."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from bridge_arena.bridge.record import FaultKind
from tests.end_to_end.arena import records_of, started
from tests.end_to_end.conftest import FinishedMatch, Here
from tests.end_to_end.sitting import (
    ANSWERED,
    DUE,
    board_of,
    by_keyboard,
    by_mouse,
    line_with,
    link,
    look_at,
    own_link,
    seated,
    turn_of,
)
from tests.patience import PATIENCE

MATCH = (
    "match",
    "Us=random & human:Ann & random & random",
    "random",
    *("--seed", "3", "--web", "--out", "m", "--concurrency", "2"),
)


@pytest.mark.slow
def test_four_boards_are_played_with_the_mouse_alone(tmp_path: Path, browser: Browser) -> None:
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
def test_two_boards_are_played_with_the_keyboard_alone(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path, *MATCH, "--boards", "2") as process:
        with seated(browser, link(process, "Us / Ann (S)")) as ann:
            keyboard = ann.page.keyboard
            keyboard.press("?")
            ann.page.get_by_label("Keys", exact=True).wait_for()
            keyboard.press("?")
            for number in range(1, 3):
                ann.page.get_by_role("heading", level=1, name=f"Board {number}").wait_for()
                board_of(ann.page, by_keyboard)
                if number < 2:
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
        page.locator("#state", has_text="The connection is lost").wait_for()
        page.wait_for_function("count => document.querySelector('.playable') !== null", arg=2)
        assert (page.locator(".hand.S").inner_text(), turn_of(page)) == before
        page.reload()  # as a page is
        page.locator(".hand.S", has_text="Ann").wait_for()  # the names come after the cards
        page.locator(".playable").first.wait_for()
        assert (page.locator(".hand.S").inner_text(), turn_of(page)) == before
        board_of(page, by_mouse)
        line_with(process.stdout, "results in m")


@pytest.mark.slow
def test_two_people_and_two_bots_play_a_match(tmp_path: Path, browser: Browser) -> None:
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
def test_a_person_may_come_by_another_name_of_this_machine(
    tmp_path: Path, browser: Browser
) -> None:
    event = PAIRS.replace("pairs", "individual").replace("human:Ann & random", "human:Ann")
    bots = (f'[[entry]]\nbot = "random"\nname = "{name}"\n' for name in "BCDEFGH")
    (tmp_path / "club.toml").write_text(event + "".join(bots))
    command = ("tournament", "club.toml", "--web", "--out", "m", "--concurrency", "2")
    with started(tmp_path, *command) as process:
        address = link(process, "A").replace("127.0.0.1", "localhost")
        with seated(browser, address) as ann:
            board_of(ann.page, by_mouse)
            ann.page.locator("#next").click()
            ann.page.get_by_role("heading", level=1, name="Board 2").wait_for()
            ann.page.locator(DUE).first.wait_for()
            told = [event for event in ann.events() if event["type"] == "BoardStart"]
            assert [start["board"] for start in told] == [1, 2]
            assert not ann.complaints


@pytest.mark.slow
def test_arena_play_seats_a_person_with_hints(tmp_path: Path, browser: Browser) -> None:
    command = ("play", "--boards", "1", "--hints", "--no-browser", "--out", "m", "--seed", "1")
    with (
        started(tmp_path, *command, "--against", "baseline") as process,
        seated(browser, own_link(process)) as you,
    ):
        you.page.locator(DUE).first.wait_for()
        you.page.keyboard.type("hint")
        you.page.keyboard.press("Enter")
        you.page.locator("#note", has_text="natural:").wait_for()
        # Whoever bids seven notrump with an alert declares, and may claim.
        while not you.page.locator(".playable").count():
            you.page.locator(DUE).first.wait_for()
            turn = turn_of(you.page)
            bid = you.page.locator("[data-call='7NT'][aria-disabled=false]").count()
            you.page.keyboard.type("7n! everything" if bid else "p")
            you.page.keyboard.press("Enter")
            you.page.wait_for_function(ANSWERED, arg=turn)
            you.page.locator(DUE).first.wait_for()
        assert {"seat": "S", "alert": True, "explanation": {"text": "everything"}}.items() <= next(
            event for event in you.events() if event.get("call") == "7NT"
        ).items()
        you.page.keyboard.type("claim 13")
        you.page.keyboard.press("Enter")
        you.page.locator("#note", has_text="The claim is refused").wait_for()
        you.page.locator(".playable").first.wait_for()
        you.page.keyboard.type("ask 2")  # North deals
        you.page.keyboard.press("Enter")
        you.page.locator("#note", has_text="means:").wait_for()
        you.page.locator(".playable").first.wait_for()
        board_of(you.page, by_keyboard)
        you.page.get_by_text("for you").first.wait_for()
        line_with(process.stdout, "results in m")


@pytest.mark.slow
def test_a_person_takes_back_a_call_where_there_is_undo(tmp_path: Path, browser: Browser) -> None:
    command = ("play", "--boards", "1", "--undo", "--no-browser", "--out", "m", "--seed", "1")
    with (
        started(tmp_path, *command, "--partner", "random", "--against", "baseline") as process,
        seated(browser, own_link(process)) as you,
    ):
        page, keyboard = you.page, you.page.keyboard

        def take(what: Callable[[], object]) -> None:
            turn = turn_of(page)
            what()
            page.wait_for_function(ANSWERED, arg=turn)
            page.locator(DUE).first.wait_for()

        def typed(line: str) -> None:
            keyboard.type(line)
            keyboard.press("Enter")

        page.locator(DUE).first.wait_for()
        assert not page.locator("#undo").is_visible()
        at_first = turn_of(page), page.locator(".told").inner_text()
        typed("undo")
        page.locator("#note", has_text="There is nothing to take back.").wait_for()
        # Whoever bids seven notrump declares.
        take(lambda: typed("7n"))
        take(page.locator("#undo").click)
        assert (turn_of(page), page.locator(".told").inner_text()) == at_first
        take(lambda: typed("7n"))
        while not page.locator(".playable").count():
            take(lambda: typed("p"))
        first = page.locator(".playable").first.get_attribute("data-card")
        hand = page.locator(".felt").inner_text()
        take(page.locator(".playable").first.click)
        take(page.locator(".playable").first.click)
        take(lambda: typed("undo"))
        take(page.locator("#undo").click)
        assert page.locator(".felt").inner_text() == hand
        assert page.locator(".playable").first.get_attribute("data-card") == first
        look_at(you, "http://127.0.0.1")
        board_of(page, by_mouse)
        page.get_by_text("Played with undo, which you used 3 times.").wait_for()
        you.check_secrecy("S")
        line_with(process.stdout, "results in m")
    (record,) = (each for each in records_of(tmp_path / "m" / "match.pbn") if each.faults)
    assert [fault.kind for fault in record.faults] == [FaultKind.UNDO] * 3
    assert len(record.cards) == 52
    assert (
        "played with undo, and took back 3 actions" in (tmp_path / "m" / "report.html").read_text()
    )


@pytest.mark.slow
def test_the_page_of_a_stopped_match_says_how_to_go_on(browser: Browser, tmp_path: Path) -> None:
    command = ["play", "--boards", "1", "--no-browser", "--out", "my match"]
    with (
        started(tmp_path, *command) as process,
        seated(browser, own_link(process)) as you,
    ):
        process.send_signal(signal.SIGHUP)
        shown = you.page.locator("#interrupted code")
        assert shown.inner_text() == "arena play --resume 'my match' --no-browser"
        process.wait()


@pytest.mark.slow
def test_a_match_that_is_stopped_between_two_boards_says_how_to_go_on(
    browser: Browser, tmp_path: Path
) -> None:
    bots = ("--partner", "random", "--against", "random")
    with (
        started(tmp_path, "play", *bots, "--boards", "2", "--no-browser", "--out", "m") as process,
        seated(browser, own_link(process)) as you,
    ):
        page, state = you.page, you.page.locator("#state")
        board_of(page, by_mouse)
        you.wait_for("BoardStart", 2)
        process.send_signal(signal.SIGHUP)
        shown = page.locator("#interrupted code")
        expect(shown).to_have_text("arena play --resume m --no-browser")
        expect(state).to_contain_text("Board 1 is over")
        expect(state).to_contain_text("The arena was stopped.")
        expect(page.locator("#next")).to_have_count(0)
        process.wait()


@pytest.mark.slow
def test_arena_play_goes_on(here: Here, finished_match: FinishedMatch, tmp_path: Path) -> None:
    command = ["play", "--boards", "2", "--hints", "--no-browser", "--out", "m"]
    for _ in range(2):
        with started(tmp_path, *command) as process:
            own_link(process)
            process.send_signal(signal.SIGINT)
            _, complaint = process.communicate()
        command = ["play", "--resume", "m", "--hints", "--no-browser"]
        assert complaint == f"arena: interrupted; go on with: arena {' '.join(command)}\n"
    ended = here("play", "--resume", "m", "--boards", "3")
    assert ended.complaint(2) == ("--resume goes on with boards as they were set up: give only DIR")
    other = str(finished_match.folder)
    assert here("play", "--resume", other).complaint(2) == (
        f"{other} was not begun by arena play: arena match --resume {other} goes on"
    )


def test_arena_play_is_for_one_person(here: Here) -> None:
    ended = here("play", "--against", "human:Bob", "--no-browser")
    complaint = "--against: name a bot; people meet in arena match --web"
    assert ended.complaint(2) == complaint


def test_arena_play_takes_one_partner(here: Here) -> None:
    ended = here("play", "--partner", "natural & random")
    assert ended.complaint(2) == "--partner: name one bot"
    assert "unknown bot" in here("play", "--against", "nobody").complaint(2)


def seen_by_a_spectator(address: str) -> str:
    """Return the beginning of the first table's stream."""
    with urlopen(f"{address}tables/1/stream", timeout=PATIENCE) as stream:
        assert stream.readline() == b": hello\n"
        stream.readline()
        text: str = stream.readline().decode()
        return text


BOB = "random & human:Bob & random & random"


def test_people_need_pages(here: Here) -> None:
    ended = here("match", f"Us={BOB}", "random")
    assert ended.complaint(2) == "Us / Bob sits down in a browser: give --web"


def test_a_person_who_would_see_two_hands_of_a_board_is_refused(here: Here, tmp_path: Path) -> None:
    ended = here("match", "Us=human:Bob", "random", "--web")
    assert ended.complaint(2) == (
        "Bob would have 4 seats of Us on every board: give a person one seat, as in "
        '"natural & human:Bob & natural & natural"'
    )
    ended = here("match", f"Us={BOB}", f"Them={BOB}", "--web")
    assert ended.complaint(2).startswith("Bob of Them plays for Us too: write another human:NAME")
    lines = ("[event]", 'name = "E"', 'format = "match"', "[[entry]]", 'bot = "random"')
    text = "\n".join([*lines, "[[entry]]", 'bot = "human:Bob & random"'])
    (tmp_path / "e.toml").write_text(text)
    for command in ("tournament", "serve"):
        complaint = here(command, "e.toml", "--web").complaint(2)
        assert complaint.startswith(
            "e.toml:7: entry 2, bot: Bob would have 2 seats of Bob & random"
        )
    assert list(tmp_path.iterdir()) == [tmp_path / "e.toml"], "nothing was begun"
