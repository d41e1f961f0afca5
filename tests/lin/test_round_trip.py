"""Everything that LIN has a place for reads back the same."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin.handviewer import hands_link, lin_link, read_link
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.records import meaning_of, read_records
from bridge_arena.lin.writer import format_records, left_out, write_records
from tests.data import data_path
from tests.lin.strategies import kept
from tests.pbn.strategies import records


def written(several: list[BoardRecord]) -> bytes:
    return "".join(format_records(several)).encode()


@given(records())
def test_a_record_reads_back_the_same(record: BoardRecord) -> None:
    (again,) = read_records(BytesIO(written([record])))
    assert again == kept(record)


@given(st.lists(records(), max_size=5))
def test_records_of_many_matches_read_back_in_order(several: list[BoardRecord]) -> None:
    tables = TableReader(BytesIO(written(several)))
    assert [meaning_of(table).record for table in tables] == [*map(kept, several)]
    assert not tables.problems


@given(st.lists(records(), max_size=5))
def test_contracts_without_auction_read_back_at_their_tables(several: list[BoardRecord]) -> None:
    bare = [
        replace(
            record, board=replace(record.board, number=1), calls=(), event="", scoring="",
            home="", visitors="",
        )
        for record in several
    ]  # fmt: skip
    again = [meaning_of(table).record for table in TableReader(BytesIO(written(bare)))]
    assert again == [*map(kept, bare)]


@given(records())
def test_what_was_read_is_written_the_same(record: BoardRecord) -> None:
    text = written([kept(record)])
    (again,) = read_records(BytesIO(text))
    assert written([again]) == text


@given(records())
def test_links_show_the_record(record: BoardRecord) -> None:
    expected = kept(record)
    for link in (lin_link(record), hands_link(record)):
        (again,) = read_link(link)
        assert again.board == expected.board
        assert again.players == expected.players
        assert [made.call for made in again.calls] == [made.call for made in expected.calls]
        assert [made.alert for made in again.calls] == [made.alert for made in expected.calls]
        assert (again.contract, again.cards) == (expected.contract, expected.cards)
        assert (again.tricks, again.score) == (expected.tricks, expected.score)
    (again,) = read_link(lin_link(record))
    assert again.calls == expected.calls


@given(records().map(kept), st.sets(st.sampled_from(["calls", "tricks"])))
def test_what_does_not_read_back_is_named(record: BoardRecord, unknown: set[str]) -> None:
    calls = () if "calls" in unknown else record.calls
    tricks = None if "tricks" in unknown else record.tricks
    record = replace(record, calls=calls, tricks=tricks)
    (in_file,) = read_records(BytesIO(written([record])))
    (in_link,) = read_link(lin_link(record))
    for again, has_heading in ((in_file, True), (in_link, False)):
        is_lost = (again.contract, again.score) != (record.contract, record.score)
        assert bool(left_out(record, has_heading=has_heading)) == is_lost


def test_real_files_read_back_the_same(tmp_path: Path) -> None:
    path = tmp_path / "copy.lin"
    for file in sorted(data_path("lin").glob("*.lin")):
        several = list(read_records(file))
        assert write_records(path, several) == len(several)
        assert list(read_records(path)) == several, file
        assert not list(tmp_path.glob(".*")), "nothing is left beside the file"
        for record in several:
            for link in (lin_link(record), hands_link(record)):
                (again,) = read_link(link)
                assert (again.board, again.cards) == (record.board, record.cards), file
                assert (again.contract, again.tricks) == (record.contract, record.tricks), file


def test_a_long_match_is_written_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that memory does not grow with it."""
    monkeypatch.setattr("bridge_arena.lin.writer._MOST_BOARDS", 2)
    several = [BoardRecord(Board.dealt(1, number), ("",) * 4) for number in range(1, 6)]
    parts = list(format_records(several))
    assert [part.count("|md|") for part in parts] == [2, 2, 1]
    assert [part.count("vg|") for part in parts] == [1, 1, 1]
    assert list(read_records(BytesIO("".join(parts).encode()))) == several
