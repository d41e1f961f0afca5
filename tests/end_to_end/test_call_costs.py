"""Tests of the costs of calls in `arena analyse --calls` and `arena report --calls`."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.pbn.write.writer import write_records
from bridge_arena.tournaments.events.boards import bid
from tests.end_to_end.arena import interrupt, started, wait_until
from tests.end_to_end.conftest import FinishedMatch, Here
from tests.end_to_end.solvers import stopping_after

PLAYERS = ("<script>alert(1)</script>", "natural", "Bob", "natural")


def auction_of(number: int) -> BoardRecord:
    """A board that four natural bidders bid, without its play."""
    board = Board.dealt(4, number)
    calls = bid(board, system("natural"))
    contract = Auction(board.dealer, (made.call for made in calls)).contract
    return BoardRecord(board, PLAYERS, calls, contract)


def passed_out() -> BoardRecord:
    """Everybody passes, also North in fourth seat, who holds 21 points."""
    board = Board.dealt(4, 2)
    return BoardRecord(board, PLAYERS, (MadeCall(PASS),) * 4, score=0)


def costs(folder: Path) -> int:
    """Return how many calls have a cost, read from outside while more are computed."""
    path = folder / "answers.sqlite"
    if not path.exists():
        return 0
    count = "select count(answer) from unit where text like '{%'"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute(count).fetchone()[0])
        except sqlite3.OperationalError:  # it is just being made
            return 0


def analysis(folder: Path) -> list[dict[str, str]]:
    with (folder / "analysis.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_an_analysis_of_calls_goes_on_where_it_was_stopped(here: Here, tmp_path: Path) -> None:
    write_records(tmp_path / "boards.pbn", map(auction_of, (3, 4)))
    command = ["analyse", "boards.pbn", "--calls", "--workers", "1"]
    held = stopping_after(5, tmp_path)
    with started(tmp_path, *command, "--out", "out", environment=held) as process:
        wait_until(lambda: costs(tmp_path / "out") > 0, "a call is weighed")
        complaint = interrupt(process).complaint(3)
    go_on = "arena analyse boards.pbn --out out --workers 1 --calls"
    assert complaint == f"interrupted; go on with: {go_on}"
    assert not (tmp_path / "out" / "analysis.csv").exists()
    found = costs(tmp_path / "out")
    assert 0 < found < sum(len(auction_of(number).calls) for number in (3, 4))
    with started(tmp_path, *go_on.split()[1:]) as process:
        assert process.wait() == 0
    assert here(*command, "--out", "whole").status == 0
    for name in ("analysis.csv", "annotated.pbn"):
        resumed, whole = (tmp_path / folder / name for folder in ("out", "whole"))
        assert resumed.read_bytes() == whole.read_bytes()


@pytest.mark.slow
def test_passing_a_good_hand_is_told(here: Here, tmp_path: Path) -> None:
    write_records(tmp_path / "boards.pbn", [passed_out()])
    ended = here("analyse", "boards.pbn", "--calls", "--workers", "1", "--out", "out")
    assert ended.status == 0
    assert "1 call cost" in ended.output
    assert "columns call_costs and losses of out/analysis.csv" in ended.output
    (row,) = analysis(tmp_path / "out")
    assert row["costliest_call"].startswith("4:Pass N")
    assert float(row["costliest_call_imps"]) > 2
    assert row["note"] == ""
    assert here("analyse", "boards.pbn", "--workers", "1", "--out", "out").status == 0
    (row,) = analysis(tmp_path / "out")
    assert (row["call_costs"], row["costliest_call"]) == ("", ""), "they were not asked for"


@pytest.mark.slow
def test_a_report_says_which_call_cost_most(here: Here, tmp_path: Path) -> None:
    match = "match mine=baseline:bidding=natural baseline --boards 1 --seed 1 --out match"
    assert here(*match.split()).status == 0
    folder = tmp_path / "match"
    plain = (folder / "report.html").read_text()
    assert "Costliest call" not in plain
    ended = here("report", "match", "--calls")
    assert (ended.status, ended.errors) == (0, "")
    assert "Costliest calls" in ended.output
    assert "match/report.html lists the 10 costliest of each bot" in ended.output
    page = (folder / "report.html").read_text()
    assert "Costliest call" in page
    costly = [
        row["costliest_call"]
        for row in json.loads((folder / "summary.json").read_text())["board_results"]
        if row["costliest_call"]
    ]
    assert costly
    for call in costly:
        assert call["by"] in ("mine", "baseline")
        assert call["cost"] > 2 * call["standard_error"] > 0
        assert f"{call['call']}</a> {call['seat']}, " in page
    with closing(sqlite3.connect(folder / "answers.sqlite")) as connection:
        asked = [text for (text,) in connection.execute("select text from unit")]
    systems = {tuple(json.loads(text)["systems"]) for text in asked}
    assert systems == {("natural", "simple") * 2, ("simple", "natural") * 2}

    def no_work(*_: object) -> None:
        pytest.fail("all calls were weighed before")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bridge_arena.commands.common.call_costs.answer_all", no_work)
        assert here("report", "match", "--calls").status == 0
    assert (folder / "report.html").read_text() == page
    assert here("report", "match").status == 0
    assert (folder / "report.html").read_text() == plain


def test_costs_are_kept_in_a_folder(here: Here, finished_match: FinishedMatch) -> None:
    file = str(finished_match.folder / "match.pbn")
    complaint = here("report", file, "--calls").complaint(2)
    assert complaint == "--calls takes --out: what calls cost is kept there"


@pytest.mark.slow
def test_calls_are_weighed_for_a_match_alone(here: Here, tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(
        '[event]\nname = "Cup"\nformat = "round-robin"\nboards = 1\nseed = 1\n'
        '[[entry]]\nbot = "random"\n[[entry]]\nbot = "baseline"\n'
    )
    assert here("tournament", "event.toml", "--out", "out").status == 0
    complaint = here("report", "out", "--calls").complaint(2)
    assert complaint == "--calls is for the report of a match"
    assert not (tmp_path / "out" / "answers.sqlite").exists()
