"""Records of an event's units with scores as they are wanted: no card is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.schedule.plan import plan, withdrawn
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, Round, Unit

CRASH = "exit status 1"


def event(format_: Format, count: int, **settings: Any) -> Event:
    """An event of entries named e0, e1 ..., scored by IMPs."""
    named = tuple(Entrant(bot="random", name=f"e{number}") for number in range(count))
    return Event(
        **{
            "name": "Test",
            "format": format_,
            "seed": 1,
            "entries": named,
            "boards": 2,
            "scoring": Scoring.IMPS,
            **settings,
        }
    )


def record(event: Event, unit: Unit, score: int | None = 0) -> BoardRecord:
    """A unit that ended with North-South's `score`; None: it did not."""
    names = [event.entries[entry].name for entry in unit.lineup]
    teams = [event.entries[entry].name for entry in unit.match.entries]
    return BoardRecord(
        Board.dealt(1, unit.board),
        (names[0], names[1], names[2], names[3]),
        score=score,
        event=event.name,
        room=unit.room,
        home=teams[HOME] if unit.room else "",
        visitors=teams[VISITORS] if unit.room else "",
        round=unit.match.round,
        table=unit.match.number,
    )


def lost(event: Event, unit: Unit, entry: int, *, adjusted: bool = False) -> BoardRecord:
    """A unit that was not finished, as an entry's first player at the table was lost."""
    seat = Seat(unit.lineup.index(entry))
    return replace(
        record(event, unit, None),
        faults=(Fault(seat, FaultKind.CRASH, 0, CRASH),),
        adjusted=seat.side if adjusted else None,
    )


Result = Callable[[Unit], BoardRecord]


def swings(event: Event, gain: Callable[[Unit], int]) -> Result:
    """Home's points are `gain` more in the open room than in the closed one."""
    return lambda unit: record(event, unit, gain(unit) if unit.room is Room.OPEN else 0)


def better_seed(event: Event, points: int = 100) -> Result:
    """On every board the better seed gains so many points for each place it is better."""
    return swings(event, lambda unit: points * (unit.match.entries[1] - unit.match.entries[0]))


def units_of(rounds: Iterable[Round]) -> list[Unit]:
    return [unit for each in rounds for match in each.matches for unit in match.units()]


def play_out(
    event: Event, result: Result, told: Callable[[list[Round]], None] = lambda _: None
) -> dict[str, BoardRecord]:
    """The records of a whole event, by the ids of its units; an entry that loses a board for
    good plays no more. `told` hears each plan on the way."""
    records: dict[str, BoardRecord] = {}
    while True:
        rounds = plan(event, records.values())
        told(rounds)
        gone = withdrawn(event, records.values()).keys()
        due = [
            unit
            for unit in units_of(rounds)
            if unit.id not in records and gone.isdisjoint(unit.lineup)
        ]
        if not due:
            return records
        for unit in due:
            if withdrawn(event, records.values()).keys().isdisjoint(unit.lineup):
                records[unit.id] = result(unit)


def played(records: Iterable[BoardRecord]) -> list[Played]:
    return [Played(record) for record in records]
