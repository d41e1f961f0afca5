"""Writes a dataset: a folder with a Parquet file for each split, and the card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from bridge_arena.base.held_locks import beside, held
from bridge_arena.recorded.datasets.card import NAME, Facts, card_of, file_of
from bridge_arena.recorded.datasets.rows import Kind, Row, columns
from bridge_arena.recorded.datasets.splits import Split, split_of
from bridge_arena.recorded.frames import Format, open_frame


def write_dataset(folder: Path, facts: Facts, rows: Iterable[Row]) -> Mapping[Split, int]:
    """Write a whole dataset, or nothing.

    Raises:
        BlockingIOError: Another run writes it.
        OSError: The dataset cannot be written; the error names the folder.
    """
    prefix = f".{folder.name}."
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with (
            held(beside(folder), folder),
            TemporaryDirectory(prefix=prefix, dir=folder.parent) as place,
        ):
            unfinished = Path(place) / folder.name
            counts = _write_files(unfinished, facts.kind, rows)
            (unfinished / NAME).write_text(card_of(facts, counts), encoding="utf-8")
            unfinished.rename(folder)
    except OSError as error:
        if str(folder.parent / prefix) in str(error.filename):
            raise OSError(error.errno, error.strerror, str(folder)) from None
        raise
    return counts


def _write_files(folder: Path, kind: Kind, rows: Iterable[Row]) -> Mapping[Split, int]:
    counts = dict.fromkeys(Split, 0)
    with ExitStack() as files:
        frames = {}
        for split in Split:
            path = folder / file_of(split)
            path.parent.mkdir(parents=True, exist_ok=True)
            frames[split] = files.enter_context(open_frame(path, columns(kind), Format.PARQUET))
        for row in rows:
            split = split_of(row.deal)
            frames[split].write(row.cells)
            counts[split] += 1
    return counts
