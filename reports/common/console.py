"""The appearance of tables on the terminal."""

from __future__ import annotations

from rich import box
from rich.table import Table


def new_table(title: str) -> Table:
    """Return an empty table with the appearance of all reports."""
    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
