"""A venue without bots' processes: card play in worker processes, many tables at once.

It takes the place of `tournaments.play.local_venue` for matches of card play between bots that are
objects of this program, so the match is stored, resumed and reported like any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, takewhile

from bridge_arena.base.bounded_work import work_off
from bridge_arena.base.concurrency import processors
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.play import TABLES, GivenTable, play
from bridge_arena.lab.run import AHEAD, FailedBidderError
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments import Event, Unit
from bridge_arena.tournaments.events.boards import Seeds
from bridge_arena.tournaments.play.in_process import NamedBot
from bridge_arena.tournaments.play.venue import Begin, Boards, Keep, OpenVenue, any_time


@dataclass(frozen=True, slots=True)
class Share:
    """Some tables of a match, for one worker."""

    teams: tuple[Bidder, Bidder]  # home and visitors
    tables: tuple[GivenTable, ...]
    seeds: Mapping[int, Seeds]  # of random choices, by the number on the board

    def seat_seed(self, number: int, seat: Seat) -> int:
        return self.seeds[number][seat]


def lab_venue(workers: int | None) -> OpenVenue:
    """Return the function that makes a venue of worker processes: one a processor if None."""
    return lambda play: LabVenue(play.event, play.boards, workers)


class LabVenue:
    def __init__(self, event: Event, boards: Boards, workers: int | None) -> None:
        home, visitors = (Bidder(entry.name, entry.players[0].spec) for entry in event.entries)
        self._teams = home, visitors
        self._boards = boards
        self._at_once = AHEAD * (workers or processors())
        self._workers = Oracle(workers, deadline=None)

    async def __aenter__(self) -> LabVenue:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._workers.close()

    async def seat(self, units: Iterable[Unit]) -> None:
        """Do nothing: the workers make the bots as they need them."""

    def show(self, finished: Container[int]) -> None:
        """Do nothing: there are no spectators."""

    async def play(self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time) -> None:
        """Play units in order, as many shares at once as keep the workers busy."""

        def start(share: list[Unit]) -> asyncio.Future[list[BoardRecord] | str]:
            return asyncio.wrap_future(self._workers.submit(play_share, self._share(share)))

        def keep_all(share: list[Unit], played: list[BoardRecord] | str) -> bool:
            if isinstance(played, str):
                raise FailedBidderError(played)
            for unit, record in zip(share, played, strict=True):
                keep(unit, record)
            return True

        beginning = takewhile(begin, units)
        shares = iter(lambda: list(islice(beginning, TABLES)), [])
        await work_off(shares, start, lambda: self._at_once, keep_all)

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
    """Play the tables of a share, in a worker; return one line if a bot failed, which says how."""
    home, visitors = share.teams
    teams = NamedBot(home.name, home.maker()), NamedBot(visitors.name, visitors.maker())
    try:
        return list(play(teams, share.tables, share))
    except OracleError:
        raise
    except (Exception, SystemExit) as error:  # a bot may be anybody's code
        return f"a table of {home.name} and {visitors.name}: {home.failure(error, visitors)}"
