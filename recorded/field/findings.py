"""The tables of a board against double dummy, par and each other: no solver, only its answer.

IMPs and scores are North-South's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bridge_arena.bridge.field_scoring import cross_imps, datum
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import Par, par
from bridge_arena.pbn.read.field import FieldTable
from bridge_arena.recorded.field.own_figures import Agreement, Ways, compare
from bridge_arena.recorded.field.tables import FieldBoard, Result
from bridge_arena.recorded.field.worth import Worth, worths
from bridge_arena.reports.common.wording import made_text


@dataclass(frozen=True, slots=True)
class TableFinding:
    """A table of the field; what is not known, or does not apply, is None.

    `dd_score`: of its contract, played perfectly by both sides. `imps`: of its score against
    par. `note`: where the file's own figures differ.
    """

    result: Result
    worth: Worth
    dd_tricks: int | None
    difference: int | None
    dd_score: int | None
    imps: int | None
    note: str


@dataclass(frozen=True, slots=True)
class Swing:
    """How far the tables of a board are apart, in IMPs a table: `total` is the mean of the
    cross-IMPs won or lost; `contracts` the same of the double-dummy scores of the contracts, and
    `play` the mean of what the play won or lost against these, None where not all is known."""

    total: float
    contracts: float | None
    play: float | None


@dataclass(frozen=True, slots=True)
class BoardFinding:
    """A board. `datum`: as in Butler scoring. `leads`: of the contract that most tables with a
    known lead played, each lead with its tables and mean of declarer's tricks."""

    field: FieldBoard
    par: Par | None
    datum: int
    tables: tuple[TableFinding, ...]
    swing: Swing
    leads: str
    agreements: Mapping[str, Agreement]

    @property
    def highest(self) -> Result:
        return max((each.result for each in self.tables), key=lambda result: result.score)

    @property
    def lowest(self) -> Result:
        return min((each.result for each in self.tables), key=lambda result: result.score)


def find_board(field: FieldBoard, table: DoubleDummyTable | None, ways: Ways) -> BoardFinding:
    """The finding on a board with at least one table. `ways`: of all boards of its event."""
    scores = field.scores
    worth = worths(scores)
    compared = compare(field, ways)
    best = par(table, field.board.dealer, field.board.vulnerability) if table else None
    tables = tuple(
        _table(field, result, worth[result.score], table, best, note)
        for result, note in zip(field.results, compared.differences, strict=True)
    )
    return BoardFinding(
        field, best, datum(scores), tables, _swing(tables), _leads(field), compared.agreements
    )


def result_text(result: Result) -> str:
    """As on a score sheet: `4S N +1, C8 led`; the score alone where nothing else is known."""
    table = result.table
    if table.is_passed_out:
        return "Pass"
    if table.contract is None:
        return "?"
    text = f"{table.contract} {table.contract.declarer}"
    if table.tricks is not None:
        text += f" {made_text(table.contract, table.tricks)}"
    return f"{text}, {table.lead} led" if table.lead else text


def _table(
    field: FieldBoard,
    result: Result,
    worth: Worth,
    table: DoubleDummyTable | None,
    best: Par | None,
    note: str,
) -> TableFinding:
    contract, tricks = result.table.contract, result.table.tricks
    dd_tricks = dd_score = difference = None
    if result.table.is_passed_out:
        dd_score = 0
    elif contract is not None and table is not None:
        dd_tricks = table.tricks(contract.denomination, contract.declarer)
        dd_score = score_ns(contract, dd_tricks, field.board.vulnerability)
        difference = None if tricks is None else tricks - dd_tricks
    against_par = None if best is None else imps(result.score - best.score)
    return TableFinding(result, worth, dd_tricks, difference, dd_score, against_par, note)


def _swing(tables: Sequence[TableFinding]) -> Swing:
    numbers = [each.result.table.multiplicity for each in tables]
    total = fmean([abs(each.worth.cross_imps) for each in tables], numbers)
    known = [each.dd_score for each in tables if each.dd_score is not None]
    if len(known) < len(tables):
        return Swing(total, None, None)
    every = [score for score, n in zip(known, numbers, strict=True) for _ in range(n)]
    play = [abs(imps(each.result.score - score)) for each, score in zip(tables, known, strict=True)]
    return Swing(total, fmean(map(abs, cross_imps(every))), fmean(play, numbers))


def _leads(field: FieldBoard) -> str:
    with_lead = [each.table for each in field.results if each.table.lead and each.table.contract]
    contracts: Counter[str] = Counter()
    for table in with_lead:
        contracts[_contract_text(table)] += table.multiplicity
    if not contracts:
        return ""
    (most, _), *_ = contracts.most_common(1)
    tricks: dict[str, list[int]] = {}
    for table in with_lead:
        if _contract_text(table) == most and table.tricks is not None:
            tricks.setdefault(table.lead, []).extend([table.tricks] * table.multiplicity)
    found = sorted(tricks.items(), key=lambda each: (-len(each[1]), each[0]))
    parts = [f"{lead} {len(taken)} × {fmean(taken):.2f}" for lead, taken in found]
    return f"{most}: {', '.join(parts)}" if parts else ""


def _contract_text(table: FieldTable) -> str:
    return f"{table.contract} {table.contract.declarer}" if table.contract else ""
