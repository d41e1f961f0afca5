"""What the generators of reference pages share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines)


def cell(text: str) -> str:
    """Return a text as the cell of a table takes it."""
    return " ".join(text.split()).replace("|", "\\|")


def write(name: str, text: str, arguments: Sequence[str]) -> None:
    """Write a page to the folder of the reference, or to the folder that the arguments name."""
    folder = Path(arguments[0] if arguments else "docs/reference")
    folder.joinpath(name).write_text(text, encoding="utf-8")
