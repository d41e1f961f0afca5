"""`oracle.solved_deals`: arrays, both kinds of files, and what is wrong with them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.cards import CARDS, Card
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle import solved_deals, solver
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.solved_deals import (
    RECORD,
    Heading,
    SolvedDeals,
    SolvedDealsError,
    read,
    read_heading,
    write,
)
from tests.data import data_path
from tests.oracle.vectors import KNOWN_DEAL, KNOWN_TABLE

KNOWN_LINE = f"{KNOWN_DEAL} 3a3a2b2b767649493737\n"


def table_of(number: int) -> DoubleDummyTable:
    """Some tricks or other."""
    return DoubleDummyTable(tuple((7 * number + place) % 14 for place in range(20)))


def solved(count: int) -> SolvedDeals:
    numbers = range(1, count + 1)
    return SolvedDeals.of([random_deal(5, n) for n in numbers], [table_of(n) for n in numbers])


def heading(number: int, layouts: int = 1) -> Heading:
    return Heading(seed=5, first=1, number=number, layouts=layouts, solver="none")


def same(one: SolvedDeals, other: SolvedDeals) -> bool:
    return np.array_equal(one.seats, other.seats) and np.array_equal(one.tricks, other.tricks)


class TestArrays:
    def test_arrays_that_are_kept_are_the_same_deals(self, tmp_path: Path) -> None:
        """As the page on environments keeps deals of one's own."""
        some = solved(5)
        np.savez(tmp_path / "solved.npz", seats=some.seats, tricks=some.tricks)
        again = SolvedDeals(**np.load(tmp_path / "solved.npz"))
        assert same(again, some)
        assert [again.deal(n) for n in range(5)] == [random_deal(5, n) for n in range(1, 6)]

    def test_arrays_tell_whose_card_it_is_and_how_many_tricks(self) -> None:
        known = SolvedDeals.of([KNOWN_DEAL], [KNOWN_TABLE])
        assert known.seats.dtype == known.tricks.dtype == np.uint8
        holder = {card: known.seats[0, CARDS.index(Card(card))] for card in ("DK", "SA", "HQ")}
        assert holder == {"DK": Seat.NORTH, "SA": Seat.EAST, "HQ": Seat.SOUTH}
        assert known.tricks[0, Denomination.SPADES].tolist() == [3, 10, 3, 10]
        assert known.tricks[0, Denomination.CLUBS].tolist() == [4, 9, 4, 9]
        for seat in SEATS:
            assert np.flatnonzero(known.hands(seat)[0]).tolist() == sorted(KNOWN_DEAL[seat])
        assert known.deal(0) == KNOWN_DEAL

    def test_every_deal_needs_a_table(self) -> None:
        with pytest.raises(ValueError, match="reshape"):
            SolvedDeals.of([KNOWN_DEAL, KNOWN_DEAL], [KNOWN_TABLE])

    @given(
        st.integers(),
        st.lists(st.integers(0, 13), min_size=20, max_size=20).map(
            lambda r: DoubleDummyTable(tuple(r))
        ),
    )
    def test_what_is_packed_is_unpacked(self, seed: int, table: DoubleDummyTable) -> None:
        deals = [random_deal(seed, 1), KNOWN_DEAL]
        arrays = SolvedDeals.of(deals, [table, KNOWN_TABLE])
        packed = arrays.packed()
        assert len(packed) == 2 * RECORD
        found = SolvedDeals.unpacked(packed)
        assert same(found, arrays)
        assert [found.deal(0), found.deal(1)] == deals

    def test_no_deals_are_empty_arrays(self) -> None:
        assert SolvedDeals.of([], []).packed() == b""
        assert len(SolvedDeals.unpacked(b"")) == 0

    def test_bytes_are_as_the_format_says(self) -> None:
        packed = SolvedDeals.of([KNOWN_DEAL], [KNOWN_TABLE]).packed()
        for card in CARDS:
            seat = next(seat for seat in SEATS if card in KNOWN_DEAL[seat])
            assert packed[card // 4] >> 2 * (card % 4) & 3 == seat
        for place, tricks in enumerate(KNOWN_TABLE.results):
            assert packed[13 + place // 2] >> 4 * (place % 2) & 15 == tricks

    @pytest.mark.parametrize(
        ("place", "value"),
        [(0, 0), (13, 0xE0), (22, 0x0E)],
        ids=["a hand of more than 13 cards", "14 tricks", "14 tricks in the low bits"],
    )
    def test_arrays_that_cannot_be_are_refused(self, place: int, value: int) -> None:
        packed = bytearray(SolvedDeals.of([KNOWN_DEAL], [KNOWN_TABLE]).packed())
        assert packed[place] != value
        packed[place] = value
        with pytest.raises(SolvedDealsError, match="cannot be"):
            SolvedDeals.unpacked(bytes(packed))


class TestFiles:
    def test_what_is_written_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "some.deals"
        write(path, heading(3, layouts=2), solved(6))
        assert read_heading(path) == heading(3, layouts=2)
        assert same(SolvedDeals.joined(list(read([path]))), solved(6))
        assert [child.name for child in tmp_path.iterdir()] == ["some.deals"]

    def test_the_same_deals_are_the_same_bytes(self, tmp_path: Path) -> None:
        paths = [tmp_path / name for name in ("one.deals", "two.deals")]
        for path in paths:
            write(path, heading(4), solved(4))
        assert paths[0].read_bytes() == paths[1].read_bytes()
        line, _, records = paths[0].read_bytes().partition(b"\n")
        assert json.loads(line)["crc32"] == zlib.crc32(records)
        assert len(records) == 4 * 23

    def test_files_are_read_as_streams(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Never more than a chunk at a time, whatever the file, and files in their order."""
        monkeypatch.setattr(solved_deals, "_CHUNK", 4)
        binary, text = tmp_path / "some.deals", tmp_path / "some.txt"
        write(binary, heading(9), solved(9))
        text.write_text(KNOWN_LINE * 5)
        parts = read([binary, text])
        sizes = [len(part) for part in parts]
        assert sizes == [4, 4, 1, 4, 1]

        missing = tmp_path / "missing.deals"
        parts = read([binary, missing])
        assert len(next(parts)) == 4, "the second file is not opened before the first is read"

    def test_text_is_in_another_order(self, tmp_path: Path) -> None:
        path = tmp_path / "known.txt"
        path.write_text(KNOWN_LINE)
        (part,) = read([path])
        assert same(part, SolvedDeals.of([KNOWN_DEAL], [KNOWN_TABLE]))

    @pytest.mark.slow
    def test_the_solver_says_the_same(self) -> None:
        path = data_path("dd", "deals-0000.txt")
        part = next(read([path]))
        deals = [part.deal(number) for number in range(3)]
        tables = solver.tables(deals)
        assert np.array_equal(SolvedDeals.of(deals, tables).tricks, part.tricks[:3])

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match=r"no\.deals"):
            list(read([tmp_path / "no.deals"]))


def cut(data: bytes) -> bytes:
    return data[:-1]


def one_less(data: bytes) -> bytes:
    return data[:-RECORD]


def one_more(data: bytes) -> bytes:
    return data + data[-RECORD:]


def other_tricks(data: bytes) -> bytes:
    """Another table, that could be."""
    return data[:-1] + bytes([data[-1] ^ 1])


def headed(**changes: object) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        line, _, records = data.partition(b"\n")
        return json.dumps({**json.loads(line), **changes}).encode() + b"\n" + records

    return change


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut": (cut, ", after deal 0: the last deal is cut short"),
    "a deal too few": (one_less, ": 2 deals, expected 3"),
    "a deal too many": (one_more, ": 4 deals, expected 3"),
    "another table": (other_tricks, ": damaged, its checksum is another"),
    "other deals": (lambda data: data[:-40] + bytes(40), ", after deal 0: there is a deal or"),
    "empty": (lambda _: b"", ": no file of solved deals"),
    "binary": (lambda _: bytes(range(256)) * 9, ": no file of solved deals"),
    "a list": (lambda _: b"[1]\n", ": no file of solved deals"),
    "a deep list": (lambda _: b"[" * 999, ": no file of solved deals"),
    "no checksum": (lambda data: data.replace(b"crc32", b"crc"), ": no file of solved deals"),
    "an unknown field": (headed(colour="red"), ": no file of solved deals"),
    "a later format": (headed(format="bridge-arena solved deals 2"), ": format 'bridge-arena so"),
    "text for a number": (headed(seed="5"), ": a heading that cannot be"),
    "no layout": (headed(layouts=0), ": a heading that cannot be"),
    "another encoding": (
        lambda data: (
            b"\xfe\xff"
            + headed(layouts=0)(data).partition(b"\n")[0].decode().encode("utf-16-be")
            + b"\0\n"
        ),
        ": a heading that cannot be",
    ),
    "another number": (headed(number=4), ": 3 deals, expected 4"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    damage, words = DAMAGES[name]
    path = tmp_path / "some.deals"
    write(path, heading(3), solved(3))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(SolvedDealsError) as caught:
        list(read([path]))
    assert str(caught.value).startswith(f"{path}{words}")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (KNOWN_LINE.replace("52.J76", "5.J76"), "13"),
        (KNOWN_LINE.replace("52.J76", "5A.J76"), "dealt twice"),
        (KNOWN_LINE[:-2] + "\n", "20 results as hexadecimal digits"),
        (KNOWN_LINE[:-1] + "3\n", "20 results as hexadecimal digits"),
        (KNOWN_LINE.replace(" 3a", " 3e"), "14 tricks"),
        (KNOWN_LINE.replace(" 3a", " 3g"), "20 results as hexadecimal digits"),
        ("\n", "20 results as hexadecimal digits"),
        ("N:ÄK\n", ""),
    ],
)
def test_a_bad_line_of_text_is_named(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "some.txt"
    path.write_text(KNOWN_LINE + line, encoding="utf-8")
    with pytest.raises(SolvedDealsError) as caught:
        list(read([path]))
    assert str(caught.value).startswith(f"{path}, line 2: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
