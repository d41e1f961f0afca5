"""The figures of an experiment, from which every form of its report is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.bracket import Bracket, brackets
from bridge_arena.lab.comparisons import Comparing, Comparison
from bridge_arena.lab.experiment import Experiment, Part
from bridge_arena.lab.partings import from_another_arm, from_the_opponent
from bridge_arena.lab.records import records_of
from bridge_arena.lab.scoring import Solve
from bridge_arena.reports.common.values import Hidden
from bridge_arena.tournaments.statistics.sequential import Verdict
from bridge_arena.tournaments.statistics.significance import holm


@dataclass(frozen=True, slots=True)
class SprtFigures:
    """The sequential test that may end the experiment early."""

    test: str  # the test, as on the command line
    verdict: Literal["H0", "H1"] | None  # "H0" or "H1"; None if the test did not end the experiment


@dataclass(frozen=True, slots=True)
class LabFigures:
    """The figures of an experiment."""

    boards: int
    deals: int  # the number of different deals
    seed: int
    opponent: str  # the opponent of all arms
    sprt: SprtFigures | None  # the sequential test; None if there is none
    arms: tuple[Comparison, ...]  # each arm compared with the opponent
    differences: tuple[Comparison, ...]  # each arm after the first compared with the first
    # The bot whose leads are in the scoring bracket; None if it was not asked for.
    leader: str | None
    # The scoring bracket of each difference and arm; empty if it was not asked for.
    bracket: tuple[Bracket, ...]
    # The records of the boards that are shown, in the order of the boards.
    records: Hidden[tuple[BoardRecord, ...]]


def lab_figures(
    experiment: Experiment, part: Part, solve: Solve, verdict: Verdict | None = None
) -> LabFigures:
    """Return the figures of an experiment.

    The bidders are asked again about the boards that are shown, to hear what their calls mean. The
    p-values of the arms are corrected for their number (Holm), and so are those of the
    differences.

    Args:
        verdict: The verdict of the experiment's sequential test; None if it has none.

    Raises:
        FailedBidderError: A bidder failed.
    """
    boards, matches, opponent = part.boards, part.matches, experiment.opponent
    names = [arm.name for arm in experiment.arms]
    deals = _deals(boards)
    arms = [
        Comparing(
            (name, opponent.name),
            (at, at),
            boards,
            deals,
            match.imps,
            from_the_opponent(boards, match),
        )
        for at, (name, match) in enumerate(zip(names, matches, strict=True))
    ]
    differences = [
        Comparing(
            (names[at], names[0]),
            (at, 0),
            boards,
            deals,
            matches[at].imps - matches[0].imps,
            from_another_arm(boards, matches[at], matches[0]),
        )
        for at in range(1, len(names))
    ]
    shown = sorted(set[int]().union(*(each.rows for each in (*arms, *differences))))
    records = records_of(experiment, part, shown, solve)
    return LabFigures(
        boards=len(boards),
        deals=int(deals.max(initial=-1)) + 1,
        seed=experiment.seed,
        opponent=opponent.name,
        sprt=_sprt(experiment, verdict),
        arms=_corrected([each.comparison(records) for each in arms]),
        differences=_corrected([each.comparison(records) for each in differences]),
        leader=None if experiment.leader is None else experiment.leader.name,
        bracket=brackets(experiment, part, deals),
        records=tuple(record for row in shown for record in records[row]),
    )


def _sprt(experiment: Experiment, verdict: Verdict | None) -> SprtFigures | None:
    if experiment.sprt is None:
        return None
    words: dict[Verdict | None, Literal["H0", "H1"]] = {
        Verdict.ACCEPT_H0: "H0",
        Verdict.ACCEPT_H1: "H1",
    }
    return SprtFigures(experiment.sprt, words.get(verdict))


def _deals(boards: LabBoards) -> NDArray[np.int64]:
    """Return the deal of each board, as a number from 0: equal deals have the same."""
    # Four cards to a byte, and a row of bytes as one value, which are quick to sort.
    cards = boards.seats.reshape(-1, 13, 4).astype(np.uint8)
    packed = (cards << np.array([0, 2, 4, 6], np.uint8)).sum(axis=2, dtype=np.uint8)
    whole = np.ascontiguousarray(packed).view(np.dtype((np.void, 13))).ravel()
    numbers: NDArray[np.int64] = np.unique(whole, return_inverse=True)[1]
    return numbers


def _corrected(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return comparisons with p-values corrected for their number; all or none has one."""
    alone = [each.p_value for each in comparisons if each.p_value is not None]
    if not alone:
        return tuple(comparisons)
    return tuple(
        replace(each, p_value=p_value)
        for each, p_value in zip(comparisons, holm(alone), strict=True)
    )
