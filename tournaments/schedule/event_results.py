"""The results of an event: the records of its tables with their double-dummy values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.ledger import TableLedger, charge
from bridge_arena.tournaments.events.deal_control import DealControl
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.sealed_deals import Commitment, Provenance
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.tournaments.schedule.rulings import Ruling
from bridge_arena.tournaments.schedule.table_results import TableResult


@dataclass(frozen=True)
class Played:
    """One board at one table."""

    record: BoardRecord
    # Declarer's double-dummy tricks before the lead and after every card; None if it was passed
    # out, or the solver gave no answer.
    values: tuple[int, ...] | None = None

    @cached_property
    def result(self) -> TableResult:
        """What the schedule needs of the record."""
        return self.record

    @property
    def board(self) -> Board:
        return self.result.board

    @property
    def match(self) -> tuple[int, int]:
        """The round and number of the match; (1, 1) if the record has none."""
        return self.result.round or 1, self.result.table or 1

    @cached_property
    def ledger(self) -> TableLedger | None:
        """The losses of the table; None if there are no values, or they do not fit the record."""
        if self.values is None or not self.record.is_finished:
            return None
        try:
            return charge(self.record, self.values)
        except OracleError:
            return None

    def renamed(self, now: Callable[[str], str]) -> Played:
        """Return the table with other names of its players and teams."""
        record = self.record
        north, east, south, west = map(now, record.players)
        players, home, visitors = (north, east, south, west), now(record.home), now(record.visitors)
        return Played(replace(record, players=players, home=home, visitors=visitors), self.values)


DealValues = Mapping[tuple[int, int], Mapping[int, Mapping[int, float]]]
"""The IMPs of the first of two stand-ins, by the places of their entries, series and board. Series
0 is the event's own deals, the others are other deals."""


@dataclass(frozen=True, slots=True)
class ControlResults:
    """What stand-ins made of an event's deals and of others."""

    control: DealControl  # the stand-ins
    values: DealValues  # the values of the deals


@dataclass(frozen=True)
class EventResults:
    """An event and its results so far, in any order."""

    event: Event
    played: Sequence[Played]  # the boards at their tables
    # The commitment to its deals; None if there is none, as in release 0.1.
    commitment: Commitment | None = None
    # What tells the luck of its deals; None if nothing does, as in a PBN file.
    control: ControlResults | None = None
    rulings: tuple[Ruling, ...] = ()  # the rulings of its director, also those taken back
    counts_rulings: bool = True  # whether the rulings count; if not, rounds stay as they were drawn

    @cached_property
    def so_far(self) -> Results:
        """What the schedule needs of the tables."""
        tables = [table.result for table in self.played]
        return Results(self.event, tables, self.rulings, counted=self.counts_rulings)

    @property
    def counted_rulings(self) -> tuple[Ruling, ...]:
        """The rulings, if they count."""
        return self.rulings if self.counts_rulings else ()

    @cached_property
    def programs(self) -> Mapping[str, tuple[str, ...]]:
        """The programs that played, by the names of entries."""
        programs: dict[str, set[str]] = {}
        for players, of_players in {
            (table.result.players, table.result.programs) for table in self.played
        }:
            for name, program in zip(players, of_players, strict=False):
                programs.setdefault(name, set()).add(program)
        return {name: tuple(sorted(own - {""})) for name, own in programs.items()}

    @property
    def provenance(self) -> Provenance:
        """The origin of the boards."""
        return Provenance(self.event, self.commitment)

    def is_same_event(self, other: EventResults) -> bool:
        """Return whether other results are of the same event, not of one with the same definition.

        Each time that a definition is played with sealed deals it has another commitment. Without
        commitments, events that have a board in common are the same.
        """
        if self.event != other.event:
            return False
        if self.commitment is not None and other.commitment is not None:
            return self.commitment.digest == other.commitment.digest
        boards = {played.board for played in self.played}
        return not boards.isdisjoint(played.board for played in other.played)
