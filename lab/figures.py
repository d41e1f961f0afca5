"""The figures of an experiment, from which every form of its report is made.

The boards that are shown have records, with what the bidders say of their calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.lab.apart import explained_apart
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.bidding import NO_CALL
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.bracket import Bracket, brackets
from bridge_arena.lab.comparisons import Comparing, Comparison
from bridge_arena.lab.experiment import UNKNOWN, Experiment, Part
from bridge_arena.lab.run import FailedBidderError
from bridge_arena.lab.scoring import Solve
from bridge_arena.oracle.contract_tricks import Request
from bridge_arena.reports.common.values import Hidden
from bridge_arena.tournaments.play.in_process import NamedBot, explained_at_tables
from bridge_arena.tournaments.statistics.sequential import Verdict
from bridge_arena.tournaments.statistics.significance import holm

EVENT = "Laboratory"
"""The event of the records."""


@dataclass(frozen=True, slots=True)
class SprtFigures:
    test: str  # the test, as on the command line
    verdict: Literal["H0", "H1"] | None  # "H0" or "H1"; None if the test did not end the experiment


@dataclass(frozen=True, slots=True)
class LabFigures:
    boards: int
    deals: int  # the number of different deals
    seed: int
    opponent: str  # the opponent of all arms
    sprt: SprtFigures | None  # the sequential test; None if there is none
    arms: tuple[Comparison, ...]  # each arm compared with the opponent
    differences: tuple[Comparison, ...]  # each arm after the first compared with the first
    leader: str | None  # whose leads are in the scoring bracket; None if not asked for
    bracket: tuple[Bracket, ...]  # of each difference and arm; empty if not asked for
    records: Hidden[tuple[BoardRecord, ...]]  # of the boards that are shown, in their order


def lab_figures(
    experiment: Experiment, part: Part, solve: Solve, verdict: Verdict | None = None
) -> LabFigures:
    """Return the figures of an experiment.

    The bidders are asked again about the boards that are shown, to hear what their calls mean. The
    p-values of the arms are corrected for their number (Holm), and so are those of the
    differences. Raises FailedBidderError.
    """
    boards, opponent = part.boards, experiment.opponent
    names = [arm.name for arm in experiment.arms]
    deals = _deals(boards)
    arms = [
        Comparing((name, opponent.name), (at, at), part, deals) for at, name in enumerate(names)
    ]
    differences = [
        Comparing((name, names[0]), (at, 0), part, deals)
        for at, name in enumerate(names[1:], start=1)
    ]
    shown = sorted(set[int]().union(*(comparing.rows for comparing in (*arms, *differences))))
    records = records_of(experiment, part, shown, solve)
    return LabFigures(
        boards=len(boards),
        deals=int(deals.max(initial=-1)) + 1,
        seed=experiment.seed,
        opponent=opponent.name,
        sprt=_sprt(experiment, verdict),
        arms=_corrected([comparing.comparison(records) for comparing in arms]),
        differences=_corrected([comparing.comparison(records) for comparing in differences]),
        leader=None if experiment.leader is None else experiment.leader.name,
        bracket=brackets(experiment, part, deals),
        records=tuple(record for row in shown for record in records[row]),
    )


def _sprt(experiment: Experiment, verdict: Verdict | None) -> SprtFigures | None:
    if experiment.sprt is None:
        return None
    words: dict[Verdict, Literal["H0", "H1"]]
    words = {Verdict.ACCEPT_H0: "H0", Verdict.ACCEPT_H1: "H1"}
    return SprtFigures(experiment.sprt, words.get(verdict) if verdict else None)


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
    alone = [comparison.p_value for comparison in comparisons if comparison.p_value is not None]
    if not alone:
        return tuple(comparisons)
    return tuple(
        replace(comparison, p_value=p_value)
        for comparison, p_value in zip(comparisons, holm(alone), strict=True)
    )


def records_of(
    experiment: Experiment, part: Part, rows: Sequence[int], solve: Solve
) -> dict[int, tuple[BoardRecord, ...]]:
    """Return the records of some boards.

    The bidders are asked once more, at tables, to hear what they say of their calls. A bidder that
    now calls otherwise, because it draws at random or remembers other boards, says nothing. Each
    board has, by its row, the records of each arm in turn in the open and the closed room.
    """
    boards = [part.boards.board(row) for row in rows]
    records_by_row: dict[int, list[BoardRecord]] = {row: [] for row in rows}
    for arm, match in zip(experiment.arms, part.matches, strict=True):
        said = _explained(experiment, arm, boards)
        for row, tables in zip(rows, said, strict=True):
            for record, calls in zip(tables, match.bid.calls[row].tolist(), strict=True):
                made = [CALLS[call] for call in calls if call != NO_CALL]
                records_by_row[row].append(_with_calls(record, made))
    tricks = _tricks(part, records_by_row, solve)
    return {
        row: tuple(_scored(record, tricks) for record in records)
        for row, records in records_by_row.items()
    }


def _explained(
    experiment: Experiment, arm: Bidder, boards: Sequence[Board]
) -> list[tuple[BoardRecord, BoardRecord]]:
    """Return boards as the bidders bid and explain them now. Raises FailedBidderError."""
    opponent = experiment.opponent
    if experiment.is_apart(arm):
        return explained_apart(boards, arm, opponent, experiment.key)
    home, visitors = (NamedBot(bidder.name, bidder.maker()) for bidder in (arm, opponent))
    try:
        return explained_at_tables(boards, home, visitors, experiment.key)
    except (Exception, SystemExit) as error:  # a bidder may be anybody's code
        raise FailedBidderError(
            f"{arm.name} against {opponent.name}, asked again what calls mean: "
            f"{arm.failure(error, opponent)}"
        ) from error


def _with_calls(said: BoardRecord, calls: Sequence[Call]) -> BoardRecord:
    """Return a record with the calls of the experiment, and what was said of these."""
    is_same = [made.call for made in said.calls] == list(calls)
    return replace(
        said,
        calls=said.calls if is_same else tuple(map(MadeCall, calls)),
        thoughts=said.thoughts if is_same else (),
        contract=Auction(said.board.dealer, calls).contract,
        event=EVENT,
        mode=Mode.BIDDING,
    )


def _tricks(
    part: Part, records: Mapping[int, Sequence[BoardRecord]], solve: Solve
) -> dict[Request, int]:
    known: dict[Request, int] = {}
    for row, tables in records.items():
        for at, record in enumerate(tables):
            if record.contract is not None:
                tricks = int(part.matches[at // 2].tricks[row, at % 2])
                request = _request(record)
                # `UNKNOWN` is more than any number of tricks.
                known[request] = min(tricks, known.get(request, UNKNOWN))
    missing = [request for request, tricks in known.items() if tricks == UNKNOWN]
    return known | dict(zip(missing, solve(missing), strict=True))


def _request(record: BoardRecord) -> Request:
    assert record.contract is not None
    return record.board.deal, record.contract.declarer, record.contract.denomination


def _scored(record: BoardRecord, tricks: Mapping[Request, int]) -> BoardRecord:
    taken = None if record.contract is None else tricks[_request(record)]
    score = score_ns(record.contract, taken, record.board.vulnerability)
    return replace(record, tricks=taken, score=score)
