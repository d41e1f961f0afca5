"""The matches of an event in the order they were played: who met whom on which boards.

The names are the event's, of those whom its plan seats at a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.tournaments.events.event import Event, Scoring
from bridge_arena.tournaments.schedule.match_outcomes import Outcome, outcome, swing
from bridge_arena.tournaments.schedule.plan import plan, withdrawn
from bridge_arena.tournaments.schedule.table_scores import TableScore, table_scores
from bridge_arena.tournaments.schedule.units import Match, tables_of
from bridge_arena.tournaments.store.played import EventResults, Played


class Result(Enum):
    """What a match that is over was for an entry."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class TeamBoard:
    """One board of a two-room match. `open`, `closed`: what each room played of it, None
    where nothing yet. `imps`: the home team's, `None` until it counts. `adjusted`: they are
    average plus or minus, as a room could not finish it."""

    board: Board
    open: Played | None
    closed: Played | None
    imps: int | None
    adjusted: bool


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """Two entries that met in two rooms, or of which one forfeited before. `names`: home
    and visitors. `outcome`: as it counts in the event."""

    round: int
    number: int
    names: tuple[str, str]
    boards: tuple[TeamBoard, ...]
    outcome: Outcome

    def result(self, name: str, scoring: Scoring) -> Result | None:
        """What the match was for one of the two; None while it is not over."""
        if not self.outcome.is_over:
            return None
        winner = self.outcome.winner(scoring)
        if winner is not None:
            return Result.WON if self.names[winner] == name else Result.LOST
        return Result.LOST if name in self.forfeited else Result.DRAWN

    @property
    def victory_points(self) -> tuple[float, float] | None:
        """Home's and visitors', on the WBF's continuous scale; None as long as no board
        counts and nobody has forfeited."""
        if not self.outcome.boards and not self.outcome.forfeited:
            return None
        return self.outcome.scores(Scoring.VP)

    @property
    def forfeited(self) -> tuple[str, ...]:
        """Who forfeited it."""
        return tuple(self.names[team] for team in self.outcome.forfeited)


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A board at one table with the entries at N, E, S, W."""

    played: Played
    names: tuple[str, str, str, str]

    @property
    def record(self) -> BoardRecord:
        return self.played.record


@dataclass(frozen=True, slots=True)
class TablesOfBoard:
    """One board of a pairs or individual event with all tables that played it, and what it was
    worth at each; None where it neither was finished nor adjusted."""

    board: Board
    tables: tuple[SeatedTable, ...]
    scores: tuple[TableScore | None, ...]


def planned_matches(results: EventResults) -> list[Match]:
    """The matches of an event that are known so far."""
    records = [played.record for played in results.played]
    return [match for of_round in plan(results.event, records) for match in of_round.matches]


def seated_tables(results: EventResults, planned: Iterable[Match]) -> list[SeatedTable]:
    """Every table of an event by match, board and room.

    Raises ValueError for tables that are not as the event has them.
    """
    event = results.event
    matches = {(match.round, match.number): match for match in planned}
    in_order = sorted(
        results.played,
        key=lambda each: (each.match, _place(each.record.board), each.record.room is Room.CLOSED),
    )
    tables: list[SeatedTable] = []
    for played in in_order:
        where = f"{event.name}: match {played.match[0]}/{played.match[1]}"
        if played.match not in matches:
            raise ValueError(f"{where}: the event has no such match")
        lineup = matches[played.match].lineup(played.record.room)
        north, east, south, west = (event.entries[entry].name for entry in lineup)
        table = SeatedTable(played, (north, east, south, west))
        _check_names(table, f"{where}, board {played.record.board.number}", event)
        tables.append(table)
    return tables


def team_matches(
    event: Event, planned: Iterable[Match], tables: Sequence[SeatedTable]
) -> list[TeamMatch]:
    """The matches of a two-room event that were begun or forfeited, by round and number,
    their boards by number.

    Raises ValueError for a board that was played twice in one room.
    """
    begun: dict[tuple[int, int], list[SeatedTable]] = {}
    for table in tables:
        begun.setdefault(table.played.match, []).append(table)
    gone = withdrawn(event, [table.record for table in tables])
    matches: list[TeamMatch] = []
    for match in sorted(planned, key=lambda match: (match.round, match.number)):
        own = begun.get((match.round, match.number), [])
        found = outcome(match, [table.record for table in own], gone)
        if own or found.forfeited:
            home, visitors = (event.entries[entry].name for entry in match.entries)
            boards = _boards(f"{event.name}: match {match.id}", own)
            matches.append(TeamMatch(match.round, match.number, (home, visitors), boards, found))
    return matches


def compared_boards(
    event: Event, planned: Sequence[Match], tables: Iterable[SeatedTable]
) -> list[TablesOfBoard]:
    """The boards of a pairs or individual event by number, their tables by round and table."""
    matches = {(match.round, match.number): match for match in planned}
    boards: dict[Board, list[SeatedTable]] = {}
    for table in tables:
        boards.setdefault(table.record.board, []).append(table)
    compared: list[TablesOfBoard] = []
    for board in sorted(boards, key=_place):
        own = boards[board]
        count = tables_of(planned, matches[own[0].played.match])
        scores = table_scores(event, [table.record for table in own], count)
        compared.append(TablesOfBoard(board, tuple(own), tuple(scores)))
    return compared


def _check_names(table: SeatedTable, where: str, event: Event) -> None:
    """Raises ValueError where the record tells other names than the event. Who plays for a
    team may have a name of his own."""
    record, names = table.record, table.names
    pairs = list(zip(record.players, names, strict=True))
    if event.format.is_teams:
        teams = names[:2] if record.room is not Room.CLOSED else (names[1], names[0])
        pairs = list(zip((record.home, record.visitors), teams, strict=True))
    for told, name in pairs:
        if told and told != name:
            raise ValueError(f"{where}: {told!r} sits where the event has {name!r}")


def _boards(where: str, tables: Iterable[SeatedTable]) -> tuple[TeamBoard, ...]:
    rooms: dict[Board, dict[Room, Played]] = {}
    for played in (table.played for table in tables):
        board, room = played.record.board, played.record.room or Room.OPEN
        if rooms.setdefault(board, {}).setdefault(room, played) != played:
            raise ValueError(
                f"{where}, board {board.number} was played twice in the {room.lower()} room"
            )
    return tuple(
        _team_board(board, rooms[board].get(Room.OPEN), rooms[board].get(Room.CLOSED))
        for board in sorted(rooms, key=_place)
    )


def _place(board: Board) -> tuple[int, str]:
    return board.number, str(board.deal)


def _team_board(board: Board, in_open: Played | None, in_closed: Played | None) -> TeamBoard:
    worth = swing(each.record for each in (in_open, in_closed) if each is not None)
    if worth is None:
        return TeamBoard(board, in_open, in_closed, None, adjusted=False)
    return TeamBoard(board, in_open, in_closed, worth.imps, worth.adjusted)
