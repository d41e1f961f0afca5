"""The crossing of a sequential test's limits, board by board."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.tournaments.statistics.sequential import Progress, Sprt, Verdict


def first_crossing(sprt: Sprt, imps: Sequence[int]) -> int | None:
    """Return how many boards it took to pass a bound; None where none was passed."""
    progress = Progress(sprt)
    for swing in imps:
        if progress.add(swing) != Verdict.GO_ON:
            return progress.boards
    return None
