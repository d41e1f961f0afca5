"""Columns: the one description of a table, which a terminal, a page and a CSV file show.

A table is some columns and some rows, of any class that the columns know. Each column has a figure
for each row, and says how it is headed and shown, and what CSV files call it, so that a new column
is written down once. Pages have the macro `table` of macros.html; JSON files are made from the
figures themselves (`reports.common.values`).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from rich import box
from rich.console import Console
from rich.table import Column as TerminalColumn
from rich.table import Table
from rich.text import Text

from bridge_arena.base.wording import as_text
from bridge_arena.reports.common.values import rounded
from bridge_arena.tournaments.statistics.means import Mean

Row = TypeVar("Row")

Value = str | int | float | None
"""A cell of a CSV file; None if it is unknown or does not apply."""


def plain_text(figure: Value) -> str:
    """Return a count or a text as it is; "-" for None."""
    return "-" if figure is None else str(figure)


def values_of(figure: Any) -> Sequence[Value]:
    """Return the values of a figure in CSV files: a mean and its standard error, or one value."""
    if isinstance(figure, Mean):
        return figure.mean, figure.standard_error
    if hasattr(figure, "standard_error"):  # an `Estimate`, whose module loads numpy
        return figure.value, figure.standard_error
    return (figure,)


@dataclass(frozen=True)  # Python 3.11 cannot call Column[Row] of a frozen class with slots
class Column(Generic[Row]):
    heading: str
    figure: Callable[[Row], Any]  # returns what it has of a row; None if that is unknown
    # Returns the text of a figure, with sign, decimals, unit and standard error.
    show: Callable[[Any], str] = plain_text
    short: str = ""  # the heading on the terminal; "" if it is the same
    # Returns the text on the terminal; None if it is the same.
    brief: Callable[[Any], str] | None = None
    # The one place that has the column; "" if all have it.
    only: Literal["", "terminal", "page", "csv"] = ""
    # The names of its values in CSV files, with spaces between; "" if it is not there.
    csv: str = ""
    # Returns these values of a figure that is not None. Pages sort rows by the first.
    values: Callable[[Any], Sequence[Value]] = values_of
    # Whether it stands on the left and may be folded; figures stand on the right.
    is_text: bool = False
    is_whole: bool = False  # whether a text is too short to be folded
    # The most characters on the terminal, beyond which it is folded; None for no limit.
    width: int | None = None
    is_coloured: bool = False  # whether the sign of the figure gives the colour
    # Returns the address to which the cell leads on a page; "" for none.
    link: Callable[[Row], str] | None = None
    # Returns what stands in small letters below the figure on a page; "" for nothing.
    note: Callable[[Row], str] | None = None
    # Returns what stands behind a text, on the terminal in brackets; "" for nothing.
    remark: Callable[[Row], str] | None = None
    css: str = ""  # the class of its cells on a page

    def on_terminal(self, row: Row) -> Text:
        figure = self.figure(row)
        text = Text((self.brief or self.show)(figure))
        if self.remark and (remark := self.remark(row)):
            text.append(f" ({remark})")
        if self.is_coloured:
            text.stylize(_by_sign(self.values(figure)[0], "green", "red", "dim"))
        return text

    def on_page(self, row: Row) -> PageCell:
        figure = self.figure(row)
        text = self.show(figure)
        value = None if figure is None else self.values(figure)[0]
        sort_by = "" if value is None else None if text == str(value) else rounded(value, 4)
        colour = _by_sign(value, "for-first", "for-second", "nothing") if self.is_coloured else ""
        classes = ["left" if self.is_text else "", self.css, colour]
        return PageCell(
            text if self.is_text else with_minus(text),
            css=" ".join(filter(None, classes)),
            sort_by=None if self.is_text else sort_by,
            link=self.link(row) if self.link else "",
            note=self.note(row) if self.note else "",
            remark=self.remark(row) if self.remark else "",
        )


class PageCell(NamedTuple):
    text: str
    css: str
    # The number by which its row is sorted; "" if it is unknown, None if it is the text.
    sort_by: Value = None
    link: str = ""
    note: str = ""
    remark: str = ""


def with_minus(text: str) -> str:
    """Return a text with typographic minus signs, and a dash for a lone hyphen."""
    return "–" if text == "-" else text.replace("-", "−")


def csv_text(columns: Iterable[Column[Row]], rows: Iterable[Row]) -> str:
    """Return the CSV file of some rows: numbers rounded, and no text that might be a formula."""
    named = [column for column in columns if column.csv]
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(csv_names(named))
    for row in rows:
        cells: list[Value] = []
        for column in named:
            figure = column.figure(row)
            unknown: Sequence[Value] = [None] * len(column.csv.split())
            cells += unknown if figure is None else column.values(figure)
        writer.writerow([as_text(rounded(cell)) for cell in cells])
    return file.getvalue()


def csv_names(columns: Iterable[Column[Row]]) -> list[str]:
    """Return the names of all values in CSV files."""
    return [name for column in columns for name in column.csv.split()]


def page_columns(columns: Iterable[Column[Row]]) -> list[Column[Row]]:
    return [column for column in columns if column.only in ("", "page")]


def new_table(title: str, caption: str | None = None) -> Table:
    """Return an empty table with the appearance of all reports on the terminal."""
    return Table(
        title=Text(title, style="bold"),
        title_justify="left",
        caption=caption,
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )


def terminal_table(
    title: str, columns: Iterable[Column[Row]], rows: Iterable[Row], caption: str | None = None
) -> Table:
    """Return a table for the terminal; sections and rows of other kinds may be added to it."""
    shown = [column for column in columns if column.only in ("", "terminal")]
    table = new_table(title, caption)
    for column in shown:
        is_folded = column.width is not None or (column.is_text and not column.is_whole)
        table.add_column(
            Text(column.short or column.heading),
            justify="left" if column.is_text else "right",
            overflow="fold" if is_folded else "ellipsis",
            no_wrap=not is_folded,
            max_width=column.width,
        )
    for row in rows:
        table.add_row(*(column.on_terminal(row) for column in shown))
    return table


def fitting(table: Table, console: Console, names: int) -> Iterator[Table]:
    """Yield a table in as few parts as fit the terminal, each with the first columns, of names.

    If a column does not fit beside the names, the table is left whole and its names are folded.
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


def _part(title: str, columns: Sequence[TerminalColumn]) -> Table:
    part = new_table(title)
    for column in columns:
        part.add_column(
            column.header, justify=column.justify, no_wrap=column.no_wrap, overflow=column.overflow
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        part.add_row(*cells)
    return part


def _by_sign(value: Any, gain: str, loss: str, flat: str) -> str:
    return gain if value > 0 else loss if value < 0 else flat
