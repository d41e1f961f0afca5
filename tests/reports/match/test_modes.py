"""Reports of matches in which the bots did not decide everything."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.reports.common.values import values
from bridge_arena.reports.match.figures import MatchFigures
from bridge_arena.reports.match.report import render
from bridge_arena.reports.match.terminal import print_report
from bridge_arena.tournaments.play.board_values import valued
from tests.reports.match.matches import Ledgers, figures_of, ledger, worked_match
from tests.reports.match.test_page import Reader
from tests.tournaments.matches import table


def in_mode(mode: Mode, records: list[BoardRecord]) -> list[BoardRecord]:
    return [replace(record, mode=mode) for record in records]


@pytest.fixture(scope="module")
def bidding() -> MatchFigures:
    """The worked match, its results taken for double-dummy ones."""
    records = in_mode(Mode.BIDDING, worked_match()[0])
    valued_ = asyncio.run(valued(records, lambda: None))
    return figures_of(records, {(each.board, each.record.room): each.ledger for each in valued_})


@pytest.fixture(scope="module")
def play() -> MatchFigures:
    """One board: 3NT made in the open room, one down in the closed one."""
    records = [table(1, Room.OPEN, "3NT", "N", 9), table(1, Room.CLOSED, "3NT", "N", 8)]
    ledgers: Ledgers = {
        (records[0].board, Room.OPEN): ledger(9),
        (records[0].board, Room.CLOSED): ledger(9, declarer=1),
    }
    return figures_of(in_mode(Mode.PLAY, records), ledgers)


def printed(figures: MatchFigures) -> str:
    text = StringIO()
    print_report(figures, Console(file=text, width=100))
    return text.getvalue()


def page_text(figures: MatchFigures) -> str:
    return " ".join(Reader(render(figures)).text.split())


def test_a_match_of_bidding_needs_no_solver(bidding: MatchFigures) -> None:
    assert bidding.mode is Mode.BIDDING
    assert [row.imps for row in bidding.board_results] == [7, -9, 0]
    assert bidding.bots[0].ledger.imps_per_board.auction.total == bidding.imps == -2


def test_the_summary_of_a_match_of_bidding_leaves_the_play_out(bidding: MatchFigures) -> None:
    result = values(bidding)
    assert (result["mode"], result["imps"]) == ("bidding", -2)
    for bot, imps in zip(result["bots"], (-2, 2), strict=True):
        assert bot["tricks_vs_dd"]["declarer"]["n"] == 0
        assert bot["ledger"]["imps_per_board"]["auction"]["mean"] == round(imps / 3, 6)
        lost = bot["ledger"]["tricks_lost_per_board"].values()
        assert [mean["mean"] for mean in lost] == [0, 0, 0]
    first = result["board_results"][0]
    assert first["split"]["auction"] == 7
    assert first["open"]["tricks"] == first["open"]["dd_tricks"] == 10
    json.dumps(result, allow_nan=False)


def test_the_summary_of_a_match_of_play_leaves_the_bidding_out(play: MatchFigures) -> None:
    result = values(play)
    assert (result["mode"], result["imps"]) == ("play", 10)
    alpha = result["bots"][0]
    imps = alpha["ledger"]["imps_per_board"]
    assert (imps["all"]["mean"], imps["auction"]["mean"]) == (10, 0)
    assert imps["opponents"]["declarer_play"]["mean"] == 10
    assert alpha["explanations"]["calls"] == 0
    split = result["board_results"][0]["split"]
    assert (split["auction"], split["second"]["declarer_play"]) == (0, 10)


def test_the_summary_of_a_whole_match_says_so() -> None:
    assert values(figures_of(*worked_match()))["mode"] == "full"


def test_the_terminal_tells_a_match_of_bidding(bidding: MatchFigures) -> None:
    text = printed(bidding)
    assert "Bidding only: every contract is scored with declarer's double-dummy tricks." in text
    for word in ("Tricks vs DD", "DD tricks lost", "IMPs from", "Auction", "1st", "sum of"):
        assert word not in text
    assert "4S N =" in text


def test_the_terminal_tells_a_match_of_play(play: MatchFigures) -> None:
    text = printed(play)
    assert "Card play only: both rooms were given the same auction of every board." in text
    assert "IMPs from the play, net" in text
    assert "1st" in text
    assert "sum of what alpha lost in the play (Play 1st)" in " ".join(text.split())
    for word in ("IMPs from the auction", "Auction"):
        assert word not in text


def test_the_page_tells_a_match_of_bidding(bidding: MatchFigures) -> None:
    page, text = render(bidding), page_text(bidding)
    assert page.count("<svg") == 3
    assert "Bidding only: every contract is scored" in text
    assert "Tricks are declarer’s: double dummy." in text
    assert "2 −9 −2 3NT E = 9 −400 Pass – 0 E NS 3" in text
    for word in ("The ledger", "Tricks against double dummy, per board", "not analysed", "Lead"):
        assert word not in text


def test_the_page_tells_a_match_of_play(play: MatchFigures) -> None:
    text = page_text(play)
    assert "<svg" not in render(play), "a plot of one board says nothing"
    assert "Card play only: both rooms were given the same auction" in text
    assert "each row's play of both bots add up to them" in text
    assert "Declarer play beta +10.0" in text
    assert "+10 +10 3NT N = 9/9 +400 3NT N −1 8/9 −50 · +10.0 ·" in text
    assert "auction part" not in text
    assert "Auction" not in text


def test_the_rows_of_every_page_are_as_wide_as_its_head(
    bidding: MatchFigures, play: MatchFigures
) -> None:
    for figures in (bidding, play, figures_of(*worked_match()), replace(play, board_results=())):
        boards = render(figures).partition('aria-label="Boards"')[2].partition("</table>")[0]
        widths = {width(row) for row in boards.split("<tr>")[1:]}
        assert len(widths) == (1 if figures.board_results else 0)


def width(row: str) -> int:
    """The columns that a row of a table spans."""
    cells = row.count("<td") + row.count("<th") - row.count("<thead")
    spans = [int(part.partition('"')[0]) for part in row.split('colspan="')[1:]]
    return cells - len(spans) + sum(spans)
