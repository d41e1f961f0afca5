"""The figures of the worked match, and what holds for every match."""

from __future__ import annotations

from dataclasses import replace
from math import fsum, sqrt
from random import Random

import pytest
from hypothesis import given, settings

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge_arena.bridge.scoring import victory_points
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.figures import EntryFigures, MeanByLevel
from bridge_arena.reports.match.figures import MatchFigures, find_forfeit
from bridge_arena.reports.match.wording import notices
from bridge_arena.tournaments import Split
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.sequential import Sprt, Verdict
from tests.reports.match.matches import Ledgers, figures_of, ledger, matches, worked_match
from tests.tournaments.crossing import first_crossing, llr
from tests.tournaments.matches import table, unfinished

Match = tuple[list[BoardRecord], Ledgers]

NONE, ONE = Mean(0, None, None), Mean(1, 0.0, None)

OTHER_ROOM = {Room.OPEN: Room.CLOSED, Room.CLOSED: Room.OPEN}


@pytest.fixture(scope="module")
def worked() -> MatchFigures:
    return figures_of(*worked_match())


def test_the_result_is_the_sum_of_the_swings(worked: MatchFigures) -> None:
    assert worked.names == ("alpha", "beta")
    assert (worked.boards, worked.single_table_boards, worked.imps) == (3, 0, -2)
    assert worked.imps_per_board.mean == pytest.approx(-2 / 3)
    assert worked.imps_per_board.standard_error == pytest.approx(sqrt(386 / 18))
    assert worked.p_value == pytest.approx(1.0)
    assert worked.victory_points == victory_points(-2, 3)
    assert worked.winner == "beta"
    assert worked.forfeit is None


def test_each_board_has_its_row(worked: MatchFigures) -> None:
    assert [row.board for row in worked.board_results] == [1, 2, 3]
    assert [row.imps for row in worked.board_results] == [7, -9, 0]
    assert [row.cumulative for row in worked.board_results] == [7, -2, -2]
    first = worked.board_results[0]
    assert (str(first.open.contract), first.open.tricks, first.open.score) == ("4S", 10, 420)
    assert (first.closed.tricks, first.closed.dd_tricks, first.closed.score) == (9, 10, 140)
    assert worked.board_results[1].closed.contract is None


def test_each_swing_is_split(worked: MatchFigures) -> None:
    def parts(*imps: float) -> dict[Role, float]:
        return dict(zip(Role, imps, strict=True))

    nothing = parts(0, 0, 0)
    assert [row.split for row in worked.board_results] == [
        Split(6, nothing, parts(0, 1, 0)),
        Split(2, parts(-11, 0, 0), nothing),
        Split(0, parts(-2.5, 0, 0), parts(0, 2.5, 0)),
    ]


def test_tricks_are_compared_with_double_dummy(worked: MatchFigures) -> None:
    alpha, beta = worked.bots
    assert alpha.tricks_vs_dd.declarer == MeanByLevel(
        2, 0.0, 0.0, {**dict.fromkeys(range(1, 8), NONE), 1: ONE, 4: ONE}
    )
    assert (beta.tricks_vs_dd.declarer.n, beta.tricks_vs_dd.declarer.mean) == (3, 0.0)
    assert beta.tricks_vs_dd.declarer.standard_error == pytest.approx(sqrt(1 / 3))
    # 3S a trick below, 3NT a trick above.
    assert beta.tricks_vs_dd.declarer.by_level[3].mean == 0.0
    assert alpha.tricks_vs_dd.defence.by_level[3].n == 2
    assert (beta.tricks_vs_dd.defence.n, beta.tricks_vs_dd.defence.mean) == (2, 0.0)


def test_a_board_declared_in_both_rooms_is_two_tables_of_one_deal() -> None:
    """A bot that took a trick too few in one room and two in the other, and a flat board."""
    records = [
        *(table(1, Room.OPEN, "1NT", "N", 9), table(1, Room.CLOSED, "2NT", "E", 8)),
        *(table(2, Room.OPEN, "1NT", "N", 10), table(2, Room.CLOSED)),
    ]
    ledgers = {(each.board, each.room): ledger(10) for each in records}
    declarer = figures_of(records, ledgers).bots[0].tricks_vs_dd.declarer
    assert (declarer.n, declarer.mean) == (3, -1)
    # One deal is a trick below the mean of its tables, one above; were the tables taken for
    # independent, it would be sqrt(1 / 3).
    assert declarer.standard_error == pytest.approx(2 / 3)
    assert declarer.by_level[2] == Mean(1, -2.0, None)
    assert (declarer.by_level[1].n, declarer.by_level[1].mean) == (2, -0.5)


def test_a_table_without_its_other_room_counts_but_for_imps() -> None:
    records, ledgers = worked_match()
    alone = table(4, Room.OPEN, "2NT", "N", 7)
    figures = figures_of([*records, alone], {**ledgers, (alone.board, Room.OPEN): ledger(8)})
    before = figures_of(records, ledgers)
    alpha, beta = figures.bots
    assert (figures.boards, figures.single_table_boards, figures.imps) == (3, 1, -2)
    assert (alpha.tricks_vs_dd.declarer.n, alpha.tricks_vs_dd.declarer.mean) == (3, -1 / 3)
    assert (beta.tricks_vs_dd.defence.n, beta.tricks_vs_dd.defence.mean) == (3, 1 / 3)
    assert [bot.ledger for bot in figures.bots] == [bot.ledger for bot in before.bots]


