"""Every kind of page that is written to a disk, in a real browser: readable at all widths and by
day and night, and with whatever strangers call themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall, RecordedThought
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.replay_pages import PAGE
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.web.publishing.site import write_site
from tests.end_to_end.browsing import SCHEMES, SIZES, opened
from tests.reports.leaderboard.events import event, play_event
from tests.reports.pages import boards_in, check_site

pytestmark = pytest.mark.slow

SCRIPT = "<script>document.documentElement.remove()</script>"

STRANGERS = (
    SCRIPT,
    "\"'><img src=x onerror=document.documentElement.remove()>",
    "../../etc/passwd?a=b#c%2F",
    "W" * 300,
    "שלום \u202eעולם",
    "🂡 ♠ {{ 7 * 7 }} $x$",
    "</script></title></style>",
    "javascript:document.documentElement.remove()",
)
"""Names that entries may have."""

SMALLEST = 9.0
"""Pixels that letters of a chart are high at least."""

_LETTERS = """() => Array.from(document.querySelectorAll("svg text"), (text) => {
  const scale = text.getScreenCTM();
  return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale.a, scale.b);
})"""


def told_by_strangers(results: EventResults) -> EventResults:
    """The same, with scripts in every explanation and thought."""
    thought = RecordedThought(Seat.NORTH, 0, SCRIPT, {SCRIPT: 1.0})
    played = []
    for each in results.played:
        told = [
            MadeCall(made.call, alert=True, explanation=Explanation(SCRIPT, (37, 37)))
            for made in each.record.calls
        ]
        record = replace(each.record, calls=tuple(told), thoughts=(thought,))
        played.append(Played(record, each.values))
    return EventResults(results.event, played)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of an event of each kind."""
    out = tmp_path_factory.mktemp("strangers") / "site"
    kinds = [
        event(Format.MATCH, *STRANGERS[:2], boards=2, title=SCRIPT),
        event(Format.KNOCK_OUT, *STRANGERS, boards=1, title=STRANGERS[3]),
        event(Format.PAIRS, *STRANGERS, scoring=Scoring.MATCHPOINTS, title=STRANGERS[4]),
    ]
    events = [(each.name, told_by_strangers(play_event(each))) for each in kinds]
    write_site(events, out, SCRIPT)
    return out


def pages_of(site: Path) -> Iterator[str]:
    """The addresses of a page of each kind of each event."""
    yield (site / "index.html").as_uri()
    for folder in sorted(site.iterdir()):
        if (boards := folder / "boards").exists():
            pages = [*folder.glob("*.html"), *boards.glob("[im]*.html")]
            pages += sorted(boards.glob("*1.html"))[:2]
            yield from (page.as_uri() for page in pages)
            yield f"{(boards / PAGE).as_uri()}#board={next(iter(boards_in(boards)))}"


def test_tables_of_a_leaderboard_sort_by_the_one_script_that_may_run(
    browser: Browser, site: Path
) -> None:
    (folder,) = (path.parent for path in site.glob("*/leaderboard.html") if "W" in path.parent.name)
    with opened(browser, (folder / "leaderboard.html").as_uri()) as found:
        page = found.page
        ranks = page.locator("table").first.locator("tbody td:first-child")
        assert ranks.first.text_content() == "1"
        page.locator("table").first.get_by_role("button", name="#").click()
        assert ranks.last.text_content() == "1"
        page.evaluate("""() => {
          const script = document.createElement("script");
          script.textContent = "document.documentElement.remove()";
          document.body.append(script);
        }""")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert any("Content Security Policy" in each for each in found.complaints)


def test_rows_and_bars_lead_to_boards_and_the_number_of_a_board_stays(
    browser: Browser, tmp_path: Path
) -> None:
    match = play_event(event(Format.MATCH, "alpha", "beta", boards=3))
    cup = play_event(event(Format.KNOCK_OUT, "alpha", "beta", boards=1, title="Cup"))
    write_site([("match", match), ("cup", cup)], tmp_path / "site", "Ours")
    with opened(browser, (tmp_path / "site/match/report.html").as_uri(), 390) as found:
        page = found.page
        number = page.get_by_role("region", name="Boards", exact=True).locator("tbody a").first
        before = number.bounding_box()
        number.evaluate("(link) => { link.closest('.boards').scrollLeft = 200; }")
        assert number.bounding_box() == before
        bars = page.locator("svg[aria-label^='Swing of each board'] a")
        assert bars.count() == 3
        assert page.locator("svg a:not([tabindex='-1'])").count() == 0, "the table has these links"
        bars.nth(1).click()
        page.wait_for_url("**/board.html#board=board-2")
    with opened(browser, (tmp_path / "site/cup/leaderboard.html").as_uri()) as found:
        page = found.page
        row = page.get_by_role("region", name="Matches of Cup").locator("tbody tr").first
        assert row.get_by_role("link").count() == 1
        row.locator("td").last.click(force=True)
        page.wait_for_url("**/boards/1-1.html")


def test_every_page_is_read_by_all_and_runs_nothing_of_strangers(
    browser: Browser, site: Path
) -> None:
    check_site(site)
    pages = list(pages_of(site))
    assert len(pages) == 13
    for page in pages:
        for width in SIZES:
            with opened(browser, page, width) as found:
                letters = found.page.evaluate(_LETTERS)
                assert min(letters, default=SMALLEST) >= SMALLEST, f"{page} at {width}"
                for scheme in SCHEMES:
                    found.page.emulate_media(color_scheme=scheme)
                    found.check(site.as_uri())
