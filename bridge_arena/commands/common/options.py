"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from bridge_arena.base.processors import processors

Seed = Annotated[
    int | None,
    typer.Option(
        help="the same boards everywhere, for experiments: reproducible, not sealed, as whoever "
        "guesses the seed can work out the boards; sealed if none"
    ),
]

BOARD_FILES = "PBN or LIN, also as .gz or .zip; - for standard input"
"""The help of an argument or option that names files of boards."""

Concurrency = Annotated[
    int | None, typer.Option(min=1, help="tables at once; as many as there are processors")
]

Json = Annotated[
    bool, typer.Option("--json", help="print what is found as JSON, for a program to read")
]


def tables_at_once(concurrency: int | None) -> int:
    """How many tables are played at once: by default as many as there are processors."""
    return concurrency or processors()