def test_losses_are_charged_to_bots_and_roles(worked: MatchFigures) -> None:
    alpha, beta = (bot.ledger for bot in worked.bots)
    assert alpha.boards == 3
    lost = alpha.tricks_lost_per_board
    assert [lost[role].total for role in Role] == [2, 0, 0]
    assert lost[Role.OPENING_LEAD].mean == pytest.approx(2 / 3)
    assert [beta.tricks_lost_per_board[role].total for role in Role] == [0, 2, 0]
    own, other = alpha.imps_per_board, beta.imps_per_board
    assert (own.auction.total, own.net_play) == pytest.approx((8, -10))
    assert [own.own[role].total for role in Role] == pytest.approx([-13.5, 0, 0])
    assert [own.opponents[role].total for role in Role] == pytest.approx([0, 3.5, 0])
    assert (other.auction.total, other.net_play) == pytest.approx((-8, 10))
    assert [other.own[role].total for role in Role] == pytest.approx([0, -3.5, 0])


def test_times_are_counted_for_each_bot() -> None:
    """Alpha, the home team, is North in the open room and East in the closed one; also what
    an unfinished board took counts."""
    records, ledgers = worked_match()
    records[0] = replace(records[0], times=((10.0,), (), (20.0,), ()))
    records.append(replace(unfinished(4, Room.CLOSED), times=((), (30.0,), (), ())))
    first, second = (bot.timing for bot in figures_of(records, ledgers).bots)
    assert (first.actions, first.mean_ms, first.tables) == (3, 20, 2)
    assert first.p99_ms == pytest.approx(29.8)
    assert (second.actions, second.mean_ms, second.p99_ms) == (0, None, None)


def test_faults_are_counted_and_a_lost_player_forfeits() -> None:
    illegal = Fault(Seat.NORTH, FaultKind.ILLEGAL, 0)
    late = Fault(Seat.WEST, FaultKind.TIMEOUT, 4)
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    records, ledgers = worked_match()
    records[0] = replace(records[0], faults=(illegal, late))
    records.append(unfinished(4, Room.OPEN, crash))
    figures = figures_of(records, ledgers)
    alpha, beta = figures.bots
    assert _conduct(alpha) == (1, 0, 0)
    assert _conduct(beta) == (0, 1, 1)
    assert figures.forfeit is not None
    assert figures.forfeit.fault.detail == "exit status 1"
    # The finished boards stand, two IMPs behind, but the match is alpha's.
    assert (figures.boards, figures.imps, figures.winner) == (3, -2, "alpha")


def test_undos_are_counted() -> None:
    undone = Fault(Seat.NORTH, FaultKind.UNDO, 0, "took back 1NT")
    late = Fault(Seat.NORTH, FaultKind.TIMEOUT, 4, "no action within 60.0 s")
    records, ledgers = worked_match()
    records[0] = replace(records[0], faults=(undone, late, undone))
    figures = figures_of(records, ledgers)
    told = " ".join(notices(figures))
    assert "alpha played with undo, and took back 2 actions." in told
    assert "beta played with undo" not in told
    assert "the first: no action within 60.0 s." in told


def _conduct(bot: EntryFigures) -> tuple[int, int, int]:
    return bot.conduct.illegal_actions, bot.conduct.timeouts, bot.conduct.lost_players


def test_an_adjusted_board_counts_three_imps_and_is_no_forfeit() -> None:
    """Beta could not finish the fourth board: +3 for alpha, which turns the match."""
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    records, ledgers = worked_match()
    records.append(replace(unfinished(4, Room.OPEN, crash), adjusted=Side.EW))
    half = figures_of(records, ledgers)
    assert (half.boards, half.imps, half.forfeit) == (3, -2, None), "the other room plays still"
    figures = figures_of([*records, table(4, Room.CLOSED)], ledgers)
    assert (figures.boards, figures.imps, figures.winner) == (4, 1, "alpha")
    assert (figures.adjusted_boards, figures.adjusted_imps, figures.forfeit) == (1, 3, None)
    assert figures.single_table_boards == 0
    assert figures.imps_per_board.mean == pytest.approx(1 / 4)
    assert figures.victory_points == victory_points(1, 4)
    assert [row.board for row in figures.board_results] == [1, 2, 3]
    assert figures.bots[1].conduct.lost_players == 1


