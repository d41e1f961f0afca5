"""The venue of a cluster, whose Dask workers play shares of matches.

A worker plays a share as a whole, with bots of its own, and returns the records of its boards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from bridge_arena.base.bounded_work import work_off
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.boards import GivenBoard, Seeds
from bridge_arena.tournaments.events.event import EntrySettings, Event
from bridge_arena.tournaments.play.cluster import Cluster
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.venue import (
    Begin,
    EventInPlay,
    Keep,
    Results,
    VenueOptions,
    any_time,
    has_match_clock,
)
from bridge_arena.tournaments.schedule.units import Unit

SHARE = 16
"""Boards of a match that a worker plays at a time, unless it must play all of them. Starting the
bots takes about as long as a few boards of the fastest bots."""

AHEAD = 2
"""Shares that each thread of the cluster is given in advance, so that it is never idle."""


@dataclass(frozen=True, slots=True)
class Share:
    """Some units of one match, with all that a worker needs to play them and nothing else."""

    event: Event  # the event, without its seed
    units: tuple[Unit, ...]
    commitment: str  # the hash that the deals were committed to; "" if there is none
    boards: Mapping[int, GivenBoard]
    seats: Mapping[int, Seeds]  # the seeds of the players' random choices, by board
    hidden: tuple[Path, ...]  # paths that no bot in a sandbox may see
    secrets: frozenset[str]  # environment variables of bots in other events
    check: Callable[[Event], None] | None  # raises what keeps a worker from playing it
    results: Results  # the records of the match so far, if it has a clock or counts faults
    settings: tuple[EntrySettings, ...]  # those of the entries when the share was made

    def board(self, number: int) -> GivenBoard:
        """Return a board, with its auction if that is given."""
        return self.boards[number]

    def seeds(self, number: int) -> Seeds:
        """Return the seeds of the random choices of N, E, S and W on a board."""
        return self.seats[number]


class ClusterVenue:
    """A venue of the workers of a Dask cluster.

    Args:
        play: The event.
        cluster: The cluster.
        hidden: Paths that no bot in a sandbox may see, if the workers can see them.
        secrets: The names of environment variables of bots in other events.
        check: Called by a worker before it plays a share; what it raises is a TaskError here.
    """

    def __init__(
        self,
        play: EventInPlay,
        cluster: Cluster,
        hidden: Sequence[Path] = (),
        secrets: Collection[str] = (),
        check: Callable[[Event], None] | None = None,
    ) -> None:
        self._event = play.event
        self._boards = play.boards
        self._results = play.results
        self._hidden = tuple(path.resolve() for path in hidden)
        self._secrets = frozenset(secrets)
        self._check = check
        self._cluster = cluster
        self._settings = play.settings

    async def __aenter__(self) -> ClusterVenue:
        return self

    async def __aexit__(self, *error: Any) -> None:
        pass

    async def seat(self, units: Iterable[Unit]) -> None:
        """Do nothing: the workers start bots as they need them."""

    async def play(self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time) -> None:
        """Play units, as many shares at once as keep the cluster busy.

        Raises ClusterError, WorkerError, and what a worker's venue or `keep` raises.
        """

        def start(share: Share) -> asyncio.Future[list[BoardRecord]]:
            return asyncio.wrap_future(self._cluster.submit(play_share, share))

        def keep_all(share: Share, records: list[BoardRecord]) -> bool:
            for unit, record in zip(share.units, records, strict=True):
                keep(unit, record)
            return True

        def capacity() -> int:
            return AHEAD * max(1, self._cluster.threads())

        await work_off(self._shares(takewhile(begin, units)), start, capacity, keep_all)

    def show(self, finished: Container[int]) -> None:
        """Do nothing: there are no spectators at the tables of workers."""

    @property
    def _divides(self) -> bool:
        """Whether workers share a match: its clock and its faults belong to one venue."""
        counts_over_match = self._event.policies.at_table().counts_over_match
        return not (counts_over_match or has_match_clock(self._settings))

    def _shares(self, units: Iterator[Unit]) -> Iterator[Share]:
        """Yield the units in their order, cut into shares as they are asked for."""
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
            # Workers do not need the seed, which would reveal all boards.
            self._event.model_copy(update={"seed": None}),
            tuple(units),
            self._boards.commitment,
            {number: self._boards.board(number) for number in numbers},
            {number: self._boards.seeds(number) for number in numbers},
            self._hidden,
            self._secrets,
            self._check,
            {unit.id: self._results[unit.id] for unit in played if unit.id in self._results},
            tuple(self._settings),
        )


def play_share(share: Share) -> list[BoardRecord]:
    """Return the records of a share's units, in their order. This runs in a Dask worker."""
    return asyncio.run(_play_share(share))


async def _play_share(share: Share) -> list[BoardRecord]:
    records: dict[str, BoardRecord] = {}

    def keep(unit: Unit, record: BoardRecord | None) -> None:
        assert record is not None, "there is one table"
        records[unit.id] = record

    if share.check is not None:
        share.check(share.event)
    play = EventInPlay(share.event, share, EventLog(), share.results, changed=share.settings)
    options = VenueOptions(hidden=share.hidden, secrets=share.secrets)
    async with LocalVenue(play, options) as venue:
        await venue.play(iter(share.units), keep)
    return [records[unit.id] for unit in share.units]
