"""Warnings of players for whom the table acts."""

from __future__ import annotations

from typing import Any

import pytest

from bridge_arena.bridge.record import FORFEITING, FaultKind
from bridge_arena.tournaments.play.announcements import FaultWarnings


def fault(kind: FaultKind = FaultKind.TIMEOUT, entry: str = "ben", **facts: Any) -> dict[str, Any]:
    known = {"unit": "1/1/1/Open", "board": 3, "seat": "E", "action": 5, "detail": "status 400"}
    return {**known, "kind": kind, "entry": entry, **facts}


def warnings(*lines: tuple[str, dict[str, Any]]) -> list[str]:
    told: list[str] = []
    listener = FaultWarnings(told.append)
    for what, facts in lines:
        listener.hear(what, **facts)
    return told


def test_a_fault_is_told_with_the_words_of_the_player() -> None:
    told = warnings(("fault", fault(detail="no action: status\n400")), ("key_revealed", {}))
    assert told == ["ben: time-out on board 3, E: no action: status 400"]
    assert warnings(("fault", fault(FaultKind.ILLEGAL)))[0].startswith("ben: illegal action on")


def test_many_faults_of_an_entry_are_told_ever_more_rarely() -> None:
    told = warnings(*[("fault", fault(detail=str(n))) for n in range(1, 1001)])
    assert len(told) == 10
    assert told[-1] == "ben: time-out on board 3, E: 512 (512 faults so far)"
    both = warnings(("fault", fault()), ("fault", fault(entry="zen")))
    assert [line.partition(":")[0] for line in both] == ["ben", "zen"]


def test_faults_that_only_the_end_of_a_board_tells_are_told_then() -> None:
    """As on a cluster. Those that were told as they happened are not told again."""
    ended = {"unit": "1/1/1/Open", "board": 3, "faults": [fault()]}
    assert len(warnings(("board_ended", ended))) == 1
    assert len(warnings(("fault", fault()), ("board_ended", ended))) == 1


@pytest.mark.parametrize("kind", [*sorted(FORFEITING), FaultKind.UNDO])
def test_what_the_table_cannot_act_for_is_not_warned_of(kind: FaultKind) -> None:
    assert warnings(("fault", fault(kind))) == []
