"""`arena boards convert`: what it writes, what it says, and what it never does."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import pytest

from bridge_arena.board_files.records import read_records
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.boards.convert import To, convert
from bridge_arena.commands.common.errors import FailedError, UnusableError
from bridge_arena.pbn.write.writer import HEADER
from tests.board_files.packing import as_lin, as_links, as_pbn, as_zip, some_records
from tests.oracle.vectors import KNOWN_DEAL
from tests.recorded.field.club import write as write_club

GOOD = b'[Event "##a"]\n[Auction "N"]\nAP\n\n[Board "2"]\n'
BAD = b'[Event "b"]\n[Deal "N:AA... - - -"]\n\n[Event "c"]\n'


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.pbn"
    path.write_bytes(GOOD)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.pbn"
    path.write_bytes(BAD)
    return path


def test_games_are_converted_to_standard_output(
    good: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    convert([str(good)])
    out = capfdbinary.readouterr().out.decode()
    assert out.startswith(HEADER + '[Event "##a"]\r\n[Site "?"]\r\n')
    assert "Pass Pass Pass Pass\r\n\r\n[Site" in out
    assert good.read_bytes() == GOOD


def test_several_files_inherit_nothing_from_each_other(
    good: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    convert([str(good), str(good)])
    out = capfdbinary.readouterr().out.decode()
    assert out.count("% EXPORT") == 1
    assert out.count('[Event "a"]') == 4


def test_a_game_without_export_form_is_named_and_left_out(
    bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.pbn"
    with pytest.raises(FailedError, match="1 game written, 1 left out"):
        convert([str(bad)], out)
    assert capsys.readouterr().err == f"{bad}:2: game 1: Deal: a card is dealt twice\n"
    assert '[Event "c"]' in out.read_text()


def test_files_are_converted_into_a_folder(good: Path, bad: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    with pytest.raises(FailedError):
        convert([str(bad), str(good)], folder)
    assert sorted(path.name for path in folder.iterdir()) == ["bad.pbn", "good.pbn"]


@pytest.mark.parametrize("out", ["good.pbn", ".", "link.pbn"])
def test_the_input_is_never_overwritten(good: Path, tmp_path: Path, out: str) -> None:
    (tmp_path / "link.pbn").symlink_to(good)
    with pytest.raises(UnusableError, match="would overwrite"):
        convert([str(good)], tmp_path / out)
    assert good.read_bytes() == GOOD


def test_two_files_of_one_name_are_refused(good: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "good.pbn").write_bytes(GOOD)
    with pytest.raises(UnusableError, match="more than one file would become"):
        convert([str(good), str(other / "good.pbn")], tmp_path / "out")
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(UnusableError, match="is no folder"):
        convert([str(good), str(good)], file)
    with pytest.raises(UnusableError, match="would overwrite"):
        convert([str(good), str(good)], good)


def test_what_cannot_be_read_or_written_leaves_nothing_behind(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = tmp_path / "page.pbn"
    html.write_bytes(b"<html>\n")
    out = tmp_path / "out.pbn"
    for path in (html, tmp_path / "none.pbn"):
        with pytest.raises(UnusableError, match="no file could be read"):
            convert([str(path)], out)
    assert "none.pbn: cannot be read" in capsys.readouterr().err
    with pytest.raises(UnusableError, match="cannot write"):
        convert([str(good)], tmp_path / "no" / "folder.pbn")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.pbn", "page.pbn"]


def test_what_is_no_regular_file_is_not_replaced(good: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UnusableError, match="is no regular file"):
        convert([str(good)], pipe)
    assert pipe.is_fifo()


def test_a_file_is_no_folder(good: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableError, match="cannot write"):
        convert([str(good)], good / "out.pbn")
    assert [path.name for path in tmp_path.iterdir()] == [good.name]


def test_errors_in_a_game_that_can_be_written_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    undeclared = tmp_path / "undeclared.pbn"
    undeclared.write_text(
        '[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Contract "4H"]\n'
        '[Deal "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65"]\n'
    )
    with pytest.raises(FailedError, match="1 game written, 0 left out, 1 with errors"):
        convert([str(undeclared)], tmp_path / "out.pbn")
    assert f"{undeclared}:" in capsys.readouterr().err
    assert (tmp_path / "out.pbn").exists()


# To and from LIN.


@pytest.fixture
def records() -> list[BoardRecord]:
    return some_records([1, 2, 3])


def test_records_go_to_lin_and_back(tmp_path: Path, records: list[BoardRecord]) -> None:
    pbn, lin, again = (tmp_path / name for name in ("a.pbn", "b.lin", "c.pbn"))
    pbn.write_bytes(as_pbn(records))
    convert([str(pbn)], lin)
    assert lin.read_bytes() == as_lin(records)
    convert([str(lin)], again)
    assert again.read_bytes() == pbn.read_bytes()
    convert([str(lin)], tmp_path / "d", To.LIN)
    assert (tmp_path / "d").read_bytes() == lin.read_bytes()


def test_records_become_links(
    tmp_path: Path, records: list[BoardRecord], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    pbn = tmp_path / "a.pbn"
    pbn.write_bytes(as_pbn(records))
    convert([str(pbn)], to=To.LINK)
    links = capfdbinary.readouterr().out
    assert links == as_links(records)
    convert([links.decode().split()[0]], to=To.LIN)
    assert b"|md|" in capfdbinary.readouterr().out


def test_files_of_several_formats_become_one_or_a_folder(
    tmp_path: Path, records: list[BoardRecord], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "a.pbn.gz").write_bytes(gzip.compress(as_pbn(records[:1])))
    (tmp_path / "b.zip").write_bytes(as_zip({"c.lin": as_lin(records[1:2])}))
    (tmp_path / "d.txt").write_bytes(as_links(records[2:]))
    files = [str(tmp_path / name) for name in ("a.pbn.gz", "b.zip", "d.txt")]
    convert(files)
    assert capfdbinary.readouterr().out == as_pbn(records)
    convert(files, tmp_path / "out", To.LIN)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["a.lin", "b.lin", "d.txt.lin"]
    convert(files, tmp_path / "all.lin")
    assert (tmp_path / "all.lin").read_bytes() == as_lin(records)


def test_what_lin_has_no_place_for_is_told(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    club = str(write_club(tmp_path))
    convert([club], to=To.LIN)
    out, err = capfdbinary.readouterr()
    assert b"vg|Club night,,P," in out
    assert err.endswith(b"LIN has no place for it, so it is not written: ScoreTable of 2 games\n")
    convert([club], to=To.PBN)
    assert b"no place" not in capfdbinary.readouterr().err


UNBID = f"""[Event "Pairs"]
[Board "1"]
[West "a"]
[North "b"]
[East "c"]
[South "d"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{KNOWN_DEAL}"]
[Declarer "S"]
[Contract "4S"]
[Result "10"]
[Score "NS 420"]

"""
"""A table of a pairs event without its auction."""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.pbn"
    second = UNBID.replace('"b"', '"e"').replace('"10"', '"9"').replace("420", "-50")
    third = UNBID.replace('"b"', '"f"').replace('"4S"', '"Pass"').replace('"10"', '"?"')
    path.write_text(UNBID + second + third.replace("420", "0"))
    return path


def test_contracts_without_auction_come_back_from_lin(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = list(read_records(pairs))
    assert [record.score for record in before] == [420, -50, 0]
    convert([str(pairs)], tmp_path / "pairs.lin")
    convert([str(tmp_path / "pairs.lin")], tmp_path / "again.pbn")
    assert list(read_records(tmp_path / "again.pbn")) == before
    assert capsys.readouterr().err == ""


def test_contracts_that_a_link_cannot_tell_are_counted(
    pairs: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    convert([str(pairs)], to=To.LINK)
    out, err = capfdbinary.readouterr()
    assert len(out.splitlines()) == 3
    assert err == (
        b"A link has no place for it, so it is not written: "
        b"Event of 3 games, contract and result of 3 games\n"
    )


def test_scores_that_lin_cannot_hold_are_counted(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "x.pbn"
    path.write_text(UNBID.replace('"10"', '"?"') + UNBID)
    for to, what in (
        (To.LIN, b"LIN has no place for it, so it is not written: score of 1 game\n"),
        (To.PBN, b""),
    ):
        convert([str(path)], to=to)
        assert capfdbinary.readouterr().err == what


TOLD = """[Event "Cup"]
[Site "Rome"]
[Date "2026.11.28"]
[Board "1"]
[West "?"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{deal}"]
{words}[Scoring "IMP"]
[Declarer "S"]
[Contract "4S"]
[Result "10"]
[Room "Open"]
[Round "3"]
[Annotator ""]

"""


@pytest.mark.parametrize("words", ["", "some words\n"])
def test_every_tag_that_lin_has_no_place_for_is_counted(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.pbn"
    path.write_text(2 * TOLD.format(deal=KNOWN_DEAL, words=words))
    not_written = "Site of 2 games, Date of 2 games, Round of 2 games"
    for to, form, tags in (
        (To.LIN, "LIN", not_written),
        (
            To.LINK,
            "A link",
            f"Event of 2 games, {not_written.replace('Round', 'Scoring of 2 games, Round')}, "
            "contract and result of 2 games",
        ),
    ):
        convert([str(path)], tmp_path / "out", to)
        (line,) = capsys.readouterr().err.splitlines()
        assert line == f"{form} has no place for it, so it is not written: {tags}"


def test_what_is_no_record_is_left_out_of_lin(
    bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(FailedError, match="0 games written, 2 left out, 0 with errors"):
        convert([str(bad)], tmp_path / "out.lin")
    assert capsys.readouterr().err.splitlines() == [
        f"{bad}:2: game 1: Deal: the deal has hidden hands: 'N:AA... - - -'",
        f"{bad}:4: game 2: Deal: the deal is missing",
    ]


def test_a_table_without_a_board_is_left_out_of_pbn(
    tmp_path: Path, records: list[BoardRecord], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.lin"
    path.write_bytes(as_lin(records) + b"qx|o9|mb|1C|")
    with pytest.raises(FailedError, match="3 games written, 1 left out, 0 with errors"):
        convert([str(path)], tmp_path / "out.pbn")
    assert capsys.readouterr().err == f"{path}:7: table 4: it has no deal\n"
    assert (tmp_path / "out.pbn").read_bytes() == as_pbn(records)


def test_nothing_is_printed_of_what_cannot_be_read(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for to in To:
        with pytest.raises(UnusableError, match="no file could be read"):
            convert([str(tmp_path / "none.pbn")], to=to)
    assert capfdbinary.readouterr().out == b""


def test_a_pipe_with_a_name_is_read_once(
    tmp_path: Path, records: list[BoardRecord], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=[as_pbn(records)], daemon=True).start()
    convert([str(pipe)])
    assert capfdbinary.readouterr().out == as_pbn(records)
