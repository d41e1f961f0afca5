"""Solve the double-dummy tables of deals, and keep them in a file.

Each line of the file is a deal, a tab and twenty hexadecimal digits. A table is kept as soon as its
batch is solved, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.running import progress
from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle import solver
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable


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
                DoubleDummyTable(tuple(int(each, 16) for each in results.strip())),
            )
