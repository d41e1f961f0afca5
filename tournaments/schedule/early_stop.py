"""Ends a match as soon as its sequential test has told enough.

The test sees the boards in their order, each once those before it are known, so that it
ends on the same board however the tables finish theirs. What was played beyond counts
nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from bridge_arena.bridge.board import by_board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.schedule.match_outcomes import swing
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.statistics.sequential import Progress, Sprt, Verdict


def tested(test: Sprt, records: Iterable[BoardRecord]) -> Progress:
    """The test over boards in the order of their records, as far as all before are known."""
    progress = Progress(test)
    for tables in by_board(records).values():
        worth = swing(tables)
        if worth is None or progress.add(worth.imps) is not Verdict.GO_ON:
            break
    return progress


def boards_needed(event: Event, records: Iterable[BoardRecord]) -> int:
    """How many boards the match of an event has: fewer than it might, where its test has
    ended on the last board that there is of it. `records`: in order."""
    kept = list(records)
    if event.sprt is None:
        return event.boards
    progress = tested(Sprt.parse(event.sprt), kept)
    is_last = progress.boards == len({record.board for record in kept})
    return progress.boards if is_last and progress.verdict is not Verdict.GO_ON else event.boards


class EarlyStop:
    """The test of an event, which takes part where the event has one."""

    def __init__(self, event: Event) -> None:
        self._progress = None if event.sprt is None else Progress(Sprt.parse(event.sprt))
        # The tables of each position that the test has not seen.
        self._waiting: dict[int, dict[Room | None, BoardRecord]] = {}
        # The position at which it ended; None while it goes on.
        self.position: int | None = None

    def add(self, unit: Unit, record: BoardRecord) -> None:
        """Take in what became of a unit."""
        if self._progress is None or self.position is not None:
            return
        if unit.position <= self._progress.boards:
            return  # it was seen already
        self._waiting.setdefault(unit.position, {})[unit.room] = record
        while (swing := self._swing(self._progress.boards + 1)) is not None:
            if self._progress.add(swing) is not Verdict.GO_ON:
                self.position = self._progress.boards
                return

    def is_beyond(self, unit: Unit) -> bool:
        """Whether a unit is not needed any more."""
        return self.position is not None and unit.position > self.position

    def _swing(self, position: int) -> int | None:
        """Home's IMPs on a board; None where it is not decided yet."""
        found = swing(self._waiting.get(position, {}).values())
        return None if found is None else found.imps
