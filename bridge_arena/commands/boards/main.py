"""`arena boards`, and `arena pbn`, its old name from when it read only PBN."""

from __future__ import annotations

import typer

from bridge_arena.commands.boards.check import check
from bridge_arena.commands.boards.convert import convert, format_files
from bridge_arena.commands.boards.dataset import dataset
from bridge_arena.commands.boards.info import info

boards = typer.Typer(
    help="Check, convert and summarise files of boards, or make datasets.", rich_markup_mode=None
)
for command in (check, convert, info, dataset):
    boards.command(command.__name__)(command)

pbn = typer.Typer(
    help="The old name of `arena boards`, kept for one more version.", rich_markup_mode=None
)
pbn.command("check")(check)
pbn.command("format")(format_files)
pbn.command("info")(info)