def test_the_sequential_test_takes_the_boards_as_they_come() -> None:
    """Swings 7, -9, 0 by number; recorded the other way round."""
    records, ledgers = worked_match()
    test = Sprt(imp0=0, imp1=2)
    assert figures_of(records, ledgers).sprt is None
    whole = figures_of(records[::-1], ledgers, test).sprt
    assert whole is not None
    assert (whole.test, whole.verdict, whole.boards) == (test, Verdict.GO_ON, 3)
    assert whole.llr == pytest.approx(llr(test, [0, -9, 7]))
    gap = [record for record in records if (record.board.number, record.room) != (2, Room.OPEN)]
    first = figures_of(gap, ledgers, test).sprt
    assert first is not None
    assert first.boards == 1
    assert first.llr == pytest.approx(llr(test, [7]))


def test_the_sequential_test_says_where_it_ended() -> None:
    records = [
        table(number, room, "3NT" if room is Room.OPEN else "", "N", 9)
        for number in range(1, 60)
        for room in Room
    ]
    test = Sprt(imp0=0, imp1=2)
    swings = [row.imps for row in figures_of(records, {}).board_results]
    figures = figures_of(records, {}, test)
    assert figures.sprt is not None
    assert figures.sprt.verdict is Verdict.ACCEPT_H1
    assert figures.sprt.boards == first_crossing(test, swings)
    assert figures.sprt.boards < figures.boards
    assert figures.sprt.llr >= test.bounds[1]


def test_a_match_without_boards_has_figures() -> None:
    figures = figures_of([], {})
    assert figures.imps_per_board == Mean(0, None, None)
    assert (figures.victory_points, figures.p_value, figures.winner) == (None, None, None)


def test_without_ledgers_only_the_double_dummy_figures_are_missing() -> None:
    figures = figures_of(worked_match()[0], {})
    assert figures.imps == -2
    assert [row.split for row in figures.board_results] == [None, None, None]
    assert figures.bots[0].ledger.boards == 0
    assert figures.bots[0].tricks_vs_dd.declarer.n == 0


def test_a_score_that_the_contract_does_not_give_has_no_split() -> None:
    records, ledgers = worked_match()
    records[0] = replace(records[0], score=999)
    figures = figures_of(records, ledgers)
    assert figures.boards == 3
    assert figures.board_results[0].split is None
    assert figures.bots[0].ledger.boards == 2


@settings(deadline=None)
@given(matches())
def test_auction_and_parts_add_up_to_the_imps(match: Match) -> None:
    figures = figures_of(*match)
    for row in figures.board_results:
        assert row.split is not None
        play = [*row.split.first.values(), *row.split.second.values()]
        assert row.split.auction + fsum(play) == pytest.approx(row.imps)
    for bot, sign in zip(figures.bots, (1, -1), strict=True):
        imps = bot.ledger.imps_per_board
        parts = [
            mean.total or 0.0
            for mean in (imps.auction, *imps.own.values(), *imps.opponents.values())
        ]
        assert fsum(parts) == pytest.approx(imps.all.total or 0.0)
        assert imps.all.total or pytest.approx(sign * figures.imps) == 0


@settings(deadline=None)
@given(matches())
def test_own_errors_never_gain(match: Match) -> None:
    for bot in figures_of(*match).bots:
        own = bot.ledger.imps_per_board.own
        assert max(own[role].mean or 0.0 for role in Role) <= 0


@pytest.mark.slow
@settings(deadline=None)
@given(matches())
def test_swapping_the_teams_negates_the_figures(match: Match) -> None:
    records, ledgers = match
    swapped = figures_of(
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
    figures = figures_of(records, ledgers)
    assert swapped.names == (figures.names[::-1] if records else figures.names)
    assert swapped.imps == -figures.imps
    assert swapped.p_value == pytest.approx(figures.p_value)
    if figures.imps and figures.victory_points:
        assert swapped.victory_points == figures.victory_points[::-1]
    for bot, same in zip(figures.bots, swapped.bots[::-1], strict=True):
        assert replace(bot, name=same.name) == same


@settings(deadline=None)
@given(matches())
def test_half_boards_without_play_and_the_order_of_records_change_nothing(match: Match) -> None:
    records, ledgers = match
    more = [*records, table(90, Room.OPEN), unfinished(91, Room.CLOSED)]
    Random(5).shuffle(more)
    expected = figures_of(records, ledgers)
    if records:
        figures = figures_of(more, ledgers)
        assert figures.deals.values == expected.deals.values
        assert figures == replace(expected, single_table_boards=1, deals=figures.deals)


ILLEGAL = Fault(Seat.NORTH, FaultKind.ILLEGAL, 0)
CRASH = Fault(Seat.EAST, FaultKind.CRASH, 3, "its process ended")
NAMES = ("alpha", "beta")


def test_a_forfeit_is_an_unfinished_board_that_lost_a_player() -> None:
    survived = table(1, Room.OPEN, faults=(CRASH,))
    assert find_forfeit(NAMES, [survived, unfinished(2, Room.OPEN, ILLEGAL)]) is None
    lost = [unfinished(5, Room.OPEN, CRASH), unfinished(4, Room.CLOSED, CRASH)]
    forfeit = find_forfeit(NAMES, lost)
    assert forfeit is not None
    assert (forfeit.by, forfeit.to, forfeit.board) == ("alpha", "beta", 4)
    assert (forfeit.room, forfeit.fault.detail) == (Room.CLOSED, "its process ended")
