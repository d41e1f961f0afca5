"""The tables of a board against double dummy, par and each other, from the solver's answers.

IMPs and scores are those of North-South.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bridge_arena.bridge.scoring import cross_imps, datum, imps, score_ns
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import Par, par
from bridge_arena.pbn.read.field import FieldTable
from bridge_arena.recorded.field.own_figures import Agreement, Ways, compare
from bridge_arena.recorded.field.tables import FieldBoard, Result, Worth, worths
from bridge_arena.reports.common.wording import made_text


@dataclass(frozen=True, slots=True)
class TableFinding:
    """A table of the field; a figure is None if it is not known or does not apply."""

    result: Result
    worth: Worth  # what its score is worth in the field
    dd_tricks: int | None  # declarer's double-dummy tricks
    difference: int | None  # the tricks taken less `dd_tricks`
    dd_score: int | None  # the score of the contract if both sides play perfectly
    imps: int | None  # the IMPs of the score against par
    note: str  # where the file's own figures differ


@dataclass(frozen=True, slots=True)
class Swing:
    """How far the tables of a board are apart, in IMPs a table."""

    total: float  # the mean of the cross-IMPs won or lost
    # The same for the contracts' double-dummy scores; None if not all are known.
    contracts: float | None
    play: float | None  # what the play won or lost against these; None if not all are known


@dataclass(frozen=True, slots=True)
class BoardFinding:
    field: FieldBoard  # the board and its tables
    par: Par | None  # the board's par
    datum: int  # the datum, as in Butler scoring
    tables: tuple[TableFinding, ...]
    swing: Swing  # how far the tables are apart
    # Of the contract that was most frequent among tables with a known lead, each lead with its
    # number of tables and declarer's mean tricks.
    leads: str
    agreements: Mapping[str, Agreement]  # how far the file's own figures agree, by kind

    @property
    def highest(self) -> Result:
        """The result with North-South's highest score."""
        return max((table.result for table in self.tables), key=lambda result: result.score)

    @property
    def lowest(self) -> Result:
        """The result with North-South's lowest score."""
        return min((table.result for table in self.tables), key=lambda result: result.score)


def find_board(field: FieldBoard, table: DoubleDummyTable | None, ways: Ways) -> BoardFinding:
    """Return the finding on a board with at least one table; `table` is its double-dummy table."""
    scores = field.scores
    worth_of = worths(scores)
    compared = compare(field, ways)
    best = par(table, field.board.dealer, field.board.vulnerability) if table else None
    tables: list[TableFinding] = []
    for result, note in zip(field.results, compared.differences, strict=True):
        contract, tricks = result.table.contract, result.table.tricks
        dd_tricks = difference = None
        dd_score = 0 if result.table.is_passed_out else None
        if contract is not None and table is not None:
            dd_tricks = table.tricks(contract.denomination, contract.declarer)
            dd_score = score_ns(contract, dd_tricks, field.board.vulnerability)
            difference = None if tricks is None else tricks - dd_tricks
        against_par = None if best is None else imps(result.score - best.score)
        worth = worth_of[result.score]
        tables.append(
            TableFinding(result, worth, dd_tricks, difference, dd_score, against_par, note)
        )
    swing, leads = _swing(tables), _leads(field)
    return BoardFinding(
        field, best, datum(scores), tuple(tables), swing, leads, compared.agreements
    )


def result_text(result: Result) -> str:
    """Return a result as on a score sheet: `4S N +1, C8 led`; `?` if the contract is not known."""
    table = result.table
    if table.is_passed_out:
        return "Pass"
    if table.contract is None:
        return "?"
    text = f"{table.contract} {table.contract.declarer}"
    if table.tricks is not None:
        text += f" {made_text(table.contract, table.tricks)}"
    return f"{text}, {table.lead} led" if table.lead else text


def _swing(tables: Sequence[TableFinding]) -> Swing:
    numbers = [table.result.table.multiplicity for table in tables]
    total = fmean([abs(table.worth.cross_imps) for table in tables], numbers)
    known = [table.dd_score for table in tables if table.dd_score is not None]
    if len(known) < len(tables):
        return Swing(total, None, None)
    every = [score for score, n in zip(known, numbers, strict=True) for _ in range(n)]
    both = zip(tables, known, strict=True)
    play = [abs(imps(table.result.score - score)) for table, score in both]
    return Swing(total, fmean(map(abs, cross_imps(every))), fmean(play, numbers))


def _leads(field: FieldBoard) -> str:
    by_contract: dict[str, list[FieldTable]] = {}
    for result in field.results:
        table, contract = result.table, result.table.contract
        if table.lead and contract:
            by_contract.setdefault(f"{contract} {contract.declarer}", []).append(table)
    if not by_contract:
        return ""
    numbers = {text: sum(table.multiplicity for table in by_contract[text]) for text in by_contract}
    most = max(numbers, key=lambda text: numbers[text])
    tricks: dict[str, list[int]] = {}
    for table in by_contract[most]:
        if table.tricks is not None:
            tricks.setdefault(table.lead, []).extend([table.tricks] * table.multiplicity)
    by_number = sorted(tricks.items(), key=lambda led: (-len(led[1]), led[0]))
    parts = [f"{lead} {len(taken)} × {fmean(taken):.2f}" for lead, taken in by_number]
    return f"{most}: {', '.join(parts)}" if parts else ""
