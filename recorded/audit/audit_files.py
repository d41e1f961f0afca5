"""The file of an audit, `audit.json`, whose keys are documented in docs/auditing.md."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bridge_arena.base.whole_files import replace_file
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.audit.figures import AuditFigures, EntryFigures, Foresight, Judged
from bridge_arena.reports.common.values import Json, json_file, rounded

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
        "told": [_told(judged, replay_of) for judged in each.told],
    }


def _told(judged: Judged, replay_of: Callable[[BoardRecord], str]) -> Json:
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
