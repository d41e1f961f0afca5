"""The figures of a two-room team match, from which every form of the report is made.

One observation of every mean is one board played in both rooms. A board that was
finished at one table only is counted as such and enters nothing else.

The swing of a board is split by the ledger (`oracle.ledger.split_swing`) into the
auction and six parts of play: three roles in each of two rooms. The opening lead and
the defence of a room belong to the team that defended there, declarer's play to the
team that declared. Added up by team and role, and all seen from the first bot's side:

    imps = auction + the first bot's three parts + the second bot's three parts

The auction is one number of both teams, as only the difference between the contracts
of the rooms counts. A bot's own figures are signed for that bot: what its own play
lost is negative, its auction and net play are the opponents' with the other sign, and

    imps = auction + play,    play = own three parts - the opponents' three parts
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from types import MappingProxyType

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import FORFEITING, BoardRecord, Fault, FaultKind, Mode, Room
from bridge_arena.bridge.scoring import victory_points
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.oracle.ledger import Role, TableLedger, split_swing
from bridge_arena.reports.common.explanations import ExplanationFigures, explanation_figures
from bridge_arena.reports.match.pairing import (
    Forfeit,
    PairedBoard,
    find_forfeit,
    pair_boards,
    team_faults,
)
from bridge_arena.reports.match.sprt import SprtFigures, sprt_figures
from bridge_arena.tournaments.events.event_terms import Terms
from bridge_arena.tournaments.events.sealing.provenance import UNTOLD, Provenance
from bridge_arena.tournaments.recorded_events import team_names
from bridge_arena.tournaments.schedule.match_outcomes import swing
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, team_at
from bridge_arena.tournaments.statistics.means import Mean, percentile
from bridge_arena.tournaments.statistics.sequential import Sprt
from bridge_arena.tournaments.statistics.sign_flip import sign_flip_p_value
from bridge_arena.tournaments.store.played import Played

TableKey = tuple[Board, Room | None]
"""How a table's ledger is found: by `record.board` and `record.room`."""

Ledgers = Mapping[TableKey, TableLedger | None]
"""The ledger of every analysed table; None, or nothing, where the board was passed out."""


@dataclass(frozen=True, slots=True)
class Parts:
    """IMPs, or tricks, of one team's play by role."""

    opening_lead: float
    declarer_play: float
    defence: float

    @property
    def total(self) -> float:
        return fsum((self.opening_lead, self.declarer_play, self.defence))


@dataclass(frozen=True, slots=True)
class Split:
    """Where a swing came from, all seen from the first bot's side: the auction and
    the play of each bot add up to the IMPs."""

    auction: float
    first: Parts
    second: Parts


@dataclass(frozen=True, slots=True)
class TableResult:
    """What one room made of a board. `score`: North-South's points; `tricks` and
    `dd_tricks`: declarer's, None when passed out (`dd_tricks` also if not analysed)."""

    contract: Contract | None
    tricks: int | None
    score: int
    dd_tricks: int | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One board of the match. `imps` and `cumulative`: positive for the first bot.
    `split`: None when the board was not analysed."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    open: TableResult
    closed: TableResult
    imps: int
    cumulative: int
    split: Split | None


@dataclass(frozen=True, slots=True)
class TricksVsDd:
    """Tricks taken less double-dummy tricks, as declarer or as defenders.

    An observation is a board: a bot that had the role in both rooms counts with the
    mean of the two. `tables`: how many tables there were. `by_level`: the same for
    the contracts of each level, 1 to 7.
    """

    all: Mean
    tables: int
    by_level: Mapping[int, Mean]


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """What the ledger charges to one bot, over the boards that were analysed.

    `tricks`: double-dummy tricks lost in each role; `per_board`: their means.
    `auction` and `play`: the match's IMPs seen from this bot's side. `own_parts`: the
    IMPs of its own play, negative where it lost them. `own_parts` and `tricks` are by
    role: the opponents' share of `play` stands in their own figures.
    """

    boards: int
    tricks: Mapping[Role, int]
    per_board: Mapping[Role, Mean]
    auction: float
    play: float
    own_parts: Parts


