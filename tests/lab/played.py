"""Card play of the laboratory with its figures, to be compared with those of a match."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.bridge.seeds import SeatSeeds
from bridge_arena.lab.play import GivenTable, play
from bridge_arena.oracle.solver import play_values
from bridge_arena.reports.common.figures import EntryFigures
from bridge_arena.reports.common.sums import Sums
from bridge_arena.reports.common.tables import SeatedTable, TeamBoard, TeamMatch
from bridge_arena.tournaments import HOME, VISITORS, Match, Played, outcome, swing
from bridge_arena.tournaments.play.in_process import named_pair


def played(
    first: str,
    second: str,
    tables: Sequence[GivenTable],
    source: SeatSeeds,
    *,
    valued: bool = False,
) -> list[Played]:
    """Play some boards, as one task of a worker process.

    Bots that answer on many boards at once are fastest with as many tables as
    `TABLES`, or a multiple.
    `valued` has the solver work out what each card cost, which takes longer than the play of bots
    that do not use it.
    """
    tables_played: list[Played] = []
    for record in play(named_pair(first, second), tables, source):
        contract = record.contract if valued else None
        values = None
        if contract is not None and record.is_finished:
            values = play_values(record.board.deal, contract, record.cards)
        tables_played.append(Played(record, values))
    return tables_played


def figures(tables: Sequence[Played]) -> tuple[EntryFigures, EntryFigures]:
    """Return the figures of both bots, among them the ledger of their play by role.

    The boards stand there in the open, then in the closed room; only those with values are in the
    ledger.
    """
    seated = [SeatedTable(table, table.record.players) for table in tables]
    boards = [
        TeamBoard(
            in_open.board,
            in_open,
            in_closed,
            swing([in_open.record, in_closed.record]),
        )
        for in_open, in_closed in zip(seated[::2], seated[1::2], strict=True)
    ]
    record = tables[0].record
    names = record.home, record.visitors
    pairing = Match(1, 1, (HOME, VISITORS), tuple(range(1, len(boards) + 1)))
    result = outcome(pairing, [board.swing for board in boards], {})
    match = TeamMatch(1, 1, names, tuple(boards), result)
    sums = Sums.of(seated, [match])
    home, visitors = (EntryFigures.of(name, sums) for name in names)
    return home, visitors
