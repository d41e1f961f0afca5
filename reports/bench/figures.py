"""The figures of a bench: models that each met the same house bot on the same boards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from bridge_arena.bridge.record import FORFEITING
from bridge_arena.reports.common.figures import EntryFigures
from bridge_arena.reports.common.tables import (
    SeatedTable,
    planned_matches,
    seated_tables,
    team_matches,
)
from bridge_arena.server.clock import TimeControl
from bridge_arena.tournaments.schedule.event_results import EventResults


@dataclass(frozen=True, slots=True)
class BenchedModel(EntryFigures):
    """The figures of a model.

    Attributes:
        boards: The number of boards that it has finished in both rooms.
        stopped: Why it did not play the others; "" if it has played all, or goes on.
    """

    boards: int
    stopped: str


@dataclass(frozen=True, slots=True)
class Bench:
    """The figures of a bench.

    Attributes:
        name: The name of the event.
        house: The name of the bot that all models meet.
        boards: The number of boards for each model.
        clock: The time control, in words.
        dates: The dates of play, `YYYY.MM.DD` in order.
        models: The models, the best first; those without a board last.
    """

    name: str
    house: str
    boards: int
    clock: str
    dates: tuple[str, ...]
    models: tuple[BenchedModel, ...]


def bench_figures(results: EventResults) -> Bench:
    """Return the figures of an event whose first entry meets each of the others.

    Args:
        results: The results of the event.

    Returns:
        The figures.

    Raises:
        ValueError: A record is not of the event.
    """
    event = results.event
    planned = planned_matches(results)
    tables = seated_tables(results, planned)
    matches = team_matches(event, planned, tables)
    house, *models = (entrant.name for entrant in event.entries)
    figures = [EntryFigures.of(name, tables, matches) for name in models]
    benched = [
        BenchedModel(
            **{field.name: getattr(each, field.name) for field in fields(each)},
            boards=each.imps_per_board.n,
            stopped=_stopped(tables, each.name),
        )
        for each in figures
    ]
    benched.sort(key=_merit)
    dates = {each.record.date for each in results.played if each.record.date}
    clock = TimeControl.parse(event.clock).in_welcome()["time_control"]
    return Bench(event.name, house, event.boards, clock, tuple(sorted(dates)), tuple(benched))


def _stopped(tables: Iterable[SeatedTable], name: str) -> str:
    """Return why an entry stopped; "" if it did not."""
    for table in tables:
        for fault in table.record.faults:
            if fault.kind in FORFEITING and table.names[fault.seat] == name:
                return f"{fault.kind}: {fault.detail}" if fault.detail else str(fault.kind)
    return ""


def _merit(model: BenchedModel) -> tuple[bool, float, str]:
    mean = model.imps_per_board.mean
    return mean is None, -(mean or 0.0), model.name
