"""Small matches for the tests of the report: one worked out by hand, and random ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DENOMINATIONS, Call, Contract, Risk
from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.ledger import Loss, Role, TableLedger
from bridge_arena.reports.match.figures import MatchFigures, match_figures
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import team_names
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.schedule.units import team_at
from bridge_arena.tournaments.statistics.sequential import Sprt
from tests.tournaments.matches import table

Ledgers = Mapping[tuple[Board, Room | None], TableLedger | None]
"""By the record's board and room."""


@dataclass(frozen=True)
class Given(Played):
    """A record with the ledger that it is given, where the play does not tell."""

    given: TableLedger | None = None

    @cached_property
    def ledger(self) -> TableLedger | None:
        return self.given


def results_of(
    records: Sequence[BoardRecord], ledgers: Ledgers, sprt: Sprt | None = None
) -> EventResults:
    """The records as a match of their teams, whose players have their teams' names."""
    names = team_names(records)
    event = Event(
        name="Test",
        format=Format.MATCH,
        entries=tuple(Entrant(bot="random", name=name) for name in names),
        boards=max(1, len({record.board for record in records})),
        mode=records[0].mode if records else Mode.FULL,
        sprt=None if sprt is None else str(sprt),
    )
    played = []
    for record in records:
        north, east = (names[team_at(side, record.room)] for side in Side)
        seated = replace(record, players=(north, east, north, east))
        given = None if record.contract is None else ledgers.get((record.board, record.room))
        played.append(Given(seated, given=given))
    return EventResults(event, played)


def figures_of(
    records: Sequence[BoardRecord], ledgers: Ledgers, sprt: Sprt | None = None
) -> MatchFigures:
    return match_figures(results_of(records, ledgers, sprt))


def ledger(dd_tricks: int, lead: int = 0, declarer: int = 0, defence: int = 0) -> TableLedger:
    losses = (
        Loss(0, Seat.NORTH, Role.OPENING_LEAD, lead),
        Loss(5, Seat.NORTH, Role.DECLARER_PLAY, declarer),
        Loss(6, Seat.NORTH, Role.DEFENCE, defence),
    )
    return TableLedger(dd_tricks, tuple(loss for loss in losses if loss.tricks))


def worked_match() -> tuple[list[BoardRecord], Ledgers]:
    """Three boards, alpha (home) against beta, with every figure worked out by hand.

    1, nobody vulnerable. Alpha makes 4S, 420. Beta plays 3S a trick below double dummy,
       140: +7. Double dummy 420 - 170: auction +6, beta's declarer play +1.
    2, North-South vulnerable. Beta's 3NT is one down double dummy, but alpha's lead
       gives it, -400; the closed room passes out: -9. Auction +2 (50), alpha's lead -11.
    3, East-West vulnerable. 1NT made in both rooms, 90, flat; in the closed room alpha's
       lead gave a trick (alone: -1) and beta's declarer gave it back (alone: +4): by
       Shapley value -2.5 and +2.5.
    """
    records = [
        table(1, Room.OPEN, "4S", "N", 10),
        table(1, Room.CLOSED, "3S", "N", 9),
        table(2, Room.OPEN, "3NT", "E", 9),
        table(2, Room.CLOSED),
        table(3, Room.OPEN, "1NT", "S", 7),
        table(3, Room.CLOSED, "1NT", "S", 7),
    ]
    ledgers: Ledgers = {
        (Board.dealt(1, 1), Room.OPEN): ledger(10),
        (Board.dealt(1, 1), Room.CLOSED): ledger(10, declarer=1),
        (Board.dealt(1, 2), Room.OPEN): ledger(8, lead=1),
        (Board.dealt(1, 2), Room.CLOSED): None,
        (Board.dealt(1, 3), Room.OPEN): ledger(7),
        (Board.dealt(1, 3), Room.CLOSED): ledger(7, lead=1, declarer=1),
    }
    return records, ledgers


TOLD = Explanation("invitation", (14, 18), {Suit.DIAMONDS: (4, 13), Suit.SPADES: (3, 13)})
"""The explanation of alpha's North, who holds 13 points, one spade and four diamonds."""


def explained_match() -> tuple[list[BoardRecord], Ledgers]:
    """The same. Alpha makes one call, which `TOLD` explains, and beta one without a word."""
    records, ledgers = worked_match()
    calls = (MadeCall(Call("1D"), alert=True, explanation=TOLD), MadeCall(Call("Pass")))
    records[0] = replace(records[0], calls=calls)
    return records, ledgers


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[BoardRecord], Ledgers]:
    """Boards played in both rooms, with ledgers that fit them."""
    records: list[BoardRecord] = []
    ledgers: dict[tuple[Board, Room | None], TableLedger | None] = {}
    for number in range(1, draw(st.integers(0, 8)) + 1):
        for room in Room:
            contract = draw(
                st.none()
                | st.builds(
                    Contract,
                    st.integers(1, 7),
                    st.sampled_from(DENOMINATIONS),
                    st.sampled_from(Risk),
                    st.sampled_from(SEATS),
                )
            )
            record = table(number, room)
            if contract is not None:
                dd_tricks = draw(st.integers(0, 13))
                lead, declarer, defence = draw(st.tuples(*[st.integers(0, 3)] * 3))
                tricks = dd_tricks + lead - declarer + defence
                if not 0 <= tricks <= 13:
                    lead = declarer = defence = 0
                    tricks = dd_tricks
                score = score_ns(contract, tricks, record.board.vulnerability)
                record = replace(record, contract=contract, tricks=tricks, score=score)
                ledgers[record.board, room] = ledger(dd_tricks, lead, declarer, defence)
            records.append(record)
    return records, ledgers
