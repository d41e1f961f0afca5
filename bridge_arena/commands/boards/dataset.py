"""`arena boards dataset`: solved deals or played boards as Parquet, with a card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.common.options import BOARD_FILES


def dataset(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="solved deals (a folder of `arena train deals`, or files of it), or played "
            f"boards (a folder of results, a database's URL, or files: {BOARD_FILES})",
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="folder for the dataset, which must not be there")
    ],
    licence: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="licence for the card, as Hugging Face names it: cc0-1.0, cc-by-4.0",
        ),
    ] = "unknown",
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="title for the card; default: the name of DIR")
    ] = "",
) -> None:
    """Write solved deals or played boards as Parquet files, with a dataset card.

    DIR gets a file for each split (train, validation, test) and README.md, the card. The split of
    a deal is a hash of its cards, so that no deal is in two. docs/datasets.md has the columns, and
    how to read a dataset. It needs the extra parquet. Exit status: 1 if games that are no records
    were left out, 2 if a source cannot be read.

    Examples:
        arena train deals 1000 --out deals --seed 1
        arena boards dataset deals --out solved --licence cc0-1.0
        arena boards dataset runs/first club.pbn --out played
    """
    from bridge_arena.commands.boards.making_dataset import make_dataset

    make_dataset(sources, out, licence, title)
