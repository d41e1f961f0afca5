"""Pages of replays in a browser: controls in fixed places, links, one seat, frames, lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from bridge_arena.reports.common.replay_pages import LIST, PAGE, list_address
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.web.board.document import Link
from bridge_arena.web.replays.folder import ReplayFolder
from bridge_arena.web.replays.listing import ROWS, rows_of
from bridge_arena.web.replays.of_events import replays_of_events
from tests.end_to_end.browsing import look, opened, web_server
from tests.reports.leaderboard.events import event, play_event, result, units

UP = Link(href="../index.html", text="Report")


def write(results: EventResults, folder: Path) -> Path:
    """Write the replays of an event, and their list."""
    replays = list(replays_of_events([results]))
    with ReplayFolder(folder, UP, is_private=False) as pages:
        pages.write_list(LIST, "All boards", rows_of(replays), UP)
        pages.write(replays, Link(href=list_address(LIST), text="All boards"))
    return folder


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of two boards, with mistakes in the play."""
    match = event(Format.MATCH, "alpha", "beta", boards=2)
    return write(play_event(match), tmp_path_factory.mktemp("match"))


def address(folder: Path, board: int = 1, **place: object) -> str:
    named = "".join(f"&{name}={value}" for name, value in place.items())
    return f"{(folder / PAGE).as_uri()}#board=board-{board}{named}"


def chosen(page: Page) -> Locator:
    return page.locator(".table.chosen")


def told(page: Page | FrameLocator) -> str:
    return page.locator(".table.chosen .now").inner_text()


_CLICKS = """(control, clicks) => {
  control.scrollIntoView({ block: "center" });
  const { left, top, width, height } = control.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true };
  for (let click = 0; click < clicks; click += 1) {
    const target = document.elementFromPoint(at.clientX, at.clientY);
    if (!control.contains(target)) return click;
    target.dispatchEvent(new MouseEvent("click", at));
  }
  return clicks;
}"""


def click_at_one_point(control: Locator, clicks: int = 30) -> None:
    """Click where a control is, without looking; it must be there all the time."""
    assert control.evaluate(_CLICKS, clicks) == clicks, "it has moved"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "seat"), [(390, ""), (390, "S"), (1024, ""), (1400, "")])
def test_the_controls_of_a_replay_do_not_move(
    browser: Browser, boards: Path, width: int, seat: str
) -> None:
    """A reader who clicks at one point from the beginning comes to the end."""
    with opened(browser, address(boards, table=1, step=0, seat=seat), width) as found:
        page = found.page
        table = chosen(page)
        steps = page.evaluate("Arena.page.view.actions.length")
        click_at_one_point(table.get_by_role("button", name="One step on"), steps + 1)
        assert page.evaluate("Arena.page.view.step") == steps
        click_at_one_point(table.get_by_role("button", name="One step back"), steps + 1)
        assert page.evaluate("Arena.page.view.step") == 0
        for name in ("To the end", "To the start"):
            click_at_one_point(table.get_by_role("button", name=name))
        click_at_one_point(page.get_by_role("button", name="Four-colour suits"))
        if not seat:
            click_at_one_point(table.get_by_role("button", name="Next mistake"))
            click_at_one_point(table.locator(".line"))
        if width == 390:
            click_at_one_point(page.get_by_role("button", name="Closed room"))
        found.check(boards.as_uri())


def test_the_links_to_other_boards_do_not_move(browser: Browser, boards: Path) -> None:
    with opened(browser, address(boards)) as found:
        page = found.page
        for name, number in (("Board 2 →", 2), ("← Board 1", 1)):
            link = page.get_by_role("link", name=name)
            box = link.bounding_box()
            link.click()
            expect(page.get_by_role("heading", level=1)).to_contain_text(f"Board {number}")
            page.go_back()
            assert link.bounding_box() == box
            link.click()


def test_the_line_leads_to_its_cards_and_the_button_to_the_next_mistake(
    browser: Browser, boards: Path
) -> None:
    with opened(browser, address(boards, table=1, step=0)) as found:
        page = found.page
        mistakes = page.evaluate(
            "Arena.page.view.actions.flatMap((made, index) => (made.cost ? index + 1 : []))"
        )
        assert len(mistakes) > 1
        visited = []
        for _ in (*mistakes, "the first again"):
            page.keyboard.press("m")
            visited.append(page.evaluate("Arena.page.view.step"))
            assert "which cost" in told(page)
        assert visited == [*mistakes, mistakes[0]]
        line = chosen(page).locator(".line")
        box = line.bounding_box()
        assert box is not None
        for step in mistakes[:3]:
            share = step / page.evaluate("Arena.page.view.actions.length")
            line.click(position={"x": share * box["width"], "y": box["height"] / 2})
            assert page.evaluate("Arena.page.view.step") == step
        assert line.locator("path.lost").get_attribute("d")


@pytest.mark.parametrize("by", ["file", "http"])
def test_a_copied_link_opens_exactly_this_position(browser: Browser, boards: Path, by: str) -> None:
    with web_server(boards) as home:
        start = address(boards, 2) if by == "file" else f"{home}/{PAGE}#board=board-2"
        with opened(browser, start) as found:
            page = found.page
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            page.keyboard.press("t")
            for _ in range(7):
                page.keyboard.press("ArrowRight")
            page.get_by_label("Seen from").select_option("As East")
            before = told(page)
            page.get_by_role("button", name="Copy link").click()
            expect(page.get_by_role("button", name="Copied")).to_be_visible()
            expect(page.get_by_text("opens on this machine alone")).to_be_visible()
            link = page.evaluate("navigator.clipboard.readText()")
        with opened(browser, link) as found:
            page = found.page
            expect(page.get_by_role("heading", level=1)).to_contain_text("Board 2")
            assert told(page) == before
            assert chosen(page).get_by_role("heading").inner_text() == "Closed room"
            expect(page.get_by_label("Seen from")).to_have_value("E")
            assert not found.complaints


