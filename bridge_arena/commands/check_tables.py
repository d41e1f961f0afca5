"""`arena check-tables`: a check of bidding tables, before a match uses them."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import FailedError, UnusableError


def check_tables(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]", help="tables of rules or of opening bids; default: those that ship"
        ),
    ] = None,
) -> None:
    """Check bidding tables: every mistake, with its file and line.

    Examples:
        arena check-tables
        arena check-tables my-rules.txt
    """
    mistakes = 0
    for name, file in [(str(path), path) for path in files or ()] or _shipped():
        of_file = _mistakes(name, file)
        print(*(of_file or [f"{name}: good"]), sep="\n")
        mistakes += len(of_file)
    if mistakes:
        raise FailedError(f"{plural(mistakes, 'mistake')} in bidding tables")


def _shipped() -> list[tuple[str, Traversable]]:
    from bridge_arena.bots.natural.system import TABLES
    from bridge_arena.bots.qtable.opening import SHIPPED as OPENINGS

    names = {"natural": [f"{name}.txt" for name in TABLES], "qtable": [OPENINGS]}
    return [
        (f"{bot}/{name}", resources.files(f"bridge_arena.bots.{bot}").joinpath("tables", name))
        for bot, tables in names.items()
        for name in tables
    ]


def _mistakes(name: str, file: Traversable) -> tuple[str, ...]:
    """Return the mistakes in a table. Raises UnusableError where it cannot be read."""
    from bridge_arena.bots.natural.language import TableError, parse
    from bridge_arena.bots.qtable.opening import OpeningTableError, parse_openings

    try:
        text = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise UnusableError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return (f"{name}:{line}: the text is not UTF-8",)
    content = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    try:
        if next(content, "").startswith("Shape\t"):
            parse_openings(text, name)
        else:
            parse(text, name)
    except TableError as error:
        return error.mistakes
    except OpeningTableError as error:
        return (str(error),)
    return ()
