"""The command that learns the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.minimax.bid_frequencies import SHIPPED, BidTable
from bridge_arena.bots.minimax.learn import main
from tests.data import data_path

GAMES = """[Event "Test"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJ2.432.432.32 .AKQJ.AKQJ.AKQJ4 T98.T98.T987.T98 76543.765.65.765"]
[Auction "N"]
1S 2C Pass Pass
Pass

[Event "Test"]
[Board "2"]
[Dealer "E"]
[Vulnerable "NS"]
[Deal "N:AKQJ2.432.432.32 .AKQJ.AKQJ.AKQJ4 T98.T98.T987.T98 76543.765.65.765"]
[Auction "E"]
1C Pass Pass 1S
Pass Pass Pass
"""
ILLEGAL = GAMES.replace("1S 2C Pass", "1S 1C Pass")


@pytest.fixture
def pbn(tmp_path: Path) -> Path:
    path = tmp_path / "games.pbn"
    path.write_text(GAMES)
    return path


def test_the_command_writes_the_table(pbn: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    assert main([str(pbn), "--out", str(out)]) == 0
    table = BidTable.load(out)
    assert (table.bid[5][4], table.held[5][4]) == (4, 4)
    assert table.source == "2 auctions of games.pbn (Test)"
    assert len(table.date) == len("2020-02-29")


def test_the_command_prints_the_table(
    pbn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(pbn), str(pbn)]) == 0
    out = tmp_path / "table.json"
    out.write_text(capsys.readouterr().out)
    assert BidTable.load(out).held[5][4] == 8


def test_bad_games_are_named_and_left_out(pbn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pbn.write_text(ILLEGAL)
    assert main([str(pbn)]) == 1
    streams = capsys.readouterr()
    assert streams.err.startswith(f"learn: {pbn}:")
    assert streams.err.count("\n") == 1
    assert '"1 auctions of games.pbn (Test)"' in streams.out


def test_a_missing_file_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table.json"
    assert main([str(tmp_path / "none.pbn"), "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert "none.pbn: cannot be read" in error
    assert error.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("text", ["", '[Event "Test"]\n[Board "1"]\n', "no PBN\n"])
def test_files_without_natural_auctions_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "games.pbn"
    path.write_text(text)
    assert main([str(path)]) == 2
    streams = capsys.readouterr()
    assert streams.err.startswith("learn: ")
    assert streams.out == ""


def test_a_place_that_cannot_be_written_is_told_in_one_line(
    pbn: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = pbn.parent / "none" / "table.json"
    assert main([str(pbn), "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert f"{out}: cannot be written" in error
    assert error.count("\n") == 1


def test_unusable_arguments_are_told_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--ou"])
    assert stopped.value.code == 2
    assert "FILE" in capsys.readouterr().err


@pytest.mark.slow
def test_the_shipped_table_is_what_it_says(tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    assert main([str(data_path("wbridge5", "games-1-8000.pbn")), "--out", str(out)]) == 0
    learned, shipped = BidTable.load(out), BidTable.load(SHIPPED)
    assert (learned.held, learned.bid, learned.source) == (
        shipped.held,
        shipped.bid,
        shipped.source,
    )
