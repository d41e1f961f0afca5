"""`arena event`: the file of an event, and how the event stands."""

from __future__ import annotations

import typer

from bridge_arena.commands.event.check import check
from bridge_arena.commands.event.new import new
from bridge_arena.commands.event.show import show

event = typer.Typer(
    help="Write the file of an event, check it, or show how it stands.",
    rich_markup_mode=None,
)
for command in (new, check, show):
    event.command(command.__name__)(command)
