"""The figures of an audit on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.base.files import replace_file
from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.evidence import FEWEST_DEALS
from bridge_arena.recorded.audit.figures import AuditFigures, EntryFigures, Foresight, Judged
from bridge_arena.reports.common.columns import new_table
from bridge_arena.reports.common.values import Json, json_file, rounded
from bridge_arena.reports.common.wording import mean_text, p_text, signed

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
        console.print(_table(entry))
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


def _table(entry: EntryFigures) -> Table:
    table = new_table(_headline(entry))
    table.add_column(plural(entry.tables, "table"), no_wrap=True)
    table.add_column("Unit", no_wrap=True)
    for head in ("n", "Luck", "Allowed", "Foresight", "p"):
        table.add_column(head, justify="right", no_wrap=True)
    for foresight in entry.kinds:
        table.add_row(
            NAMES[foresight.kind],
            foresight.kind.unit,
            str(foresight.decisions),
            mean_text(foresight.evidence.mean),
            signed(foresight.evidence.allowed.mean, 2),
            mean_text(foresight.evidence.beyond),
            _p_cell(foresight.p_value),
        )
    if entry.together is not None:
        n = sum(foresight.decisions for foresight in entry.kinds)
        table.add_row("together", "", str(n), "", "", "", _p_cell(entry.together))
    return table


def _p_cell(p_value: float | None) -> str:
    return "-" if p_value is None else p_text(p_value).removeprefix("p ").removeprefix("= ")


def _luckiest(foresight: Foresight, replay_of: Callable[[BoardRecord], str]) -> Table:
    table = new_table(f"{NAMES[foresight.kind].capitalize()} that tell most")
    for head in ("Board", "Room", "Seat", "Chosen", "Best", foresight.kind.unit.capitalize()):
        table.add_column(head, no_wrap=True)
    table.add_column("Replay")
    for judged in foresight.luckiest:
        record, finding = judged.record, judged.finding
        table.add_row(
            str(record.board.number),
            "" if record.room is None else record.room.lower(),
            str(judged.decision.seat),
            finding.chosen,
            finding.best,
            signed(finding.luck, 1),
            replay_of(record),
        )
    return table


RESULT = "audit.json"
CHECKPOINT = "audit.jsonl"


def write_figures(
    folder: Path, figures: AuditFigures, replay_of: Callable[[BoardRecord], str]
) -> None:
    """Write the figures of an audit.

    Raises:
        OSError: The file cannot be written.
    """
    summary = {
        "layouts": figures.layouts,
        "unsolved": figures.unsolved,
        "entries": [_entry(entry, replay_of) for entry in figures.entries],
    }
    replace_file(folder / RESULT, json_file(summary))


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
