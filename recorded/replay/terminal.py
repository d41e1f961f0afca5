"""The summary of a replay on the terminal."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.base.plural import plural
from bridge_arena.recorded.replay.figures import Figures, Measure, Role
from bridge_arena.recorded.replay.runner import Setup
from bridge_arena.reports.common.wording import mean_text

LINES = {
    Measure.VS_DD: "Tricks vs DD",
    Measure.VS_RECORDED: "Tricks vs recorded",
    Measure.VS_ORACLE: "Tricks vs oracle",
    Measure.IMPS_VS_RECORDED: "IMPs vs recorded",
}


def print_figures(setup: Setup, figures: Figures, console: Console) -> None:
    """Print the summary, which fits a terminal of 80 columns."""
    taken = figures.means[Measure.VS_DD][Role.ALL]
    side = f"{setup.bot.name}'s side"
    if taken.mean is None:
        headline = f"{side}: no board to compare"
    else:
        headline = (
            f"{side} took {mean_text(taken)} tricks against double dummy "
            f"on {plural(taken.n, 'board')}"
        )
    console.print(Text(headline, style="bold"))
    left_out = [f"{count} {reason}" for reason, count in figures.left_out.items()]
    out = f"; left out: {', '.join(left_out)}" if left_out else ""
    console.print(Text(f"{plural(figures.games, 'game')}, {figures.counted} counted{out}"))
    if figures.unsolved:
        console.print(Text(f"{figures.unsolved} not solved in time", style="yellow"))
    if figures.faults:
        faults = ", ".join(f"{count} {kind}" for kind, count in figures.faults.items())
        console.print(Text(f"{setup.bot.name}'s faults: {faults}", style="yellow"))
    console.print()
    console.print(_means(figures))
    note = "Positive is good for the bot. Tables of one deal are one cluster of the ± errors."
    console.print(Text(note, style="dim"))


def _means(figures: Figures) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("per board")
    for role in Role:
        table.add_column("n", justify="right")
        table.add_column(role.value, justify="right", no_wrap=True)
    for measure, label in LINES.items():
        means = figures.means[measure]
        cells = [text for role in Role for text in (str(means[role].n), mean_text(means[role]))]
        table.add_row(label, *cells)
    return table
