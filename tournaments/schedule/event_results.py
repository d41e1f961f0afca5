"""What was played: a table's record with what the oracle says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.ledger import TableLedger, charge
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.sealing.commitment import Commitment
from bridge_arena.tournaments.events.sealing.provenance import Provenance


@dataclass(frozen=True)
class Played:
    """One board at one table. `values`: declarer's double-dummy tricks before the lead and
    after every card; None where it was passed out, or the solver gave no answer."""

    record: BoardRecord
    values: tuple[int, ...] | None = None

    @property
    def board(self) -> Board:
        return self.record.board

    @property
    def match(self) -> tuple[int, int]:
        """Round and number of the match; (1, 1) where the record has none."""
        return self.record.round or 1, self.record.table or 1

    @cached_property
    def ledger(self) -> TableLedger | None:
        """The losses of the table; None where it has none, or does not fit the record."""
        if self.values is None or not self.record.is_finished:
            return None
        try:
            return charge(self.record, self.values)
        except OracleError:
            return None


@dataclass(frozen=True, slots=True)
class EventResults:
    """An event and what was played of it so far, in any order. `commitment`: to its deals;
    None where there is none, as of release 0.1."""

    event: Event
    played: Sequence[Played]
    commitment: Commitment | None = None

    @property
    def provenance(self) -> Provenance:
        """Where its boards came from."""
        return Provenance.of(self.event, self.commitment)
