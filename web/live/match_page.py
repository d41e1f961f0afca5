"""The list of the boards of a match, or of a table of a round, that are over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, groupby

from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.tournaments import Played, Swing, Unit, swing
from bridge_arena.web.board.document import Link
from bridge_arena.web.live.arena import key_of
from bridge_arena.web.live.rooms import name_of
from bridge_arena.web.replays.listing import ROWS, Listing, listing_page, row_of, start_of
from bridge_arena.web.replays.replay import Replay, ReplayPage, ReplayTable


def match_page(
    title: str, known: Sequence[tuple[Unit, BoardRecord]], query: Mapping[str, str]
) -> str:
    """Return a part of the list of what is known of a match, in schedule order."""
    boards = [list(of_board) for _, of_board in groupby(known, lambda played: key_of(played[0]))]
    swings = [swing(record for _, record in of_board) for of_board in boards]
    totals = list(accumulate(0 if counted is None else counted.imps for counted in swings))
    start = start_of(query, len(boards))
    part = slice(start, start + ROWS)
    rows = [
        row_of(
            ReplayPage(_replay(title, of_board, counted), 0),
            f"../boards/{key_of(of_board[0][0])}.html",
            None if counted is None else total,
        )
        for of_board, counted, total in zip(boards[part], swings[part], totals[part], strict=True)
    ]
    lead = f"{plural(len(boards), 'board')} so far"
    listing = Listing(title, lead, rows, up=Link(href="../", text="Lobby"))
    return listing_page(listing.between(start, len(boards)), "../static/")


def _replay(
    title: str, of_board: Sequence[tuple[Unit, BoardRecord]], counted: Swing | None
) -> Replay:
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
