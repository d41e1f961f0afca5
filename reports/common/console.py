"""What tables on the terminal have in common."""

from __future__ import annotations

from rich import box
from rich.table import Table


def new_table(title: str) -> Table:
    """An empty table in the look of all reports."""
    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
