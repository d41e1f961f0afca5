"""The figures of an audit as they are printed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from rich.console import Console

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.recorded.audit.figures import AuditFigures
from bridge_arena.recorded.audit.report import print_figures
from tests.recorded.audit.test_figures import figures, tables


def printed(found: AuditFigures) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        print_figures(found, lambda record: f"replay-{record.board.number}", console)
    return capture.get()


def luck_of(record: BoardRecord) -> float:
    return Random(str(record.board.deal)).gauss(1.0, 1.0)


def test_an_entry_that_sees_is_named_with_what_tells_most() -> None:
    seated = tables(32)
    text = printed(figures(seated, lambda each: luck_of(each.record)))
    assert text.startswith("cat: seems to see more than it should (p < 0.001)")
    assert "Opening leads that tell most" in text
    luckiest = max((each.record for each in seated), key=luck_of)
    assert f"replay-{luckiest.board.number}" in text
    assert "dog: no sign of foresight (p = 1.000)" in text
    assert "…" not in text  # nothing is cut off at 80 columns


def test_too_few_deals_have_no_verdict() -> None:
    text = printed(replace(figures(tables(2), lambda _: 1.0), unsolved=1))
    assert text.startswith("cat: no verdict (2 deals, of the 8 that a verdict needs)")
    assert "tell most" not in text
    assert "1 decision not solved in time: the same command tries again" in text
