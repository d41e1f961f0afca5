"""Has the oracle value every play, and charges the ledgers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bridge.record import BoardRecord, Mode
from oracle.errors import OracleError
from oracle.ledger import TableLedger, charge
from oracle.pool import Oracle
from tournaments.report.figures import Ledgers, TableKey


async def analyse(
    records: Sequence[BoardRecord], oracle: Oracle, on_table: Callable[[], None]
) -> Ledgers:
    """The ledger of every finished table with a contract, by board and room.

    A table that the solver cannot value within its deadline, or whose play breaks the
    rules, has none. What was only bid has its double-dummy tricks, and lost none.
    `on_table` is called as each is done.
    """
    ledgers: dict[TableKey, TableLedger | None] = {}

    async def analyse_table(record: BoardRecord) -> None:
        if record.contract is not None and record.is_finished:
            try:
                if record.mode is Mode.BIDDING and record.tricks is not None:
                    values: Sequence[int] = (record.tricks,)
                else:
                    values = await oracle.play_values(
                        record.board.deal, record.contract, record.cards
                    )
                ledgers[record.board, record.room] = charge(record, values)
            except OracleError:
                pass  # the report counts the boards that were analysed
        on_table()

    async with asyncio.TaskGroup() as group:
        for record in records:
            group.create_task(analyse_table(record))
    return ledgers
