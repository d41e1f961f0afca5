"""The columns of the scoring bracket, and their figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.many_auctions.boards import imps
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.bracket import COLUMNS, KINDS, LEVELS, PLAIN, brackets, column_points
from bridge_arena.lab.experiment import UNKNOWN, Match, Part
from bridge_arena.lab.figures import LabFigures, lab_figures
from bridge_arena.lab.report import PAGE, SUMMARY, write_lab_files
from bridge_arena.lab.scoring import points_of
from bridge_arena.lab.wording import imps_text
from tests.lab.auctions import bid_of, boards_of, finished
from tests.lab.told import bidden, solve


def test_each_column_of_the_bracket_has_its_points() -> None:
    boards = boards_of(1)  # North deals, nobody is vulnerable
    bid = bid_of(boards, [(finished("4S"), finished("1D X XX"))])
    tricks = np.array([[10, 7]], np.uint8)
    led = np.array([[11, 8]], np.uint8)
    points = {
        name: column_points(column, boards, bid, tricks, led).tolist()
        for name, column in COLUMNS.items()
    }
    # 4S made, and 1DXX made, are the same with a doubler; the lead gives a trick.
    assert points == {
        "double_dummy": [[420, 230]],
        "lead": [[450, 430]],
        "doubler": [[420, 230]],
        "lead_and_doubler": [[450, 430]],
    }


@pytest.mark.parametrize(
    ("auction", "plain", "doubled", "after_lead"),
    [("4S", -100, -300, 420), ("4S X", -300, -300, 590), ("4S X XX", -600, -600, 880)],
)
def test_only_what_goes_down_undoubled_is_doubled(
    auction: str, plain: int, doubled: int, after_lead: int
) -> None:
    boards = boards_of(1)
    bid = bid_of(boards, [(finished(auction), finished("P"))])
    # Two down double dummy; the lead lets it make. The other room passed the board out.
    tricks = np.array([[8, UNKNOWN]], np.uint8)
    led = np.array([[10, UNKNOWN]], np.uint8)
    points = [column_points(each, boards, bid, tricks, led).tolist() for each in COLUMNS.values()]
    assert points == [[[each, 0]] for each in (plain, after_lead, doubled, after_lead)]


FASTPLAY = Bidder.parse("fastplay")


def told_of() -> tuple[LabFigures, Part]:
    """An experiment in which the lead gives a trick in every contract of an odd board."""
    experiment, part = bidden(boards_of(40), "baseline", "natural", "simple=baseline")
    gift = part.boards.numbers[:, None] % 2
    matches = tuple(
        replace(
            match,
            led=np.where(
                match.tricks == UNKNOWN, UNKNOWN, np.minimum(match.tricks + gift, 13)
            ).astype(np.uint8),
        )
        for match in part.matches
    )
    part = replace(part, matches=matches)
    return lab_figures(replace(experiment, leader=FASTPLAY), part, solve), part


def test_the_first_column_is_the_result_and_kinds_add_up() -> None:
    figures, _ = told_of()
    comparisons = (*figures.differences, *figures.arms)
    assert len(figures.bracket) == len(comparisons) == 3
    for bracket, comparison in zip(figures.bracket, comparisons, strict=True):
        assert (bracket.name, bracket.against) == (comparison.name, comparison.against)
        assert tuple(bracket.columns) == tuple(COLUMNS)
        assert bracket.columns[PLAIN].imps_per_board == comparison.imps_per_board
        for column in bracket.columns.values():
            whole = column.imps_per_board.mean
            for question in (LEVELS, ("notrump", "suit"), ("undoubled", "doubled")):
                assert whole == pytest.approx(
                    sum(column.kinds[kind].mean or 0 for kind in question)
                )
            less = column.more_than_plain.mean
            plain = bracket.columns[PLAIN].imps_per_board.mean
            assert whole is not None
            assert plain is not None
            assert less == pytest.approx(whole - plain)
    moved = [each.columns["lead"].more_than_plain.mean for each in figures.bracket]
    assert any(moved)


@pytest.mark.parametrize(
    ("rooms", "kinds"),
    [
        (("2S", "1NT"), {"part-score", "suit", "undoubled"}),
        (("4S", "1NT X"), {"game", "suit", "doubled"}),
        (("3NT X XX", "4C"), {"part-score", "suit", "doubled"}),
        (("3C", "6NT"), {"slam", "notrump", "undoubled"}),
    ],
)
def test_a_board_is_of_the_kinds_of_its_contracts(rooms: tuple[str, str], kinds: set[str]) -> None:
    experiment, _ = bidden(boards_of(1), "baseline", "natural")
    boards = boards_of(1)
    bid = bid_of(boards, [(finished(rooms[0]), finished(rooms[1]))])
    tricks = np.array([[13, 0]], np.uint8)
    points = points_of(boards, bid, tricks)
    match = Match(bid, tricks, points, imps(points[:, 0] - points[:, 1]), tricks)
    given = replace(experiment, leader=FASTPLAY)
    (bracket,) = brackets(given, Part(boards, (match,)), np.arange(1))
    for column in bracket.columns.values():
        assert {kind for kind, mean in column.kinds.items() if mean.mean} == kinds


def test_files_show_the_bracket(tmp_path: Path) -> None:
    figures, _ = told_of()
    write_lab_files(figures, tmp_path)
    told = json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8"))
    assert told["leader"] == "fastplay"
    (first, *_) = told["bracket"]
    assert set(first) == {"name", "against", "columns"}
    for column in first["columns"].values():
        assert set(column) == {"imps_per_board", "more_than_plain", "kinds"}
        assert set(column["kinds"]) == set(KINDS)
    page = (tmp_path / PAGE).read_text(encoding="utf-8")
    assert "The scoring bracket" in page
    for bracket in figures.bracket:
        for column in bracket.columns.values():
            assert imps_text(column.imps_per_board).replace("-", "−") in page


def test_no_bracket_where_none_was_asked_for(tmp_path: Path) -> None:
    figures = lab_figures(*bidden(boards_of(4), "baseline", "natural"), solve)
    assert figures.bracket == ()
    write_lab_files(figures, tmp_path)
    assert "bracket" not in (tmp_path / PAGE).read_text(encoding="utf-8")
