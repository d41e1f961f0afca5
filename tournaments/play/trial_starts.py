"""Trial starts: each program of an event is started once, says Hello, and is sent away."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bridge_arena.bridge.seats import Seat
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments.events.entries import Access, Entry
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.roster import Roster
from bridge_arena.tournaments.play.seating.seats import Conditions, EntrySeat, SeatingError
from bridge_arena.tournaments.play.seating.started_bots import sandbox
from bridge_arena.tournaments.play.venue import ONE_TABLE, VenueOptions


@dataclass(frozen=True, slots=True)
class FailedStart:
    """A program that was started and did not take a seat, or could not be started."""

    why: str
    output: str  # the end of its output; "" if there was none


def programs_of(event: Event) -> list[Entry]:
    """Return the players whose programs are started here. Raises EntryError."""
    return [player for player in event.players if player.access is Access.STARTED]


async def failed_starts(event: Event, options: VenueOptions = ONE_TABLE) -> list[FailedStart]:
    """Start each program of an event once; return those that take no seat, in their order.

    Raises EntryError, GatewayError, and SandboxError.
    """
    conditions = Conditions.of(event, "")
    isolation = sandbox(options.hidden) if conditions.needs_sandbox else None
    log = EventLog()
    # The end of the output of bots that have none of their seats, by their names.
    outputs: dict[str, str] = {}

    def hear(_: str, *, bot: str = "", output: str = "", **__: object) -> None:
        outputs[bot] = output

    log.listeners.append(hear)
    async with Roster(conditions, log, 1, options, sandbox=isolation) as roster:

        async def failure(player: Entry) -> FailedStart | None:
            entry_seat = EntrySeat(player, Seat.NORTH)
            try:
                await roster.fill([entry_seat])
            except (SeatingError, StartError) as error:
                return FailedStart(str(error), outputs.get(str(entry_seat), ""))
            await roster.release([entry_seat], "this was a trial start")
            return None

        failures = await asyncio.gather(*map(failure, programs_of(event)))
    return [failed for failed in failures if failed is not None]
