"""The figures of an experiment on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.lab import wording
from bridge_arena.lab.comparisons import Comparison
from bridge_arena.lab.figures import LabFigures
from bridge_arena.lab.groupings import Breakdown
from bridge_arena.reports.common.columns import new_table, terminal_table

ROWS = 8
"""The most rows of a table; the page has more."""

BOARDS = 5
"""The most boards shown of those that cost most."""

SHOWN = ("calls", "contracts")
"""The tables that are shown; the page has all."""


def print_figures(figures: LabFigures, console: Console) -> None:
    """Print the figures in 80 columns; of several arms, break down the differences between them."""
    comparisons = wording.all_comparisons(figures)
    for comparison in comparisons:
        console.print(Text(wording.headline(comparison), style="bold"), soft_wrap=True)
    if figures.sprt is not None:
        console.print(Text(wording.sprt_text(figures)), soft_wrap=True)
    console.print()
    console.print(terminal_table("Boards", wording.result_columns(comparisons), comparisons))
    for bracket in figures.bracket:
        title = f"Scoring bracket: {bracket.name} compared with {bracket.against}"
        rows = wording.bracket_rows(bracket)
        console.print(terminal_table(title, wording.BRACKET_COLUMNS, rows))
    if figures.bracket:
        console.print(Text(f"The lead is that of {figures.leader}."), soft_wrap=True)
        console.print()
    for comparison in figures.differences or figures.arms:
        if comparison.partings:
            console.print(Text(wording.parted(comparison)))
            for name in SHOWN:
                heading = wording.HEADINGS[name]
                console.print(_breakdown(heading.title, comparison.where[name], comparison))
        if comparison.cost_most:
            console.print(_boards(comparison))


def _breakdown(title: str, breakdown: Breakdown, comparison: Comparison) -> Table:
    table = new_table(title)
    for heading in breakdown.facets:
        table.add_column(Text(heading), max_width=24, overflow="fold")
    for heading in ("Times", "IMPs", "IMPs/board"):
        table.add_column(heading, justify="right", no_wrap=True)
    empty = [""] * (len(breakdown.facets) - 1)
    for row in breakdown.rows[:ROWS]:
        table.add_row(
            *map(Text, row.what),
            str(row.times),
            wording.gained_text(row.imps),
            wording.imps_text(row.per_board),
        )
    if left := breakdown.every[ROWS:]:
        times, imps = sum(row.times for row in left), sum(row.imps for row in left)
        table.add_row("all others", *empty, str(times), wording.gained_text(imps), "")
    table.add_section()
    total = wording.gained_text(comparison.imps), wording.imps_text(comparison.imps_per_board)
    table.add_row("all", *empty, str(comparison.partings), *total)
    return table


def _boards(comparison: Comparison) -> Table:
    table = new_table("Boards that cost most")
    table.add_column("Board", justify="right")
    table.add_column("IMPs", justify="right")
    table.add_column("After what", max_width=24, overflow="fold")
    for name in (comparison.name, comparison.against):
        table.add_column(Text(name), max_width=20, overflow="fold")
    for swing in comparison.cost_most[:BOARDS]:
        table.add_row(
            str(swing.board),
            wording.gained_text(swing.imps),
            Text(swing.situation),
            *(
                Text(f"{result.calls[swing.place - 1]}; {wording.result_text(result)}")
                for result in (swing.own, swing.other)
            ),
        )
    return table
