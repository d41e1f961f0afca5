"""Warnings, while an event is played, of players for whom the table acts.

A player may be unable to act for hours, as a robot that answers with errors alone, while the event
goes on by what the table does in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from bridge_arena.base.one_line import one_line
from bridge_arena.base.plural import plural
from bridge_arena.bridge.record import FaultKind

_WORDS = {
    FaultKind.ILLEGAL: "illegal action",
    FaultKind.MALFORMED: "malformed message",
    FaultKind.TIMEOUT: "time-out",
}
"""The faults that are warned of; of lost players the log and the results tell."""


class FaultWarnings:
    """A listener to an event's log, which warns of each entry after 1, 2, 4, 8, ... faults.

    Args:
        tell: Called with each line.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        # The faults of each entry so far.
        self._faults: Counter[str] = Counter()
        # The units whose faults were told as they happened, as a cluster cannot.
        self._units: set[object] = set()

    def hear(self, what: str, **facts: object) -> None:
        """Take in a line of the log.

        Args:
            what: The name of what happened.
            facts: Its values, by name.
        """
        if what == "fault":
            self._units.add(facts["unit"])
            self._count(facts["board"], facts)
        elif what == "board_ended" and facts["unit"] not in self._units:
            faults = facts.get("faults", ())
            assert isinstance(faults, Iterable)
            for fault in faults:
                self._count(facts["board"], fault)

    def _count(self, board: object, fault: Mapping[str, object]) -> None:
        """Count a fault, and warn of it if so many were not told before."""
        kind = FaultKind(str(fault["kind"]))
        if kind not in _WORDS:
            return
        entry = str(fault["entry"])
        self._faults[entry] += 1
        count = self._faults[entry]
        if count & (count - 1):
            return
        so_far = f" ({plural(count, 'fault')} so far)" if count > 1 else ""
        line = f"{entry}: {_WORDS[kind]} on board {board}, {fault['seat']}: {fault['detail']}"
        self._tell(one_line(line) + so_far)
