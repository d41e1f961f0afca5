"""What all commands on files of boards take."""

from __future__ import annotations

from typing import Annotated

import typer

from bridge_arena.commands.common.options import BOARD_FILES

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help=f"{BOARD_FILES}; or a link to BBO's handviewer"),
]

Workers = Annotated[int, typer.Option(min=1, help="files to read at the same time")]
