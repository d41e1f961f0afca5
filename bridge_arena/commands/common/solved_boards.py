"""The double-dummy tables and pars of boards whose pages are written, known ones and a few more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bridge_arena.base.bounded_work import AHEAD, as_completed
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.par import par
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.table_store import shared_store
from bridge_arena.web.board.document import DoubleDummyFigures
from bridge_arena.web.board.of_records import figures_of
from bridge_arena.web.replays.folder import FiguresOf

MOST = 8
"""The most deals that are solved for a report: each takes a sixth of a second of one processor."""


def solved_boards(work: LongWork) -> FiguresOf:
    """Return what finds the figures of boards, and solves the first that are not known.

    It solves nothing if the answers cannot be kept, as every report would begin anew.
    """

    def figures(boards: Iterable[Board]) -> Mapping[Board, DoubleDummyFigures]:
        boards = list(boards)
        try:
            tables = _tables(work, list(dict.fromkeys(board.deal for board in boards)))
            return {
                board: figures_of(table, par(table, board.dealer, board.vulnerability))
                for board in boards
                if (table := tables.get(board.deal)) is not None
            }
        except OracleError:  # no solver is installed
            return {}

    return figures


def _tables(work: LongWork, deals: list[Deal]) -> dict[Deal, DoubleDummyTable]:
    store = shared_store()
    known = zip(deals, store.find(deals), strict=True)
    tables = {deal: table for deal, partial in known if (table := partial.whole()) is not None}
    unknown = [deal for deal in deals if deal not in tables][: MOST if store.path else 0]
    if unknown:
        solving = work.begin("double-dummy tables", len(unknown), "boards")
        with Oracle() as oracle:
            units = ((deal, deal) for deal in unknown)
            for answers in as_completed(units, oracle.table, lambda: AHEAD * oracle.workers):
                for deal, answer in answers:
                    solving.advance()
                    if answer.exception() is None:
                        tables[deal] = answer.result()
        solving.end()
    return tables
