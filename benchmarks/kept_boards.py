"""Do long work board by board, and keep the result of each board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeVar

from benchmarks.progress import progress
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.checkpoint import Checkpoint

SECONDS = 10
"""The time between two lines of progress."""

_T = TypeVar("_T")


def on_each(
    name: str, records: Sequence[BoardRecord], work: Callable[[BoardRecord], _T], kept: Checkpoint
) -> list[_T]:
    """Return the result of the work on each board, from the file, or done now and kept.

    Args:
        name: The name of the work in the file and in the lines of progress.
        records: The boards.
        work: Gives a result that JSON can hold.
        kept: The file.
    """
    results: list[_T] = []
    told = monotonic()
    for number, record in enumerate(records, 1):
        unit = f"{name}/{record.board.number}/{record.board.deal}"
        known = kept.get(unit)
        if known is None:
            known = {"result": work(record)}
            kept.save(unit, **known)
        results.append(known["result"])
        if monotonic() - told > SECONDS or number == len(records):
            progress(f"{name}: {number} of {len(records)} boards")
            told = monotonic()
    return results
