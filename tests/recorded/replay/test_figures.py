"""The figures of a replay, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Mode
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.replay.figures import Measure, ReplayedGame, Role, figures_of
from bridge_arena.recorded.replay.games import LeftOut, RecordedGame
from tests.tournaments.matches import table


def replayed(
    recorded: BoardRecord | None,
    bot: BoardRecord | None = None,
    oracle: BoardRecord | None = None,
    dd_tricks: int | None = None,
    left_out: LeftOut | None = None,
) -> ReplayedGame:
    return ReplayedGame(
        RecordedGame(1, 1, recorded, left_out=left_out), Seat.SOUTH, bot, oracle, dd_tricks
    )


def made(contract: str, declarer: str, tricks: int, number: int = 1) -> BoardRecord:
    return table(number, None, contract, declarer, tricks)


def test_tricks_as_declarer_are_compared_with_the_record() -> None:
    each = replayed(made("3NT", "S", 8), made("3NT", "S", 9), made("3NT", "S", 11), 10)
    assert each.role is Role.DECLARER
    assert each.differences == {
        Measure.VS_DD: -1,
        Measure.VS_RECORDED: 1,
        Measure.VS_ORACLE: -2,
        Measure.IMPS_VS_RECORDED: 10,  # 400 instead of -50
    }


def test_tricks_as_defender_are_compared_with_the_record() -> None:
    each = replayed(made("3NT", "W", 8), made("3NT", "W", 9), made("3NT", "W", 7), 10)
    assert each.role is Role.DEFENDER
    assert each.differences == {
        Measure.VS_DD: 1,
        Measure.VS_RECORDED: -1,
        Measure.VS_ORACLE: -2,
        Measure.IMPS_VS_RECORDED: -10,
    }


def test_tricks_of_another_contract_are_not_those_of_the_record() -> None:
    each = replayed(made("3NT", "S", 9), made("4S", "S", 10), made("4S", "S", 10), 10)
    assert Measure.VS_RECORDED not in each.differences
    assert each.differences[Measure.IMPS_VS_RECORDED] == 1  # 420 instead of 400


def test_what_was_only_bid_has_no_tricks_to_compare() -> None:
    bid = replace(made("3NT", "S", 9), mode=Mode.BIDDING)
    found = replayed(bid, made("3NT", "S", 10), None, 9).differences
    assert found == {Measure.VS_DD: 1}


@pytest.mark.parametrize(
    ("each", "why"),
    [
        (replayed(None, left_out=LeftOut.ERROR), "the game has errors"),
        (replayed(made("1C", "N", 7), made("1C", "N", 7)), "the bot is dummy"),
        (replayed(made("1C", "N", 7), table(1, None)), "passed out"),
        (replayed(made("1C", "E", 7)), "not played yet"),
    ],
)
def test_a_game_that_is_left_out_has_its_reason_and_no_figures(
    each: ReplayedGame, why: str
) -> None:
    assert each.left_out == why
    assert each.role is None
    assert each.differences == {}
    figures = figures_of([each])
    assert (figures.games, figures.counted, figures.left_out) == (1, 0, {why: 1})


def test_tables_of_one_deal_are_one_cluster() -> None:
    results = [("S", 9, 1), ("S", 9, 1), ("E", 7, 2), ("S", 10, 3)]
    tables = [made("1NT", *result) for result in results]
    games = [replayed(record, record, record, 8) for record in tables]
    means = figures_of(games).means[Measure.VS_DD]
    # 1, 1, 1 and 2: mean 1.25; sums of distances -0.5, -0.25 and 0.75.
    assert (means[Role.ALL].n, means[Role.ALL].mean) == (4, 1.25)
    expected = sqrt((0.25 + 0.0625 + 0.5625) * 3 / 2) / 4
    assert means[Role.ALL].standard_error == pytest.approx(expected)
    assert (means[Role.DECLARER].n, means[Role.DEFENDER].n) == (3, 1)


def test_faults_are_the_bots_own() -> None:
    faults = (
        Fault(Seat.SOUTH, FaultKind.TIMEOUT, 3),
        Fault(Seat.WEST, FaultKind.ILLEGAL, 4),
        Fault(Seat.SOUTH, FaultKind.TIMEOUT, 9),
    )
    bot = table(1, None, "1NT", "S", 7, faults=faults)
    figures = figures_of([replayed(made("1NT", "S", 7), bot)])
    assert figures.faults == {FaultKind.TIMEOUT: 2}
    assert figures.unsolved == 1
