"""A sequential test of whole matches, and the crossing of its limits, board by board."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.tournaments.statistics.sequential import Progress, Sprt, Verdict


def llr(sprt: Sprt, imps: Sequence[int]) -> float:
    """Return the logarithm of the likelihood ratio of H1 to H0 after boards' swings."""
    progress = Progress(sprt)
    for swing in imps:
        progress.count(swing)
    return progress.llr


def verdict(sprt: Sprt, imps: Sequence[int]) -> Verdict:
    """Return the verdict on a whole match, by the first bound that was passed."""
    progress = Progress(sprt)
    for swing in imps:
        if progress.add(swing) != Verdict.GO_ON:
            break
    return progress.verdict


def first_crossing(sprt: Sprt, imps: Sequence[int]) -> int | None:
    """Return how many boards it took to pass a bound; None where none was passed."""
    progress = Progress(sprt)
    for swing in imps:
        if progress.add(swing) != Verdict.GO_ON:
            return progress.boards
    return None
