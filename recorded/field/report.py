"""What the terminal and the page of an analysis show of fields."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bridge_arena.recorded.field.findings import BoardFinding, result_text
from bridge_arena.recorded.field.overview import FieldOverview
from bridge_arena.recorded.field.pairs import BOTH, Figure, Ranked
from bridge_arena.recorded.field.tables import Result
from bridge_arena.reports.common.columns import Column, terminal_table
from bridge_arena.reports.common.wording import decimal_text, error, mean_text, signed
from bridge_arena.tournaments.statistics.means import Mean

TEMPLATES = Path(__file__).parent

PAIRS = 15
"""The most pairs shown on the terminal of an event and direction."""

EVENTS = 3
"""The most events, or directions of one, that are shown on the terminal."""

_PAGE_RANKINGS = 20
_PAGE_PAIRS = 100
"""The most rankings, and pairs of each, on the page; `pairs` has all."""


def board_columns(boards: list[BoardFinding]) -> tuple[Column[BoardFinding], ...]:
    """Return the columns of the boards that swung most; several events are named."""
    is_one_event = len({board.field.event for board in boards}) == 1

    def name(board: BoardFinding) -> str:
        number = str(board.field.board.number)
        return number if is_one_event else f"{number} {board.field.event}".rstrip()

    swing = partial(decimal_text, digits=1)
    board = Column[BoardFinding]
    return (
        board("Board", name, is_text=True, width=20),
        board("Tables", lambda board: len(board.field.scores), only="page"),
        board("Par", lambda board: board.par and board.par.score, _points_text, only="page"),
        board("Swing", lambda board: board.swing.total, swing),
        board("Contracts", lambda board: board.swing.contracts, swing),
        board("Play", lambda board: board.swing.play, swing),
        board(
            "Best for North-South",
            lambda board: _end_text(board.highest),
            short="Best for NS",
            is_text=True,
            width=22,
        ),
        board(
            "Best for East-West",
            lambda board: _end_text(board.lowest),
            short="Best for EW",
            is_text=True,
            width=22,
        ),
        board(
            "By the lead: tables × tricks",
            lambda board: board.leads or "–",
            only="page",
            is_text=True,
        ),
    )


def _points_text(points: int | None) -> str:
    return "-" if points is None else signed(points)


def _end_text(result: Result) -> str:
    """Return the best or worst result of a board, with its score."""
    return f"{result_text(result)}: {signed(result.score)}"


def pair_text(pair: Ranked) -> str:
    names = pair.key.names or (pair.own.names if pair.own else "")
    return " ".join(filter(None, (pair.key.section, pair.key.pair, names.replace(";", " - "))))


def percentage_text(mean: Mean) -> str:
    """Return a matchpoint percentage, with its error."""
    return "-" if mean.mean is None else f"{mean.mean:.1f}{error(mean, 1)}"


PAIR_COLUMNS: tuple[Column[Ranked], ...] = (
    Column("Rank", lambda pair: pair.rank, short=" "),
    Column("Pair", pair_text, is_text=True, width=30),
    Column("Boards", lambda pair: pair.means[Figure.PERCENTAGE].n),
    Column("Matchpoints %", lambda pair: pair.means[Figure.PERCENTAGE], percentage_text),
    Column("Cross-IMPs", lambda pair: pair.means[Figure.CROSS_IMPS], mean_text),
    Column("Butler", lambda pair: pair.means[Figure.BUTLER], mean_text, only="page"),
)


def title_of(pairs: list[Ranked]) -> str:
    """Return the event, and the direction if each pair kept its own."""
    directions = {pair.key.direction for pair in pairs}
    direction = directions.pop() if len(directions) == 1 else BOTH
    event = pairs[0].key.event or "of the field"
    return event if direction == BOTH else f"{event} {direction}"


def page_rankings(overview: FieldOverview) -> list[tuple[str, list[Ranked]]]:
    return [
        (title_of(pairs), pairs[:_PAGE_PAIRS])
        for pairs in islice(overview.pairs.rankings(), _PAGE_RANKINGS)
    ]


def print_fields(overview: FieldOverview, console: Console) -> None:
    """Print what there is; it fits a terminal of 80 columns."""
    if overview.boards:
        for text in overview.agreement_texts():
            console.print(Text(f"The file's own figures: {text}"), soft_wrap=True)
        boards = overview.swings
        title = "The boards that swung most, IMPs a table"
        console.print(terminal_table(title, board_columns(boards), boards))
        rankings = list(overview.pairs.rankings())
        for pairs in rankings[:EVENTS]:
            caption = None
            if len(pairs) > PAIRS:
                caption = f"the best {PAIRS} of {len(pairs)} pairs; the tables of pairs have all"
            title = f"Pairs: {title_of(pairs)}"
            console.print(terminal_table(title, PAIR_COLUMNS, pairs[:PAIRS], caption))
        if len(rankings) > EVENTS:
            console.print(f"{len(rankings) - EVENTS} more rankings of pairs are in the results.")
    unused = overview.unused_text()
    if unused:
        console.print(Text(f"Not used: {unused}"), soft_wrap=True)
