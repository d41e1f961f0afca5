"""Write the page of the bots that ship, and their tables in the benchmarks, from the figures.

python -m docs.generators.bots_document [FOLDER]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from benchmarks.strength_tables import tables
from bridge_arena.bots.registry import SHIPPED
from bridge_arena.bots.strength import shipped
from docs.generators.page import table, write

NAME = "bots.md"

RESULTS = Path("benchmarks/results/bots.md")
"""The page of the benchmarks, which has the same tables."""

_HEAD = """\
# The bots that ship

<!-- Written by docs/generators/bots_document.py: run benchmarks/strength.py, then this again. -->

`arena bots` lists them; `arena bots NAME` shows one with its options. Strength and cost are
measured. The number after ± is one standard error.
"""

_FIGURES = """\
## How strong they are

Each row tells how many boards it has. [More, and how it was
measured](../../benchmarks/results/bots.md).
"""

_TABLES = re.compile(r"(?<=<!-- strength -->\n).*(?=<!-- end -->)", re.DOTALL)


def markdown() -> str:
    """Return the text of the page."""
    rows = [
        [f"`{bot.name}`", f"{bot.does}", bot.strength or "not measured yet", bot.cost]
        for bot in SHIPPED.values()
    ]
    of_bots = table(["bot", "what it does", "strength", "cost"], rows)
    return "\n".join((_HEAD, of_bots + "\n", _FIGURES, tables(shipped()) + "\n"))


def results(page: str) -> str:
    """Return the page of the benchmarks with the tables of now."""
    return _TABLES.sub(lambda _: f"\n{tables(shipped())}\n\n", page)


if __name__ == "__main__":
    write(NAME, markdown(), sys.argv[1:])
    if not sys.argv[1:]:
        RESULTS.write_text(results(RESULTS.read_text(encoding="utf-8")), encoding="utf-8")
