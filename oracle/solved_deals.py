"""Solved deals as arrays, for training, and the files that hold them.

A file is named NAME.deals. It is a line of JSON (the fields of `Heading`, and `crc32`, the CRC-32
of the bytes after the line), then 23 bytes for each deal. Bytes 0 to 12 are the seats of the 52
cards in the order of `bridge.cards`, 2 bits each (N 0, E 1, S 2, W 3), the first in the low bits.
Bytes 13 to 22 are the 20 results of the table, 4 bits each, of declarers N E S W in clubs, then in
diamonds, hearts, spades and notrump, the first in the low bits.

Text files with lines `N:DEAL HEX` can be read too: the 20 results are digits, in spades, hearts,
diamonds, clubs and notrump.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from re import fullmatch

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.files import replace_file
from bridge_arena.bridge.cards import Deal, Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable

SUFFIX = ".deals"

FORMAT = "bridge-arena solved deals 1"

RECORD = 23
"""The bytes of each deal in a file."""

_CHUNK = 8192
"""The number of deals that are read at once."""

_TEXT_ORDER = (3, 2, 1, 0, 4)
"""The order of the denominations in a text file."""


class SolvedDealsError(ValueError):
    """A file that does not hold solved deals."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a file of solved deals."""

    seed: int  # the public seed of the deals
    first: int  # the number of the first deal
    number: int  # the number of deals
    layouts: int  # layouts of the East and West hands of each deal, which follow each other
    solver: str  # the solver's name
    format: str = FORMAT  # the name and version of the format


@dataclass(frozen=True, slots=True)
class SolvedDeals:
    """Deals with their double-dummy tables.

    Attributes:
        seats: uint8 n×52, the seat that holds each card, in the order of `bridge.cards`.
        tricks: uint8 n×5×4, the tricks of each declarer in clubs, diamonds, hearts, spades and
            notrump.
    """

    seats: NDArray[np.uint8]
    tricks: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.seats)

    @classmethod
    def of(cls, deals: Sequence[Deal], tables: Iterable[DoubleDummyTable]) -> SolvedDeals:
        """Return deals and their tables, in the same order, as arrays."""
        seats = np.zeros((len(deals), 52), np.uint8)
        for row, deal in zip(seats, deals, strict=True):
            for seat in SEATS:
                row[list(deal[seat])] = int(seat)
        tricks = np.array([table.results for table in tables], np.uint8)
        return cls(seats, tricks.reshape(len(deals), 5, 4))

    def hands(self, seat: Seat) -> NDArray[np.bool_]:
        """Return the hands of a seat as a boolean array n×52."""
        held: NDArray[np.bool_] = self.seats == int(seat)
        return held

    def deal(self, index: int) -> Deal:
        """Return the deal at an index."""
        north, east, south, west = (
            Hand(sum(1 << int(card) for card in np.flatnonzero(self.seats[index] == int(seat))))
            for seat in SEATS
        )
        return Deal((north, east, south, west))

    def table(self, index: int) -> DoubleDummyTable:
        """Return the double-dummy table of the deal at an index."""
        return DoubleDummyTable(tuple(int(tricks) for tricks in self.tricks[index].ravel()))

    @classmethod
    def joined(cls, parts: Iterable[SolvedDeals]) -> SolvedDeals:
        """Return all deals of several parts, in order, as those that `read` yields."""
        chunks = list(parts)
        return cls(
            np.concatenate([part.seats for part in chunks]),
            np.concatenate([part.tricks for part in chunks]),
        )

    def packed(self) -> bytes:
        """Return the deals as in a file, without its heading."""
        seats = self.seats.reshape(-1, 13, 4)
        cards = seats[..., 0] | seats[..., 1] << 2 | seats[..., 2] << 4 | seats[..., 3] << 6
        results = self.tricks.reshape(-1, 10, 2)
        return np.hstack([cards, results[..., 0] | results[..., 1] << 4]).tobytes()

    @classmethod
    def unpacked(cls, data: bytes) -> SolvedDeals:
        """Return the deals of a file's bytes after the heading. Raises SolvedDealsError."""
        if len(data) % RECORD:
            raise SolvedDealsError("the last deal is cut short")
        records = np.frombuffer(data, np.uint8).reshape(-1, RECORD)
        seats = _parts(records[:, :13], 2).reshape(-1, 52)
        tricks = _parts(records[:, 13:], 4).reshape(-1, 5, 4)
        sizes = np.stack([(seats == int(seat)).sum(axis=1) for seat in SEATS])
        if (sizes != 13).any() or (tricks > 13).any():
            raise SolvedDealsError("there is a deal or a table that cannot be")
        return cls(seats, tricks)


