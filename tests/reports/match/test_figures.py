"""The figures of the worked match, and what holds for every match."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge_arena.bridge.scoring import victory_points
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.match.figures import MatchFigures, Parts, Split, match_figures
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.sequential import Sprt, Verdict
from tests.reports.match.matches import Ledgers, matches, worked_match
from tests.tournaments.crossing import first_crossing
from tests.tournaments.matches import table, unfinished

Match = tuple[list[BoardRecord], Ledgers]

OTHER_ROOM = {Room.OPEN: Room.CLOSED, Room.CLOSED: Room.OPEN}


@pytest.fixture(scope="module")
def worked() -> MatchFigures:
    return match_figures(*worked_match())


def test_result(worked: MatchFigures) -> None:
    assert worked.names == ("alpha", "beta")
    assert (worked.boards, worked.single_tables, worked.imps) == (3, 0, -2)
    assert worked.per_board.mean == pytest.approx(-2 / 3)
    assert worked.per_board.standard_error == pytest.approx(sqrt(386 / 18))
    assert worked.p_value == pytest.approx(1.0)
    assert worked.victory_points == victory_points(-2, 3)
    assert worked.winner == 1
    assert worked.forfeit is None


def test_rows(worked: MatchFigures) -> None:
    assert [row.number for row in worked.rows] == [1, 2, 3]
    assert [row.imps for row in worked.rows] == [7, -9, 0]
    assert [row.cumulative for row in worked.rows] == [7, -2, -2]
    first = worked.rows[0]
    assert (str(first.open.contract), first.open.tricks, first.open.score) == ("4S", 10, 420)
    assert (first.closed.tricks, first.closed.dd_tricks, first.closed.score) == (9, 10, 140)
    assert worked.rows[1].closed.contract is None


def test_splits(worked: MatchFigures) -> None:
    nothing = Parts(0, 0, 0)
    assert [row.split for row in worked.rows] == [
        Split(6, nothing, Parts(0, 1, 0)),
        Split(2, Parts(-11, 0, 0), nothing),
        Split(0, Parts(-2.5, 0, 0), Parts(0, 2.5, 0)),
    ]


def test_tricks_against_double_dummy(worked: MatchFigures) -> None:
    alpha, beta = worked.bots
    assert alpha.declarer.all == Mean(2, 0.0, 0.0)
    assert alpha.declarer.by_level[4] == Mean(1, 0.0, None)
    assert alpha.declarer.by_level[3] == Mean(0, None, None)
    assert (beta.declarer.all.n, beta.declarer.all.mean) == (3, 0.0)
    assert beta.declarer.all.standard_error == pytest.approx(sqrt(1 / 3))
    # 3S a trick below, 3NT a trick above.
    assert beta.declarer.by_level[3].mean == 0.0
    assert alpha.defence.by_level[3].n == 2
    assert beta.defence.all == Mean(2, 0.0, 0.0)


def test_a_board_declared_in_both_rooms_is_one_observation() -> None:
    records = [table(1, Room.OPEN, "1NT", "N", 9), table(1, Room.CLOSED, "2NT", "E", 8)]
    _, ledgers = worked_match()
    board = records[0].board
    ledgers = {(board, Room.OPEN): ledgers[board, Room.OPEN]}
    ledgers[board, Room.CLOSED] = ledgers[board, Room.OPEN]  # double dummy 10
    declarer = match_figures(records, ledgers).bots[0].declarer
    assert declarer.all == Mean(1, -1.5, None)
    assert declarer.tables == 2
    assert declarer.by_level[1] == Mean(1, -1.0, None)
    assert declarer.by_level[2] == Mean(1, -2.0, None)


def test_ledger(worked: MatchFigures) -> None:
    alpha, beta = (bot.ledger for bot in worked.bots)
    assert alpha.boards == 3
    assert alpha.tricks == {Role.OPENING_LEAD: 2, Role.DECLARER_PLAY: 0, Role.DEFENCE: 0}
    assert beta.tricks == {Role.OPENING_LEAD: 0, Role.DECLARER_PLAY: 2, Role.DEFENCE: 0}
    assert alpha.per_board[Role.OPENING_LEAD].mean == pytest.approx(2 / 3)
    assert (alpha.auction, alpha.play, alpha.own_parts) == (8, -10, Parts(-13.5, 0, 0))
    assert (beta.auction, beta.play, beta.own_parts) == (-8, 10, Parts(0, -3.5, 0))


def test_timing() -> None:
    """Alpha, the home team, is North in the open room and East in the closed one; also what
    an unfinished board took counts."""
    records, ledgers = worked_match()
    records[0] = replace(records[0], times=((10.0,), (), (20.0,), ()))
    records.append(replace(unfinished(4, Room.CLOSED), times=((), (30.0,), (), ())))
    first, second = (bot.timing for bot in match_figures(records, ledgers).bots)
    assert (first.n, first.mean_ms) == (3, 20)
    assert first.p99_ms == pytest.approx(29.8)
    assert (second.n, second.mean_ms, second.p99_ms) == (0, None, None)


def test_faults_and_forfeit() -> None:
    illegal = Fault(Seat.NORTH, FaultKind.ILLEGAL, 0)
    late = Fault(Seat.WEST, FaultKind.TIMEOUT, 4)
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    records, ledgers = worked_match()
    records[0] = replace(records[0], faults=(illegal, late))
    records.append(unfinished(4, Room.OPEN, crash))
    figures = match_figures(records, ledgers)
    alpha, beta = figures.bots
    assert (alpha.illegal_actions, alpha.timeouts, alpha.forfeits) == (1, 0, 0)
    assert (beta.illegal_actions, beta.timeouts, beta.forfeits) == (0, 1, 1)
    assert figures.forfeit is not None
    assert figures.forfeit.fault.detail == "exit status 1"
    # The finished boards stand, two IMPs behind, but the match is alpha's.
    assert (figures.boards, figures.imps, figures.winner) == (3, -2, 0)


def test_an_adjusted_board_counts_three_imps_and_is_no_forfeit() -> None:
    """Beta could not finish the fourth board: +3 for alpha, which turns the match."""
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    records, ledgers = worked_match()
    records.append(replace(unfinished(4, Room.OPEN, crash), adjusted=Side.EW))
    half = match_figures(records, ledgers)
    assert (half.boards, half.imps, half.forfeit) == (3, -2, None), "the other room plays still"
    figures = match_figures([*records, table(4, Room.CLOSED)], ledgers)
    assert (figures.boards, figures.imps, figures.winner) == (4, 1, 0)
    assert (figures.adjusted, figures.single_tables, figures.forfeit) == ((3,), 0, None)
    assert figures.per_board.mean == pytest.approx(1 / 4)
    assert figures.victory_points == victory_points(1, 4)
    assert [row.number for row in figures.rows] == [1, 2, 3]
    assert figures.bots[1].forfeits == 1


def test_the_sequential_test_takes_the_boards_as_they_come() -> None:
    """Swings 7, -9, 0 by number; recorded the other way round."""
    records, ledgers = worked_match()
    test = Sprt(imp0=0, imp1=2)
    assert match_figures(records, ledgers).sprt is None
    whole = match_figures(records[::-1], ledgers, test).sprt
    assert whole is not None
    assert (whole.test, whole.verdict, whole.boards) == (test, Verdict.GO_ON, 3)
    assert whole.llr == pytest.approx(test.llr([0, -9, 7]))
    gap = [record for record in records if (record.board.number, record.room) != (2, Room.OPEN)]
    first = match_figures(gap, ledgers, test).sprt
    assert first is not None
    assert first.boards == 1
    assert first.llr == pytest.approx(test.llr([7]))


def test_the_sequential_test_says_where_it_ended() -> None:
    records = [
        table(number, room, "3NT" if room is Room.OPEN else "", "N", 9)
        for number in range(1, 60)
        for room in Room
    ]
    test = Sprt(imp0=0, imp1=2)
    swings = [row.imps for row in match_figures(records, {}).rows]
    figures = match_figures(records, {}, test)
    assert figures.sprt is not None
    assert figures.sprt.verdict is Verdict.ACCEPT_H1
    assert figures.sprt.boards == first_crossing(test, swings)
    assert figures.sprt.boards < figures.boards
    assert figures.sprt.llr >= test.bounds[1]


def test_no_boards() -> None:
    figures = match_figures([], {})
    assert figures.per_board == Mean(0, None, None)
    assert (figures.victory_points, figures.p_value, figures.winner) == (None, None, None)


def test_without_ledgers_only_the_double_dummy_figures_are_missing() -> None:
    figures = match_figures(worked_match()[0], {})
    assert figures.imps == -2
    assert [row.split for row in figures.rows] == [None, None, None]
    assert figures.bots[0].ledger.boards == 0
    assert figures.bots[0].declarer.all.n == 0


def test_a_score_that_the_contract_does_not_give_has_no_split() -> None:
    records, ledgers = worked_match()
    records[0] = replace(records[0], score=999)
    figures = match_figures(records, ledgers)
    assert figures.boards == 3
    assert figures.rows[0].split is None
    assert figures.bots[0].ledger.boards == 2


@settings(deadline=None)
@given(matches())
def test_auction_and_parts_add_up_to_the_imps(match: Match) -> None:
    figures = match_figures(*match)
    for row in figures.rows:
        assert row.split is not None
        parts = row.split.auction + row.split.first.total + row.split.second.total
        assert parts == pytest.approx(row.imps)
    first, second = (bot.ledger for bot in figures.bots)
    assert first.auction + first.play == pytest.approx(figures.imps)
    assert second.auction + second.play == pytest.approx(-figures.imps)
    assert first.play == pytest.approx(first.own_parts.total - second.own_parts.total)


@settings(deadline=None)
@given(matches())
def test_own_errors_never_gain(match: Match) -> None:
    for bot in match_figures(*match).bots:
        own = bot.ledger.own_parts
        assert max(own.opening_lead, own.declarer_play, own.defence) <= 0


@settings(deadline=None)
@given(matches())
def test_swapping_the_teams_negates(match: Match) -> None:
    records, ledgers = match
    swapped = match_figures(
        [
            replace(
                record,
                room=OTHER_ROOM[record.room or Room.OPEN],
                home=record.visitors,
                visitors=record.home,
            )
            for record in records
        ],
        {(board, OTHER_ROOM[room or Room.OPEN]): kept for (board, room), kept in ledgers.items()},
    )
    figures = match_figures(records, ledgers)
    assert swapped.names == (figures.names[::-1] if records else figures.names)
    assert swapped.imps == -figures.imps
    assert swapped.p_value == pytest.approx(figures.p_value)
    if figures.imps and figures.victory_points:
        assert swapped.victory_points == figures.victory_points[::-1]
    for bot, same in zip(figures.bots, swapped.bots[::-1], strict=True):
        assert (bot.declarer, bot.defence) == (same.declarer, same.defence)
        assert bot.ledger.tricks == same.ledger.tricks
        assert bot.ledger.auction == pytest.approx(same.ledger.auction)
        assert bot.ledger.own_parts.total == pytest.approx(same.ledger.own_parts.total)


@settings(deadline=None)
@given(matches())
def test_half_boards_and_the_order_of_records_change_nothing(match: Match) -> None:
    records, ledgers = match
    more = [*records, table(90, Room.OPEN, "7NT", "N", 0), unfinished(91, Room.CLOSED)]
    Random(5).shuffle(more)
    expected = match_figures(records, ledgers)
    if records:
        assert match_figures(more, ledgers) == replace(expected, single_tables=1)