@dataclass(frozen=True, slots=True)
class Timing:
    """Time per action; None where it was not recorded, as in a PBN file."""

    n: int
    mean_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True, slots=True)
class BotFigures:
    """The figures of one team. Faults and explanations are those of unfinished boards too."""

    name: str
    declarer: TricksVsDd
    defence: TricksVsDd
    ledger: LedgerFigures
    explanations: ExplanationFigures
    timing: Timing
    illegal_actions: int
    malformed: int
    timeouts: int
    forfeits: int
    faults: Mapping[FaultKind, int]
    first_fault: Fault | None


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """The figures of a match; the first bot is the home team.

    `event`, `dates`: as recorded, `YYYY.MM.DD` in order; empty where they are not.
    `mode`: what the bots decided; figures of what they did not mean nothing.
    `boards`: that count, of which those in `adjusted`, the IMPs of each, could not be finished
    in a room and are not among the `rows`. `per_board`: IMPs per board. `p_value`: of the
    sign-flip test. `victory_points`: first's and second's; None, as the p-value, without a
    board. `single_tables`: boards finished in one room only. `forfeit`: None when the match was
    played out. `sprt`: of the test that may end the match early; None where it has none.
    `terms`: what of clock, claims and policies is not the default, by key. `provenance`: where
    the boards came from.
    """

    names: tuple[str, str]
    event: str
    dates: tuple[str, ...]
    mode: Mode
    boards: int
    adjusted: tuple[int, ...]
    single_tables: int
    imps: int
    per_board: Mean
    p_value: float | None
    victory_points: tuple[float, float] | None
    rows: tuple[BoardRow, ...]
    bots: tuple[BotFigures, BotFigures]
    forfeit: Forfeit | None
    sprt: SprtFigures | None
    terms: Terms
    provenance: Provenance

    @property
    def has_auction(self) -> bool:
        """Whether the bots bid, so that figures of the auction mean something."""
        return self.mode is not Mode.PLAY

    @property
    def has_play(self) -> bool:
        """Whether the bots played, so that figures of the play mean something."""
        return self.mode is not Mode.BIDDING

    @property
    def winner(self) -> int | None:
        """0 or 1: who won the match, as the other lost it on IMPs or forfeited it;
        None for a draw."""
        if self.forfeit is not None:
            return 1 - self.forfeit.team
        if self.imps == 0:
            return None
        return HOME if self.imps > 0 else VISITORS


