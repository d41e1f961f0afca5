"""The runner of a ladder: it looks who is there, and has them meet; until it is stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bridge_arena.base.stopping import Stop
from bridge_arena.base.wording import plural
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.ladder.attendance import Attendance
from bridge_arena.tournaments.ladder.authors.webhooks import Webhooks
from bridge_arena.tournaments.ladder.matches import Matches
from bridge_arena.tournaments.ladder.places import Places
from bridge_arena.tournaments.ladder.placing import Placing
from bridge_arena.tournaments.ladder.remote_players import RemotePlayers
from bridge_arena.tournaments.ladder.results import Results
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.ladder_store import (
    LadderStore,
    PlacesOfMatches,
    pair_of,
)
from bridge_arena.tournaments.ladder.store.retention import delete_old
from bridge_arena.tournaments.ladder.strength.pairing import Meeting
from bridge_arena.tournaments.ladder.strength.sequential_tests import (
    SHARE,
    LadderTest,
    Outcome,
    Turns,
)
from bridge_arena.tournaments.ladder.strength.sums import Pair
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.ladder.watch.clock_watch import ClockWatch
from bridge_arena.tournaments.ladder.watch.consistency_checks import ConsistencyChecks
from bridge_arena.tournaments.ladder.watch.storage import Storage
from bridge_arena.tournaments.ladder.wire_logs import WireLogs
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.venue import ONE_TABLE, VenueOptions
from bridge_arena.tournaments.store import StoreError

LOOK_SECONDS = 1.0
"""The seconds between two looks at the orders in the store."""


class LadderRunner:
    """The run of a ladder.

    Args:
        store: The store of the ladder.
        folder: The folder of the ladder, for the PBN files and wire logs of its matches.
        log: The log.
        places: Where the matches are played.
        say: Called with a line about each match that is over, and about each player's troubles.
        stop: The order to stop; boards in play are finished, and matches go on another time.
        options: What the venues of matches have.
        clock: Returns the time in seconds.
        subject: The name of the player who plays all matches that are drawn, until it is placed;
            "" for nobody.
        error: The error of the subject's margin against the anchor at which it is placed; None to
            place it as soon as it is known of each other player which of the two is stronger.
        webhook: Where alerts are posted; None for nowhere.
        oracle: The solver processes that value the play; None to leave the play unvalued.
    """

    def __init__(
        self,
        store: LadderStore,
        folder: Path,
        log: EventLog,
        places: Places,
        say: Callable[[str], None],
        stop: Stop,
        options: VenueOptions = ONE_TABLE,
        clock: Callable[[], float] = time.monotonic,
        subject: str = "",
        error: float | None = None,
        webhook: Webhooks | None = None,
        oracle: Oracle | None = None,
    ) -> None:
        self._store = store
        self._log = log
        self._places = places
        self._stop = stop
        self._clock = clock
        self._definition = store.definition()
        self._alerts = Alerts(store, log, say, webhook)
        self._clock_watch = ClockWatch(self._alerts)
        self._storage = Storage(store, folder, log, self._alerts, clock)
        remote = RemotePlayers(options.waiting_room, clock)
        self._attendance = Attendance(store, log, self._alerts, remote, clock)
        self._results = Results(store, folder, self._attendance, log, self._alerts, say)
        self._wire_logs = WireLogs(folder)
        self._matches = Matches(
            store,
            self._attendance,
            self._results,
            self._storage,
            places,
            log,
            say,
            stop,
            options,
            clock,
            oracle,
            self._wire_logs,
        )
        self._placing: Placing | None = None
        if subject:
            anchor = next(iter(self._definition.anchors), "")
            self._placing = Placing(self._attendance, self._results, anchor, subject, error)
        # The tests that are open, as the last look has them.
        self._tests: list[LadderTest] = []
        self._turns = Turns()
        self._noted_places: PlacesOfMatches | None = None
        self._load()

    def _load(self) -> None:
        """Read from the store, which is the truth, what was played and by whom."""
        self._attendance.load()
        self._results.load()
        self._matches.load()
        self._latest = self._store.count_matches()  # the number of the latest match
        self._checks = ConsistencyChecks(self._store.consistency, self._definition, self._alerts)

    async def run(self) -> None:
        """Play until the order to stop. Raises OracleError."""
        ordered = asyncio.Event()
        self._stop.listeners.append(ordered.set)
        self._log.write("ladder_began", name=self._definition.name, matches=self._latest)
        days, watch = self._definition.keep_days, self._clock_watch
        deleting = [
            asyncio.create_task(delete_old(kept, days, watch.is_calm))
            for kept in (self._store.old_thoughts, self._wire_logs)
        ]
        try:
            while True:
                if not self._stop.is_ordered:
                    await self._places.look()
                    self._look()
                is_last = self._stop.is_ordered or self._stop.has_refused
                if is_last and not self._matches.at_play:
                    return
                await self._wait(ordered)
        finally:
            for task in deleting:
                task.cancel()
            await asyncio.gather(*deleting, return_exceptions=True)
            await self._matches.close()
            self._storage.close()
            self._log.write("ladder_stopped")

    def _look(self) -> None:
        """See what has changed, and begin what may begin."""
        self._alerts.look()
        self._clock_watch.look()
        try:
            if self._storage.is_broken:
                if self._matches.at_play or not self._storage.may_try():
                    return
                self._storage.mend()
                self._load()
            self._look_round()
            self._end_tests()
            self._matches.end_gone()
            if self._placing is not None and self._placing.is_done():
                self._stop.order()
            elif self._storage.has_room():
                self._begin_matches()
        except (OSError, StoreError) as error:
            self._storage.failed(error)

    async def _wait(self, ordered: asyncio.Event) -> None:
        """Wait for the end of a match, for the order to stop, or until the next look."""
        waiting: list[asyncio.Task[object]] = []
        if not self._stop.is_ordered:
            waiting.append(asyncio.create_task(ordered.wait()))
        await asyncio.wait(
            {*waiting, *self._matches.at_play},
            timeout=None if self._stop.is_ordered else LOOK_SECONDS,
            return_when=asyncio.FIRST_COMPLETED,
        )
        for task in waiting:
            task.cancel()
        self._matches.sweep()

    def _look_round(self) -> None:
        """Take up the orders in the store, and see which version of each player is there."""
        if self._places.number != self._noted_places:
            self._store.note_places(self._places.number)
            self._noted_places = self._places.number
        if self._places.trouble:
            self._alerts.begin(Kind.CLUSTER, "", self._places.trouble)
        else:
            self._alerts.end(Kind.CLUSTER)
        if waiting := self._store.registration.waiting():
            text = f"{plural(len(waiting), 'request')} to become an author: approve or refuse"
            self._alerts.begin(Kind.REQUEST, "", text)
        else:
            self._alerts.end(Kind.REQUEST)
        self._attendance.look(self._busy())
        for number, version in self._attendance.present.items():
            self._checks.look(self._attendance.players[number], version)
        scores, versions = self._results.scores, len(self._attendance.versions)
        if versions > scores.versions:
            scores.extend(versions)
        scores.keep(self._attendance.note())

    def _end_tests(self) -> None:
        """Read the tests that are open; those of versions that do not come back have no verdict.

        Tell also of those that ended just before the ladder was killed.
        """
        self._tests = []
        for test in self._store.tests.not_announced():
            if test.outcome is not Outcome.OPEN:
                self._results.tell(test)
            elif not any(map(self._attendance.is_gone, test.versions)):
                self._tests.append(test)
            elif self._store.tests.end(test.number, Outcome.VOID):
                self._results.tell(replace(test, outcome=Outcome.VOID))

    def _busy(self) -> set[int]:
        """Return the players who are at play and begin no other match.

        The subject is at as many tables as there are, and so are those that it meets.
        """
        return set() if self._placing is not None else self._matches.busy()

    def _begin_matches(self) -> None:
        """Go on with matches that were begun, then draw others, as many as may be at play."""
        for _, match in sorted(self._matches.begun.items()):
            may_be = not self._places.is_full and self._matches.may_go_on(match, self._busy())
            if may_be and not self._matches.begin(match):
                return
        while not self._places.is_full:
            able, busy = dict(self._attendance.able()), self._busy()
            free: Sequence[int] = [
                version
                for version, player in able.items()
                if player not in busy
                and self._places.has_place_for(self._attendance.players[player], version)
            ]
            due = filter(self._is_check_due, free if self._places.has_table else ())
            if (checked := next(due, None)) is not None:
                self._matches.begin_check(checked, self._latest + 1, self._checks)
                continue
            playing = [pair_of(match) for match in self._matches.at_play.values()]
            playing += map(pair_of, self._matches.begun.values())
            if self._tests and self._placing is None:
                latest = map(pair_of, self._store.latest_matches(SHARE - 1))
                test = self._turns.turn(self._tests, able, playing, latest, self._clock())
                free = free if test is None else test.leaves(free)
            meeting = self._next_meeting(free, playing)
            if meeting is None or not self._may_begin(self._latest + 1):
                return
            match = self._store.draw(*meeting.teams)
            self._latest = match.number
            teams = [player.name for player in self._attendance.players_of(match)]
            self._log.write("match_drawn", match=match.number, teams=teams)
            self._matches.begin(match)

    def _next_meeting(self, free: Sequence[int], playing: list[Pair]) -> Meeting | None:
        """Return who meets next. A subject meets an opponent again before it has no match."""
        number, authors = self._latest + 1, self._attendance.authors()
        key = self._definition.lots_key
        scores, placing = self._results.scores, self._placing
        if placing is None:
            return scores.next_match(free, playing, key, number, authors)
        barred = placing.barred(number)
        meeting = scores.next_match(free, playing + barred, key, number, authors)
        return meeting or scores.next_match(free, barred, key, number, authors)

    def _may_begin(self, number: int) -> bool:
        """Return whether a match may begin; note if not."""
        self._stop.has_refused |= not self._stop.may_begin(number)
        return not self._stop.has_refused

    def _is_check_due(self, version: int) -> bool:
        player = self._attendance.player_of(version)
        boards = self._results.scores.figures(version).boards
        may_be = self._placing is None and not self._stop.has_refused
        return may_be and self._checks.is_due(player, version, boards)
