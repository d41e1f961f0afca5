"""A folder of solved deals: files of similar size, to which deals are added as needed.

deals-00000.deals holds the first deals of a seed with all their layouts, deals-00001.deals those
after them, and so on (the format: `oracle.solved_deals`). How many deals a full file holds depends
on the layouts only, so a folder can be continued for any number of deals. A file that is not full
holds the first of its deals and is complete in itself.

No deal is left out when a folder is filled, however long it takes, because deals that take long
differ from the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.bounded_work import as_completed
from bridge_arena.bots.library.learning.hands import spades_first
from bridge_arena.bots.library.learning.pairs import Pairs
from bridge_arena.bots.library.learning.scores import costs_of
from bridge_arena.bridge.board import redeal
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.dds import source
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.errors import OracleError, WorkerError
from bridge_arena.oracle.solved_deals import (
    RECORD,
    SUFFIX,
    Heading,
    SolvedDeals,
    SolvedDealsError,
    read,
    read_heading,
    write,
)
from bridge_arena.recorded.analysis.solvers import Solvers
from bridge_arena.recorded.analysis.units import table_in, table_unit
from bridge_arena.recorded.solving import TABLES

_SAVE = 10
"""Tables that are solved before a file is written again: a second or two."""

_NAME = re.compile(rf"deals-([0-9]{{5,}}){re.escape(SUFFIX)}")

_PARTNERS = (Seat.NORTH, Seat.SOUTH)


class ShardsError(Exception):
    """The error of a folder that cannot be used: one line says why."""


class UnsolvedError(Exception):
    """The error of a failed solver: one line names the deal."""


@dataclass(frozen=True, slots=True)
class Series:
    """The deals 1, 2, .. of a seed, each in layouts 0 to `layouts` - 1 (`bridge.board.redeal`)."""

    seed: int
    layouts: int  # the number of layouts of each deal

    def __str__(self) -> str:
        layouts = "1 layout" if self.layouts == 1 else f"{self.layouts} layouts"
        return f"seed {self.seed} with {layouts} a deal"

    @property
    def deals_per_file(self) -> int:
        return max(1, TABLES // self.layouts)


@dataclass(frozen=True, slots=True)
class LayoutNumber:
    number: int  # the number of the deal, from 1
    layout: int


@dataclass(slots=True)
class _Filling:
    written: int  # the number of deals that are written there
    records: bytearray  # the solved layouts from its first deal on, up to the first gap
    ahead: dict[int, bytes] = field(default_factory=dict)  # those beyond it, by place in the file


class Shards:
    """The files of a series in a folder, which no other process may be filling (`alone`).

    Raises ShardsError where a file is damaged or of another series, and OSError.
    """

    def __init__(self, folder: Path, series: Series) -> None:
        self.folder = folder
        self.series = series
        # The number of deals in each file, by the file's number.
        self._held = {file: self._checked(file, path) for file, path in _files(folder)}
        self._filling: dict[int, _Filling] = {}

    def path(self, file: int) -> Path:
        return self.folder / f"deals-{file:05d}{SUFFIX}"

    def paths(self, deals: int) -> list[Path]:
        """Return the files that hold the deals 1 to `deals`."""
        return [self.path(file) for file in range(-(-deals // self.series.deals_per_file))]

    def count(self, deals: int) -> int:
        size = self.series.deals_per_file
        return sum(max(0, min(held, deals - file * size)) for file, held in self._held.items())

    def missing(self, deals: int) -> Iterator[tuple[LayoutNumber, Deal]]:
        """Yield what the deals 1 to `deals` need and is not there."""
        seed, size = self.series.seed, self.series.deals_per_file
        for file in range(len(self.paths(deals))):
            first = 1 + file * size
            for number in range(first + self._held.get(file, 0), min(first + size, deals + 1)):
                for layout in range(self.series.layouts):
                    yield LayoutNumber(number, layout), redeal(seed, number, layout)

    def add(self, place: LayoutNumber, deal: Deal, table: DoubleDummyTable) -> None:
        """Keep a table that was missing. Raises OSError."""
        size, layouts = self.series.deals_per_file, self.series.layouts
        file, row = divmod(place.number - 1, size)
        filling = self._filling.get(file) or self._open(file)
        filling.ahead[row * layouts + place.layout] = SolvedDeals.of([deal], [table]).packed()
        while record := filling.ahead.pop(len(filling.records) // RECORD, None):
            filling.records += record
        new = len(filling.records) // RECORD - filling.written * layouts
        if new >= max(_SAVE, layouts) or len(filling.records) == size * layouts * RECORD:
            self._write(file)

    def save(self) -> None:
        """Write what is solved, each file up to its first gap. Raises OSError."""
        for file in list(self._filling):
            self._write(file)

    def _open(self, file: int) -> _Filling:
        held, path = self._held.get(file, 0), self.path(file)
        records = bytearray().join(part.packed() for part in read([path] if held else []))
        self._filling[file] = filling = _Filling(held, records)
        return filling

    def _write(self, file: int) -> None:
        size, layouts = self.series.deals_per_file, self.series.layouts
        filling = self._filling[file]
        whole = len(filling.records) // (RECORD * layouts)
        if whole > filling.written:
            solver = source()
            heading = Heading(self.series.seed, 1 + file * size, whole, layouts, solver)
            data = bytes(filling.records[: whole * layouts * RECORD])
            write(self.path(file), heading, SolvedDeals.unpacked(data))
            filling.written = self._held[file] = whole
        if whole == size:
            del self._filling[file]

    def _checked(self, file: int, path: Path) -> int:
        """Return the number of deals that a file of the series holds."""
        with _as_shards_error():
            heading = read_heading(path)
        series, size = Series(heading.seed, heading.layouts), self.series.deals_per_file
        if series != self.series:
            raise ShardsError(f"{path} holds {series}, expected {self.series}")
        first, last = heading.first, heading.first + heading.number - 1
        if path != self.path(file) or first != 1 + file * size or last >= first + size:
            raise ShardsError(f"{path} holds deals {first} to {last}, which do not belong there")
        with _as_shards_error():
            for _ in read([path]):
                pass
        return heading.number


def series_in(folder: Path) -> Series | None:
    """Return the series of a folder's first file, or None. Raises ShardsError, OSError."""
    for _, path in _files(folder):
        with _as_shards_error():
            heading = read_heading(path)
        return Series(heading.seed, heading.layouts)
    return None


