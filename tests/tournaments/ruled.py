"""Rulings for tests, and events that are played round by round between them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import Decision, Ruling, TakeBack
from bridge_arena.tournaments.store import Store
from tests.tournaments.scores import better_seed

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


def rule(store: Store, decision: Decision, reason: str = "as it was") -> Ruling | None:
    known = store.progress()
    ruling = known.next_ruling(decision, author="Dirk", reason=reason, time=WHEN)
    return ruling if store.rule(ruling, known) else None


def play_round(store: Store, number: int) -> None:
    """Draw a round by the rulings of the store, and save records of it: the better seed wins."""
    event, results = store.event(), store.event_results().so_far
    (drawn,) = (known for known in plan(event, results) if known.number == number)
    units = [unit for match in drawn.matches for unit in match.units()]
    records = {unit.id: better_seed(event)(unit) for unit in units}
    boards = {unit.board: GivenBoard(records[unit.id].board, ()) for unit in units}
    assert store.schedule(drawn.matches, boards, len(results.rulings))
    for unit in units:
        store.save(unit, records[unit.id])
