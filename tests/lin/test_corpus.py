"""Real files: every table is read, and agrees with `bridge`."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from bridge_arena.bridge.deviations import Kind
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.records import meaning_of, read_boards, read_records
from tests.data import data_path


def lin_files() -> list[Path]:
    return sorted(data_path("lin").glob("*.lin"))


def test_every_table_of_every_file_is_a_record() -> None:
    for path in lin_files():
        # Each table of these files names its deal once.
        deals = len(re.findall(rb"(?:^|\|)\s*md\|", path.read_bytes()))
        tables = TableReader(path)
        meanings = [meaning_of(table) for table in tables]
        assert len(meanings) == deals > 0, path
        assert not tables.problems, path
        for meaning in meanings:
            assert meaning.error is None, meaning.error
            assert not [str(one) for one in meaning.deviations if one.is_error], path
            record = meaning.record
            assert record is not None
            if record.is_finished:
                vulnerability = record.board.vulnerability
                assert record.score == score_ns(record.contract, record.tricks, vulnerability)


def test_every_call_and_card_is_kept() -> None:
    for path in lin_files():
        text = path.read_bytes()
        records = list(read_records(path))
        assert sum(len(record.cards) for record in records) == len(re.findall(rb"\|\s*pc\|", text))
        assert sum(len(record.calls) for record in records) == len(re.findall(rb"\|\s*mb\|", text))


def test_lines_of_text_in_files_of_an_exporter_take_no_title_and_no_players() -> None:
    for name in ("lin-text-line-first.lin", "lin-text-line-between.lin"):
        tables = TableReader(data_path("field", name))
        meanings = [meaning_of(table) for table in tables]
        assert not tables.problems
        assert not [one for meaning in meanings for one in meaning.deviations if one.is_error]
        for number, meaning in enumerate(meanings, 1):
            record = meaning.record
            assert record is not None
            assert (record.event, record.board.number) == ("Social Bridge", number)
            assert record.players == ("cyd", "dan3", "ann_1", "bob2")


def test_a_vugraph_file_agrees_with_its_results() -> None:
    (path,) = data_path("lin").glob("*usbf_sf_14502*")
    records = list(read_records(path))
    boards = read_boards(path)
    assert [board.number for board in boards] == [46, 47, 48, 49, 50, 51]
    assert Counter(record.room for record in records) == {Room.OPEN: 6, Room.CLOSED: 6}
    results = [
        f"{record.contract}{record.contract.declarer} {record.tricks}"
        for record in records
        if record.contract
    ]
    # The file's own rs: 4HE=,4HE=,3NW+1,3NW+1,4DN=,3NN=,4SE+1,4SE+2,4HW=,4HW=,3NN+3,3NN+3
    expected = "4HE 10,4HE 10,3NTW 10,3NTW 10,4DN 10,3NTN 9,4SE 11,4SE 12,4HW 10,4HW 10"
    assert results[:10] == expected.split(",")
    assert records[0].event == "2010 USBF SF A, Segment 4 of 8"
    assert (records[0].home, records[0].visitors) == ("Nickell", "Fleisher")
    assert records[0].players == ("Rodwell", "Weinstein", "Meckstroth", "Levin")
    assert records[1].players == ("Martel", "Mahmood", "Stansby", "Hamman")
    table = next(TableReader(path))
    assert table.heading.carried == (80.0, 99.0)
    assert table.comments[0] == "caitlin: Hi all"
    assert not [
        deviation
        for table in TableReader(path)
        for deviation in meaning_of(table).deviations
        if deviation.kind in (Kind.RESULT, Kind.CONTRACT)
    ]
