"""Rulings for tests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from bridge_arena.tournaments.schedule.rulings import Decision, Ruling, TakeBack

WHEN = datetime(2026, 11, 28, 12, tzinfo=UTC)


def ruling(number: int, decision: Decision, after: int = 0, **parts: Any) -> Ruling:
    return Ruling(
        **{
            "number": number,
            "time": WHEN,
            "author": "the director",
            "reason": "as it was",
            "after": after,
            "decision": decision,
            **parts,
        }
    )


def rulings(decisions: Iterable[Decision], after: int = 0) -> list[Ruling]:
    return [ruling(number, one, after) for number, one in enumerate(decisions, start=1)]


def taken_back(made: list[Ruling]) -> list[Ruling]:
    """The rulings, each of them taken back."""
    last = len(made)
    return [*made, *(ruling(last + one.number, TakeBack(ruling=one.number)) for one in made)]
