"""Tables that keep names whole on a narrow terminal.

Columns that do not fit beside the names go to a table of their own below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Column, Table

from bridge_arena.reports.common.console import new_table


def fitting(table: Table, console: Console, names: int) -> Iterator[Table]:
    """Yield a table in as few parts as fit the console, each with the columns of names.

    If a column does not fit beside the names, the table is left whole and its names are folded.

    Args:
        table: The table.
        console: The console.
        names: The number of columns of names, which come first.

    Yields:
        Each part.
    """
    own, rest = table.columns[:names], table.columns[names:]
    title = str(table.title)
    if not all(_fits(_part(title, [*own, column]), console) for column in rest):
        yield table
        return
    while rest:
        count = len(rest)
        while count > 1 and not _fits(_part(title, [*own, *rest[:count]]), console):
            count -= 1
        yield _part(title, [*own, *rest[:count]])
        rest = rest[count:]
        title = f"{table.title}, continued"


def _fits(table: Table, console: Console) -> bool:
    endless = console.options.update(max_width=10_000)
    return console.measure(table, options=endless).maximum <= console.width


def _part(title: str, columns: Sequence[Column]) -> Table:
    part = new_table(title)
    for column in columns:
        part.add_column(
            column.header,
            justify=column.justify,
            no_wrap=column.no_wrap,
            overflow=column.overflow,
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        part.add_row(*cells)
    return part