_SHOWN = """() => {
  const { view } = Arena.page;
  const all = (what) => Array.from(document.querySelectorAll(".chosen " + what));
  return Array.from({ length: view.actions.length + 1 }, (_, step) => {
    view.choose(step);
    const cards = all("[data-card]").map((card) => card.dataset.card);
    return [cards, all(".auction td button").length, all(".play td button").length];
  });
}"""
"""The cards that are visible at each step, and the numbers of calls and cards in the lists."""


@pytest.mark.slow
def test_one_seat_is_shown_no_other_cards(browser: Browser, boards: Path) -> None:
    """At every step only the seat's own cards, dummy's once it is open, and those that were
    played; and nothing that is known from all hands."""
    with opened(browser, address(boards, table=1, step=0, seat="S")) as found:
        page = found.page
        deal = page.evaluate("Arena.page.board.deal")
        table = page.evaluate("Arena.page.view.table")
        calls, cards = len(table["calls"]), [card["card"] for card in table["cards"]]
        dummy = "NESW"["SWNE".index(table["declarer"])]
        for step, (shown, bid, played) in enumerate(page.evaluate(_SHOWN)):
            may_be_seen = cards_of(deal["S"]) | set(cards[: max(0, step - calls)])
            if step > calls:
                may_be_seen |= cards_of(deal[dummy])
            assert set(shown) <= may_be_seen, step
            assert (bid, played) == (min(step, calls), max(0, step - calls))
        for hidden in (".chosen .cost", ".line svg", ".chosen pre", ".mistake:visible"):
            assert page.locator(hidden).count() == 0, hidden
        for hidden in (".facts", ".outcome", ".table:not(.chosen)"):
            expect(page.locator(hidden)).to_be_hidden()
        page.get_by_label("Seen from").select_option("All hands")
        expect(page.locator(".table:not(.chosen)")).to_be_visible()
        assert "seat" not in page.url
    for odd in ("X", "toString", "NS", "<b>"):
        with opened(browser, address(boards, table=1, step=0, seat=odd)) as found:
            expect(chosen(found.page).locator(".hand [data-card]")).to_have_count(52)


def cards_of(hand: str) -> set[str]:
    suits = zip("SHDC", hand.split("."), strict=True)
    return {suit + rank for suit, ranks in suits for rank in ranks}


def test_a_published_board_is_shown_in_a_page_of_others(
    browser: Browser, boards: Path, tmp_path: Path
) -> None:
    """With the snippet of the documents, which a page from another host has."""
    with web_server(boards) as home, web_server(tmp_path) as other:
        source = f"{home}/{PAGE}#board=board-1&amp;table=1&amp;step=12"
        documents = (Path(__file__).parents[2] / "docs" / "publishing.md").read_text()
        snippet = next(line for line in documents.splitlines() if "<iframe" in line).strip()
        snippet = snippet.replace(snippet.split('"')[1], source)
        head = '<!DOCTYPE html><title>Blog</title><link rel="icon" href="data:,">'
        (tmp_path / "index.html").write_text(head + snippet)
        with opened(browser, f"{other}/") as found:
            frame = found.page.frame_locator("iframe")
            expect(frame.locator(".table.chosen .now")).to_contain_text(" played ")
            expect(frame.get_by_role("link", name="All boards")).to_be_hidden()
            before = told(frame)
            frame.locator(".table.chosen").get_by_role("button", name="One step on").click()
            assert told(frame) != before
            assert not found.complaints


def test_the_parts_of_a_long_list_are_in_fixed_places(browser: Browser, tmp_path: Path) -> None:
    match = event(Format.MATCH, "alpha", "beta", boards=3 * ROWS)
    played = [result(match, unit, "4S", "N", 10, 10) for unit in units(match)]
    folder = write(EventResults(match, played), tmp_path)
    with opened(browser, (folder / list_address(LIST)).as_uri()) as found:
        page = found.page
        first = page.locator("tbody a").first
        for rel, end in (("next", 2 * ROWS + 1), ("prev", 1)):
            link = page.locator(f"a[rel={rel}]")
            box = link.bounding_box()
            assert box is not None
            for board in (ROWS + 1, end):
                page.mouse.click(box["x"] + 20, box["y"] + 10)
                expect(first).to_have_text(f"Board {board}")
        found.check(folder.as_uri())


@pytest.mark.slow
def test_lists_are_fit_for_all_eyes_and_windows(
    browser: Browser, boards: Path, tmp_path: Path
) -> None:
    names = ("ann", "bob", "cid", "dee", "eve", "fay")
    pairs = event(Format.PAIRS, *names, boards=1, scoring=Scoring.MATCHPOINTS)
    field = write(play_event(pairs), tmp_path)
    for folder in (boards, field):
        look(browser, (folder / list_address(LIST)).as_uri(), folder.as_uri())
    with opened(browser, (boards / list_address(LIST)).as_uri(), 390) as found:
        heads = found.page.locator("thead th").all_inner_texts()
        assert heads == ["Board", "Open room", "Closed room", "IMPs", "Total"]
