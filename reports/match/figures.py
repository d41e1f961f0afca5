"""The figures of a two-room team match, from which every form of the report is made.

The first bot is the home team. The figures of the match are seen from it; those of a bot are
`reports.common.figures`, as in every report, and what its cards and calls cost it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Annotated

from pydantic import model_serializer

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import FORFEITING, BoardRecord, Fault, Mode, Room
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.reports.common.costs import (
    Costly,
    CostlyCall,
    CostlyCard,
    CostsOf,
    costly_calls,
    costly_cards,
    without_costs,
    worst_of,
)
from bridge_arena.reports.common.figures import EntryFigures
from bridge_arena.reports.common.meetings import ControlFigures, Meeting, PlayedEvent, controlled
from bridge_arena.reports.common.replay_pages import FOLDER, board_address, page_names
from bridge_arena.reports.common.rulings import ShownRuling, shown_rulings
from bridge_arena.reports.common.sums import Sums
from bridge_arena.reports.common.tables import (
    SeatedTable,
    TeamBoard,
    TeamMatch,
    planned_matches,
    seated_tables,
    team_match,
)
from bridge_arena.reports.common.values import AsText, Hidden, Json, shown_by, values
from bridge_arena.tournaments import HOME, VISITORS, EventResults, Provenance, Split, team_at
from bridge_arena.tournaments.events.event import Terms, terms
from bridge_arena.tournaments.schedule.early_stop import tested
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.sequential import Sprt, Verdict

WORST = 10
"""The most cards, and the most calls, that are listed of a bot."""


@dataclass(frozen=True, slots=True)
class BoardCosts:
    """The cards and calls of a board, in both rooms, that cost something."""

    board: TeamBoard
    page: str
    # In the order of play; None if the oracle has not valued them, or the bots did not play them.
    cards: Sequence[CostlyCard] | None
    # In their order; None if nobody asked for them, or the bots did not make them.
    calls: Sequence[CostlyCall] | None

    @classmethod
    def of(cls, board: TeamBoard, page: str, mode: Mode, costs_of: CostsOf) -> BoardCosts:
        """Return the cards and calls of a board, of which the bots decided what the mode says."""
        cards = calls = None
        if mode is not Mode.BIDDING and any(table.ledger for table in board.tables):
            cards = tuple(costly_cards(board.tables, page))
        if costs_of is not without_costs and mode is not Mode.PLAY:
            calls = tuple(costly_calls(board.tables, page, costs_of))
        return cls(board, page, cards, calls)

    def lost(self, name: str, home: str) -> int:
        """Return the IMPs that one of the two bots lost on the board; 0 if it does not count."""
        imps = self.board.imps or 0
        return -imps if name == home else imps


@dataclass(frozen=True, slots=True)
class DecisionCosts:
    """What all cards, or all calls, of a bot cost it."""

    unit: str  # what they cost, tricks or IMPs, as the key in JSON files
    n: int
    lost: float
    # Those that cost most, at most `WORST`; of equal ones first those of the boards on which the
    # bot lost most.
    worst: tuple[CostlyCard | CostlyCall, ...]

    @classmethod
    def of(
        cls,
        unit: str,
        add: Callable[[Iterable[float]], float],
        boards: Iterable[Sequence[Costly] | None],
        name: str,
    ) -> DecisionCosts | None:
        """Return what a bot's own of the cards, or calls, cost it; None if no board knows them."""
        known = [decisions for decisions in boards if decisions is not None]
        own = [decision for decisions in known for decision in decisions if decision.by == name]
        worst = sorted(own, key=lambda decision: -decision.lost)[:WORST]
        lost = add(decision.lost for decision in own)
        return cls(unit, len(own), lost, tuple(worst)) if known else None

    @model_serializer
    def values(self) -> Json:
        worst = [values(decision) for decision in self.worst]
        return {"n": self.n, self.unit: self.lost, "worst": worst}


