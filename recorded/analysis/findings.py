"""What the oracle says of one table, from a record and the answers to its units.

IMPs and scores are those of North-South. On a board played in two rooms they are the home team's,
which sits North-South in the open room. All scores are duplicate scores of the contract and the
tricks, whatever scoring the file used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.oracle.ledger import (
    Role,
    Swing,
    TableLedger,
    charge,
    split_against_par,
    split_swing,
)
from bridge_arena.oracle.par import Par, par
from bridge_arena.recorded.analysis.answers import Outcome, costs_in
from bridge_arena.recorded.analysis.games import Entry
from bridge_arena.recorded.analysis.units import play_unit, table_in, table_unit, values_in
from bridge_arena.reports.common.costs import CallCost


@dataclass(frozen=True, slots=True)
class TwoRooms:
    """A board that both rooms finished."""

    swing: int  # the IMPs of the home team
    auction: int | None  # the part of the contracts reached; None if it is not known
    parts: Mapping[tuple[Room, Role], float] | None  # the rest; None if a room's play is not known


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding on one table; a figure is None if it is not known or does not apply."""

    entry: Entry  # the game
    score: int | None = None  # North-South's duplicate score
    table: DoubleDummyTable | None = None  # the deal's double-dummy table
    par: Par | None = None  # the board's par
    dd_tricks: int | None = None  # declarer's double-dummy tricks before the lead
    difference: int | None = None  # the tricks taken less `dd_tricks`
    # Declarer's double-dummy tricks before the lead and after every card.
    values: tuple[int, ...] | None = None
    ledger: TableLedger | None = None  # the tricks that were lost, by player and role
    imps: int | None = None  # the IMPs of the result against par; known even without their parts
    auction_imps: int | None = None  # the IMPs of the contract's double-dummy score against par
    against_par: Swing | None = None  # the IMPs of the result against par, and their parts
    rooms: TwoRooms | None = None  # the comparison with the other room
    calls: tuple[CallCost | None, ...] = ()  # what each call cost, if that was asked for
    note: str = ""  # what kept the finding from being complete


def find(
    entry: Entry,
    outcomes: Mapping[str, Outcome],
    other_room: BoardRecord | None = None,
    calls: Sequence[str] = (),
) -> Finding:
    """Return the finding on one game, from the outcomes of its units; `calls` ask about calls."""
    record = entry.record
    problem = "; ".join(problem.reason for problem in entry.problems)
    if record is None:
        return Finding(entry, note=problem)
    if record.contract is None and not record.is_finished:
        return Finding(entry, note="no contract")
    own = _Valued(record, outcomes, is_doubtful=entry.is_doubtful)
    score = own.record.score
    board = record.board
    best = par(own.table, board.dealer, board.vulnerability) if own.table else None
    split = None
    if best and score is not None and own.complete:
        split = split_against_par(own.record, own.ledger, best.score)
    played = record.contract is not None and record.mode is not Mode.BIDDING
    tricks = record.tricks if played else None
    return Finding(
        entry,
        score=score,
        table=own.table,
        par=best,
        dd_tricks=own.dd_tricks,
        difference=None if tricks is None or own.dd_tricks is None else tricks - own.dd_tricks,
        values=own.values,
        ledger=own.ledger,
        imps=None if best is None or score is None else imps(score - best.score),
        auction_imps=None
        if best is None or own.dd_score is None
        else imps(own.dd_score - best.score),
        against_par=split,
        rooms=_two_rooms(own, _Valued(other_room, outcomes)) if other_room else None,
        calls=costs_in(outcomes, calls),
        note="; ".join(filter(None, (problem, own.note, *_without_cost(outcomes, calls)))),
    )


def _without_cost(outcomes: Mapping[str, Outcome], calls: Sequence[str]) -> Iterator[str]:
    """Yield why the cost of calls is not known."""
    for number, unit in enumerate(calls, 1):
        outcome = outcomes.get(unit, _NOT_TRIED)
        if outcome.failure:
            yield f"no cost of call {number}: {outcome.failure}"


class _Valued:
    """A record scored as duplicate, with the answers to its units."""

    def __init__(
        self, record: BoardRecord, outcomes: Mapping[str, Outcome], *, is_doubtful: bool = False
    ) -> None:
        self.record = _as_duplicate(record)
        notes: list[str] = []
        if record.score not in (None, self.record.score):
            notes.append(f"scored {record.score}, not {self.record.score} as duplicate")
        if record.mode is Mode.BIDDING:
            notes.append("bid but not played")
        elif record.contract is not None:
            notes += ["no result"] * (record.tricks is None) + ["no play"] * (not record.cards)

        def answer_to(unit: str, what: str) -> str:
            outcome = outcomes.get(unit, _NOT_TRIED)
            if not outcome.answer:
                notes.append(f"no {what}: {outcome.failure}")
            return outcome.answer

        table = answer_to(table_unit(record.board.deal), "table")
        self.table = table_in(table) if table else None
        self.ledger: TableLedger | None = None
        play = play_unit(record)
        values = values_in(answer_to(play, "ledger")) if play else None
        self.values = values or None
        if values and is_doubtful:
            notes.append("nobody is charged")
        elif values:
            try:
                self.ledger = charge(self.record, values)
            except ImpossibleError as error:
                self.values = None
                notes.append(f"no ledger: {error}")
        self.note = "; ".join(notes)

    @property
    def complete(self) -> bool:
        """Whether everything is known that the parts of a result need."""
        return self.record.contract is None or self.ledger is not None

    @property
    def dd_tricks(self) -> int | None:
        """Declarer's double-dummy tricks before the lead."""
        contract = self.record.contract
        if contract is None:
            return None
        if self.table is not None:
            return self.table.tricks(contract.denomination, contract.declarer)
        return self.values[0] if self.values else None

    @property
    def dd_score(self) -> int | None:
        """The score of the contract if both sides play perfectly; 0 if the board was passed out."""
        contract, tricks = self.record.contract, self.dd_tricks
        if contract is None:
            return 0
        return (
            None if tricks is None else score_ns(contract, tricks, self.record.board.vulnerability)
        )


_NOT_TRIED = Outcome("", "not solved yet")


def _as_duplicate(record: BoardRecord) -> BoardRecord:
    """Return the record with the duplicate score of its contract and tricks, if these are known."""
    if record.contract is not None and record.tricks is None:
        return replace(record, score=None)
    score = score_ns(record.contract, record.tricks, record.board.vulnerability)
    return replace(record, score=score)


def _two_rooms(own: _Valued, other: _Valued) -> TwoRooms | None:
    first, second = (own, other) if own.record.room is Room.OPEN else (other, own)
    if first.record.score is None or second.record.score is None:
        return None
    if first.complete and second.complete:
        swing = split_swing(first.record, second.record, first.ledger, second.ledger)
        return TwoRooms(swing.total, swing.auction, swing.parts)
    auction = None
    if first.dd_score is not None and second.dd_score is not None:
        auction = imps(first.dd_score - second.dd_score)
    return TwoRooms(imps(first.record.score - second.record.score), auction, None)
