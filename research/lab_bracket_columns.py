"""Score contracts in the columns of the scoring bracket: a part of `research.lab_bracket`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bridge_arena.bridge.calls import Contract, Risk
from bridge_arena.bridge.scoring import contract_score
from bridge_arena.lab.bracket import COLUMNS, Column
from bridge_arena.lab.leads import ToLead, leads, tricks_after
from bridge_arena.lab.run import solve


def scored_in_columns(tables: Sequence[ToLead]) -> Iterator[dict[str, tuple[int, int]]]:
    """Yield the tricks and points of declarer in each column."""
    for at, lead in zip(tables, leads(tables), strict=True):
        contract, deal = at.contract, at.board.deal
        (plain,) = solve([(deal, contract.declarer, contract.denomination)])
        after = tricks_after(deal, contract, lead, plain)
        vulnerable = at.board.vulnerability.includes(contract.declarer.side)
        tricks = {name: after if each.is_led else plain for name, each in COLUMNS.items()}
        yield {
            name: (tricks[name], in_column(each, contract, tricks[name], vulnerable=vulnerable))
            for name, each in COLUMNS.items()
        }


def in_column(column: Column, contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Return the points of declarer's side in a column."""
    is_down = tricks < contract.tricks_needed
    if column.is_doubled and is_down and contract.risk is Risk.UNDOUBLED:
        contract = replace(contract, risk=Risk.DOUBLED)
    return contract_score(contract, tricks, vulnerable=vulnerable)
