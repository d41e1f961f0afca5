"""The solving of what is missing in a folder of solved deals, here or by a cluster.

No deal is left out, however long it takes, because deals that take long differ from the others. So
the solvers must have no deadline.
"""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.streaming import answered
from bridge_arena.recorded.analysis.engine import Solvers
from bridge_arena.recorded.analysis.units import table_in, table_unit
from bridge_arena.recorded.solving.shards import Shards


class UnsolvedError(Exception):
    """The error of a failed solver: one line names the deal."""


def solve_missing(
    shards: Shards, deals: int, solvers: Solvers, on_tables: Callable[[int], None]
) -> None:
    """Solve what the deals 1 to `deals` need; what is solved is kept, whatever ends this.

    Raises:
        UnsolvedError: The solver failed.
        OSError: A file cannot be read or written.
    """
    units = (((place, deal), table_unit(deal)) for place, deal in shards.missing(deals))
    try:
        for answers in answered(units, solvers.submit, lambda: solvers.capacity):
            for (place, deal), answer in answers:
                try:
                    table = table_in(answer.result())
                except OracleError as error:
                    raise UnsolvedError(f"{deal} could not be solved: {error}") from None
                shards.add(place, deal, table)
            on_tables(len(answers))
    finally:
        shards.save()
