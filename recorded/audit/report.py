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
from bridge_arena.reports.common.console import new_table
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
        for each in entry.kinds:
            if each.p_value is not None and each.p_value < SUSPICIOUS:
                console.print(_told(each, replay_of))
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
    for each in entry.kinds:
        table.add_row(
            NAMES[each.kind],
            each.kind.unit,
            str(each.decisions),
            mean_text(each.evidence.mean),
            signed(each.evidence.allowed.mean, 2),
            mean_text(each.evidence.beyond),
            _p_cell(each.p_value),
        )
    if entry.together is not None:
        n = sum(each.decisions for each in entry.kinds)
        table.add_row("together", "", str(n), "", "", "", _p_cell(entry.together))
    return table


def _p_cell(p_value: float | None) -> str:
    return "-" if p_value is None else p_text(p_value).removeprefix("p ").removeprefix("= ")


def _told(each: Foresight, replay_of: Callable[[BoardRecord], str]) -> Table:
    table = new_table(f"{NAMES[each.kind].capitalize()} that tell most")
    for head in ("Board", "Room", "Seat", "Chosen", "Best", each.kind.unit.capitalize()):
        table.add_column(head, no_wrap=True)
    table.add_column("Replay")
    for judged in each.told:
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
        "kinds": {each.kind.value: _foresight(each, replay_of) for each in entry.kinds},
    }


def _foresight(each: Foresight, replay_of: Callable[[BoardRecord], str]) -> Json:
    found, beyond = each.evidence.mean, each.evidence.beyond
    return {
        "unit": each.kind.unit,
        "decisions": each.decisions,
        "luck": rounded(found.mean),
        "luck_standard_error": rounded(found.standard_error),
        "allowed": each.evidence.allowed.mean,
        "allowed_deviation": each.evidence.allowed.deviation,
        "foresight": rounded(beyond.mean),
        "standard_error": rounded(beyond.standard_error),
        "p_value": rounded(each.p_value),
        "told": [_judged_json(judged, replay_of) for judged in each.told],
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
