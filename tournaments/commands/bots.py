"""`arena bots`: the bots that ship."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table

from bots.registry import SHIPPED


def bots() -> None:
    """List the bots that ship."""
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("bot", "what it does", "strength", "cost"):
        table.add_column(column, overflow="fold")
    for bot in SHIPPED.values():
        name = f"{bot.name} (cheat)" if bot.cheat else bot.name
        table.add_row(name, bot.does, bot.strength, bot.cost)
    Console().print(table)
