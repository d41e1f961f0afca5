"""The wording of the figures that the terminal and the page share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge_arena.base.wording import plural
from bridge_arena.bridge.calls import Contract
from bridge_arena.lab.bracket import KINDS, Bracket
from bridge_arena.lab.comparisons import Comparison, TableResult
from bridge_arena.lab.figures import LabFigures
from bridge_arena.lab.groupings import Row
from bridge_arena.reports.common.columns import Column
from bridge_arena.reports.common.wording import (
    bare_p_text,
    contract_text,
    error,
    mean_text,
    p_text,
    share_text,
    signed,
)
from bridge_arena.tournaments.statistics.means import Mean

DIGITS = 3
"""The decimals of IMPs a board: a rule that seldom matters moves the third."""


@dataclass(frozen=True, slots=True)
class Heading:
    title: str
    note: str  # what its rows are, in a sentence


HEADINGS: Mapping[str, Heading] = {
    "situations": Heading("By situation", "What came before the call that differs."),
    "calls": Heading("By the call that differs", "The call of each of the two in that place."),
    "hands": Heading("By the call and the hand", "The same, with the hand that made the call."),
    "contracts": Heading(
        "By contract", "What the side that held the same cards played or defended with each."
    ),
    "contested": Heading("Contested or not", "Where both sides made a bid or a double."),
    "vulnerability": Heading(
        "By vulnerability", "Who was vulnerable, seen from the side whose cards are compared."
    ),
    "doubled": Heading("By doubles", "Where the final contract was doubled."),
}
"""The headings of the tables, by their names in the figures."""

LONG = ("situations", "calls", "hands", "contracts")

SHORT = ("contested", "vulnerability", "doubled")
"""The tables that have few rows."""


def title(figures: LabFigures) -> str:
    arms = ", ".join(arm.name for arm in figures.arms)
    return f"{arms} against {figures.opponent}"


def all_comparisons(figures: LabFigures) -> tuple[Comparison, ...]:
    """Return the comparisons in the order in which they are shown: arms with each other first."""
    return (*figures.differences, *figures.arms)


def headline(comparison: Comparison) -> str:
    mean = comparison.imps_per_board
    if mean.mean is None or comparison.p_value is None:
        return f"{comparison.name} and {comparison.against}: no board"
    size, doubt = f"{abs(mean.mean):.{DIGITS}f}", error(mean, DIGITS)
    what = "nothing" if comparison.partings == 0 else f"{size}{doubt} IMPs a board"
    verb = "lost" if comparison.imps < 0 else "gained"
    return (
        f"{comparison.name} {verb} {what} compared with {comparison.against} "
        f"over {plural(mean.n, 'board')} ({p_text(comparison.p_value)})"
    )


def sprt_text(figures: LabFigures) -> str:
    """Return the result of the sequential test in a line; "" if there is none."""
    if figures.sprt is None:
        return ""
    verdict = figures.sprt.verdict
    decision = "not decided" if verdict is None else f"{verdict} accepted"
    return f"SPRT {figures.sprt.test}: {decision} after {plural(figures.boards, 'board')}"


def parted(comparison: Comparison) -> str:
    times = plural(comparison.partings, "time")
    return f"The auctions of {comparison.name} and {comparison.against} part {times}"


def imps_text(mean: Mean) -> str:
    return mean_text(mean, DIGITS)


def result_columns(comparisons: Sequence[Comparison]) -> tuple[Column[Comparison], ...]:
    arm = Column[Comparison]
    return (
        arm(
            "Bot",
            lambda row: row.name,
            short=" ",
            is_text=True,
            width=16,
            css="name",
            link=lambda row: f"#comparison-{comparisons.index(row) + 1}",
        ),
        arm("Compared with", lambda row: row.against, is_text=True, width=16, css="name"),
        arm("IMPs a board", lambda row: row.imps_per_board, imps_text, short="IMPs/board"),
        arm("p", lambda row: row.p_value, bare_p_text),
        arm("IMPs", lambda row: row.imps, signed, only="page", is_coloured=True),
        arm("Gained", lambda row: row.gained),
        arm("Lost", lambda row: row.lost),
        arm("Flat", lambda row: row.flat, only="page"),
        arm("Other contract", lambda row: row.other_contracts, share_text),
    )


BracketRow = tuple[str, Mapping[str, Mean]]
"""The kind of boards, and the mean of each column of the scoring bracket."""


def _bracket_column(name: str, heading: str) -> Column[BracketRow]:
    return Column(heading, lambda row: row[1][name], imps_text)


BRACKET_COLUMNS: tuple[Column[BracketRow], ...] = (
    Column("Highest contract", lambda row: row[0], short="IMPs/board", is_text=True),
    _bracket_column("double_dummy", "Plain"),
    _bracket_column("lead", "Lead"),
    _bracket_column("doubler", "Doubler"),
    _bracket_column("lead_and_doubler", "Both"),
)


def bracket_rows(bracket: Bracket) -> list[BracketRow]:
    columns = bracket.columns.items()
    return [
        ("all boards", {name: column.imps_per_board for name, column in columns}),
        ("less plain", {name: column.more_than_plain for name, column in columns}),
        *((kind, {name: column.kinds[kind] for name, column in columns}) for kind in KINDS),
    ]


def gained_text(imps: float) -> str:
    """Return what was gained, which may be half an IMP."""
    return signed(imps, 0 if imps == int(imps) else 1)


def result_text(table: TableResult) -> str:
    """Return the contract and its result: `4S N +1`."""
    if table.declarer is None:
        return "Pass"
    return contract_text(Contract.parse(table.contract, table.declarer), table.tricks)


def what(row: Row, columns: int) -> tuple[str, ...]:
    """Return the texts of a row's first columns."""
    return row.what or ("all others", *[""] * (columns - 1))
