"""The fields on the terminal, and the texts that the page shares."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from bridge_arena.recorded.field.findings import BoardFinding, result_text
from bridge_arena.recorded.field.overview import FieldOverview
from bridge_arena.recorded.field.pairs import BOTH, Figure, Ranked
from bridge_arena.reports.common.columns import new_table
from bridge_arena.reports.common.wording import error, mean_text, signed

PAIRS = 15
"""The most pairs shown of an event and direction."""

EVENTS = 3
"""The most events, or directions of one, that are shown."""


def print_fields(overview: FieldOverview, console: Console) -> None:
    """Print what there is; it fits a terminal of 80 columns."""
    if overview.boards:
        for text in overview.agreement_texts():
            console.print(Text(f"The file's own figures: {text}"), soft_wrap=True)
        console.print(_swings(overview))
        rankings = list(overview.pairs.rankings())
        for pairs in rankings[:EVENTS]:
            console.print(_pairs(pairs))
        if len(rankings) > EVENTS:
            console.print(f"{len(rankings) - EVENTS} more rankings of pairs are in the results.")
    unused = overview.unused_text()
    if unused:
        console.print(Text(f"Not used: {unused}"), soft_wrap=True)


def pair_text(pair: Ranked) -> str:
    """Return section, number and names of a pair."""
    names = pair.key.names or (pair.own.names if pair.own else "")
    return " ".join(filter(None, (pair.key.section, pair.key.pair, names.replace(";", " - "))))


def title_of(pairs: list[Ranked]) -> str:
    """Return the event, and the direction if each pair kept its own."""
    directions = {pair.key.direction for pair in pairs}
    direction = directions.pop() if len(directions) == 1 else BOTH
    event = pairs[0].key.event or "of the field"
    return event if direction == BOTH else f"{event} {direction}"


def percentage_text(pair: Ranked) -> str:
    """Return the matchpoint percentage of a pair, with its error."""
    mean = pair.means[Figure.PERCENTAGE]
    return "-" if mean.mean is None else f"{mean.mean:.1f}{error(mean, 1)}"


def imps_text(pair: Ranked, figure: str) -> str:
    """Return the mean of a figure in IMPs, with its error."""
    return mean_text(pair.means[Figure(figure)])


def board_texts(boards: list[BoardFinding]) -> list[str]:
    """Return the numbers of the boards, with their events if there are several."""
    one = len({board.field.event for board in boards}) == 1
    numbers = (str(board.field.board.number) for board in boards)
    if one:
        return list(numbers)
    pairs = zip(numbers, boards, strict=True)
    return [f"{number} {board.field.event}".rstrip() for number, board in pairs]


def swing_text(value: float | None) -> str:
    """Return a swing, or a dash if it is not known."""
    return "-" if value is None else f"{value:.1f}"


def end_text(board: BoardFinding, *, highest: bool) -> str:
    """Return the best or worst result, with its score."""
    result = board.highest if highest else board.lowest
    return f"{result_text(result)}: {signed(result.score)}"


def _swings(overview: FieldOverview) -> Table:
    table = new_table("The boards that swung most, IMPs a table")
    table.add_column("Board", max_width=20, overflow="fold")
    for heading in ("Swing", "Contracts", "Play"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("Best for NS", "Best for EW"):
        table.add_column(heading, max_width=22, overflow="fold")
    boards = overview.swings
    for name, board in zip(board_texts(boards), boards, strict=True):
        swing = board.swing
        table.add_row(
            Text(name),
            *map(swing_text, (swing.total, swing.contracts, swing.play)),
            end_text(board, highest=True),
            end_text(board, highest=False),
        )
    return table


def _pairs(pairs: list[Ranked]) -> Table:
    table = new_table(escape(f"Pairs: {title_of(pairs)}"))
    table.add_column("", justify="right")
    table.add_column("Pair", max_width=30, overflow="fold")
    for heading in ("Boards", "Matchpoints %", "Cross-IMPs"):
        table.add_column(heading, justify="right", no_wrap=True)
    for pair in pairs[:PAIRS]:
        table.add_row(
            str(pair.rank),
            Text(pair_text(pair)),
            str(pair.means[Figure.PERCENTAGE].n),
            percentage_text(pair),
            imps_text(pair, Figure.CROSS_IMPS),
        )
    if len(pairs) > PAIRS:
        table.caption = f"the best {PAIRS} of {len(pairs)} pairs; the tables of pairs have all"
    return table


TEMPLATES = Path(__file__).parent

_RANKINGS = 20
_PAIRS = 100
"""The most rankings, and pairs of each, that are shown; `pairs` has all."""


TEXTS = {
    "boards": board_texts,
    "swing": swing_text,
    "end": end_text,
    "title": title_of,
    "pair": pair_text,
    "percentage": percentage_text,
    "imps": imps_text,
}
"""The functions that make texts, by the names that the template uses."""


def rankings_of(overview: FieldOverview) -> list[list[Ranked]]:
    """Return the rankings of pairs that are shown."""
    return [pairs[:_PAIRS] for pairs in islice(overview.pairs.rankings(), _RANKINGS)]