@dataclass(frozen=True, slots=True)
class BotCosts:
    name: str
    cards: DecisionCosts | None  # its cards; None if they are not known
    calls: DecisionCosts | None  # its calls; None if nobody asked for them

    @classmethod
    def of(cls, name: str, home: str, boards: Iterable[BoardCosts]) -> BotCosts:
        boards = sorted(boards, key=lambda board: -board.lost(name, home))
        cards = DecisionCosts.of("tricks", sum, (board.cards for board in boards), name)
        calls = DecisionCosts.of("imps", fsum, (board.calls for board in boards), name)
        return cls(name, cards, calls)


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The loss of a match by a player who could not play on."""

    by: str
    to: str
    board: int
    room: Room | None  # the room; None if it is not recorded
    fault: Hidden[Fault]

    @model_serializer
    def values(self) -> Json:
        return {
            "by": self.by,
            "board": self.board,
            "room": self.room.value if self.room else None,
            "seat": str(self.fault.seat),
            "fault": self.fault.kind.value,
            "detail": self.fault.detail,
        }


def find_forfeit(names: Sequence[str], records: Iterable[BoardRecord]) -> Forfeit | None:
    """Return the first board, by number, that lost a player for good; None if there is none."""
    for record in sorted(records, key=lambda record: record.board.number):
        for fault in () if record.is_done else record.faults:
            if fault.kind in FORFEITING:
                team = team_at(fault.seat.side, record.room)
                number = record.board.number
                return Forfeit(names[team], names[1 - team], number, record.room, fault)
    return None


@dataclass(frozen=True, slots=True)
class TableResult:
    contract: Hidden[Contract | None]  # the contract; None if the board was passed out
    tricks: int | None  # declarer's tricks; None if the board was passed out
    score: int  # North-South's points
    # Declarer's double-dummy tricks; None if the board was passed out or not analysed.
    dd_tricks: int | None

    @classmethod
    def of(cls, table: SeatedTable) -> TableResult:
        """Return the result of a table that finished the board."""
        record, ledger = table.record, table.ledger
        assert record.score is not None, "only finished boards are listed"
        dd_tricks = None if ledger is None else ledger.dd_tricks
        return cls(record.contract, record.tricks, record.score, dd_tricks)

    @model_serializer
    def values(self) -> Json:
        contract = self.contract
        return {
            "contract": "Pass" if contract is None else str(contract),
            "declarer": None if contract is None else str(contract.declarer),
            "tricks": self.tricks,
            "dd_tricks": self.dd_tricks,
            "score": self.score,
        }


@dataclass(frozen=True, slots=True)
class BoardRow:
    board: int
    dealer: AsText[Seat]
    vulnerability: AsText[Vulnerability]
    open: TableResult
    closed: TableResult
    imps: int  # positive for the first bot
    cumulative: int  # the sum of IMPs so far, positive for the first bot
    split: Split | None  # the split of the IMPs; None if the board was not analysed
    costliest_card: CostlyCard | None  # None if no card cost a trick
    replay: str  # the address of its replay, relative to the report
    # The call in either room that cost most; None if no cost is clear, or costs were not asked for.
    costliest_call: CostlyCall | None
    # Of the side that lost the board the card and the call that cost most; None if none is known.
    loser_card: Hidden[CostlyCard | None]
    loser_call: Hidden[CostlyCall | None]


@dataclass(frozen=True, slots=True)
class SprtFigures:
    test: Hidden[Sprt]
    verdict: Verdict
    boards: int
    # The log-likelihood ratio after them; beyond one of `test.bounds` if there is a verdict.
    llr: float

    @classmethod
    def of(cls, test: Sprt, records: Iterable[BoardRecord]) -> SprtFigures:
        """Return the result over boards in the order of the records, until one is unknown."""
        progress = tested(test, records)
        return cls(test, progress.verdict, progress.boards, progress.llr)

    @model_serializer
    def values(self) -> Json:
        return {
            **{name: getattr(self.test, name) for name in ("imp0", "imp1", "alpha", "beta")},
            "verdict": None if self.verdict is Verdict.GO_ON else self.verdict.value,
            "boards": self.boards,
            "llr": self.llr,
            "bounds": list(self.test.bounds),
        }


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """The figures of a match; the first bot is the home team."""

    names: tuple[str, str]
    event: str  # the name of the event as recorded; "" if it is not
    dates: tuple[str, ...]  # the dates as recorded, `YYYY.MM.DD` in order; empty if they are not
    mode: Mode  # what the bots decided; figures of what they did not decide mean nothing
    boards: int
    single_table_boards: int  # the number of boards that were finished in one room only
    imps: int  # the first bot's net IMPs, as in `Meeting`
    imps_per_board: Mean  # as in `Meeting`
    control: ControlFigures | None  # as in `Meeting`
    p_value: float | None  # as in `Meeting`
    too_few_deals: Hidden[bool]  # as in `Meeting`
    victory_points: tuple[float, float] | None  # the first and second bot's; None without a board
    # The winner's name; a bot that forfeited has lost. None for a draw.
    winner: str | None
    forfeit: Forfeit | None  # None if the match was played out
    # The number of boards that count but could not be finished in a room, which are not among the
    # `board_results`.
    adjusted_boards: int
    adjusted_imps: int  # the first bot's IMPs on these boards
    # The sequential test that may end the match early; None if there is none.
    sprt: SprtFigures | None
    deals: Annotated[Provenance, shown_by(lambda deals: deals.values)]
    terms: Terms  # the settings of clock, claims and policies that differ from the default, by key
    bots: tuple[EntryFigures, EntryFigures]
    costs: tuple[BotCosts, BotCosts]
    board_results: tuple[BoardRow, ...]  # the boards that were finished in both rooms
    match: Hidden[TeamMatch] = field(compare=False)
    rulings: Hidden[tuple[ShownRuling, ...]]  # the rulings of its director

    @property
    def has_auction(self) -> bool:
        """Whether the bots bid, so that figures of the auction mean something."""
        return self.mode is not Mode.PLAY

    @property
    def has_play(self) -> bool:
        """Whether the bots played, so that figures of the play mean something."""
        return self.mode is not Mode.BIDDING

    @property
    def has_call_costs(self) -> bool:
        """Whether a call is known to have cost something."""
        return any(row.costliest_call for row in self.board_results)

    @property
    def has_sources(self) -> bool:
        """Whether the IMPs come from auction and play, and are split between them."""
        return self.has_auction and self.has_play and self.analysed > 0

    @property
    def has_values_of_calls(self) -> bool:
        """Whether somebody asked for the costs of calls."""
        return self.costs[0].calls is not None

    @property
    def has_costs(self) -> bool:
        """Whether it is known what cards or calls cost."""
        return self.has_values_of_calls or self.costs[0].cards is not None

    def biggest_swings(self, most: int) -> Sequence[BoardRow]:
        """Return all boards in order, or of more than `most` the biggest swings, biggest first."""
        rows = self.board_results
        return rows if len(rows) <= most else self.swings[:most]

    @property
    def swings(self) -> list[BoardRow]:
        """The boards by the size of their swings, the biggest first."""
        return sorted(self.board_results, key=lambda row: (-abs(row.imps), row.board))

    @property
    def analysed(self) -> int:
        """The number of boards that have a split."""
        return self.bots[0].ledger.boards


def match_figures(results: EventResults, costs_of: CostsOf = without_costs) -> MatchFigures:
    """Return the figures of an event that is a match.

    A table without a ledger, or whose ledger or score does not fit the record, is left out of the
    double-dummy figures. Raises ValueError if a record is not of the event, or a board was finished
    twice in one room.
    """
    event = results.event
    records = [played.record for played in results.played]
    (planned,) = planned_matches(results)
    tables = seated_tables(results, [planned])
    match = team_match(results, planned, tables)
    home, visitors = match.names
    sums = Sums.of(tables, [match], names=(entrant.name for entrant in event.entries))
    control = controlled(home, visitors, [PlayedEvent(event, sums, results.control)])
    meeting = Meeting.of(home, visitors, match.swings, control)
    forfeit = find_forfeit(match.names, records)
    if results.counted_rulings and not match.forfeited:
        forfeit = None  # the loss is waived
    adjusted = [board.imps or 0 for board in match.boards if board.adjusted]
    pages = page_names(board.board for board in match.boards)
    boards = [
        BoardCosts.of(board, pages[board.board], event.mode, costs_of) for board in match.boards
    ]
    return MatchFigures(
        names=match.names,
        event=next((record.event for record in records if record.event), ""),
        dates=tuple(sorted({record.date for record in records if record.date})),
        mode=event.mode,
        boards=match.outcome.boards,
        single_table_boards=sum(
            len({table.record.room for table in board.tables if table.record.is_finished}) == 1
            for board in match.boards
            if board.swing is None
        ),
        imps=meeting.imps,
        imps_per_board=meeting.imps_per_board,
        control=meeting.control,
        p_value=meeting.p_value,
        too_few_deals=meeting.too_few_deals,
        victory_points=match.victory_points,
        winner=_winner(match, meeting.imps, forfeit),
        forfeit=forfeit,
        adjusted_boards=len(adjusted),
        adjusted_imps=sum(adjusted),
        sprt=None if event.sprt is None else SprtFigures.of(Sprt.parse(event.sprt), records),
        deals=results.provenance,
        terms=terms(event),
        bots=(EntryFigures.of(home, sums), EntryFigures.of(visitors, sums)),
        costs=(BotCosts.of(home, home, boards), BotCosts.of(visitors, home, boards)),
        board_results=tuple(_rows(boards, match.names)),
        match=match,
        rulings=shown_rulings(results),
    )


def _winner(match: TeamMatch, imps: int, forfeit: Forfeit | None) -> str | None:
    if forfeit is not None:
        return forfeit.to
    if len(match.forfeited) == 1:  # by a ruling
        return match.names[1 - match.outcome.forfeited[0]]
    return None if imps == 0 else match.names[HOME if imps > 0 else VISITORS]


def _rows(boards: Iterable[BoardCosts], names: Sequence[str]) -> Iterator[BoardRow]:
    """Yield the boards that were finished in both rooms."""
    cumulative = 0
    for costs in boards:
        board = costs.board
        if board.imps is None or board.adjusted or not board.open or not board.closed:
            continue
        cumulative += board.imps
        loser = names[VISITORS if board.imps > 0 else HOME]
        yield BoardRow(
            board=board.board.number,
            dealer=board.board.dealer,
            vulnerability=board.board.vulnerability,
            open=TableResult.of(board.open),
            closed=TableResult.of(board.closed),
            imps=board.imps,
            cumulative=cumulative,
            split=board.split,
            costliest_card=worst_of(costs.cards or ()),
            replay=f"{FOLDER}/{board_address(costs.page)}",
            costliest_call=worst_of(costs.calls or ()),
            loser_card=worst_of(card for card in costs.cards or () if card.by == loser),
            loser_call=worst_of(call for call in costs.calls or () if call.by == loser),
        )
