"""The lobby: the event, how far it is, what came of it, and every table.

All who look at it see the same, so each change is encoded once. What changes with every card, the
felts of the tables, is sent at a bounded rate however quick the bots are.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

from bridge_arena.base.wording import plural, time_left
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments import HOME, VISITORS, Event, Match, StoreError, Unit, event_size
from bridge_arena.tournaments.schedule.rulings import Paused, Ruling, paused
from bridge_arena.tournaments.statistics.sequential import Progress, ratio_text, verdict_text
from bridge_arena.web.common.streams import Channel
from bridge_arena.web.live.rooms import TableRoom
from bridge_arena.web.live.score import match_text
from bridge_arena.web.live.scoreboard import Row, Scoreboard, has_crosstable, scoreboard

LEAST_SECONDS = 1.0
"""The least seconds between two computations of the standings. It is more if one takes long, so
that they take no more than a twentieth of the time."""

RULING_SECONDS = 3.0
"""The seconds between two looks at the director's rulings."""

FELTS_A_SECOND = 20
"""The most felts that are sent in a second, of all tables together."""

FELT_SECONDS = 0.5
"""The least seconds between two states of a felt."""


ReadRulings = Callable[[], Sequence[Ruling]]
"""Returns the rulings of an event's director so far."""


class Lobby:
    """The state of the lobby's page, by the records that may be known (`played`).

    `units` are theirs, and more. `read_rulings` is called in threads; None if nobody rules.
    """

    def __init__(
        self,
        event: Event,
        played: Mapping[str, BoardRecord],
        units: Mapping[str, Unit],
        read_rulings: ReadRulings | None,
        past: Sequence[Row],
        own: str,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._event = event
        self._played = played
        self._units = units
        self._read_rulings = read_rulings
        self._past = past
        self._own = own
        self._now = now
        self._size = event_size(event)
        self._rooms: Sequence[TableRoom] = ()
        self._tables: list[Row] = []
        # The tables, from 0, whose felts have changed since they were sent.
        self._changed: set[int] = set()
        self._is_over = False
        # When the first board began, and the number of those that were over before; None before it.
        self._began: tuple[float, int] | None = None
        # The number of boards that are over although their results may not be known yet.
        self._held = 0
        # The number of boards that are over, as it was last sent.
        self._over_as_sent = 0
        # What came of the event as it was last counted, and whether something has changed since.
        self.so_far = scoreboard(event)
        self._is_stale = False
        self._counting: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None
        self._sending: asyncio.Task[None] | None = None
        self._pause = LEAST_SECONDS
        # The sequential test as the page shows it; None for none.
        self._test: Row | None = None
        # The number of the table that the page shows larger than the others; 0 for none.
        self.featured = 0
        self.channel = Channel(self.state)

    def state(self) -> Row:
        """Return all that the page shows."""
        event = self._event
        return {
            "event": {"name": event.name, "format": str(event.format)},
            "names": [entrant.name for entrant in event.entries],
            "isTeams": event.format.is_teams,
            "hasCrosstable": has_crosstable(event),
            "roundsInAll": self._size.rounds,
            "isOver": self._is_over,
            "progress": self._progress(),
            "test": self._test,
            "swing": self.so_far.swing,
            "featured": self.featured,
            "standings": self.so_far.standings,
            "rounds": self.so_far.rounds,
            "tables": [
                {**row, "shown": room.felt()}
                for row, room in zip(self._tables, self._rooms, strict=True)
            ],
            "past": self._past,
            "own": self._own if self._is_over else "",
        }

    def open(self, rooms: Sequence[TableRoom]) -> None:
        self._rooms = rooms
        self._tables = [{"number": room.number} for room in rooms]
        self.count()
        self.channel.renew()
        if self._read_rulings is not None:
            self._following = asyncio.create_task(self._follow_rulings())

    def begin(self) -> None:
        """Note that a board begins at a table."""
        if self._began is None:
            self._began = self._now(), self._over

    def tell(self, table: int, row: Row) -> None:
        """Change the row of a table, by its number from 0."""
        self._tables[table] |= row
        self.channel.change({"tables": [{"number": table + 1, **row}]})

    def tell_felt(self, table: int) -> None:
        """Note that the felt of a table has changed, by its number from 0."""
        self._changed.add(table)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send_felts())

    def tell_test(self, progress: Progress) -> None:
        """Show how a sequential test stands."""
        sprt, verdict, llr = progress.sprt, progress.verdict, progress.llr
        lower, upper = sprt.bounds
        first, second = (entrant.name for entrant in self._event.entries)
        self._test = {
            "lower": lower,
            "upper": upper,
            "llr": round(llr, 4),
            "text": verdict_text(sprt, verdict, first, second) + ".",
            "ratio": ratio_text(sprt, verdict, progress.boards, llr) + ".",
        }
        self.channel.change({"test": self._test})

    def feature(self, table: int) -> None:
        """Show a table larger than the others, by its number from 1."""
        if table != self.featured:
            self.featured = table
            self.channel.change({"featured": table})

    def note_over(self, held: int) -> None:
        """Note how many boards are over although their results are not known.

        Nothing is sent if no more are over than before: that a secret board ended tells of results.
        """
        self._held = held
        if self._over != self._over_as_sent:
            self._over_as_sent = self._over
            self.channel.change({"progress": self._progress()})

    def count_soon(self) -> None:
        """Note that another result may be known, or another ruling, and count again soon."""
        self._is_stale = True
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count_aside())

    def rank(self, entry: int) -> int:
        """Return the rank of an entry in the standings, by its number."""
        return self.so_far.ranks[entry]

    def score(self, match: Match) -> str:
        """Return the score of a match of teams as it was last counted; "" if it has none."""
        outcome = self.so_far.outcomes.get(match.id)
        if outcome is None:
            return ""
        home, visitors = outcome.scores(self._event.scoring)
        names = [self._event.entries[entry].name for entry in match.entries]
        ahead = HOME if home >= visitors else VISITORS
        return match_text(outcome, self._event.scoring, names, ahead)

    def close(self) -> None:
        for task in (self._counting, self._following, self._sending):
            if task is not None:
                task.cancel()
        self._is_over = True
        self.count()
        self.channel.renew()

    def count(self) -> None:
        """Count at once, while nothing is played."""
        self._show(self._counted(self._played))

    # Private methods.

    @property
    def _over(self) -> int:
        return len(self._played) + self._held

    def _progress(self) -> str:
        """Return how many tables are played, and how long the rest takes once that can be told.

        While the director has paused the event, that cannot be told.

        A board counts once for each table that plays it, as in the lines on a terminal.
        """
        if self._is_over:
            return f"{plural(self._over, 'table')} played"
        over = self._over
        size = max(self._size.tables + self.so_far.added, over)
        at_most = "at most " if self._event.sprt else ""
        text = f"{over} of {at_most}{plural(size, 'table')} played"
        if Paused() in paused(self.so_far.results.rulings):
            return f"{text}, paused by the director"
        if self._began is None:
            return text
        began, before = self._began
        # Each table has played about one, so that the quick ones do not speak for all.
        if over - before < len(self._tables):
            return text
        left = time_left(self._now() - began, over - before, size - over)
        return f"{text}, {at_most}{left}" if left else text

    async def _send_felts(self) -> None:
        while self._changed:
            await asyncio.sleep(max(FELT_SECONDS, len(self._rooms) / FELTS_A_SECOND))
            changed, self._changed = sorted(self._changed), set()
            rows = [{"number": n + 1, "shown": self._rooms[n].felt()} for n in changed]
            self.channel.change({"tables": rows})

    async def _follow_rulings(self) -> None:
        """Count again when the director has ruled."""
        while True:
            await asyncio.sleep(RULING_SECONDS)
            rulings = await asyncio.to_thread(self._rulings)
            if tuple(rulings) != self.so_far.results.rulings:
                self.count_soon()

    async def _count_aside(self) -> None:
        """Count in a thread, as with thousands of boards it takes too long."""
        while self._is_stale:
            await asyncio.sleep(self._pause)
            self._is_stale = False
            self._show(await asyncio.to_thread(self._counted, dict(self._played)))

    def _counted(self, played: Mapping[str, BoardRecord]) -> Scoreboard:
        began = time.perf_counter()
        of_units = [(self._units[unit], record) for unit, record in played.items()]
        counted = scoreboard(self._event, of_units, self._rulings())
        self._pause = max(LEAST_SECONDS, 20 * (time.perf_counter() - began))
        return counted

    def _rulings(self) -> Sequence[Ruling]:
        """Read the rulings; return those of before if the database does not answer."""
        try:
            return () if self._read_rulings is None else self._read_rulings()
        except StoreError:
            return self.so_far.results.rulings

    def _show(self, counted: Scoreboard) -> None:
        before, self.so_far = self.so_far, counted
        # Only the rounds that have changed, as a large event has many.
        rounds = {
            place: known
            for place, known in enumerate(counted.rounds)
            if place >= len(before.rounds) or known != before.rounds[place]
        }
        change: Row = {"standings": counted.standings, "rounds": rounds}
        is_ruled = counted.results.rulings != before.results.rulings
        if is_ruled or counted.added != before.added:
            change["progress"] = self._progress()
        if counted.swing != before.swing:
            change["swing"] = counted.swing
        self.channel.change(change)
        for number, room in enumerate(self._rooms):
            score = "" if room.unit is None else self.score(room.unit.match)
            if score != room.score:
                room.tell_score(score)
                self.tell_felt(number)
