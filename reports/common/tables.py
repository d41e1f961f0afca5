"""The matches of an event in the order of play: who met whom on which boards.

The names are the event's, of the entries that its plan seats at a table.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from bridge_arena.bridge.board import Board, by_board
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.oracle.ledger import TableLedger
from bridge_arena.tournaments import (
    Event,
    EventResults,
    Match,
    Outcome,
    Played,
    Scoring,
    Split,
    Swing,
    plan,
    split_of,
)
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.tournaments.schedule.rulings import Ruling, RulingsOn
from bridge_arena.tournaments.schedule.scores import TableScore
from bridge_arena.tournaments.schedule.units import tables_of

T = TypeVar("T")


class Result(Enum):
    """The result of a finished match for an entry."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class SeatedTable:
    played: Played
    names: tuple[str, str, str, str]  # the entries at N, E, S, W
    rulings: tuple[Ruling, ...] = ()  # the rulings in force that concern it

    @property
    def record(self) -> BoardRecord:
        return self.played.record

    @property
    def board(self) -> Board:
        return self.played.board

    @property
    def ledger(self) -> TableLedger | None:
        """The losses of the table; None if they are not known."""
        return self.played.ledger


@dataclass(frozen=True, slots=True)
class TeamBoard:
    """One board of a two-room match."""

    board: Board
    open: SeatedTable | None  # the table in the open room; None if it has not played the board
    closed: SeatedTable | None  # the table in the closed room; None if it has not played the board
    swing: Swing | None  # the result for the home team; None until the board counts

    @property
    def split(self) -> Split | None:
        """The split of its IMPs; None if it is not known, or the board was adjusted."""
        if self.swing is None or self.swing.adjusted or not self.open or not self.closed:
            return None
        return split_of(self.open.played, self.closed.played)

    @property
    def imps(self) -> int | None:
        """The home team's IMPs; None until the board counts."""
        return None if self.swing is None else self.swing.imps

    @property
    def adjusted(self) -> bool:
        """Whether a room could not finish the board, or a ruling gave it another score."""
        return self.swing is not None and self.swing.adjusted

    @property
    def tables(self) -> list[SeatedTable]:
        return [table for table in (self.open, self.closed) if table is not None]

    @property
    def is_ruled(self) -> bool:
        """Whether a ruling says what counts of it."""
        return any(table.rulings for table in self.tables)


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """Two entries that met in two rooms, or of which one forfeited before."""

    round: int  # the number of the round, from 1
    number: int
    names: tuple[str, str]  # home and visitors
    boards: tuple[TeamBoard, ...]
    outcome: Outcome  # the outcome that counts in the event

    def result(self, name: str, scoring: Scoring) -> Result | None:
        """Return the result for one of the two entries; None while the match is not over."""
        if not self.outcome.is_over:
            return None
        winner = self.outcome.winner(scoring)
        if winner is not None:
            return Result.WON if self.names[winner] == name else Result.LOST
        return Result.LOST if name in self.forfeited else Result.DRAWN

    @property
    def swings(self) -> list[tuple[Deal, int]]:
        """The home team's IMPs on every board that counts."""
        return [(board.board.deal, board.imps) for board in self.boards if board.imps is not None]

    @property
    def victory_points(self) -> tuple[float, float] | None:
        """The victory points of home and visitors, on the WBF's continuous scale.

        They are None as long as no board counts and nobody has forfeited.
        """
        if not self.outcome.boards and not self.outcome.forfeited:
            return None
        return self.outcome.scores(Scoring.VP)

    @property
    def forfeited(self) -> tuple[str, ...]:
        return tuple(self.names[team] for team in self.outcome.forfeited)


@dataclass(frozen=True, slots=True)
class TablesOfBoard:
    """One board of a pairs or individual event with all tables that played it."""

    board: Board
    tables: tuple[SeatedTable, ...]
    # The score at each table; None if it neither finished the board nor has it adjusted.
    scores: tuple[TableScore | None, ...]


def planned_matches(results: EventResults) -> list[Match]:
    """Return the matches of an event that are known so far."""
    rounds = plan(results.event, results.so_far)
    return [match for of_round in rounds for match in of_round.matches]


