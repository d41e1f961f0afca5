"""Tests of the outcomes of a board and a match, worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import by_board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import discrete_victory_points, victory_points
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.scores import Outcome, Swing, outcome, swing, walkover
from bridge_arena.tournaments.schedule.units import HOME, VISITORS
from tests.tournaments.scores import event, lost, record, units_of

MATCH = event(Format.MATCH, 2, boards=4)
UNITS = units_of(plan(MATCH, []))
((PLANNED,),) = [each.matches for each in plan(MATCH, [])]

TEAMS = (Scoring.IMPS, Scoring.VP, Scoring.VP_DISCRETE, Scoring.BOARD_A_MATCH, Scoring.TOTAL_POINTS)


def rooms(position: int, in_open: int, in_closed: int) -> list[BoardRecord]:
    """A board with North-South's scores in the two rooms."""
    first, second = UNITS[2 * position - 2 : 2 * position]
    return [record(MATCH, first, in_open), record(MATCH, second, in_closed)]


def found(records: list[BoardRecord], withdrawn: Mapping[int, int] | None = None) -> Outcome:
    return outcome(PLANNED, map(swing, by_board(records).values()), withdrawn or {})


def adjusted(unit: int, entry: int) -> BoardRecord:
    return lost(MATCH, UNITS[unit], entry, adjusted=True)


class TestSwing:
    def test_the_home_team_sits_north_south_in_the_open_room(self) -> None:
        assert swing(rooms(1, 420, 140)) == Swing(7, 280, Fraction(1))
        assert swing(rooms(1, 140, 420)) == Swing(-7, -280, Fraction(0))
        assert swing(rooms(1, 140, 140)) == Swing(0, 0, Fraction(1, 2))

    def test_a_swing_is_not_known_before_both_rooms_are_done(self) -> None:
        first, second = rooms(1, 420, 140)
        assert swing([]) is swing([first]) is swing([second]) is None
        assert swing([first, replace(second, score=None)]) is None
        assert swing([adjusted(0, HOME)]) is None
        assert swing([adjusted(1, HOME)]) is None

    @pytest.mark.parametrize("room", Room)
    def test_an_adjusted_board_is_three_imps_and_sixty_per_cent(self, room: Room) -> None:
        at = list(Room).index(room)
        other = rooms(1, 1000, 1000)[1 - at]
        for entry, sign in ((HOME, -1), (VISITORS, 1)):
            worth = swing([adjusted(at, entry), other])
            assert worth == Swing(3 * sign, 0, Fraction(5 + sign, 10), adjusted=True)

    def test_both_teams_at_fault_share_an_adjusted_board(self) -> None:
        level = Swing(0, 0, Fraction(1, 2), adjusted=True)
        assert swing([adjusted(0, HOME), adjusted(1, VISITORS)]) == level
        twice = swing([adjusted(0, HOME), adjusted(1, HOME)])
        assert twice == Swing(-3, 0, Fraction(2, 5), adjusted=True)


class TestMatch:
    """420 against 140, 7 IMPs; 100 against 150, -2; level; one still to be played."""

    RECORDS = (*rooms(1, 420, 140), *rooms(2, 100, 150), *rooms(3, 90, 90))

    def test_an_outcome_sums_imps_points_and_boards(self) -> None:
        result = found([*self.RECORDS])
        assert result == Outcome(3, 5, 230, Fraction(3, 2), 1, ())
        assert not result.is_over
        whole = found([*self.RECORDS, *rooms(4, 0, 0)])
        assert whole == Outcome(4, 5, 230, Fraction(2), 0, ())
        assert whole.is_over

    @pytest.mark.parametrize(
        ("scoring", "home", "visitors"),
        [
            (Scoring.IMPS, 5, -5),
            (Scoring.VP, *victory_points(5, 3)),
            (Scoring.VP_DISCRETE, *discrete_victory_points(5, 3)),
            (Scoring.BOARD_A_MATCH, 1.5, 1.5),
            (Scoring.TOTAL_POINTS, 230, -230),
        ],
    )
    def test_each_scoring_has_its_scores_of_a_match(
        self, scoring: Scoring, home: float, visitors: float
    ) -> None:
        assert found([*self.RECORDS]).scores(scoring) == (home, visitors)

    def test_four_boards_have_their_victory_points(self) -> None:
        """5 IMPs of the 30 that earn all 20: 10 + 10 (1 - 0.236^(1/6)) / (1 - 0.236)."""
        result = found([*self.RECORDS, *rooms(4, 0, 0)])
        assert result.scores(Scoring.VP) == (12.8, 7.2)
        assert result.scores(Scoring.VP_DISCRETE) == (13.0, 7.0)

    def test_the_winner_depends_on_the_scoring(self) -> None:
        result = found([*rooms(1, 420, 140), *rooms(2, 100, 150), *rooms(3, 100, 150)])
        assert result.winner(Scoring.IMPS) == HOME
        assert result.winner(Scoring.BOARD_A_MATCH) == VISITORS
        assert found([*rooms(1, 90, 90)]).winner(Scoring.IMPS) is None

    def test_an_adjusted_board_has_no_points(self) -> None:
        result = found([*rooms(1, 420, 140), adjusted(2, HOME), rooms(2, 0, 0)[1]])
        assert result == Outcome(2, 4, 280, Fraction(7, 5), 2, ())
        assert result.scores(Scoring.BOARD_A_MATCH) == (1.4, 0.6)

    def test_a_match_of_which_nothing_was_played_is_level(self) -> None:
        result = found([])
        assert all(result.scores(scoring) == (0, 0) for scoring in TEAMS)
        assert all(result.winner(scoring) is None for scoring in TEAMS)


