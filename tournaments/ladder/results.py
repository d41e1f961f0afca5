"""The results of a ladder: what a match counts that is over, and who hears of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from bridge_arena.base.wording import plural
from bridge_arena.tournaments.ladder.attendance import Attendance
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore, pair_of
from bridge_arena.tournaments.ladder.store.played_boards import PlayedBoards
from bridge_arena.tournaments.ladder.store.rows import now
from bridge_arena.tournaments.ladder.store.week_files import WeekFiles
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.sequential_tests import LadderTest
from bridge_arena.tournaments.ladder.strength.style import styles_of
from bridge_arena.tournaments.ladder.strength.sums import PairSums, match_result
from bridge_arena.tournaments.ladder.strength.weeks import performances
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.store import Store


class Results:
    """The results of a ladder.

    Args:
        store: The store of the ladder.
        folder: The folder of the ladder, for the PBN files of its matches.
        attendance: The players.
        log: The log.
        alerts: Where it is told of verdicts, and of who leaves boards.
        say: Called with a line about each match that is over, and what follows from it.

    Attributes:
        scores: What is known of the versions.
    """

    scores: Scores

    def __init__(
        self,
        store: LadderStore,
        folder: Path,
        attendance: Attendance,
        log: EventLog,
        alerts: Alerts,
        say: Callable[[str], None],
    ) -> None:
        self._store = store
        self._files = WeekFiles(store, folder)
        self._attendance = attendance
        self._log = log
        self._alerts = alerts
        self._say = say

    def load(self) -> None:
        """Read what was played from the store. Raises StoreError and OSError."""
        self._files.mend()
        versions = len(self._attendance.versions)
        self.scores = Scores(versions, self._store.sums(), self._store.orders())

    def count(self, match: LadderMatch, store: Store, leaving: Collection[int] = ()) -> None:
        """Count a match that is over: first its file, then its sums.

        Raises StoreError and OSError.

        Args:
            match: The match.
            store: Its boards.
            leaving: The teams that end it by leaving: a board that was begun counts against them.
        """
        event = store.event()
        units = list(store.results())
        tables = zip((unit for unit, _ in units), store.played(units), strict=True)
        sums, splits, swings = match_result(event, tables, match.seconds, leaving)
        time = now()
        pbn = self._files.append(time, store)
        performed = performances(sums, splits, self.scores.expected(*match.versions))
        pair = pair_of(match)
        orders = self.scores.add(pair, sums if match.home == pair[0] else sums.turned())
        by_version = dict(zip(match.versions, performed, strict=True))
        played = PlayedBoards(tuple(swings), styles_of(record for _, record in units))
        ended = self._store.end(match, sums, orders, by_version, time, pbn, played)
        home, visitors = (entrant.name for entrant in event.entries)
        self._log.write(
            "match_ended",
            match=match.number,
            teams=[home, visitors],
            boards=sums.boards,
            imps=sums.imps,
            left=sums.left,
            faults=sums.faults,
            proves=[[self._name(one), self._name(other)] for one, other in orders],
        )
        self._say(_result_line(match, home, visitors, sums))
        for one, other in orders:
            is_ahead = self.scores.ahead[one - 1, other - 1]
            how = "is surely stronger than" if is_ahead else "surely beats, in a circle,"
            self._say(f"{self._name(one)} {how} {self._name(other)}")
        for entrant, left in zip(event.entries, sums.left, strict=True):
            if left > event.settings(entrant).restarts:
                text = f"{entrant.name} left too many boards of match {match.number}"
                self._alerts.begin(Kind.LOST, entrant.name, text)
            else:
                self._alerts.end(Kind.LOST, entrant.name)
        for test in ended:
            self.tell(test)

    def tell(self, test: LadderTest) -> None:
        """Tell how a test ended, and note in the store that this was done. Raises StoreError."""
        new, base = map(self._name, test.versions)
        self._alerts.note(Kind.TEST, new, test.text(new, base))
        self._store.tests.note_announced(test.number)

    def _name(self, version: int) -> str:
        return self._attendance.player_of(version).name


def _result_line(match: LadderMatch, home: str, visitors: str, sums: PairSums) -> str:
    if not sums.boards:
        return f"match {match.number}: {home} and {visitors} end it without a board"
    boards = plural(sums.boards, "board")
    if not sums.imps:
        return f"match {match.number}: {home} and {visitors} tie over {boards}"
    winner, loser = (home, visitors) if sums.imps > 0 else (visitors, home)
    imps = plural(abs(sums.imps), "IMP")
    return f"match {match.number}: {winner} beats {loser} by {imps} over {boards}"
