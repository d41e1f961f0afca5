"""Tests of which games of a file are replayed, and with which auction."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.replay import Start
from bridge_arena.recorded.replay.games import LeftOut, RecordedGame, read_recorded
from tests.lin.tables import AUCTION, START

HEAD = f"""[Event "E"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{Board.dealt(1, 1).deal}"]
"""
BID = '[Auction "N"]\nPass 1H X 2H Pass Pass Pass\n'


def read(folder: Path, text: str, start: Start) -> tuple[RecordedGame, list[Problem]]:
    path = folder / "one.pbn"
    path.write_text(text)
    problems: list[Problem] = []
    (game,) = read_recorded(path, Seat.SOUTH, start, problems.append)
    return game, problems


def calls(game: RecordedGame) -> str:
    return " ".join(str(made.call) for made in game.auction)


def test_what_is_wrong_at_a_table_of_lin_is_told(tmp_path: Path) -> None:
    path = tmp_path / "one.lin"
    path.write_text(START + AUCTION.replace("mb|2N|", "mb|1C|", 1))
    problems: list[Problem] = []
    read_recorded(path, Seat.SOUTH, Start.AUCTION, problems.append)
    assert [str(problem).partition(" mb: ")[0] for problem in problems] == [f"{path}:1: table 1:"]


@pytest.mark.parametrize("start", Start)
def test_the_recorded_auction_is_given(tmp_path: Path, start: Start) -> None:
    game, problems = read(tmp_path, HEAD + BID, start)
    assert calls(game) == "Pass 1H X 2H Pass Pass Pass"
    assert (game.left_out, problems) == (None, [])


@pytest.mark.parametrize("auction", ["", '[Auction "N"]\nPass 1H\n*\n'], ids=["none", "unfinished"])
def test_a_contract_is_bid_where_no_auction_gives_it(tmp_path: Path, auction: str) -> None:
    text = f'{HEAD}[Declarer "E"]\n[Contract "4SX"]\n{auction}'
    game, _ = read(tmp_path, text, Start.PLAY)
    assert calls(game) == "Pass 4S X Pass Pass Pass"
    game, _ = read(tmp_path, text, Start.AUCTION)
    assert game.left_out is LeftOut.NO_AUCTION


def test_dummy_is_known_at_once_only_where_the_contract_is_known(tmp_path: Path) -> None:
    text = HEAD + '[Auction "N"]\n1H Pass Pass Pass\n'
    assert read(tmp_path, text, Start.PLAY)[0].left_out is LeftOut.DUMMY
    assert read(tmp_path, text, Start.AUCTION)[0].left_out is None


@pytest.mark.parametrize(
    ("text", "why", "errors"),
    [
        (HEAD + '[Contract "Pass"]\n', LeftOut.PASSED_OUT, 0),
        (HEAD, LeftOut.NO_CONTRACT, 0),
        ('[Event "E"]\n[Board "1"]\n[Contract "1H"]\n[Declarer "N"]\n', LeftOut.NO_DEAL, 0),
        (HEAD[:90], LeftOut.ERROR, 1),
        (HEAD + '[Contract "4H"]\n', LeftOut.ERROR, 1),
    ],
    ids=["passed out", "no contract", "no deal", "cut off", "no declarer"],
)
def test_games_that_cannot_be_replayed_are_left_out_with_a_reason(
    tmp_path: Path, text: str, why: LeftOut, errors: int
) -> None:
    for start in Start:
        game, problems = read(tmp_path, text, start)
        assert game.left_out is why
        assert len(problems) == errors