class TestForfeit:
    """Home leads by 7 IMPs after one board and is then withdrawn: of its four boards three
    are given up."""

    LOST = (*rooms(1, 420, 140), lost(MATCH, UNITS[2], HOME))

    @pytest.mark.parametrize(
        ("scoring", "home", "visitors"),
        [
            (Scoring.IMPS, 7 - 3 * 3, 3 * 3 - 7),
            (Scoring.VP, 0, 12),
            (Scoring.VP_DISCRETE, 0, 12),
            (Scoring.BOARD_A_MATCH, 1 + 3 * 0.4, 3 * 0.6),
            (Scoring.TOTAL_POINTS, 280, -280),
        ],
    )
    def test_each_scoring_has_its_scores_of_a_forfeit(
        self, scoring: Scoring, home: float, visitors: float
    ) -> None:
        result = found([*self.LOST], {HOME: 1})
        assert result.is_over
        assert (result.boards, result.left, result.forfeited) == (1, 3, (HOME,))
        assert result.scores(scoring) == pytest.approx((home, visitors))
        assert result.winner(scoring) == VISITORS

    def test_what_was_earned_is_kept_where_it_is_more(self) -> None:
        """Three boards of 13 IMPs each for the visitors, when home is withdrawn."""
        records = [each for at in (1, 2, 3) for each in rooms(at, -620, 50)]
        result = found([*records, lost(MATCH, UNITS[6], HOME)], {HOME: 1})
        earned = victory_points(result.imps, result.boards)[VISITORS]
        assert earned > 12
        assert result.scores(Scoring.VP) == (0, earned)

    def test_the_visitors_may_forfeit_as_the_home_team_may(self) -> None:
        result = found([lost(MATCH, UNITS[2], VISITORS)], {VISITORS: 1})
        assert result.scores(Scoring.IMPS) == (12, -12)
        assert result.scores(Scoring.BOARD_A_MATCH) == pytest.approx((2.4, 1.6))
        assert result.winner(Scoring.TOTAL_POINTS) == HOME

    def test_both_teams_may_forfeit(self) -> None:
        result = found([], {HOME: 1, VISITORS: 1})
        assert result.is_over
        assert result.scores(Scoring.VP) == (0, 0)
        assert result.scores(Scoring.IMPS) == (0, 0)
        assert result.winner(Scoring.IMPS) is None

    def test_a_team_withdrawn_after_its_opponent_has_won_the_match(self) -> None:
        assert found([*self.LOST], {HOME: 1, VISITORS: 2}).forfeited == (HOME,)
        assert found([], {VISITORS: 2}).forfeited == (VISITORS,)

    def test_a_match_that_was_played_out_stands(self) -> None:
        records = [each for at in (1, 2, 3, 4) for each in rooms(at, 420, 140)]
        result = found(records, {HOME: 1})
        assert (result.forfeited, result.winner(Scoring.VP)) == ((), HOME)


@pytest.mark.parametrize(
    ("scoring", "score"),
    [
        (Scoring.IMPS, 12),
        (Scoring.VP, 12),
        (Scoring.VP_DISCRETE, 12),
        (Scoring.BOARD_A_MATCH, 2.4),
        (Scoring.TOTAL_POINTS, 0),
    ],
)
def test_a_bye_of_four_boards_has_its_score(scoring: Scoring, score: float) -> None:
    swiss = event(Format.SWISS, 3, boards=4, scoring=scoring)
    assert walkover(swiss) == pytest.approx(score)


@given(st.lists(st.tuples(st.integers(-200, 200), st.integers(-200, 200)), max_size=4))
def test_the_scores_of_two_teams_share_what_there_is(scores: list[tuple[int, int]]) -> None:
    records = [
        each
        for at, (in_open, in_closed) in enumerate(scores, start=1)
        for each in rooms(at, 10 * in_open, 10 * in_closed)
    ]
    result = found(records)
    sums = {Scoring.VP: 20.0, Scoring.VP_DISCRETE: 20.0, Scoring.BOARD_A_MATCH: len(scores)}
    for scoring in TEAMS:
        assert sum(result.scores(scoring)) == pytest.approx(
            sums.get(scoring, 0.0) if scores else 0.0
        )
