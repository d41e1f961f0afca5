"""`arena deal`: boards from a seed, as PBN."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bridge.board import Board
from bridge.record import BoardRecord
from pbn.compose import game_of
from pbn.writer import write_games
from tournaments.commands.errors import UnusableError
from tournaments.commands.options import Seed, seed_or_random
from tournaments.report.wording import plural


def deal(
    count: Annotated[int, typer.Argument(min=1, metavar="N", help="how many boards")],
    seed: Seed = None,
    out: Annotated[Path | None, typer.Option(help="the file; standard output if none")] = None,
) -> None:
    """Deal boards from a seed, as PBN.

    They are the boards 1 to N of a match with the same seed.
    """
    chosen = seed_or_random(seed)
    nobody = ("", "", "", "")
    games = (
        game_of(BoardRecord(Board.dealt(chosen, number), nobody)) for number in range(1, count + 1)
    )
    if out is None:
        write_games(sys.stdout.buffer, games)
        return
    try:
        with out.open("wb") as file:
            write_games(file, games)
    except OSError as error:
        raise UnusableError(f"cannot write {out}: {error.strerror}") from None
    print(f"{plural(count, 'board')} of seed {chosen} in {out}")
