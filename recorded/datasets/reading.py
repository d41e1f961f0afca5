"""Reads a dataset back: solved deals as arrays, played boards as records (extra `parquet`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bridge_arena.base.extras import needing
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.solved_deals import SolvedDeals
from bridge_arena.recorded.datasets.rows import Kind, Split, columns, record_of, solved_deals_of
from bridge_arena.recorded.datasets.writing import file_of

with needing("bridge_arena.recorded.datasets.reading", "parquet"):
    import pyarrow
    from pyarrow import parquet


class DatasetError(ValueError):
    """The error of a file that is no dataset of the kind that is asked for."""


def read_deals(folder: Path | str, split: str = "train") -> SolvedDeals:
    """Read the solved deals of a dataset.

    Args:
        folder: The folder of the dataset.
        split: "train", "validation" or "test".

    Returns:
        The deals with their tables, as arrays.

    Raises:
        DatasetError: There is no such dataset of solved deals, or its file is damaged.
    """
    path = _path(folder, split)
    parts = []
    for first, rows in _rows(path, Kind.DEALS):
        try:
            parts.append(solved_deals_of(rows))
        except (ValueError, TypeError, AttributeError) as error:
            raise DatasetError(f"{path}, in the rows from {first}: {error}") from None
    return SolvedDeals.joined([solved_deals_of([]), *parts])


def read_tables(folder: Path | str, split: str = "train") -> Iterator[BoardRecord]:
    """Yield the played boards of a dataset.

    Args:
        folder: The folder of the dataset.
        split: "train", "validation" or "test".

    Yields:
        The records, without what a dataset does not hold: faults, questions, times and thoughts.

    Raises:
        DatasetError: There is no such dataset of played boards, or its file is damaged.
    """
    path = _path(folder, split)
    for first, rows in _rows(path, Kind.TABLES):
        for number, row in enumerate(rows, first):
            try:
                yield record_of(row)
            except (ValueError, TypeError, AttributeError, RecursionError) as error:
                raise DatasetError(f"{path}, row {number}: {error}") from None


_IS = {str: pyarrow.types.is_string, int: pyarrow.types.is_integer}
"""Whether a type of Parquet is that of cells."""


def _path(folder: Path | str, split: str) -> Path:
    try:
        return Path(folder) / file_of(Split(split))
    except ValueError:
        raise DatasetError(f"no split {split!r} (there are {', '.join(Split)})") from None


def _rows(path: Path, kind: Kind) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield the rows of a file, some at a time, each time with the number of the first."""
    try:
        with path.open("rb") as stream, parquet.ParquetFile(stream) as file:
            schema = file.schema_arrow
            for name, cell in columns(kind).items():
                if name not in schema.names or not _IS[cell](schema.field(name).type):
                    raise DatasetError(f"{path} is no dataset of {kind}: no {name!r} of its type")
            first = 1
            for batch in file.iter_batches(8192, columns=list(columns(kind))):
                yield first, batch.to_pylist()
                first += len(batch)
    except (OSError, pyarrow.ArrowException) as error:
        raise DatasetError(f"cannot read {path}: {error}") from None
