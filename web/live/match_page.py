"""The list of the boards of a match, or of a table of a round, that are over."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from bridge_arena.base.wording import plural
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.tournaments import Played, Swing, Unit
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.web.board.document import Link
from bridge_arena.web.live.rooms import key_of, name_of
from bridge_arena.web.replays.listing import Listing, listing_page, row_of
from bridge_arena.web.replays.replay import Replay, ReplayPage, ReplayTable

TablesOfBoard = Sequence[tuple[Unit, BoardRecord]]


def match_page(
    title: str, part: Sequence[TablesOfBoard], start: int, length: int, results: Results
) -> str:
    """Return a part of the list of a match, from its place among all `length` boards.

    A board that these results do not have yet has no IMPs.
    """
    swings = results.swings(part[0][0][0].match)
    worth = (0 if counted is None else counted.imps for counted in swings.values())
    totals: dict[Board, int] = dict(zip(swings, accumulate(worth), strict=True))
    rows = []
    for of_board in part:
        unit, record = of_board[0]
        counted = swings.get(record.board)
        rows.append(
            row_of(
                ReplayPage(_replay(title, of_board, counted), 0),
                f"../boards/{key_of(unit)}.html",
                None if counted is None else totals[record.board],
            )
        )
    lead = f"{plural(length, 'board')} so far"
    listing = Listing(title, lead, rows, ups=[Link(href="../", text="Lobby")])
    return listing_page(listing.between(start, length), "../static/")


def _replay(title: str, of_board: TablesOfBoard, counted: Swing | None) -> Replay:
    tables = [
        ReplayTable(
            Played(record),
            name_of(unit),
            record.players,
            None if counted is None else counted.imps * (1 if unit.room is Room.OPEN else -1),
        )
        for unit, record in of_board
    ]
    unit, record = of_board[0]
    return Replay(key_of(unit), record.board, title, tuple(tables))