def match_figures(
    records: Iterable[BoardRecord],
    ledgers: Ledgers,
    sprt: Sprt | None = None,
    terms: Terms = MappingProxyType({}),
    provenance: Provenance = UNTOLD,
) -> MatchFigures:
    """The figures of the match that the records belong to, in any order but where there is a
    sequential test, which takes the boards as they come.

    A table without a ledger, or whose ledger or score does not fit the record, is
    left out of the double-dummy figures. Raises ValueError for records of several
    matches, and for a board finished twice in one room.
    """
    records = list(records)
    names = team_names(records)
    pairs, single_tables = pair_boards(records)
    rows = _rows(pairs, ledgers)
    adjusted = _adjusted(records)
    swings = [*(row.imps for row in rows), *adjusted.values()]
    total = sum(swings)

    def bot(team: int) -> BotFigures:
        faults = team_faults(records, team)
        milliseconds = _times(records, team)
        kinds = [fault.kind for fault in faults]
        return BotFigures(
            name=names[team],
            declarer=_tricks_vs_dd(pairs, ledgers, team, declares=True),
            defence=_tricks_vs_dd(pairs, ledgers, team, declares=False),
            ledger=_ledger_figures(pairs, rows, ledgers, team),
            explanations=explanation_figures((each, _seats(each, team)) for each in records),
            timing=Timing(
                len(milliseconds), Mean.of(milliseconds).mean, percentile(milliseconds, 99)
            ),
            illegal_actions=kinds.count(FaultKind.ILLEGAL),
            malformed=kinds.count(FaultKind.MALFORMED),
            timeouts=kinds.count(FaultKind.TIMEOUT),
            forfeits=sum(kind in FORFEITING for kind in kinds),
            faults={kind: kinds.count(kind) for kind in FaultKind},
            first_fault=next(iter(faults), None),
        )

    return MatchFigures(
        names=names,
        event=next((record.event for record in records if record.event), ""),
        dates=tuple(sorted({record.date for record in records if record.date})),
        mode=records[0].mode if records else Mode.FULL,
        boards=len(swings),
        adjusted=tuple(adjusted.values()),
        single_tables=single_tables - _finished_once(records, adjusted),
        imps=total,
        per_board=Mean.of(swings),
        p_value=sign_flip_p_value(swings),
        victory_points=victory_points(total, len(swings)) if swings else None,
        rows=rows,
        bots=(bot(HOME), bot(VISITORS)),
        forfeit=find_forfeit(records),
        sprt=None if sprt is None else sprt_figures(sprt, records),
        terms=terms,
        provenance=provenance,
    )


def _adjusted(records: Iterable[BoardRecord]) -> dict[Board, int]:
    """The IMPs of the boards that a room could not finish, as they were adjusted."""
    boards: dict[Board, list[BoardRecord]] = {}
    for record in records:
        boards.setdefault(record.board, []).append(record)
    found = {board: swing(tables) for board, tables in boards.items()}
    return {board: worth.imps for board, worth in found.items() if worth and worth.adjusted}


def _finished_once(records: Iterable[BoardRecord], boards: Collection[Board]) -> int:
    """How many of the boards were finished, in one room."""
    return len({each.board for each in records if each.is_finished and each.board in boards})


def ledgers_of(played: Iterable[Played]) -> Ledgers:
    """The ledgers of one match, by table."""
    return {(each.record.board, each.record.room): each.ledger for each in played}


def _times(records: Iterable[BoardRecord], team: int) -> list[float]:
    """Milliseconds of every action of a team."""
    return [
        milliseconds
        for record in records
        for seat, times in zip(SEATS, record.times, strict=False)
        if team_at(seat.side, record.room) == team
        for milliseconds in times
    ]


def _seats(record: BoardRecord, team: int) -> list[Seat]:
    """Where a team sat."""
    return [seat for seat in SEATS if team_at(seat.side, record.room) == team]


def _ledger_of(record: BoardRecord, ledgers: Ledgers) -> TableLedger | None:
    return None if record.contract is None else ledgers.get((record.board, record.room))


def _rows(pairs: Iterable[PairedBoard], ledgers: Ledgers) -> tuple[BoardRow, ...]:
    rows: list[BoardRow] = []
    cumulative = 0
    for pair in pairs:
        cumulative += pair.imps
        rows.append(
            BoardRow(
                number=pair.board.number,
                dealer=pair.board.dealer,
                vulnerability=pair.board.vulnerability,
                open=_table_result(pair.open, ledgers),
                closed=_table_result(pair.closed, ledgers),
                imps=pair.imps,
                cumulative=cumulative,
                split=split_by_team(
                    pair, _ledger_of(pair.open, ledgers), _ledger_of(pair.closed, ledgers)
                ),
            )
        )
    return tuple(rows)


def _table_result(record: BoardRecord, ledgers: Ledgers) -> TableResult:
    assert record.score is not None, "only finished boards are paired"
    ledger = _ledger_of(record, ledgers)
    dd_tricks = ledger.dd_tricks if ledger else None
    return TableResult(record.contract, record.tricks, record.score, dd_tricks)


