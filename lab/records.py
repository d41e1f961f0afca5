"""The records of some boards of an experiment, with what the bidders say of their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.lab.apart import explained_apart
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.bidding import NO_CALL
from bridge_arena.lab.experiment import UNKNOWN, Experiment, Part
from bridge_arena.lab.run import FailedBidderError
from bridge_arena.lab.scoring import Solve
from bridge_arena.oracle.asked import Request
from bridge_arena.tournaments.play.in_process import NamedBot, explained_at_tables

EVENT = "Laboratory"
"""The event of the records."""


def records_of(
    experiment: Experiment, part: Part, rows: Sequence[int], solve: Solve
) -> dict[int, tuple[BoardRecord, ...]]:
    """Return the records of some boards.

    The bidders are asked once more, at tables, to hear what they say of their calls. A bidder that
    now calls otherwise, because it draws at random or remembers other boards, says nothing.

    Returns:
        The records of each board by its row: of each arm in turn, the open and the closed room.
    """
    boards = [part.boards.board(row) for row in rows]
    found: dict[int, list[BoardRecord]] = {row: [] for row in rows}
    for arm, match in zip(experiment.arms, part.matches, strict=True):
        said = _explained(experiment, arm, boards)
        for row, tables in zip(rows, said, strict=True):
            for record, calls in zip(tables, match.bid.calls[row].tolist(), strict=True):
                made = [CALLS[call] for call in calls if call != NO_CALL]
                found[row].append(_with_calls(record, made))
    tricks = _tricks(part, found, solve)
    return {
        row: tuple(_scored(record, tricks) for record in records) for row, records in found.items()
    }


def _explained(
    experiment: Experiment, arm: Bidder, boards: Sequence[Board]
) -> list[tuple[BoardRecord, BoardRecord]]:
    """Return boards as the bidders bid and explain them now. Raises FailedBidderError."""
    opponent = experiment.opponent
    if experiment.is_apart(arm):
        return explained_apart(boards, arm, opponent, experiment.key)
    home, visitors = (NamedBot(each.name, each.maker()) for each in (arm, opponent))
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
    """Return the double-dummy tricks of all contracts."""
    known: dict[Request, int] = {}
    unknown: dict[Request, None] = {}
    for row, tables in records.items():
        for at, record in enumerate(tables):
            if record.contract is not None:
                tricks = int(part.matches[at // 2].tricks[row, at % 2])
                if tricks == UNKNOWN:
                    unknown[_request(record)] = None
                else:
                    known[_request(record)] = tricks
    asked = [request for request in unknown if request not in known]
    return known | dict(zip(asked, solve(asked), strict=True))


def _request(record: BoardRecord) -> Request:
    assert record.contract is not None
    return record.board.deal, record.contract.declarer, record.contract.denomination


def _scored(record: BoardRecord, tricks: Mapping[Request, int]) -> BoardRecord:
    taken = None if record.contract is None else tricks[_request(record)]
    score = score_ns(record.contract, taken, record.board.vulnerability)
    return replace(record, tricks=taken, score=score)
