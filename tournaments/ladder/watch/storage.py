"""Whether what a ladder plays can be kept: there is room on the disk, and the store answers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bridge_arena.base.stopping import Stop
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store, StoreError
from bridge_arena.tournaments.store.database import TakenError

_MIB = 1 << 20

NEEDED = 32 * _MIB
"""The bytes that the matches at play may write: with less room, none begins."""

LOW = 10 * NEEDED
"""The bytes below which the disk is nearly full."""

MARGIN = NEEDED // 4
"""The bytes more that must be free before there is room again, so that nothing flaps."""

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""The seconds from a failure to the next try; they double while tries fail."""

_CALM = 600.0
"""The seconds without a failure after which the next one is the first again."""


class Storage:
    """What a ladder writes to.

    Args:
        store: The store.
        folder: The folder of the ladder.
        log: The log.
        alerts: Where it is told that something is wrong.
        clock: Returns the time in seconds.

    Attributes:
        is_broken: Whether something could not be written or read, and `mend` has not succeeded yet.
        writing: The orders to stop of the matches at play.
    """

    def __init__(
        self,
        store: LadderStore,
        folder: Path,
        log: EventLog,
        alerts: Alerts,
        clock: Callable[[], float],
    ) -> None:
        self.is_broken = False
        self.writing: set[Stop] = set()
        self._store = store
        self._folders = {folder, store.folder or folder}
        self._log = log
        self._alerts = alerts
        self._clock = clock
        # What was played and could not be stored, with the store of its match.
        self._unsaved: list[tuple[Store, Unit, BoardRecord]] = []
        self._shortage = 0  # 1 while the disk is nearly full, 2 while no match may begin
        self._failures = 0  # the failures in a row
        self._failed = 0.0  # when the last one was

    def has_room(self) -> bool:
        """Return whether a match may begin; tell the administrator when room is short."""
        free, folder = min((shutil.disk_usage(folder).free, folder) for folder in self._folders)
        limits = (LOW, NEEDED)
        self._shortage = sum(
            free < limit + (MARGIN if self._shortage > number else 0)
            for number, limit in enumerate(limits)
        )
        if self._shortage == 2:
            text = f"no match begins: less than {NEEDED // _MIB} MiB are free in {folder}"
        elif self._shortage:
            text = f"the disk is nearly full: less than {LOW // _MIB} MiB are free in {folder}"
        else:
            self._alerts.end(Kind.DISK)
            return True
        self._alerts.begin(Kind.DISK, "", text)
        return self._shortage < 2

    def failed(self, error: Exception) -> None:
        """Have the matches at play adjourned, as something could not be written or read."""
        now = self._clock()
        calm = not self.is_broken and now - self._failed > _CALM
        self._failures = 1 if calm else self._failures + 1
        self._failed = now
        self.is_broken = True
        self._alerts.begin(Kind.STORE, "", f"play waits, and goes on by itself: {error}")
        for stop in self.writing:
            stop.order()

    def save_later(self, store: Store, unit: Unit, record: BoardRecord) -> None:
        """Store what was played once that is possible."""
        self._unsaved.append((store, unit, record))

    def may_try(self) -> bool:
        """Return whether it is time to try again."""
        wait: float = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(self._failures - 1, 10))
        return self._clock() >= self._failed + wait

    def mend(self) -> None:
        """Write what could not be written. Raises StoreError and OSError if that fails again."""
        self._store.check()
        while self._unsaved:
            store, unit, record = self._unsaved[0]
            # It may be there, if only the answer was lost.
            with suppress(TakenError):
                store.save(unit, record)
            self._unsaved.pop(0)
        self._log.retry()
        self._log.write("ladder_resumed")
        self._log.check()
        self.is_broken = False
        self._alerts.end(Kind.STORE)

    def close(self) -> None:
        """Write what could not be written, if that is possible by now."""
        if self.is_broken:
            with suppress(OSError, StoreError):
                self.mend()
