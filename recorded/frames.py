"""Tables of results as files, CSV, JSON or Parquet, written a row at a time.

Each column has one type in every format. An unknown cell is empty in CSV and null in the others.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from bridge_arena.base.wording import as_text

if TYPE_CHECKING:
    import pyarrow

Cell = str | int | float | None

Columns = Mapping[str, type[str] | type[int] | type[float]]
"""The types of the cells, by column, in the order of the columns."""

_ROWS = 5000
"""The rows of a group in a Parquet file, which are kept in memory until it is written."""


class Format(StrEnum):
    """The formats of a table."""

    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


class Frame(Protocol):
    """A file that takes rows."""

    def write(self, row: Mapping[str, Cell]) -> None:
        """Add a row; a cell that is not named is unknown."""
        ...


class Frames:
    """Several files that take the same rows."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames

    def write(self, row: Mapping[str, Cell]) -> None:
        """Add a row to every file."""
        for frame in self._frames:
            frame.write(row)


def load_libraries(kind: Format) -> None:
    """Import what a format needs, so that a missing extra is reported before any work.

    Raises:
        ModuleNotFoundError: A package is missing.
    """
    if kind is Format.PARQUET:
        import pyarrow  # noqa: PLC0415  an extra
        import pyarrow.parquet  # noqa: F401, PLC0415


@contextmanager
def open_frame(path: Path, columns: Columns, kind: Format) -> Iterator[Frame]:
    """Open a new file, which is complete when the block ends."""
    if kind is Format.PARQUET:
        with _parquet(path, columns) as frame:
            yield frame
        return
    with path.open("w", newline="", encoding="utf-8") as file:
        if kind is Format.CSV:
            yield _Csv(file, columns)
        else:
            json_frame = _Json(file, columns)
            yield json_frame
            json_frame.close()


class _Csv:
    def __init__(self, file: IO[str], columns: Columns) -> None:
        self._writer = csv.DictWriter(file, columns, restval=None, lineterminator="\n")
        self._writer.writeheader()

    def write(self, row: Mapping[str, Cell]) -> None:
        self._writer.writerow({name: as_text(cell) for name, cell in row.items()})


class _Json:
    """An array of objects, one a line."""

    def __init__(self, file: IO[str], columns: Columns) -> None:
        self._file = file
        self._columns = columns
        self._before = "[\n"

    def write(self, row: Mapping[str, Cell]) -> None:
        cells = {name: row.get(name) for name in self._columns}
        self._file.write(self._before + json.dumps(cells, ensure_ascii=False, allow_nan=False))
        self._before = ",\n"

    def close(self) -> None:
        self._file.write("[]\n" if self._before == "[\n" else "\n]\n")


class _Parquet:
    def __init__(self, writer: pyarrow.parquet.ParquetWriter, schema: pyarrow.Schema) -> None:
        self._writer = writer
        self._schema = schema
        self._rows: list[dict[str, Cell]] = []

    def write(self, row: Mapping[str, Cell]) -> None:
        self._rows.append({name: row.get(name) for name in self._schema.names})
        if len(self._rows) == _ROWS:
            self.flush()

    def flush(self) -> None:
        import pyarrow  # noqa: PLC0415  an extra

        self._writer.write_table(pyarrow.Table.from_pylist(self._rows, self._schema))
        self._rows = []


@contextmanager
def _parquet(path: Path, columns: Columns) -> Iterator[_Parquet]:
    import pyarrow  # noqa: PLC0415  an extra
    import pyarrow.parquet  # noqa: PLC0415

    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    # The library itself opens no file whose name is not UTF-8.
    with path.open("wb") as file, pyarrow.parquet.ParquetWriter(file, schema) as writer:
        frame = _Parquet(writer, schema)
        yield frame
        frame.flush()
