"""The early end of a match whose sequential test has reached a verdict.

The test counts the boards in their order, each once those before it are known, so that it ends on
the same board in whatever order the tables finish. Boards that were played beyond it do not count.
"""

from __future__ import annotations

from collections.abc import Iterable

from bridge_arena.bridge.board import by_board
from bridge_arena.bridge.record import Room
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.schedule.scores import swing
from bridge_arena.tournaments.schedule.table_results import TableResult
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.statistics.sequential import Progress, Sprt, Verdict


def tested(test: Sprt, records: Iterable[TableResult]) -> Progress:
    """Return the test over boards in the order of their records, up to the first unknown board."""
    progress = Progress(test)
    for tables in by_board(records).values():
        worth = swing(tables)
        if worth is None or progress.add(worth.imps) is not Verdict.GO_ON:
            break
    return progress


def boards_needed(event: Event, records: Iterable[TableResult]) -> int:
    """Return the number of boards of an event's match, by its records in order.

    It is smaller than the event's if the test has ended on the last board that was played.
    """
    kept = list(records)
    if event.sprt is None:
        return event.boards
    progress = tested(Sprt.parse(event.sprt), kept)
    is_last = progress.boards == len({record.board for record in kept})
    return progress.boards if is_last and progress.verdict is not Verdict.GO_ON else event.boards


class EarlyStop:
    """The sequential test of an event; without one in the event, it never ends the match."""

    def __init__(self, event: Event) -> None:
        # The test over the boards that it has counted; None if there is none.
        self.progress = None if event.sprt is None else Progress(Sprt.parse(event.sprt))
        # The records of each position that the test has not counted.
        self._waiting: dict[int, dict[Room | None, TableResult]] = {}
        # The position of the board on which the test ended; None while it goes on.
        self.position: int | None = None

    def add(self, unit: Unit, record: TableResult) -> None:
        """Count a unit that was played."""
        progress = self.progress
        if progress is None or self.position is not None or unit.position <= progress.boards:
            return  # there is no test, it has ended, or the board was counted already
        self._waiting.setdefault(unit.position, {})[unit.room] = record
        while (worth := swing(self._waiting.get(progress.boards + 1, {}).values())) is not None:
            if progress.add(worth.imps) is not Verdict.GO_ON:
                self.position = progress.boards
                return

    def is_beyond(self, unit: Unit) -> bool:
        """Return whether a unit comes after the end of the match."""
        return self.position is not None and unit.position > self.position
