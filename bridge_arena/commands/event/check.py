"""`arena event check`: what an event file would have played."""

from __future__ import annotations

from typing import Annotated

import typer

from bridge_arena.commands.common.options import Concurrency, EventPath, Port
from bridge_arena.commands.tournament import tournament


def check(
    file: EventPath,
    start: Annotated[  # noqa: FBT002
        bool,
        typer.Option("--start", help="also start each program once, and say which cannot be"),
    ] = False,
    concurrency: Concurrency = None,
    port: Port = 0,
) -> None:
    """Check an event file: every mistake, or else what is played and about how long it takes.

    It is the same as `arena tournament FILE --check`.

    Examples:
        arena event check cup.toml
        arena event check cup.toml --start
    """
    tournament(file, check=True, start=start, concurrency=concurrency, port=port)
