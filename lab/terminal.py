"""The figures of an experiment on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.lab import wording
from bridge_arena.lab.bracket import Bracket
from bridge_arena.lab.comparisons import Comparison
from bridge_arena.lab.figures import LabFigures
from bridge_arena.lab.groupings import Breakdown
from bridge_arena.reports.common.columns import new_table
from bridge_arena.reports.common.wording import share_text

ROWS = 8
"""The most rows of a table; the page has more."""

BOARDS = 5
"""The most boards shown of those that cost most."""

SHOWN = ("calls", "contracts")
"""The tables that are shown; the page has all."""


def print_figures(figures: LabFigures, console: Console) -> None:
    """Print the figures; they fit a terminal of 80 columns.

    Of several arms, the differences between them are broken down, and not what each gained on the
    opponent.
    """
    comparisons = wording.all_comparisons(figures)
    for comparison in comparisons:
        console.print(Text(wording.headline(comparison), style="bold"), soft_wrap=True)
    if figures.sprt is not None:
        console.print(Text(wording.sprt_text(figures)), soft_wrap=True)
    console.print()
    console.print(_summary(comparisons))
    for bracket in figures.bracket:
        console.print(_bracket(bracket))
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


def _summary(comparisons: tuple[Comparison, ...]) -> Table:
    table = new_table("Boards")
    for heading in ("", "Compared with"):
        table.add_column(heading, max_width=16, overflow="fold")
    for heading in ("IMPs/board", "p", "Gained", "Lost", "Other contract"):
        table.add_column(heading, justify="right", no_wrap=True)
    for comparison in comparisons:
        table.add_row(
            Text(comparison.name),
            Text(comparison.against),
            wording.imps_text(comparison.imps_per_board),
            wording.p_value(comparison),
            str(comparison.gained),
            str(comparison.lost),
            share_text(comparison.other_contracts),
        )
    return table


def _bracket(bracket: Bracket) -> Table:
    table = new_table(f"Scoring bracket: {bracket.name} compared with {bracket.against}")
    table.add_column("IMPs/board")
    for heading in wording.BRACKET.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for what, means in wording.bracket_rows(bracket):
        table.add_row(what, *map(wording.imps_text, means))
    return table


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