def split_by_team(
    pair: PairedBoard, in_open: TableLedger | None, in_closed: TableLedger | None
) -> Split | None:
    """The swing by bot and role; None without the ledgers of both rooms, of which a board
    passed out has none."""
    try:
        split = split_swing(pair.open, pair.closed, in_open, in_closed)
    except ImpossibleError:  # no ledger, or a score that its contract does not give
        return None
    by_team: dict[tuple[int, Role], list[float]] = {}
    for (room, role), imps in split.parts.items():
        contract = (pair.open if room is Room.OPEN else pair.closed).contract
        if contract is not None:
            by_team.setdefault((team_in_role(contract, room, role), role), []).append(imps)

    def parts(team: int) -> Parts:
        return _parts({role: fsum(by_team.get((team, role), ())) for role in Role})

    return Split(float(split.auction), parts(HOME), parts(VISITORS))


def team_in_role(contract: Contract, room: Room, role: Role) -> int:
    """The team that had `role` in a room."""
    side = contract.declarer.side
    return team_at(side if role is Role.DECLARER_PLAY else side.other, room)


def _parts(by_role: Mapping[Role, float]) -> Parts:
    return Parts(by_role[Role.OPENING_LEAD], by_role[Role.DECLARER_PLAY], by_role[Role.DEFENCE])


def _tricks_vs_dd(
    pairs: Iterable[PairedBoard], ledgers: Ledgers, team: int, *, declares: bool
) -> TricksVsDd:
    per_board: list[float] = []
    per_level: dict[int, list[float]] = {level: [] for level in range(1, 8)}
    tables = 0
    for pair in pairs:
        differences: dict[int, list[int]] = {}
        for record in (pair.open, pair.closed):
            ledger = _ledger_of(record, ledgers)
            if record.contract is None or record.tricks is None or ledger is None:
                continue
            declaring = team_at(record.contract.declarer.side, record.room) == team
            if declaring == declares:
                gained = record.tricks - ledger.dd_tricks
                level = record.contract.level
                differences.setdefault(level, []).append(gained if declares else -gained)
        for level, values in differences.items():
            per_level[level].append(sum(values) / len(values))
        both = [value for values in differences.values() for value in values]
        if both:
            per_board.append(sum(both) / len(both))
            tables += len(both)
    by_level = {level: Mean.of(values) for level, values in per_level.items()}
    return TricksVsDd(Mean.of(per_board), tables, by_level)


def _ledger_figures(
    pairs: Sequence[PairedBoard], rows: Sequence[BoardRow], ledgers: Ledgers, team: int
) -> LedgerFigures:
    lost: dict[Role, list[int]] = {role: [] for role in Role}
    splits: list[Split] = []
    for pair, row in zip(pairs, rows, strict=True):
        if row.split is None:
            continue
        splits.append(row.split)
        for role in Role:
            lost[role].append(_lost(pair, ledgers, team, role))
    sign = 1 if team == HOME else -1
    own = [split.first if team == HOME else split.second for split in splits]
    play = fsum(sign * parts.total for split in splits for parts in (split.first, split.second))
    return LedgerFigures(
        boards=len(splits),
        tricks={role: sum(lost[role]) for role in Role},
        per_board={role: Mean.of(lost[role]) for role in Role},
        auction=sign * fsum(split.auction for split in splits),
        play=play,
        own_parts=Parts(
            sign * fsum(parts.opening_lead for parts in own),
            sign * fsum(parts.declarer_play for parts in own),
            sign * fsum(parts.defence for parts in own),
        ),
    )


def _lost(pair: PairedBoard, ledgers: Ledgers, team: int, role: Role) -> int:
    """Double-dummy tricks that a team lost in `role` on one board, in both rooms."""
    lost = 0
    for record, room in ((pair.open, Room.OPEN), (pair.closed, Room.CLOSED)):
        ledger = _ledger_of(record, ledgers)
        if record.contract and ledger and team_in_role(record.contract, room, role) == team:
            lost += ledger.lost(role)
    return lost
