"""A hall without bots' processes: card play in worker processes, many tables at once.

It takes the place of `tournaments.play.local_hall` for matches of card play between bots that are
objects of this program, so the match is stored, resumed and reported like any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import TracebackType

from bridge_arena.base.concurrency import processors
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.play import TABLES, GivenTable, play
from bridge_arena.lab.run import AHEAD, FailedBidderError
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.events.boards import Seeds
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.play.in_process import NamedBot
from bridge_arena.tournaments.play.local_hall import Boards, Keep, OpenHall
from bridge_arena.tournaments.schedule.units import Unit


@dataclass(frozen=True, slots=True)
class Share:
    """Some tables of a match, for one worker."""

    teams: tuple[Bidder, Bidder]  # home and visitors
    tables: tuple[GivenTable, ...]
    # The seeds of the players' random choices, by the number on the board.
    seeds: Mapping[int, Seeds]

    def seat_seed(self, number: int, seat: Seat) -> int:
        """Return the seed of a player's random choices on a board."""
        return self.seeds[number][seat]


def lab_hall(workers: int | None) -> OpenHall:
    """Return the function that makes a hall of worker processes.

    Args:
        workers: The number of processes; one for each processor if None.
    """
    return lambda event, boards, _log, _units, _results: LabHall(event, boards, workers)


class LabHall:
    """A hall of worker processes.

    Args:
        workers: The number of processes; one for each processor if None.
    """

    def __init__(self, event: Event, boards: Boards, workers: int | None) -> None:
        home, visitors = (Bidder(each.name, each.players[0].spec) for each in event.entries)
        self._teams = home, visitors
        self._boards = boards
        self._at_once = AHEAD * (workers or processors())
        self._workers = Oracle(workers, deadline=None)

    async def __aenter__(self) -> LabHall:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._workers.close()

    async def seat(self, units: Iterable[Unit]) -> None:
        """Do nothing: the workers make the bots as they need them."""

    def show(self, finished: Container[int]) -> None:
        """Do nothing: there are no spectators."""

    async def play(self, units: Iterator[Unit], keep: Keep) -> None:
        """Play units, as many shares at once as keep the workers busy.

        Args:
            units: The units, in order.
            keep: Called with each unit that ends and its record.
        """
        running: dict[asyncio.Future[list[BoardRecord] | str], list[Unit]] = {}
        try:
            while True:
                while len(running) < self._at_once and (share := list(islice(units, TABLES))):
                    answer = self._workers.submit(play_share, self._share(share))
                    running[asyncio.wrap_future(answer)] = share
                if not running:
                    return
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for future in done:
                    found = future.result()
                    if isinstance(found, str):
                        raise FailedBidderError(found)
                    for unit, record in zip(running.pop(future), found, strict=True):
                        keep(unit, record)
        finally:
            for future in running:
                future.cancel()

    def _share(self, units: list[Unit]) -> Share:
        tables: list[GivenTable] = []
        seeds: dict[int, Seeds] = {}
        for unit in units:
            given = self._boards.board(unit.board)
            assert unit.room is not None
            tables.append((unit.room, given))
            seeds[given.board.number] = self._boards.seeds(unit.board)
        return Share(self._teams, tuple(tables), seeds)


def play_share(share: Share) -> list[BoardRecord] | str:
    """Play the tables of a share, in a worker."""
    home, visitors = share.teams
    teams = NamedBot(home.name, home.maker()), NamedBot(visitors.name, visitors.maker())
    try:
        return list(play(teams, share.tables, share))
    except OracleError:
        raise
    except (Exception, SystemExit) as error:  # a bot may be anybody's code
        return f"a table of {home.name} and {visitors.name}: {home.failure(error, visitors)}"
