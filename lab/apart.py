"""Bidders in processes of their own, asked one board at a time, as at the tables of a match."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from bridge_arena.base.stopping import Stop
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.bidding import Bid, collected
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import Folder
from bridge_arena.lab.run import (
    KEPT_AFTER,
    FailedBidderError,
    PartLeft,
    Submit,
    do_part,
    next_portion,
    parts_left,
)
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments import (
    HOME,
    LOG,
    VISITORS,
    Entrant,
    Event,
    EventLog,
    Format,
    GivenBoard,
    Match,
    Unit,
)
from bridge_arena.tournaments.events.boards import Seeds
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.play.venue import EventInPlay, VenueOptions

BothRooms = tuple[BoardRecord, BoardRecord]
"""The records of a board in the open and in the closed room."""

Ask = Callable[[Sequence[Board]], Awaitable[list[BothRooms]]]
"""Has two bidders bid boards in both rooms."""


@dataclass(slots=True)
class _Boards:
    key: DealKey  # the key that the seeds of the bots' own choices come from
    known: Mapping[int, Board] = field(default_factory=dict)  # the boards by their numbers
    commitment: str = ""

    def board(self, number: int) -> GivenBoard:
        return GivenBoard(self.known[number], ())

    def seeds(self, number: int) -> Seeds:
        north, east, south, west = (self.key.seat_seed(number, seat) for seat in SEATS)
        return north, east, south, west


@asynccontextmanager
async def asking(
    home: Bidder, visitors: Bidder, key: DealKey, log: EventLog, tables: int
) -> AsyncIterator[Ask]:
    """Start two bidders, and keep them while boards are bid, `tables` at once.

    What it yields raises FailedBidderError when a bidder does not come, or commits a fault.
    """
    boards = _Boards(key)
    pair = f"{home.name} against {visitors.name}"
    entries = tuple(Entrant(bot=bidder.spec, name=bidder.name) for bidder in (home, visitors))
    event = Event(name=pair, format=Format.MATCH, mode=Mode.BIDDING, entries=entries)
    is_seated = False

    async def ask(given: Sequence[Board]) -> list[BothRooms]:
        nonlocal is_seated
        boards.known = {board.number: board for board in given}
        units = list(Match(1, 1, (HOME, VISITORS), tuple(boards.known)).units())
        played: dict[str, BoardRecord] = {}

        def keep(unit: Unit, record: BoardRecord | None) -> BoardRecord | None:
            if record is None:
                return None  # the table that lost the player says why
            for fault in record.faults:
                bot = record.players[fault.seat]
                seat = fault.seat.name.capitalize()
                place = f"board {record.board.number}, {seat}, {unit.place} room"
                raise FailedBidderError(f"{pair}: {bot} at {place}: {fault.kind}: {fault.detail}")
            played[unit.id] = record
            return record

        try:
            if not is_seated:
                await venue.seat(units)
                is_seated = True
            await venue.play(iter(units), keep)
        except (SeatingError, StartError, GatewayError) as error:
            raise FailedBidderError(f"{pair}: {error}") from None
        records = [played[unit.id] for unit in units]
        return list(zip(records[::2], records[1::2], strict=True))

    play = EventInPlay(event, boards, log)
    async with LocalVenue(play, VenueOptions(tables)) as venue:
        yield ask


async def run_apart(
    folder: Folder,
    submit: Submit,
    tables: int,
    on_boards: Callable[[int], bool],
    clock: Callable[[], float] = time.monotonic,
    stop: Stop | None = None,
) -> None:
    """Do what is left of an experiment, as `run` does, with bidders in their own processes."""
    stop = stop or Stop()
    experiment = folder.experiment
    asks: dict[int, Ask] = {}
    with EventLog(folder.path / LOG) as log:
        async with AsyncExitStack() as started:
            # One part after the other: the time is that of the bidders, which are asked in turn.
            portion = tables
            for part in parts_left(folder):
                for place, arm in enumerate(experiment.arms):
                    if place not in asks and experiment.is_apart(arm):
                        asks[place] = await started.enter_async_context(
                            asking(arm, experiment.opponent, experiment.key, log, tables)
                        )
                rest: PartLeft | None = part
                while rest is not None:
                    if not rest.begin(stop):
                        return
                    began, boards = clock(), rest.boards.rows(0, portion)
                    bids = {
                        place: _bid(boards, await ask(boards.all())) for place, ask in asks.items()
                    }
                    scored = submit(do_part, experiment, boards, bids)
                    done, rest = rest.keep(folder, await asyncio.wrap_future(scored))
                    stop.end(part.title)
                    mean = (clock() - began) / done
                    portion = max(tables, next_portion(portion, mean, KEPT_AFTER))
                    if not on_boards(done):
                        return


def _bid(boards: LabBoards, records: Sequence[BothRooms]) -> Bid:
    def calls(record: BoardRecord) -> list[int]:
        return [made.call for made in record.calls]

    return collected(boards, [(calls(in_open), calls(in_closed)) for in_open, in_closed in records])


def explained_apart(
    boards: Sequence[Board], home: Bidder, visitors: Bidder, key: DealKey
) -> list[BothRooms]:
    """Return what `in_process.explained_at_tables` returns, of bidders in their own processes."""

    async def explained() -> list[BothRooms]:
        async with asking(home, visitors, key, EventLog(), tables=1) as ask:
            return await ask(boards)

    return asyncio.run(explained())
