"""The playing hall of a cluster: matches in shares, each played whole by a Dask worker with
bots of its own, which returns the records of its boards."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.server.clock import TimeControl
from bridge_arena.tournaments.events.board_supply import Seeds
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.given_auctions import GivenBoard
from bridge_arena.tournaments.play.cluster import Cluster
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.local_hall import Boards, Keep, LocalHall, OpenHall, Results
from bridge_arena.tournaments.schedule.units import Unit

SHARE = 16
"""Boards of a match that a worker plays at a time, where it need not play all of them: starting
its bots takes about as long as a few boards of the quickest."""

AHEAD = 2
"""Shares that are given to each thread of the cluster, so that it never waits for us."""


@dataclass(frozen=True, slots=True)
class Share:
    """Some units of one match, with all that a worker needs to play them: their boards and
    seeds by number, and nothing of other boards; and, where the match has a clock or counts
    faults, what was played of it."""

    event: Event
    units: tuple[Unit, ...]
    commitment: str
    boards: Mapping[int, GivenBoard]
    seats: Mapping[int, Seeds]
    hidden: tuple[Path, ...]
    results: Results

    def board(self, number: int) -> GivenBoard:
        """Return a board, with the auction where that is given."""
        return self.boards[number]

    def seeds(self, number: int) -> Seeds:
        """Return the seeds of the own choices of N, E, S and W on a board."""
        return self.seats[number]


def cluster_hall(cluster: Cluster, hidden: Sequence[Path] = ()) -> OpenHall:
    """The workers of a cluster. `hidden`: what no bot in a sandbox may see, if the workers can
    see it."""
    return lambda event, boards, _log, _units, results: ClusterHall(
        event, boards, cluster, hidden, results
    )


class ClusterHall:
    """The workers of a Dask cluster, which is left with the context."""

    def __init__(
        self,
        event: Event,
        boards: Boards,
        cluster: Cluster,
        hidden: Sequence[Path] = (),
        results: Results | None = None,
    ) -> None:
        self._event = event
        self._boards = boards
        self._results = results or {}
        self._hidden = tuple(path.resolve() for path in hidden)
        self._cluster = cluster
        # A match's clock and its faults are those of one worker's hall, which plays it whole.
        has_clock = TimeControl.parse(event.clock).match is not None
        self._divides = not (has_clock or event.policies.at_table().counts_over_match)

    async def __aenter__(self) -> ClusterHall:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._cluster.__exit__(kind, error, trace)

    async def seat(self, units: Iterable[Unit]) -> None:
        """Nothing: the workers start bots as they need them."""

    async def play(self, units: Iterator[Unit], keep: Keep) -> None:
        """Play units, as many shares at once as keep the cluster busy.

        Raises ClusterError, WorkerError where several workers died over a share, what a
        worker's hall raised, and what `keep` raises.
        """
        shares = self._shares(units)
        running: dict[asyncio.Future[list[BoardRecord]], Share] = {}
        try:
            while True:
                room = AHEAD * max(1, self._cluster.threads()) - len(running)
                for share in islice(shares, max(0, room)):
                    answer = self._cluster.submit(play_share, share)
                    running[asyncio.wrap_future(answer)] = share
                if not running:
                    return
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for future in done:
                    share = running.pop(future)
                    for unit, record in zip(share.units, future.result(), strict=True):
                        keep(unit, record)
        finally:
            for future in running:
                future.cancel()

    def show(self, finished: Container[int]) -> None:
        """Nobody watches the tables of workers."""

    def _shares(self, units: Iterator[Unit]) -> Iterator[Share]:
        """Units in their order, cut into shares when they are asked for."""
        part: list[Unit] = []
        for unit in units:
            match = unit.match
            is_full = self._divides and len(part) == SHARE * len(match.rooms)
            if part and (match.id != part[0].match.id or is_full):
                yield self._share(part)
                part = []
            part.append(unit)
        if part:
            yield self._share(part)

    def _share(self, units: Sequence[Unit]) -> Share:
        numbers = {unit.board for unit in units}
        played = () if self._divides else units[0].match.units()
        return Share(
            # Workers have no use for the seed, which would tell them all boards.
            self._event.model_copy(update={"seed": None}),
            tuple(units),
            self._boards.commitment,
            {number: self._boards.board(number) for number in numbers},
            {number: self._boards.seeds(number) for number in numbers},
            self._hidden,
            {unit.id: self._results[unit.id] for unit in played if unit.id in self._results},
        )


def play_share(share: Share) -> list[BoardRecord]:
    """Runs in a Dask worker: what became of a share's units, in their order."""
    return asyncio.run(_play_share(share))


async def _play_share(share: Share) -> list[BoardRecord]:
    records: dict[str, BoardRecord] = {}

    def keep(unit: Unit, record: BoardRecord) -> None:
        records[unit.id] = record

    async with LocalHall(
        share.event, share, EventLog(), 1, hidden=share.hidden, results=share.results
    ) as hall:
        await hall.play(iter(share.units), keep)
    return [records[unit.id] for unit in share.units]
