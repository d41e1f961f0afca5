"""The figures, against cases worked out by hand and against what must hold of any event."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import fsum, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.calls import DENOMINATIONS
from bridge_arena.bridge.record import Fault, FaultKind, Mode
from bridge_arena.bridge.scoring import victory_points
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.leaderboard.figures import Leaderboard, Matches, RankedEntry, leaderboard
from bridge_arena.reports.leaderboard.wording import headline, notices
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.statistics.means import Mean
from tests.reports.leaderboard.events import (
    event,
    lost,
    play_event,
    result,
    units,
    worked_event,
)


def entry(board: Leaderboard, name: str) -> RankedEntry:
    return next(entry for entry in board.entries if entry.name == name)


def near(value: float) -> object:
    return pytest.approx(value, abs=1e-9)


@pytest.fixture(scope="module")
def worked() -> Leaderboard:
    return leaderboard([worked_event()])


def test_a_worked_match_has_its_imps_and_victory_points(worked: Leaderboard) -> None:
    alpha, beta = entry(worked, "alpha"), entry(worked, "beta")
    # +7, -9, -1: the distances from the mean are 8, -8 and 0.
    assert alpha.imps_per_board == Mean(3, near(-1), near(sqrt(128 / 2 / 3)))  # type: ignore[arg-type]
    assert beta.imps_per_board.mean == near(1)
    assert alpha.running == (7, -2, -3)
    assert alpha.matches == Matches(0, 0, 1)
    assert beta.matches == Matches(1, 0, 0)
    own, theirs = victory_points(-3, 3)
    assert (alpha.victory_points.mean, beta.victory_points.mean) == (own, theirs)
    assert alpha.rating is not None
    assert alpha.rating.estimate.value == near(-0.5)
    assert [each.name for each in worked.entries] == ["beta", "alpha"]


def test_a_worked_match_has_its_ledger(worked: Leaderboard) -> None:
    alpha, beta = entry(worked, "alpha").ledger, entry(worked, "beta").ledger
    own, other = alpha.imps_per_board, beta.imps_per_board
    assert own.auction.mean == near(8 / 3)
    assert own.own[Role.DEFENCE].mean == near(-12 / 3)
    assert own.own[Role.DECLARER_PLAY].mean == near(0)
    assert own.opponents[Role.DECLARER_PLAY].mean == near(1 / 3)
    assert other.own[Role.DECLARER_PLAY].mean == near(-1 / 3)
    assert other.opponents[Role.DEFENCE].mean == near(12 / 3)
    assert alpha.tricks_lost_per_board[Role.DEFENCE].mean == near(2 / 3)
    assert beta.tricks_lost_per_board[Role.DECLARER_PLAY].mean == near(1 / 3)


def test_a_worked_match_has_its_tricks_against_double_dummy(worked: Leaderboard) -> None:
    alpha, beta = entry(worked, "alpha").tricks_vs_dd, entry(worked, "beta").tricks_vs_dd
    assert (alpha.declarer.n, alpha.declarer.mean) == (2, 0)
    # A trick gained on the first board, one lost on each of the others.
    assert (alpha.defence.n, alpha.defence.mean) == (3, near(-1 / 3))
    assert (beta.declarer.n, beta.declarer.mean) == (3, near(1 / 3))
    assert (beta.defence.n, beta.defence.mean) == (2, 0)


def test_a_worked_match_is_a_meeting(worked: Leaderboard) -> None:
    meeting = worked.meetings["alpha", "beta"]
    assert (meeting.imps, meeting.imps_per_board.n, meeting.deals_with_swing) == (-3, 3, 3)
    # Of the eight sums of +-7 +-9 +-1 only +-1 are nearer to zero.
    assert meeting.p_value == near(6 / 8)
    assert meeting.too_few_deals
    assert "1 of 1 pair that met" in " ".join(notices(worked))


def test_a_board_with_its_deal_twice_is_one_cluster() -> None:
    """The same boards in two events: no more certain than once."""
    once, twice = leaderboard([worked_event()]), leaderboard([worked_event(), worked_event()])
    one, two = once.meetings["alpha", "beta"], twice.meetings["alpha", "beta"]
    assert (two.imps, two.imps_per_board.n, two.deals_with_swing) == (-6, 6, 3)
    assert two.imps_per_board.standard_error == near(one.imps_per_board.standard_error or 0)
    assert two.p_value == one.p_value


def test_an_adjusted_board_is_three_imps_to_the_others() -> None:
    match = event(Format.MATCH, "alpha", "beta", boards=2)
    rooms = units(match)
    # Beta sits North in the closed room.
    played = [
        result(match, rooms[0], "1NT", "S", 7, 7),
        lost(match, rooms[1], "N"),
        result(match, rooms[2], "1NT", "S", 7, 7),
        result(match, rooms[3], "1NT", "S", 7, 7),
    ]
    board = leaderboard([EventResults(match, played)])
    alpha, beta = entry(board, "alpha"), entry(board, "beta")
    assert (alpha.running, alpha.adjusted_boards, beta.adjusted_boards) == ((3, 3), 1, 1)
    assert alpha.ledger.boards == 1
    assert (alpha.conduct.lost_boards, beta.conduct.lost_boards) == (0, 1)
    assert beta.conduct.lost_players == 1
    assert "1 board could not be finished: average minus (-3 IMPs)" in " ".join(notices(board))


def test_what_an_entry_did_not_do_in_time_is_told_in_its_own_words() -> None:
    match = event(Format.MATCH, "alpha", "beta", boards=1)
    late = Fault(Seat.NORTH, FaultKind.TIMEOUT, 0, "no action: status 400: no model")
    played = [result(match, unit, "1NT", "S", 7, 7) for unit in units(match)]
    played[0] = replace(played[0], record=replace(played[0].record, faults=(late, late)))
    told = notices(leaderboard([EventResults(match, played)]))
    words = "0 illegal or malformed actions, 2 time-outs; the first: no action: status 400"
    assert [text for text in told if "time-out" in text] == [f"alpha: {words}: no model."]


def test_a_withdrawn_entry_forfeits_what_it_did_not_play() -> None:
    robin = event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", "delta", boards=1)
    played: list[Played] = []
    for unit in units(robin):
        if 0 not in unit.lineup:
            played.append(result(robin, unit, "1NT", "N", 7, 7))
        elif unit.match.round == 1:
            seat = "NESW"[unit.lineup.index(0)]
            played.append(lost(robin, unit, seat, adjusted=False))
    board = leaderboard([EventResults(robin, played)])
    alpha = entry(board, "alpha")
    assert alpha.withdrawn
    assert alpha.matches == Matches(0, 0, 3)
    assert (alpha.imps_per_board.n, alpha.rating) == (0, None)
    assert alpha.victory_points.mean == 0
    assert alpha.conduct.lost_players == 2
    assert entry(board, "beta").matches.won == 1
    assert [match.forfeited for match in board.events[0].matches].count(("alpha",)) == 3
    text = " ".join(notices(board))
    assert "alpha was withdrawn from Test" in text
    assert "No rating for alpha" in text
    assert "1 board not finished in both rooms: not counted." in text


def test_entries_that_never_met_are_not_compared() -> None:
    one = worked_event()
    other = event(Format.MATCH, "gamma", "delta", boards=2)
    played = [
        result(other, unit, "1NT", "N", 6 + (unit.room == "Open"), 7) for unit in units(other)
    ]
    board = leaderboard([one, EventResults(other, played)])
    assert [each.rating.group for each in board.entries if each.rating] == [1, 1, 2, 2]
    assert ("alpha", "gamma") not in board.meetings
    assert "beta, alpha; gamma, delta" in " ".join(notices(board))


def test_an_event_of_which_nothing_is_played_has_no_figures() -> None:
    board = leaderboard([EventResults(event(Format.ROUND_ROBIN, "alpha", "beta", "gamma"), ())])
    assert headline(board) == "3 entries, no board was played"
    assert [each.imps_per_board for each in board.entries] == [Mean(0, None, None)] * 3
    assert not board.meetings
    assert not board.has_teams


def test_a_leaderboard_of_no_event_has_no_entries() -> None:
    assert leaderboard([]).entries == ()


def test_faults_and_times_are_those_of_the_player() -> None:
    results = worked_event()
    record = replace(
        results.played[0].record,
        faults=(
            Fault(Seat.NORTH, FaultKind.TIMEOUT, 0),
            Fault(Seat.EAST, FaultKind.ILLEGAL, 1),
            Fault(Seat.WEST, FaultKind.MALFORMED, 2),
        ),
        times=((10.0, 20.0), (100.0,), (30.0,), ()),
    )
    played = [Played(record, results.played[0].values), *results.played[1:]]
    board = leaderboard([EventResults(results.event, played)])
    alpha, beta = entry(board, "alpha"), entry(board, "beta")
    assert (alpha.conduct.timeouts, sum(alpha.conduct.faults.values())) == (1, 1)
    assert (beta.conduct.illegal_actions, beta.conduct.malformed) == (1, 1)
    assert (alpha.timing.actions, alpha.timing.mean_ms, alpha.timing.table_ms) == (3, 20, 60)
    assert (beta.timing.actions, beta.timing.tables, beta.timing.table_ms) == (1, 1, 100)


def test_pairs_are_compared_with_the_other_tables() -> None:
    pairs = event(
        Format.PAIRS, "alpha", "beta", "gamma", "delta", boards=1, scoring=Scoring.MATCHPOINTS
    )
    # The first board: 120, 90 or 150 wherever it is played; the others are not played.
    tables = [unit for unit in units(pairs) if unit.board == 1]
    played = [
        result(pairs, unit, "1NT", "N", tricks)
        for unit, tricks in zip(tables, (8, 7, 9), strict=False)
    ]
    board = leaderboard([EventResults(pairs, played)])
    assert not board.has_teams
    sitting = {unit.lineup[0]: unit.lineup[1] for unit in tables}
    assert len(played) == len(tables) == 2
    # 30 points are an IMP.
    for (north, east), worth in zip(sitting.items(), (1, -1), strict=True):
        north_name, east_name = (pairs.entries[each].name for each in (north, east))
        assert entry(board, north_name).cross_imps.mean == worth
        assert entry(board, east_name).cross_imps.mean == -worth


def test_what_was_only_bid_says_nothing_of_tricks() -> None:
    results = worked_event()
    first = results.played[:2]
    bid = [Played(replace(each.record, mode=Mode.BIDDING), each.values) for each in first]
    played = leaderboard([EventResults(results.event, first)])
    only_bid = leaderboard([EventResults(results.event, bid)])
    assert played.has_tricks
    assert not only_bid.has_tricks
    assert entry(only_bid, "alpha").imps_per_board.mean == 7


def test_records_that_are_not_of_the_event_are_refused() -> None:
    results = worked_event()
    elsewhere = replace(results.played[0].record, round=2)
    with pytest.raises(ValueError, match="Test: match 2/1: the event has no such match"):
        leaderboard([EventResults(results.event, [Played(elsewhere)])])
    stranger = replace(results.played[0].record, home="omega", visitors="beta")
    with pytest.raises(ValueError, match="board 1: 'omega' sits where the event has 'alpha'"):
        leaderboard([EventResults(results.event, [Played(stranger)])])
    other = replace(results.played[0].record, tricks=9, score=-50)
    with pytest.raises(ValueError, match="board 1 was played twice in the open room"):
        leaderboard([EventResults(results.event, [results.played[0], Played(other)])])


@st.composite
def robins(draw: st.DrawFn) -> EventResults:
    """Round robins of tables with any contract and loss."""
    robin = event(Format.ROUND_ROBIN, *"abcd", boards=draw(st.integers(1, 3)))
    played: list[Played] = []
    for unit in units(robin):
        if draw(st.integers(0, 9)) == 0:
            played.append(lost(robin, unit, draw(st.sampled_from("NESW"))))
            continue
        level, denomination = draw(st.integers(1, 7)), draw(st.sampled_from(DENOMINATIONS))
        tricks, dd_tricks = draw(st.integers(0, 13)), draw(st.integers(0, 13))
        declarer = str(draw(st.sampled_from(SEATS)))
        played.append(result(robin, unit, f"{level}{denomination}", declarer, tricks, dd_tricks))
    return EventResults(robin, draw(st.permutations(played)))


@settings(max_examples=40, deadline=None)
@given(robins())
def test_figures_add_up(results: EventResults) -> None:
    board = leaderboard([results])
    for each in board.entries:
        imps = each.ledger.imps_per_board
        means = (imps.auction, *imps.own.values(), *imps.opponents.values())
        assert fsum(mean.mean or 0.0 for mean in means) == near(imps.all.mean or 0.0)
        assert each.ledger.boards == each.imps_per_board.n - each.adjusted_boards
        assert each.matches.over == 3
        assert all((mean.mean or 0.0) <= 1e-9 for mean in imps.own.values())
        assert all((mean.mean or 0.0) >= -1e-9 for mean in imps.opponents.values())
        against = [
            board.meetings[each.name, other.name] for other in board.entries if other is not each
        ]
        assert sum(meeting.imps for meeting in against) == (each.running or (0,))[-1]
    assert fsum(each.rating.estimate.value for each in board.entries if each.rating) == near(0)
    assert sum((each.running or (0,))[-1] for each in board.entries) == 0


@settings(max_examples=20, deadline=None)
@given(robins())
def test_meetings_are_symmetric_and_order_means_nothing(results: EventResults) -> None:
    board = leaderboard([results])
    for first, second in combinations("abcd", 2):
        one, other = board.meetings[first, second], board.meetings[second, first]
        assert one.imps == -other.imps
        assert one.imps_per_board.mean == near(-(other.imps_per_board.mean or 0.0))
        assert (one.p_value, one.imps_per_board.n) == (other.p_value, other.imps_per_board.n)
    backwards = EventResults(results.event, results.played[::-1])
    assert leaderboard([backwards]) == board


def test_a_knock_out_that_was_played_has_a_winner() -> None:
    """Ends with a winner, and every board that both rooms finished is split."""
    board = leaderboard([play_event(event(Format.KNOCK_OUT, *"abc", boards=2))])
    assert sum(each.matches.won for each in board.entries) == 2
    assert all(each.ledger.boards == each.imps_per_board.n for each in board.entries)
    assert board.entries[0].matches.over in (1, 2)
