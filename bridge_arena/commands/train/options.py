"""The options that several trainings share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Out = Annotated[
    Path, typer.Option(metavar="DIR", help="folder for weights, learning curve and checkpoint")
]

Resume = Annotated[bool, typer.Option("--resume", help="go on with the training in DIR")]

Steps = Annotated[int, typer.Option(min=1, help="steps of the optimizer")]

Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="seed of all random choices")]

_DEALS = typer.Option(
    metavar="PATH", help="solved deals to learn from: a file or a folder; repeatable"
)

Deals = Annotated[list[Path], _DEALS]

SomeDeals = Annotated[list[Path] | None, _DEALS]

Means = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE.csv", help="pairs of hands with mean tricks to learn from; repeatable"
    ),
]

Estimate = Annotated[
    Path | None,
    typer.Option(metavar="FILE.npz", help="the estimate of tricks; default: the one that ships"),
]

Check = Annotated[
    Path, typer.Option(metavar="FILE", help="solved deals to measure it on; not learned from")
]

Device = Annotated[
    str,
    typer.Option(
        metavar="DEVICE", help="where torch computes: cpu, cuda, or auto: a GPU if there is one"
    ),
]
