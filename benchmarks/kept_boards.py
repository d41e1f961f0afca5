"""Do long work some boards at a time, and keep the result of each board."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib import resources
from pathlib import Path
from time import monotonic
from typing import Protocol, TypeVar

from benchmarks.running import progress
from bridge_arena.bots.registry import parse
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle import solver
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.recorded.checkpoint import Checkpoint

DATA = (".npz", ".txt")
"""The files of what a bot has learned or looks up."""

MADE_OF = {
    "champion": ("bridge_arena.bots.champion", "bridge_arena.bots.fastplay"),
    "montecarlo": ("bridge_arena.bots.fastplay",),
}
"""The packages whose data files choose the cards of bots that use those of others."""


def bot_digest(spec: str) -> str:
    """Return the hash of a shipped bot's data files, hexadecimal; empty if it has none.

    Its program is left out: most changes of it change no call and no card.
    """
    bot = parse(spec)[0]
    own = bot.path.partition(":")[0].rpartition(".")[0]
    packages = MADE_OF.get(bot.name, (own,))
    data = [file for package in packages for file in _data(package)]
    return sha256(b"".join(data)).hexdigest()[:16] if data else ""


def identity(spec: str) -> str:
    """Return what the results of a bot are kept under: its name and its files."""
    return f"{spec}@{bot_digest(spec)}"


def _data(package: str) -> list[bytes]:
    with resources.as_file(resources.files(package)) as folder:
        files = sorted(path for path in Path(folder).rglob("*") if path.suffix in DATA)
        return [path.read_bytes() for path in files]


SECONDS = 10
"""The time between two lines of progress."""

_T = TypeVar("_T")


class OfABoard(Protocol):
    """What belongs to a board: a record, say."""

    @property
    def board(self) -> Board:
        """The board."""
        ...


_OfABoard = TypeVar("_OfABoard", bound=OfABoard)


def board_results(
    name: str,
    records: Sequence[_OfABoard],
    work: Callable[[Sequence[_OfABoard]], Sequence[_T]],
    kept: Checkpoint,
    at_once: int = 1,
) -> list[_T]:
    """Return the result of the work on each board, from the file, or done now and kept.

    With `at_once` 0 nothing is done: the results are those of the first boards that are kept.
    """
    units = [f"{name}/{record.board.number}/{record.board.deal}" for record in records]
    left = [row for row, unit in enumerate(units) if kept.get(unit) is None]
    if not at_once:
        units, left = units[: min(left, default=len(units))], []
    reported = monotonic()
    for start in range(0, len(left), at_once or 1):
        rows = left[start : start + at_once]
        for row, result in zip(rows, work([records[row] for row in rows]), strict=True):
            kept.save(units[row], result=result)
        if monotonic() - reported > SECONDS or start + at_once >= len(left):
            progress(f"{name}: {start + len(rows)} of {len(left)} boards")
            reported = monotonic()
    return [entry["result"] for unit in units if (entry := kept.get(unit)) is not None]


def tables(deals: Sequence[Deal], file: Path) -> list[DoubleDummyTable]:
    """Return the table of every deal, from the file, or solved and added to the file."""
    known = dict(_read(file))
    missing = [deal for deal in dict.fromkeys(deals) if deal not in known]
    file.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with file.open("a", encoding="ascii") as kept:
        for start in range(0, len(missing), solver.BATCH):
            batch = missing[start : start + solver.BATCH]
            for deal, table in zip(batch, solver.tables(batch), strict=True):
                known[deal] = table
                kept.write(f"{deal}\t{''.join(f'{tricks:x}' for tricks in table.results)}\n")
            kept.flush()
            solved = start + len(batch)
            seconds = time.monotonic() - started
            progress(f"{solved} of {len(missing)} tables solved, {seconds:.0f} s")
    return [known[deal] for deal in deals]


def _read(file: Path) -> Iterator[tuple[Deal, DoubleDummyTable]]:
    if not file.exists():
        return
    for line in file.read_text(encoding="ascii").splitlines(keepends=True):
        deal, _, results = line.partition("\t")
        if results.endswith("\n"):  # else the last writer was interrupted
            yield (
                Deal.parse(deal),
                DoubleDummyTable(tuple(int(digit, 16) for digit in results.strip())),
            )
