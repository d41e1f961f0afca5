"""Solvers that solve nothing: some tricks or other for each deal, at once and always the same."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from concurrent.futures import Future
from typing import Self

from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.recorded.analysis.units import table_in


def tricks_of(unit: str) -> str:
    """Twenty numbers of tricks, as an answer."""
    return "".join(f"{zlib.crc32(f'{place} {unit}'.encode()) % 14:x}" for place in range(20))


def table_of(deal: Deal) -> DoubleDummyTable:
    return table_in(tricks_of(str(deal)))


class Instant:
    """Answers as soon as it is asked, in the order of asking. `answer` may raise."""

    deadline: float | None = None
    capacity = 3

    def __init__(self, answer: Callable[[str], str] = tricks_of) -> None:
        self.asked: list[str] = []
        self._answer = answer

    def submit(self, unit: str) -> Future[str]:
        self.asked.append(unit)
        future: Future[str] = Future()
        try:
            future.set_result(self._answer(unit))
        except Exception as error:
            future.set_exception(error)
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass
