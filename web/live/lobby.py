"""The lobby: the event, its progress, the standings, and every table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments import Event, standings
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.web.common.streams import Channel

LEAST_SECONDS = 1.0
"""The least seconds between two computations of the standings. It is more if one takes long, so
that they take no more than a twentieth of the time."""

Row = dict[str, object]


class Lobby:
    """The state of the lobby's page, by the records that may be known (`played`)."""

    def __init__(
        self, event: Event, played: Mapping[str, BoardRecord], past: Sequence[Row], own: str
    ) -> None:
        self._event = event
        self._played = played
        self._past = past
        self._own = own
        self._tables: list[Row] = []
        self._standings: Row = {"unit": "", "rows": []}
        self._is_over = False
        self._counting: asyncio.Task[None] | None = None
        self._pause = LEAST_SECONDS
        self.channel = Channel(self.state)

    def state(self) -> Row:
        """Return all that the page shows."""
        event = self._event
        return {
            "event": {"name": event.name, "format": str(event.format), "boards": event.boards},
            "isOver": self._is_over,
            "played": len(self._played),
            "standings": self._standings,
            "tables": self._tables,
            "past": self._past,
            "own": self._own if self._is_over else "",
        }

    def open(self, tables: int) -> None:
        self._tables = [{"number": number} for number in range(1, tables + 1)]
        self.count()
        self.channel.renew()

    def tell(self, table: int, row: Row) -> None:
        """Change the row of a table, by its number from 0."""
        self._tables[table] |= row
        self.channel.change({"table": {"number": table + 1, **row}})

    def note_played(self) -> None:
        """Note that another board is over at a table, and compute the standings again soon."""
        self.channel.change({"played": len(self._played)})
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count_aside())

    def close(self) -> None:
        if self._counting is not None:
            self._counting.cancel()
        self._is_over = True
        self.count()
        self.channel.renew()

    def count(self) -> None:
        began = time.perf_counter()
        self._standings = _standings(self._event, list(self._played.values()))
        self._pause = max(LEAST_SECONDS, 20 * (time.perf_counter() - began))

    async def _count_aside(self) -> None:
        """Compute the standings in a thread, as with thousands of boards it takes too long."""
        while True:
            await asyncio.sleep(self._pause)
            began = time.perf_counter()
            records = list(self._played.values())
            self._standings = await asyncio.to_thread(_standings, self._event, records)
            self._pause = max(LEAST_SECONDS, 20 * (time.perf_counter() - began))
            self.channel.change({"standings": self._standings})
            if list(self._played.values()) == records:
                return


def _standings(event: Event, records: Sequence[BoardRecord]) -> Row:
    names = [entrant.name for entrant in event.entries]
    ranked = standings(event, Results(event, records))
    rows = [
        {
            "rank": standing.rank,
            "name": names[standing.entry],
            "score": round(standing.score, 2),
            "boards": standing.boards,
            "withdrawn": standing.withdrawn,
        }
        for standing in ranked.entries
    ]
    return {"unit": ranked.unit, "rows": rows}
