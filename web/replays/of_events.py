"""The replays of an event.

Those of a match are by board with both rooms, those of pairs and individuals by board with all
tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bridge_arena.base.wording import plural
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.seats import SEATS, SIDES, Seat, Side
from bridge_arena.reports.common.costs import CostsOf, without_costs
from bridge_arena.reports.common.replay_pages import page_names
from bridge_arena.reports.common.rulings import ruling_text
from bridge_arena.reports.common.tables import (
    SeatedTable,
    TablesOfBoard,
    TeamBoard,
    TeamMatch,
    compared_boards,
    planned_matches,
    seated_tables,
    team_matches,
)
from bridge_arena.reports.common.wording import signed
from bridge_arena.tournaments import HOME, VISITORS, Event, EventResults, Format, Scoring
from bridge_arena.tournaments.schedule.scores import AVERAGE_PLUS_IMPS, BOARD_UNITS, TableScore
from bridge_arena.web.replays.replay import Replay, ReplayTable


def replays_of_events(events: Sequence[EventResults]) -> Iterator[Replay]:
    """Yield all replays of events. Raises ValueError: a record is not of its event."""
    for number, results in enumerate(events, start=1):
        event = results.event
        prefix = f"{number}-" if len(events) > 1 else ""
        planned = planned_matches(results)
        tables = seated_tables(results, planned)
        if event.format.is_teams:
            for match in team_matches(results, planned, tables):
                boards = [board.board for board in match.boards]
                is_only = event.format is Format.MATCH
                own = prefix if is_only else f"{prefix}{match.round}-{match.number}-"
                yield from replays_of_match(event, match, page_names(boards, own))
        else:
            compared = compared_boards(results.so_far, planned, tables)
            names = page_names((compared_board.board for compared_board in compared), prefix)
            for compared_board in compared:
                yield replay_of_board(event, compared_board, names[compared_board.board])


def replays_of_match(
    event: Event, match: TeamMatch, names: Mapping[Board, str], costs_of: CostsOf = without_costs
) -> Iterator[Replay]:
    """Yield a replay for tables board of a match."""
    title = f"{event.name}: {match.names[HOME]} – {match.names[VISITORS]}"
    for board in match.boards:
        tables = [
            replace(
                _table(table, f"{room} room", _imps(board, room)),
                costs=tuple(costs_of(table.record)),
            )
            for room, table in ((Room.OPEN, board.open), (Room.CLOSED, board.closed))
            if table is not None
        ]
        parts = tuple(_parts(board, match))
        yield Replay(
            names[board.board],
            board.board,
            title,
            tuple(tables),
            _outcome(board, match, has_parts=bool(parts)),
            parts,
            board.imps,
        )


def replay_of_board(event: Event, tables: TablesOfBoard, name: str) -> Replay:
    """Return the replay of a board that pairs or individuals played."""
    shown = []
    for table, score in zip(tables.tables, tables.scores, strict=True):
        round_, number = table.played.match
        table_shown = _table(table, f"Round {round_}, table {number}")
        if score is not None:
            table_shown = replace(
                table_shown,
                worth=_worth(score, BOARD_UNITS[event.scoring]),
                share=f"{score.north_south:.0f} %"
                if event.scoring is Scoring.MATCHPOINTS
                else f"{signed(score.north_south, 1)} IMPs",
            )
        shown.append(table_shown)
    return Replay(name, tables.board, event.name, tuple(shown))


def _table(table: SeatedTable, name: str, imps: int | None = None) -> ReplayTable:
    record = table.record
    north, east, south, west = (_player(table, seat) for seat in SEATS)
    remarks: tuple[str, ...] = ()
    if record.adjusted is not None:
        guilty, other = (_side(table, side) for side in (record.adjusted, record.adjusted.other))
        remarks = (
            f"Adjusted: average minus ({signed(-AVERAGE_PLUS_IMPS)} IMPs) for {guilty}, "
            f"average plus (+{AVERAGE_PLUS_IMPS}) for {other}.",
        )
    remarks += tuple(ruling_text(ruling, record.room) for ruling in table.rulings)
    return ReplayTable(table.played, name, (north, east, south, west), imps, remarks=remarks)


def _player(table: SeatedTable, seat: Seat) -> str:
    """Return the entry at a seat, with the name of its player if that is known."""
    entry, player = table.names[seat], table.record.players[seat]
    return entry if player in ("", entry) else f"{player} ({entry})"


def _side(table: SeatedTable, side: Side) -> str:
    return " and ".join(dict.fromkeys(table.names[seat] for seat in SEATS if seat.side == side))


def _imps(board: TeamBoard, room: Room) -> int | None:
    """Return North-South's IMPs in a room, if both rooms finished the board."""
    if board.imps is None or board.adjusted:
        return None
    return board.imps if room is Room.OPEN else -board.imps


def _outcome(board: TeamBoard, match: TeamMatch, *, has_parts: bool) -> str:
    if board.imps is None and board.is_ruled:
        return "By a ruling of the director it does not count."
    if board.imps is None:
        return "Not finished in both rooms: it does not count."
    if board.imps == 0:
        outcome = "No swing"
    else:
        winner = match.names[HOME if board.imps > 0 else VISITORS]
        outcome = f"{plural(abs(board.imps), 'IMP')} to {winner}"
    if board.adjusted:
        return f"{outcome}, as adjusted."
    return f"{outcome}. For {match.names[HOME]}:" if has_parts else f"{outcome}."


def _parts(board: TeamBoard, match: TeamMatch) -> Iterator[tuple[str, float]]:
    """Yield the sources of the IMPs except those of 0; they add up."""
    split = board.split
    if split is None:
        return
    if split.auction:
        yield "the auction", split.auction
    for name, parts in zip(match.names, (split.first, split.second), strict=True):
        for role, value in parts.items():
            if value:
                yield f"{role} of {name}", value


def _worth(score: TableScore, unit: str) -> str:
    sides = zip(SIDES, (score.north_south, score.east_west), strict=True)
    worth = ", ".join(f"{side} {value:.2f} {unit}" for side, value in sides)
    if score.imps is None:
        return worth
    return f"{worth}; {signed(score.imps, 2)} cross-IMPs to NS"