def seated_tables(results: EventResults, planned: Iterable[Match]) -> list[SeatedTable]:
    """Return every table of an event by match, board and room.

    Raises ValueError if a table is not as the event has it.
    """
    matches = {(match.round, match.number): match for match in planned}
    # Most tables of a match have the same names.
    names: dict[Hashable, tuple[str, str, str, str]] = {}
    tables: list[SeatedTable] = []
    on_tables = RulingsOn(results.event, results.counted_rulings)
    in_order = sorted(
        results.played,
        key=lambda played: (played.match, _place(played.board), played.result.room is Room.CLOSED),
    )
    for played in in_order:
        result = played.result
        own = (played.match, result.room, result.players, result.home, result.visitors)
        if own not in names:
            names[own] = _names(played, results.event, matches)
        ruled = on_tables.table("{}/{}".format(*played.match), played.board.number, result.room)
        tables.append(SeatedTable(played, names[own], tuple(ruled)))
    return tables


def team_matches(
    results: EventResults, planned: Iterable[Match], tables: Sequence[SeatedTable]
) -> list[TeamMatch]:
    """Return the matches of a two-room event that were begun or forfeited, by round and number.

    Raises ValueError if a board was played twice in one room.
    """
    begun: dict[tuple[int, int], list[SeatedTable]] = {}
    for table in tables:
        begun.setdefault(table.played.match, []).append(table)
    in_order = sorted(planned, key=lambda match: (match.round, match.number))
    met = (
        team_match(results, match, begun.get((match.round, match.number), [])) for match in in_order
    )
    return [match for match in met if match.boards or match.forfeited]


def team_match(results: EventResults, match: Match, tables: Sequence[SeatedTable]) -> TeamMatch:
    """Return one match of a two-room event, with its boards by number, as `team_matches` does."""
    home, visitors = (results.event.entries[entry].name for entry in match.entries)
    where, so_far = f"{results.event.name}: match {match.id}", results.so_far
    boards = _boards(where, tables, so_far.swings(match))
    counted = so_far.outcome(match)
    return TeamMatch(match.round, match.number, (home, visitors), tuple(boards), counted)


def compared_boards(
    results: Results, planned: Sequence[Match], tables: Iterable[SeatedTable]
) -> list[TablesOfBoard]:
    """Return the boards of a pairs or individual event by number."""
    matches = {(match.round, match.number): match for match in planned}
    compared: list[TablesOfBoard] = []
    for board, own in _in_order(by_board(tables)):
        count = tables_of(planned, matches[own[0].played.match])
        scores = results.table_scores([table.played.result for table in own], count)
        compared.append(TablesOfBoard(board, tuple(own), tuple(scores)))
    return compared


def _names(
    played: Played, event: Event, matches: Mapping[tuple[int, int], Match]
) -> tuple[str, str, str, str]:
    """Return the entries at a table. Raises ValueError if its record has other names.

    A player of a team may have another name than the team.
    """
    where = f"{event.name}: match {played.match[0]}/{played.match[1]}"
    if played.match not in matches:
        raise ValueError(f"{where}: the event has no such match")
    result = played.result
    lineup = matches[played.match].lineup(result.room)
    north, east, south, west = (event.entries[entry].name for entry in lineup)
    pairs = list(zip(result.players, (north, east, south, west), strict=True))
    if event.format.is_teams:
        teams = (north, east) if result.room is not Room.CLOSED else (east, north)
        pairs = list(zip((result.home, result.visitors), teams, strict=True))
    for recorded, name in pairs:
        if recorded and recorded != name:
            seat = f"{where}, board {played.board.number}"
            raise ValueError(f"{seat}: {recorded!r} sits where the event has {name!r}")
    return north, east, south, west


def _boards(
    where: str, tables: Iterable[SeatedTable], swings: Mapping[Board, Swing | None]
) -> Iterator[TeamBoard]:
    for board, own in _in_order(by_board(tables)):
        rooms: dict[Room, SeatedTable] = {}
        for table in own:
            room = table.played.result.room
            before = rooms.setdefault(room or Room.OPEN, table)
            if before is table:
                continue
            if not before.played.result.is_done:
                rooms[room or Room.OPEN] = table
            elif table.played.result.is_done and table != before:
                twice = f"the {room.lower()} room" if room else "one match"
                raise ValueError(f"{where}, board {board.number} was played twice in {twice}")
        in_open, in_closed = rooms.get(Room.OPEN), rooms.get(Room.CLOSED)
        yield TeamBoard(board, in_open, in_closed, swings[board])


def _in_order(boards: Mapping[Board, T]) -> list[tuple[Board, T]]:
    """Return boards by number; of those with the same number always the same first."""
    return sorted(boards.items(), key=lambda item: _place(item[0]))


def _place(board: Board) -> tuple[int, ...]:
    north, east, south, _ = board.deal.hands
    return board.number, north.mask, east.mask, south.mask