@contextmanager
def _as_shards_error() -> Iterator[None]:
    try:
        yield
    except SolvedDealsError as error:
        raise ShardsError(f"{error}; without this file its deals are solved again") from None


def _files(folder: Path) -> list[tuple[int, Path]]:
    named = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir())
    return sorted((int(match[1]), path) for match, path in named if match)


def solve_missing(
    shards: Shards, deals: int, solvers: Solvers, on_tables: Callable[[int], None]
) -> None:
    """Solve what the deals need, and keep it whatever ends this. Raises UnsolvedError, OSError."""
    units = (((place, deal), table_unit(deal)) for place, deal in shards.missing(deals))
    try:
        for answers in as_completed(
            units, solvers.submit, lambda: solvers.capacity, retried=WorkerError
        ):
            for (place, deal), answer in answers:
                try:
                    table = table_in(answer.result())
                except OracleError as error:
                    raise UnsolvedError(f"{deal} could not be solved: {error}") from None
                shards.add(place, deal, table)
            on_tables(len(answers))
    finally:
        shards.save()


def pairs_of(paths: Iterable[Path], layouts: int = 1, deals: int | None = None) -> Pairs:
    """Return the pairs of the first deals of files that hold whole deals.

    All deals if there is no number. Raises OSError, and SolvedDealsError if a file is damaged or
    empty, or its deals have another number of layouts.
    """
    hands: list[np.ndarray] = []
    costs: list[np.ndarray] = []
    for path in paths:
        parts = list(read([path]))
        if not parts:
            raise SolvedDealsError(f"there are no solved deals in {path}")
        seats = np.concatenate([part.seats for part in parts])
        held = np.stack([spades_first(seats == int(seat)) for seat in _PARTNERS], axis=1)
        if not _are_in_groups(held, layouts):
            raise SolvedDealsError(f"{path}: not every deal has {layouts} layouts")
        hands.append(held[::layouts])
        tricks = np.concatenate([part.tricks for part in parts]).reshape(-1, layouts, 5, 4)
        costs.append(costs_of(tricks[..., _PARTNERS]))
    return Pairs(
        np.concatenate(hands)[:deals].astype(np.uint8),
        np.concatenate(costs)[:deals].astype(np.float32),
    )


def _are_in_groups(held: NDArray[np.bool_], size: int) -> bool:
    """Return whether rows come in groups of some size: alike in a group, not in the next."""
    same = (held[1:] == held[:-1]).all(axis=(1, 2))
    return len(held) % size == 0 and bool((same == (np.arange(1, len(held)) % size != 0)).all())
