"""What an entry's bidding and play were worth, double dummy.

Tables of which the oracle knows nothing are left out. The standard errors hold for tables
that belong together: those of one deal, of all rooms, matches and events, are one cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import Mode, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.tables import SeatedTable, TeamBoard, TeamMatch
from bridge_arena.reports.match.figures import Parts, Split, split_by_team, team_in_role
from bridge_arena.reports.match.pairing import PairedBoard
from bridge_arena.tournaments.schedule.units import HOME, VISITORS
from bridge_arena.tournaments.statistics.clustered import clustered_mean
from bridge_arena.tournaments.statistics.means import Mean


@dataclass(frozen=True, slots=True)
class TricksVsDd:
    """Tricks taken less double-dummy tricks, by table: `declarer` as declarer's side,
    `defence` as the defenders, who gain what declarer loses."""

    declarer: Mean
    defence: Mean


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """Where an entry's IMPs came from, per two-room board whose swing could be split.

    All parts are seen from the entry: `own` is what its errors cost it, zero or less,
    `opponents` what theirs brought it, and

        imps = auction + the own parts + the opponents' parts

    `tricks`: the double-dummy tricks that it lost, by role.
    """

    imps: Mean
    auction: Mean
    own: Mapping[Role, Mean]
    opponents: Mapping[Role, Mean]
    tricks: Mapping[Role, Mean]

    @property
    def boards(self) -> int:
        return self.imps.n


def tricks_vs_dd(tables: Iterable[SeatedTable], name: str) -> TricksVsDd:
    """Of the tables at which an entry sat; bidding alone has no tricks."""
    declarer: list[tuple[Deal, float]] = []
    defence: list[tuple[Deal, float]] = []
    for table in tables:
        record, names, ledger = table.record, table.names, table.played.ledger
        contract, tricks = record.contract, record.tricks
        if contract is None or tricks is None or ledger is None or record.mode is Mode.BIDDING:
            continue
        gained = tricks - ledger.dd_tricks
        if names[contract.declarer] == name:
            declarer.append((record.board.deal, gained))
        if name in _defenders(contract.declarer, names):
            defence.append((record.board.deal, -gained))
    return TricksVsDd(clustered_mean(declarer), clustered_mean(defence))


def _defenders(declarer: Seat, names: Sequence[str]) -> tuple[str, str]:
    return names[declarer.next], names[declarer.previous]


def ledger_figures(matches: Iterable[TeamMatch], name: str) -> LedgerFigures:
    """Of the matches that an entry played; adjusted boards have nothing to split."""
    imps: list[tuple[Deal, float]] = []
    auction: list[tuple[Deal, float]] = []
    own: dict[Role, list[tuple[Deal, float]]] = {role: [] for role in Role}
    opponents: dict[Role, list[tuple[Deal, float]]] = {role: [] for role in Role}
    lost: dict[Role, list[tuple[Deal, float]]] = {role: [] for role in Role}
    for match in matches:
        for team, sign in ((HOME, 1), (VISITORS, -1)):
            if match.names[team] != name:
                continue
            for board in match.boards:
                split = split_of(board)
                if split is None or board.imps is None:
                    continue
                deal = board.board.deal
                parts = (split.first, split.second)
                imps.append((deal, sign * board.imps))
                auction.append((deal, sign * split.auction))
                for role in Role:
                    own[role].append((deal, sign * part_of(parts[team], role)))
                    opponents[role].append((deal, sign * part_of(parts[1 - team], role)))
                    lost[role].append((deal, _lost(board, team, role)))
    return LedgerFigures(
        clustered_mean(imps),
        clustered_mean(auction),
        {role: clustered_mean(own[role]) for role in Role},
        {role: clustered_mean(opponents[role]) for role in Role},
        {role: clustered_mean(lost[role]) for role in Role},
    )


def part_of(parts: Parts, role: Role) -> float:
    """The part of one role."""
    if role is Role.OPENING_LEAD:
        return parts.opening_lead
    return parts.declarer_play if role is Role.DECLARER_PLAY else parts.defence


def split_of(board: TeamBoard) -> Split | None:
    """Where the swing of a board came from, seen from the home team; None where it is not
    known, or the board was adjusted."""
    in_open, in_closed = board.open, board.closed
    if board.adjusted or board.imps is None or in_open is None or in_closed is None:
        return None
    pair = PairedBoard(in_open.record, in_closed.record)
    return split_by_team(pair, in_open.ledger, in_closed.ledger)


def _lost(board: TeamBoard, team: int, role: Role) -> int:
    """Double-dummy tricks that a team lost in `role`, in both rooms."""
    lost = 0
    for room, played in ((Room.OPEN, board.open), (Room.CLOSED, board.closed)):
        contract, ledger = (played.record.contract, played.ledger) if played else (None, None)
        if contract and ledger and team_in_role(contract, room, role) == team:
            lost += ledger.lost(role)
    return lost
