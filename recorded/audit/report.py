"""The figures of an audit on the terminal, and as `audit.json` (its keys: docs/auditing.md)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.figures import (
    FEWEST_DEALS,
    AuditFigures,
    EntryFigures,
    Foresight,
    Judged,
)
from bridge_arena.reports.common.columns import Column, terminal_table
from bridge_arena.reports.common.values import Json, rounded, write_json
from bridge_arena.reports.common.wording import bare_p_text, mean_text, p_text, signed

RESULT = "audit.json"
CHECKPOINT = "audit.jsonl"

SUSPICIOUS = 0.01
"""The p-value below which an entry's decisions are shown."""

NAMES = {
    Kind.CALL: "calls",
    Kind.LEAD: "opening leads",
    Kind.DECLARER: "declarer's cards",
    Kind.DEFENDER: "defenders' cards",
}


def print_figures(
    figures: AuditFigures, replay_of: Callable[[BoardRecord], str], console: Console
) -> None:
    """Print the figures; all tables fit a terminal of 80 columns."""
    for entry in figures.entries:
        table = terminal_table(_headline(entry), _columns(entry), entry.kinds)
        if entry.together is not None:
            n = sum(foresight.decisions for foresight in entry.kinds)
            table.add_row("together", "", str(n), "", "", "", bare_p_text(entry.together))
        console.print(table)
        for foresight in entry.kinds:
            if foresight.p_value is not None and foresight.p_value < SUSPICIOUS:
                console.print(_luckiest(foresight, replay_of))
    if figures.unsolved:
        text = f"{plural(figures.unsolved, 'decision')} not solved in time: the same command tries"
        console.print(Text(f"{text} again", style="yellow"))
    note = (
        f"Luck: what choices gained, a board at one table, beyond their mean over "
        f"{figures.layouts} layouts; of n decisions. Allowed: the luck of honest bots. p allows "
        "for all tests here."
    )
    console.print(Text(note, style="dim"))


def _headline(entry: EntryFigures) -> str:
    if entry.p_value is None:
        fewest = f"{plural(entry.deals, 'deal')}, of the {FEWEST_DEALS} that a verdict needs"
        return f"{entry.name}: no verdict ({fewest})"
    if entry.p_value >= SUSPICIOUS:
        return f"{entry.name}: no sign of foresight ({p_text(entry.p_value)})"
    return f"{entry.name}: seems to see more than it should ({p_text(entry.p_value)})"


def _columns(entry: EntryFigures) -> tuple[Column[Foresight], ...]:
    foresight = Column[Foresight]
    return (
        foresight(plural(entry.tables, "table"), lambda row: NAMES[row.kind], is_text=True),
        foresight("Unit", lambda row: row.kind.unit, is_text=True),
        foresight("n", lambda row: row.decisions),
        foresight("Luck", lambda row: row.evidence.mean, mean_text),
        foresight("Allowed", lambda row: signed(row.evidence.allowed.mean, 2)),
        foresight("Foresight", lambda row: row.evidence.beyond, mean_text),
        foresight("p", lambda row: row.p_value, bare_p_text),
    )


def _luckiest(foresight: Foresight, replay_of: Callable[[BoardRecord], str]) -> Table:
    judged = Column[Judged]
    columns = (
        judged("Board", lambda row: str(row.record.board.number), is_text=True),
        judged(
            "Room", lambda row: row.record.room.lower() if row.record.room else "", is_text=True
        ),
        judged("Seat", lambda row: str(row.decision.seat), is_text=True),
        judged("Chosen", lambda row: row.finding.chosen, is_text=True),
        judged("Best", lambda row: row.finding.best, is_text=True),
        judged(
            foresight.kind.unit.capitalize(), lambda row: signed(row.finding.luck, 1), is_text=True
        ),
        judged("Replay", lambda row: replay_of(row.record), is_text=True),
    )
    title = f"{NAMES[foresight.kind].capitalize()} that tell most"
    return terminal_table(title, columns, foresight.luckiest)


def write_figures(
    folder: Path, figures: AuditFigures, replay_of: Callable[[BoardRecord], str]
) -> None:
    """Write the figures of an audit. Raises OSError."""
    summary = {
        "layouts": figures.layouts,
        "unsolved": figures.unsolved,
        "entries": [_entry(entry, replay_of) for entry in figures.entries],
    }
    write_json(folder / RESULT, summary)


def _entry(entry: EntryFigures, replay_of: Callable[[BoardRecord], str]) -> Json:
    return {
        "name": entry.name,
        "tables": entry.tables,
        "deals": entry.deals,
        "p_value": rounded(entry.p_value),
        "p_value_together": rounded(entry.together),
        "kinds": {
            foresight.kind.value: _foresight(foresight, replay_of) for foresight in entry.kinds
        },
    }


def _foresight(foresight: Foresight, replay_of: Callable[[BoardRecord], str]) -> Json:
    observed, beyond = foresight.evidence.mean, foresight.evidence.beyond
    return {
        "unit": foresight.kind.unit,
        "decisions": foresight.decisions,
        "luck": rounded(observed.mean),
        "luck_standard_error": rounded(observed.standard_error),
        "allowed": foresight.evidence.allowed.mean,
        "allowed_deviation": foresight.evidence.allowed.deviation,
        "foresight": rounded(beyond.mean),
        "standard_error": rounded(beyond.standard_error),
        "p_value": rounded(foresight.p_value),
        "told": [_judged_json(judged, replay_of) for judged in foresight.luckiest],
    }


def _judged_json(judged: Judged, replay_of: Callable[[BoardRecord], str]) -> Json:
    record, decision, finding = judged.record, judged.decision, judged.finding
    return {
        "board": record.board.number,
        "room": None if record.room is None else record.room.value,
        "round": record.round,
        "table": record.table,
        "seat": str(decision.seat),
        "action": decision.action,
        "chosen": finding.chosen,
        "best": finding.best,
        "luck": rounded(finding.luck),
        "replay": replay_of(record),
    }