def _parts(array: NDArray[np.uint8], bits: int) -> NDArray[np.uint8]:
    """Return the bytes of an array in parts of so many bits, along a new axis."""
    shifts = range(0, 8, bits)
    return np.stack([array >> shift & (1 << bits) - 1 for shift in shifts], axis=-1)


def write(path: Path, heading: Heading, solved: SolvedDeals) -> None:
    """Write a whole file, or nothing. Raises OSError, which names the file."""
    data = solved.packed()
    line = json.dumps({**asdict(heading), "crc32": zlib.crc32(data)})
    replace_file(path, line.encode() + b"\n" + data)


def read_heading(path: Path) -> Heading:
    """Return the heading of a file of deals. Raises SolvedDealsError, OSError."""
    with path.open("rb") as file:
        return _heading(path, file.readline(1000))[0]


def read(paths: Iterable[Path]) -> Iterator[SolvedDeals]:
    """Yield the deals of files, in their order, some thousands at a time.

    A file is in binary form if it is named `.deals`, else in text form. SolvedDealsError is raised
    if it is of another format or damaged, OSError if it cannot be read.
    """
    for path in paths:
        yield from _binary(path) if path.suffix == SUFFIX else _text(path)


def count(paths: Iterable[Path]) -> int:
    """Return the number of deals in files, as `read` yields them, and raise what that raises."""
    return sum(len(solved) for solved in read(paths))


def _binary(path: Path) -> Iterator[SolvedDeals]:
    with path.open("rb") as file:
        heading, expected = _heading(path, file.readline(1000))
        number, checksum = 0, 0
        while data := file.read(RECORD * _CHUNK):
            try:
                solved = SolvedDeals.unpacked(data)
            except SolvedDealsError as error:
                raise SolvedDealsError(f"{path}, after deal {number}: {error}") from None
            number += len(solved)
            checksum = zlib.crc32(data, checksum)
            yield solved
    announced = heading.number * heading.layouts
    if number != announced:
        raise SolvedDealsError(f"{path}: {number} deals, expected {announced}")
    if checksum != expected:
        raise SolvedDealsError(f"{path}: damaged, its checksum is another")


def _heading(path: Path, line: bytes) -> tuple[Heading, int]:
    """Return the heading, and the checksum of the bytes after it."""
    try:
        fields = json.loads(line)
        checksum = fields.pop("crc32")
        heading = Heading(**fields)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise SolvedDealsError(f"{path}: no file of solved deals") from None
    if heading.format != FORMAT:
        raise SolvedDealsError(f"{path}: format {heading.format!r}, expected {FORMAT!r}")
    counts = (heading.first, heading.number, heading.layouts)
    if type(heading.seed) is not int or any(type(n) is not int or n < 1 for n in counts):
        text = line.decode(errors="replace").strip()
        raise SolvedDealsError(f"{path}: a heading that cannot be: {text}")
    return heading, checksum


def _text(path: Path) -> Iterator[SolvedDeals]:
    with path.open(encoding="ascii", errors="replace") as file:
        deals: list[Deal] = []
        tables: list[DoubleDummyTable] = []
        for number, line in enumerate(file, start=1):
            text, _, digits = line.strip().rpartition(" ")
            try:
                tables.append(_table(digits))
                deals.append(Deal.parse(text))
            except (BridgeError, ValueError) as error:
                raise SolvedDealsError(f"{path}, line {number}: {error}") from None
            if len(deals) == _CHUNK:
                yield SolvedDeals.of(deals, tables)
                deals, tables = [], []
        if deals:
            yield SolvedDeals.of(deals, tables)


def _table(digits: str) -> DoubleDummyTable:
    """Return the table of a line of a text file; raise ValueError if it has none."""
    if not fullmatch("[0-9a-fA-F]{20}", digits):
        raise ValueError("expected a deal, a space, and 20 results as hexadecimal digits")
    results = [int(digit, 16) for digit in digits]
    by_strain = [results[start : start + 4] for start in range(0, 20, 4)]
    in_order = [by_strain[_TEXT_ORDER.index(strain)] for strain in range(5)]
    return DoubleDummyTable(tuple(tricks for four in in_order for tricks in four))
