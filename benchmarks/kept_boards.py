"""Do long work some boards at a time, and keep the result of each board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Protocol, TypeVar

from benchmarks.running import progress
from bridge_arena.bridge.board import Board
from bridge_arena.recorded.checkpoint import Checkpoint

SECONDS = 10
"""The time between two lines of progress."""

_T = TypeVar("_T")


class OfABoard(Protocol):
    """What belongs to a board: a record, say."""

    @property
    def board(self) -> Board:
        """The board."""
        ...


_OfABoard = TypeVar("_OfABoard", bound=OfABoard)


def on_each(
    name: str,
    records: Sequence[_OfABoard],
    work: Callable[[Sequence[_OfABoard]], Sequence[_T]],
    kept: Checkpoint,
    at_once: int = 1,
) -> list[_T]:
    """Return the result of the work on each board, from the file, or done now and kept.

    With `at_once` 0 nothing is done: the results are those of the first boards that are kept.

    Args:
        name: The name of the work in the file and in the lines of progress.
        records: What there is of each board.
        work: Gives the result of each of some boards, which JSON can hold.
        kept: The file.
        at_once: How many boards are done before their results are kept.
    """
    units = [f"{name}/{record.board.number}/{record.board.deal}" for record in records]
    left = [row for row, unit in enumerate(units) if kept.get(unit) is None]
    if not at_once:
        units, left = units[: min(left, default=len(units))], []
    told = monotonic()
    for start in range(0, len(left), at_once or 1):
        rows = left[start : start + at_once]
        for row, result in zip(rows, work([records[row] for row in rows]), strict=True):
            kept.save(units[row], result=result)
        if monotonic() - told > SECONDS or start + at_once >= len(left):
            progress(f"{name}: {start + len(rows)} of {len(left)} boards")
            told = monotonic()
    return [found["result"] for unit in units if (found := kept.get(unit)) is not None]
