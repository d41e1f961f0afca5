"""The value of an entry's bidding and play, by double-dummy analysis.

Tables without double-dummy values are left out. The observation behind every standard error is the
deal: the tables that played it, in all rooms, matches and events, are one cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import Mode
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.tables import SeatedTable, TeamMatch
from bridge_arena.reports.common.values import ByRole
from bridge_arena.tournaments.schedule.units import HOME
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean


@dataclass(frozen=True, slots=True)
class MeanByLevel(Mean):
    """A mean over tables.

    Attributes:
        by_level: The same for contracts of each level, 1 to 7.
    """

    by_level: Mapping[int, Mean]


@dataclass(frozen=True, slots=True)
class TricksVsDd:
    """Tricks taken less double-dummy tricks, by table.

    Attributes:
        declarer: As declarer's side.
        defence: As the defenders, who gain what declarer loses.
    """

    declarer: MeanByLevel
    defence: MeanByLevel


@dataclass(frozen=True, slots=True)
class ImpsByPart:
    """The sources of the IMPs per board, all seen from the entry.

    They add up: all = auction + the own parts + the opponents' parts.

    Attributes:
        all: The IMPs per board.
        auction: The part of the auction.
        own: The cost of the entry's own errors, by role; zero or less.
        opponents: The gain from the opponents' errors, by role.
    """

    all: Mean
    auction: Mean
    own: ByRole[Mean]
    opponents: ByRole[Mean]

    @property
    def parts(self) -> list[tuple[str, Mean]]:
        """The parts that add up to all, by name."""
        return [
            ("auction", self.auction),
            *((f"own {role}", self.own[role]) for role in Role),
            *((f"opponents' {role}", self.opponents[role]) for role in Role),
        ]


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """The figures of the two-room boards whose swing could be split.

    Attributes:
        boards: The number of these boards.
        imps_per_board: The sources of the IMPs.
        tricks_lost_per_board: Double-dummy tricks lost in both rooms of a board, by role.
    """

    boards: int
    imps_per_board: ImpsByPart
    tricks_lost_per_board: ByRole[Mean]


def tricks_vs_dd(tables: Iterable[SeatedTable], name: str) -> TricksVsDd:
    """Return the figures of the tables at which an entry sat; bidding alone has no tricks."""
    gained: dict[bool, list[tuple[int, Deal, float]]] = {True: [], False: []}
    for table in tables:
        record, ledger = table.record, table.ledger
        contract, tricks = record.contract, record.tricks
        if contract is None or tricks is None or ledger is None or record.mode is Mode.BIDDING:
            continue
        names, declarer, more = table.names, contract.declarer, tricks - ledger.dd_tricks
        if names[declarer] == name:
            gained[True].append((contract.level, table.board.deal, more))
        if name in (names[declarer.next], names[declarer.previous]):
            gained[False].append((contract.level, table.board.deal, -more))
    return TricksVsDd(_by_level(gained[True]), _by_level(gained[False]))


def _by_level(tables: Iterable[tuple[int, Deal, float]]) -> MeanByLevel:
    tables = list(tables)
    every = clustered_mean((deal, gained) for _, deal, gained in tables)
    by_level = {
        level: clustered_mean((deal, gained) for at, deal, gained in tables if at == level)
        for level in range(1, 8)
    }
    return MeanByLevel(every.n, every.mean, every.standard_error, by_level)


def ledger_figures(matches: Iterable[TeamMatch], name: str) -> LedgerFigures:
    """Return the figures of the matches that an entry played, without adjusted boards."""
    boards = [
        (board, split, team, 1 if team == HOME else -1)
        for match in matches
        for team in match.teams(name)
        for board in match.boards
        if (split := board.split) is not None
    ]

    def mean(worth: Iterable[float]) -> Mean:
        """Return the mean over boards."""
        return clustered_mean(zip((board.board.deal for board, *_ in boards), worth, strict=True))

    return LedgerFigures(
        boards=len(boards),
        imps_per_board=ImpsByPart(
            all=mean(sign * (board.imps or 0) for board, _, _, sign in boards),
            auction=mean(sign * split.auction for _, split, _, sign in boards),
            own={
                role: mean(sign * split.of(team)[role] for _, split, team, sign in boards)
                for role in Role
            },
            opponents={
                role: mean(sign * split.of(1 - team)[role] for _, split, team, sign in boards)
                for role in Role
            },
        ),
        tricks_lost_per_board={
            role: mean(board.lost(team, role) for board, _, team, _ in boards) for role in Role
        },
    )
