"""Tables of results as files, CSV, JSON or Parquet, written a row at a time.

Each column has one type in every format. An unknown cell is empty in CSV and null in the others.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from enum import StrEnum
from pathlib import Path

from bridge_arena.base.wording import as_text

Cell = str | int | float | None

Columns = Mapping[str, type[str] | type[int] | type[float]]
"""The types of the cells, by column, in the order of the columns."""

Write = Callable[[Mapping[str, Cell]], None]
"""Adds a row to a table; a cell that is not named is unknown."""

_ROWS = 5000
"""The rows of a group in a Parquet file, which are kept in memory until it is written."""


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


def load_libraries(kind: Format) -> None:
    """Import what a format needs, before any work. Raises ModuleNotFoundError."""
    if kind is Format.PARQUET:
        import pyarrow  # noqa: PLC0415  an extra
        import pyarrow.parquet  # noqa: F401, PLC0415


def open_frame(path: Path, columns: Columns, kind: Format) -> AbstractContextManager[Write]:
    """Open a new file, which takes rows and is complete when the context ends."""
    return {Format.CSV: _csv, Format.JSON: _json, Format.PARQUET: _parquet}[kind](path, columns)


@contextmanager
def _csv(path: Path, columns: Columns) -> Iterator[Write]:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval=None, lineterminator="\n")
        writer.writeheader()
        yield lambda row: writer.writerow({name: as_text(cell) for name, cell in row.items()})


@contextmanager
def _json(path: Path, columns: Columns) -> Iterator[Write]:
    """Open an array of objects, one a line."""
    is_first = True

    def write(row: Mapping[str, Cell]) -> None:
        nonlocal is_first
        cells = {name: row.get(name) for name in columns}
        text = json.dumps(cells, ensure_ascii=False, allow_nan=False)
        file.write(f"[\n{text}" if is_first else f",\n{text}")
        is_first = False

    with path.open("w", newline="", encoding="utf-8") as file:
        yield write
        file.write("[]\n" if is_first else "\n]\n")


@contextmanager
def _parquet(path: Path, columns: Columns) -> Iterator[Write]:
    import pyarrow  # noqa: PLC0415  an extra
    import pyarrow.parquet  # noqa: PLC0415

    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    rows: list[dict[str, Cell]] = []

    def flush() -> None:
        writer.write_table(pyarrow.Table.from_pylist(rows, schema))
        rows.clear()

    def write(row: Mapping[str, Cell]) -> None:
        rows.append({name: row.get(name) for name in columns})
        if len(rows) == _ROWS:
            flush()

    # The library itself opens no file whose name is not UTF-8.
    with path.open("wb") as file, pyarrow.parquet.ParquetWriter(file, schema) as writer:
        yield write
        flush()
