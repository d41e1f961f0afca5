"""The records of boards, with what the bidders say of their calls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bridge_arena.bridge.calls import CALLS
from bridge_arena.bridge.record import Mode, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.bidding import NO_CALL
from bridge_arena.lab.experiment import UNKNOWN, Part
from bridge_arena.lab.figures import records_of
from bridge_arena.lab.run import FailedBidderError
from tests.lab.auctions import boards_of, finished, match_of
from tests.lab.test_bidders import HERE
from tests.lab.told import bidden, solve

ROWS = [1, 4, 5]


def test_records_are_those_of_the_experiment() -> None:
    experiment, part = bidden(boards_of(6), "baseline", "natural", "qtable")
    records = records_of(experiment, part, ROWS, solve)
    assert list(records) == ROWS
    for row, tables in records.items():
        assert [(table.home, table.visitors, table.room) for table in tables] == [
            (arm, "qtable", room) for arm in ("baseline", "natural") for room in Room
        ]
        for at, table in enumerate(tables):
            bid, room = part.matches[at // 2].bid, at % 2
            made = [CALLS[call] for call in bid.calls[row, room] if call != NO_CALL]
            assert [call.call for call in table.calls] == made
            said = [made.explanation for made in table.calls]
            assert any(said) or table.home != "natural"
            assert table.board == part.boards.board(row)
            assert table.score == score_ns(table.contract, table.tricks, table.board.vulnerability)
            assert table.players[room] == table.home
            assert table.mode is Mode.BIDDING


def test_tricks_are_known_or_solved() -> None:
    experiment, part = bidden(boards_of(40), "baseline", "natural")
    tricks = np.full_like(part.matches[0].tricks, UNKNOWN)
    tricks[0] = part.matches[0].tricks[0]
    unknown = Part(part.boards, (replace(part.matches[0], tricks=tricks),))
    records = records_of(experiment, unknown, list(range(40)), solve)
    for row, tables in records.items():
        for room, table in enumerate(tables):
            if table.contract is None:
                assert (table.tricks, table.score) == (None, 0)
            else:
                known = 13 - table.contract.declarer if row else tricks[0, room]
                assert table.tricks == known


def test_a_bidder_that_calls_otherwise_now_says_nothing() -> None:
    experiment, part = bidden(boards_of(1), "baseline", "natural")
    auctions = finished("7C"), finished("7NT")
    other = Part(part.boards, (match_of(part.boards, [auctions]),))
    for table, made in zip(records_of(experiment, other, [0], solve)[0], auctions, strict=True):
        assert [call.call for call in table.calls] == made
        assert all(call.explanation is None for call in table.calls)
        assert table.thoughts == ()


def test_a_bidder_that_fails_is_named() -> None:
    experiment, part = bidden(boards_of(1), "baseline", "natural")
    fails = replace(experiment, arms=(Bidder.parse(f"{HERE}:Fails"),))
    with pytest.raises(FailedBidderError, match=r"Fails against natural, .* out of ideas"):
        records_of(fails, part, [0], solve)
