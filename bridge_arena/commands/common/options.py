"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Seed = Annotated[
    int | None,
    typer.Option(
        help="the same boards everywhere, for experiments: reproducible, not sealed, as whoever "
        "guesses the seed can work out the boards; sealed if none"
    ),
]
