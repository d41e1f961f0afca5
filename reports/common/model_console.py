"""What entries asked of language models, as a table on the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from bridge_arena.reports.common.columns import new_table
from bridge_arena.reports.common.figures import EntryFigures
from bridge_arena.reports.common.wording import share_text


def model_use_table(entries: Iterable[EntryFigures]) -> Table | None:
    """Return the table of the entries that asked language models; None if none did."""
    table = new_table("Language models: bad answers, what followed, and the cost of a board")
    table.add_column("Entry", overflow="fold")
    for head in ("Auction", "Play", "Again", "Table", "Tokens", "Money", "Same"):
        table.add_column(head, justify="right", no_wrap=True)
    for entry in entries:
        use = entry.model
        if use is None:
            continue
        table.add_row(
            Text(entry.name),
            share_text(use.auction.bad_answers),
            share_text(use.play.bad_answers),
            str(use.auction.retries + use.play.retries),
            str(use.auction.by_the_table + use.play.by_the_table),
            f"{use.tokens_a_board:.0f}",
            f"{use.money_a_board:.4f}",
            share_text(use.same),
        )
    return table if table.row_count else None
