"""What the sequential test of a match came to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.schedule.early_stop import tested
from bridge_arena.tournaments.statistics.sequential import Sprt, Verdict


@dataclass(frozen=True, slots=True)
class SprtFigures:
    """`boards`: that the test has seen. `llr`: the log-likelihood ratio after them; beyond
    one of `test.bounds`, where there is a verdict."""

    test: Sprt
    verdict: Verdict
    boards: int
    llr: float


def sprt_figures(test: Sprt, records: Iterable[BoardRecord]) -> SprtFigures:
    """The test over the boards in the order of the records, as far as all before are known."""
    progress = tested(test, records)
    return SprtFigures(test, progress.verdict, progress.boards, progress.llr)
