"""Pages of large events open at once: each is small, says what it leaves out, and leads to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random

import pytest

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.ledger import Loss, Role, TableLedger
from bridge_arena.reports.common.replay_pages import page_names
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import PAGE, write_leaderboard
from bridge_arena.reports.match.figures import WORST, match_figures
from bridge_arena.reports.match.report import MOST_BOARDS, MOST_DECIDING, REPORT, write_match_report
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.web.board.document import Link
from bridge_arena.web.replays.folder import ReplayFolder
from bridge_arena.web.replays.listing import ROWS, rows_of
from bridge_arena.web.replays.of_events import replays_of_match
from tests.reports.leaderboard.events import event, result, units
from tests.reports.pages import Page, words

LARGEST = 200_000
"""Bytes of a page with all that it loads."""

BOARDS = 1000

NAME = "montecarlo-budget-"


@dataclass(frozen=True)
class _Lead(Played):
    """A table where the lead lost a trick."""

    @cached_property
    def ledger(self) -> TableLedger | None:
        contract, tricks = self.record.contract, self.record.tricks
        assert contract
        assert tricks
        lead = Loss(0, contract.declarer.next, Role.OPENING_LEAD, 1)
        return TableLedger(tricks - 1, (lead,))


def results(format_: Format, entries: int, boards: int) -> EventResults:
    """An event in which every table has something of everything that pages tell."""
    scoring = Scoring.IMPS if format_.is_teams else Scoring.MATCHPOINTS
    names = [f"{NAME}{number}" for number in range(entries)]
    large = event(format_, *names, boards=boards, scoring=scoring)
    return EventResults(large, [_table(large, unit) for unit in units(large)])


def _table(event_: Event, unit: Unit) -> Played:
    chance = Random(unit.id)
    declarer = str(chance.choice(SEATS))
    record = result(event_, unit, "3NT", declarer, chance.randrange(6, 13)).record
    told = MadeCall(Call("1S"), explanation=Explanation("a strong hand", (30, 37)))
    lead = next(iter(record.board.deal[Seat.parse(declarer).next]))
    return _Lead(replace(record, calls=(told,), cards=(lead,), times=((9.0,),) * 4))


def check_size(folder: Path, page: str, data: int = 0) -> str:
    """The words of a page that is small with all that it loads, also with bytes of data."""
    static = folder / "boards" / "static"
    loaded = sum(file.stat().st_size for file in static.iterdir()) if "/" in page else 0
    assert (folder / page).stat().st_size + loaded + data < LARGEST
    return words(Page(folder / page))


@pytest.mark.slow
def test_a_report_of_a_thousand_boards_stays_small(tmp_path: Path) -> None:
    large = results(Format.MATCH, 2, BOARDS)
    figures = match_figures(large)
    write_match_report(figures, tmp_path)
    told = check_size(tmp_path, REPORT)
    assert f"The {MOST_BOARDS} biggest swings of {BOARDS} boards" in told
    assert "boards in order, 5 to a bar" in told
    page = Page(tmp_path / REPORT)
    assert "boards/index.html" in page.links
    costly = [link for link in page.links if link.endswith("&step=2")]
    assert len(costly) == MOST_BOARDS + 2 * WORST + MOST_DECIDING
    shown = figures.biggest_swings(MOST_BOARDS)
    least = min(abs(row.imps) for row in shown)
    left_out = [row for row in figures.board_results if row not in shown]
    assert all(abs(row.imps) <= least for row in left_out)
    boards = figures.match.boards
    names = page_names(board.board for board in boards)
    up = Link(href=f"../{REPORT}", text="Report")
    replays = list(replays_of_match(large.event, figures.match, names))
    with ReplayFolder(tmp_path / "boards", up, is_private=False) as folder:
        folder.write_list("index", "All", rows_of(replays), up)
        folder.write(replays, up)
    lists = [f"boards/{path.name}" for path in (tmp_path / "boards").glob("index*.html")]
    assert len(lists) == BOARDS // ROWS
    for each in lists:
        check_size(tmp_path, each)
    linked = {link for each in lists for link in Page(tmp_path / each).links}
    assert {f"board.html#board=board-{number}" for number in range(1, BOARDS + 1)} < linked
    files = [path for path in (tmp_path / "boards").iterdir() if path.is_file()]
    assert len(files) < BOARDS / 10
    largest = max(path.stat().st_size for path in files if path.suffix == ".js")
    assert check_size(tmp_path, "boards/board.html", largest)


@pytest.mark.parametrize(
    ("format_", "entries", "boards"), [(Format.ROUND_ROBIN, 24, 4), (Format.PAIRS, 60, 1)]
)
@pytest.mark.slow
def test_a_leaderboard_of_a_large_event_stays_small(
    tmp_path: Path, format_: Format, entries: int, boards: int
) -> None:
    write_leaderboard(leaderboard([results(format_, entries, boards)]), tmp_path)
    told = check_size(tmp_path, PAGE)
    assert f"The first 12 of {entries} entries" in told or format_ is Format.PAIRS
    assert "Promises broken worst" in told
    assert all(f"{NAME}{number}" in told for number in range(entries))
