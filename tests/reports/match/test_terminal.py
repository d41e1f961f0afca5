"""The report on the terminal, as text."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from bridge_arena.bridge.record import Fault, FaultKind, Mode, Room
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.reports.match.figures import MatchFigures
from bridge_arena.reports.match.terminal import MOST_BOARDS, print_report
from bridge_arena.tournaments.statistics.sequential import Sprt
from tests.reports.match.matches import Ledgers, explained_match, figures_of, ledger, worked_match
from tests.tournaments.crossing import llr
from tests.tournaments.matches import table, unfinished


def printed(figures: MatchFigures, width: int = 100) -> list[str]:
    text = StringIO()
    print_report(figures, Console(file=text, width=width))
    return [line.rstrip() for line in text.getvalue().splitlines()]


def row(lines: list[str], label: str) -> list[str]:
    return next(line for line in lines if line.strip().startswith(label)).split()


def test_the_verdict_comes_first_and_the_score_below() -> None:
    lines = printed(figures_of(*worked_match()))
    assert lines[:2] == [
        "Too few boards with a swing to tell alpha and beta apart",
        "beta is ahead of alpha by 2 IMPs over 3 boards: 0.67 ± 4.63 IMPs/board (p = 1.000), VPs "
        "11.38 - 8.62",
    ]


def test_boards_and_bots_have_their_rows() -> None:
    lines = printed(figures_of(*worked_match()))
    assert row(lines, "2 ") == "2 3NT E = -400 Pass 0 -9 -2 +2.0 -11.0 0.0".split()
    assert next(line.split() for line in lines if "4S N" in line)[:5] == "1 4S N = 420".split()
    assert row(lines, "IMPs from the auction")[-2:] == ["+8.0", "-8.0"]
    assert row(lines, "by own opening leads")[-2:] == ["-13.5", "0.0"]
    assert row(lines, "Time per action, mean")[-2:] == ["-", "-"]


def test_a_forfeit_is_told_with_who_and_why() -> None:
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    records = [*worked_match()[0], unfinished(4, Room.CLOSED, crash), table(5, Room.OPEN)]
    text = " ".join(printed(figures_of(records, worked_match()[1])))
    assert "beta won: alpha forfeited the match beta is ahead of alpha by 2 IMPs" in text
    assert (
        "alpha forfeited the match to beta: on board 4, closed room, it crashed (exit status 1)."
        in text
    )
    assert "1 board finished at one table only: no IMPs, but tricks and faults count." in text


def test_the_sequential_test_has_its_line() -> None:
    test = Sprt(imp0=0, imp1=2)
    lines = printed(figures_of(*worked_match(), test))
    assert f"SPRT {test}: not decided after 3 boards, LLR {llr(test, [7, -9, 0]):.2f}" in lines[2]
    assert "(-2.94 to 2.94)" in lines[2]
    assert not any("SPRT" in line for line in printed(figures_of(*worked_match())))


def test_adjusted_boards_are_told() -> None:
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    lost = replace(unfinished(4, Room.OPEN, crash), adjusted=Side.EW)
    records = [*worked_match()[0], lost, table(4, Room.CLOSED)]
    text = " ".join(printed(figures_of(records, worked_match()[1])))
    assert "Not finished but adjusted: 1 board, +3 IMPs for alpha in all; the table and" in text
    assert "alpha is ahead of beta by 1 IMP over 4 boards" in text


def test_explanations_are_told() -> None:
    lines = printed(figures_of(*explained_match()))
    assert row(lines, "Points") == "Points 0.0 % of 1, 1.0 off".split()
    assert row(lines, "Spades") == "Spades 0.0 % of 1, 2.0 off".split()
    assert row(lines, "Diamonds") == "Diamonds 100.0 % of 1".split()
    assert row(lines, "Clubs") == "Clubs - of 0".split()
    assert "beta explains nothing." in lines
    assert "alpha explains nothing." not in lines
    told = "1D promised invitation [hcp 14-18, S 3-13, D 4-13]; held 13 points, 1 spade"
    assert f"alpha, board 1, open room, N: {told}" in " ".join(lines)


def test_nothing_is_said_of_explanations_of_given_auctions() -> None:
    records = [replace(record, mode=Mode.PLAY) for record in explained_match()[0]]
    text = "\n".join(printed(figures_of(records, {})))
    assert "explains" not in text
    assert "promised" not in text.lower()


def test_shares_fit_80_columns() -> None:
    records, ledgers = explained_match()
    calls = records[0].calls * 2000
    records = [replace(record, calls=calls) for record in records]
    lines = printed(figures_of(records, ledgers), width=80)
    points = row(lines, "Points")
    assert points.count("6000,") == 2
    assert points.count("off") == 2
    assert "…" not in "".join(lines)


def test_without_analysis_its_columns_are_left_out() -> None:
    text = "\n".join(printed(figures_of(worked_match()[0], {})))
    assert "Double-dummy figures cover 0 of 3 boards." in text
    assert "Auction" not in text


def test_a_match_without_boards_is_told() -> None:
    assert printed(figures_of([], {}))[0] == "Not over: 0 of 1 board played in both rooms so far"


def test_a_long_match_shows_the_biggest_swings() -> None:
    records = [table(number, room) for number in range(1, 51) for room in Room]
    records[2 * 49] = table(50, Room.OPEN, "7NT", "N", 13)
    lines = printed(figures_of(records, {}))
    assert "The 40 biggest swings of 50 boards" in lines
    shown = [line.split()[0] for line in lines if " Pass " in f"{line} "]
    assert len(shown) == MOST_BOARDS
    assert shown[:2] == ["50", "1"]


@pytest.mark.parametrize("name", ["[bold]x[/bold]", "[/]", "cmd:python bot.py --long-option=1"])
def test_names_are_text_and_the_widest_rows_fit(name: str) -> None:
    records = [
        table(1000, Room.OPEN, "7NTXX", "W", 0, home=name),
        table(1000, Room.CLOSED, "7NTXX", "S", 0, home=name),
    ]
    board = records[0].board
    ledgers: Ledgers = {
        (board, Room.OPEN): ledger(13, declarer=13),
        (board, Room.CLOSED): ledger(13, declarer=13),
    }
    lines = printed(figures_of(records, ledgers))
    assert name in lines[0]
    assert max(map(len, lines)) <= 100
    assert "…" not in "".join(lines)
