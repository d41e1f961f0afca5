"""The board component in a browser, fed with documents as a live table would give them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from bridge_arena.bridge.board import Board
from bridge_arena.web.board.document import BoardDocument, CallMade, CardPlayed, Table
from bridge_arena.web.board.of_records import document_of
from bridge_arena.web.board.page import board_page
from bridge_arena.web.common.pages import static_files
from tests.end_to_end.browsing import look, opened

SCRIPT = "<script>document.title = 'taken'</script>"

BOARD = Board.dealt(1, 1)  # North deals
CALLS: list[CallMade] = [
    {"call": "1NT", "alert": True, "explanation": "15 to 17"},
    {"call": "Pass"},
    {"call": "Pass"},
    {"call": "Pass"},
]


def seen_from_south(table: Table) -> BoardDocument:
    """Return what South knows of the board: its own hand only."""
    document = document_of(BOARD, "Live", [table])
    document["deal"] = {
        seat: hand if seat == "S" else None for seat, hand in document["deal"].items()
    }
    return document


def table(**rest: object) -> Table:
    players = {"N": "Ann", "E": "Bob", "S": "Cid", "W": "Dee"}
    return {"number": 1, "name": "Table 1", "players": players, **rest}  # type: ignore[typeddict-item]


@contextmanager
def shown(browser: Browser, document: BoardDocument, folder: Path) -> Iterator[Page]:
    address = written(document, folder)
    with opened(browser, address) as found:
        yield found.page
        found.check(folder.as_uri())


def written(document: BoardDocument, folder: Path) -> str:
    """The address of the document's page."""
    for file in static_files():
        (folder / file.name).write_bytes(file.read_bytes())
    page = folder / "page.html"
    page.write_text(board_page(document, ""), encoding="utf-8")
    return page.as_uri()


def test_hidden_cards_are_not_in_the_page(browser: Browser, tmp_path: Path) -> None:
    """Three hands are backs; one of them has played a card."""
    lead: CardPlayed = {"seat": "E", "card": str(next(iter(BOARD.deal.hands[1])))}
    document = seen_from_south(table(calls=CALLS, contract="1NT", declarer="N", cards=[lead]))
    with shown(browser, document, tmp_path) as page:
        for seat, cards in (("N", 13), ("E", 12), ("W", 13)):
            expect(page.locator(f".hand.{seat} .back")).to_have_count(cards)
            expect(page.locator(f".hand.{seat} [data-card]")).to_have_count(0)
        held = page.locator(".hand.S [data-seat=S]")
        expect(held).to_have_count(13)
        expect(page.locator(".hand.S")).to_have_attribute("aria-label", "South, to act")
        assert {each.get_attribute("data-card") for each in held.all()} == {
            str(card) for card in BOARD.deal.hands[2]
        }


def test_a_board_that_goes_on_is_followed(browser: Browser, tmp_path: Path) -> None:
    """The page follows the end of the board, but keeps a step back and the keyboard's focus."""
    with shown(browser, seen_from_south(table(calls=CALLS[:1])), tmp_path) as page:
        now = page.locator(".now")
        expect(now).to_have_text("North called 1 notrump, alerted: 15 to 17")
        update = "document => Arena.page.update(document)"
        page.evaluate(update, seen_from_south(table(calls=CALLS[:2])))
        expect(now).to_have_text("East called pass")
        page.keyboard.press("ArrowLeft")
        call = page.locator(".auction button").first
        call.focus()
        page.evaluate(update, seen_from_south(table(calls=CALLS[:3])))
        expect(now).to_have_text("North called 1 notrump, alerted: 15 to 17")
        expect(call).to_be_focused()
        page.keyboard.press("End")
        page.evaluate(update, seen_from_south(table(calls=CALLS, contract="1NT", declarer="N")))
        expect(now).to_have_text("West called pass")
        expect(page.locator(".summary")).to_contain_text("1NT North")


def test_thoughts_stand_beside_the_play(browser: Browser, tmp_path: Path) -> None:
    thought = {
        "text": SCRIPT,
        "candidates": [{"action": "1NT", "value": 1.5}, {"action": SCRIPT, "value": -0.25}],
        "layouts": 40,
        "depth": 3,
        "seconds": 0.5,
    }
    calls = [CALLS[0] | {"thought": thought}, *CALLS[1:]]
    document = document_of(BOARD, SCRIPT, [table(calls=calls, contract="1NT", declarer="N")])
    with shown(browser, document, tmp_path) as page:
        expect(page.locator(".thought")).to_be_empty()
        page.locator(".auction button").first.click()
        box = page.locator(".thought")
        expect(box).to_contain_text("What North thought")
        expect(box).to_contain_text(SCRIPT)
        expect(box.locator("tbody tr").nth(1)).to_have_text(SCRIPT + "−0.25")
        expect(box).to_contain_text("40 layouts, 3 deep, 0.5 s")
        assert SCRIPT in page.title()
    look(browser, (tmp_path / "page.html").as_uri() + "#table=1&step=1", tmp_path.as_uri())


def test_a_claim_is_the_last_step(browser: Browser, tmp_path: Path) -> None:
    lead: CardPlayed = {"seat": "E", "card": str(next(iter(BOARD.deal.hands[1]))), "cost": 2}
    document = document_of(
        BOARD,
        "",
        [
            table(
                calls=CALLS,
                contract="1NT",
                declarer="N",
                cards=[lead],
                dd=7,
                tricks=8,
                result="+1",
                score=120,
                claim={"tricks": 8, "cost": 1, "charged": "declarer"},
            )
        ],
    )
    with shown(browser, document, tmp_path) as page:
        for step, total in ((4, 7), (5, 9), (6, 8)):
            page.evaluate(f"location.hash = '#table=1&step={step}'")
            expect(page.locator(".score")).to_contain_text(f"declarer takes {total}")
        expect(page.locator(".now")).to_have_text(
            "Claimed: declarer has 8 tricks, which cost 1 trick"
        )
        expect(page.locator(".claim .cost")).to_contain_text("−1")


def test_odd_addresses_change_nothing(browser: Browser, tmp_path: Path) -> None:
    document = document_of(BOARD, "", [table(calls=CALLS, contract="1NT", declarer="N")])
    address = written(document, tmp_path)
    with opened(browser, f"{address}#table=9&step=2") as found:
        page = found.page
        expect(page.locator(".now")).to_have_text("East called pass")
        for odd, told in (
            ("table=x", "East called pass"),
            ("step=1e9", "West called pass"),
            ("step=-3", "Before the first call"),
            ("step=3&__proto__=1", "South called pass"),
            ("%%%", "South called pass"),
        ):
            page.evaluate("hash => { location.hash = hash }", odd)
            expect(page.locator(".now")).to_have_text(told)
        found.check(tmp_path.as_uri())
