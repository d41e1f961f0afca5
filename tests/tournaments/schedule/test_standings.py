"""The standings of small events, worked out by hand."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import victory_points
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format, Movement, Scoring
from bridge_arena.tournaments.schedule.plan import Results, plan
from bridge_arena.tournaments.schedule.standings import Standing, standings
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.scores import (
    better_seed,
    event,
    lost,
    play_out,
    record,
    swings,
    units_of,
)


def of(event: Event, records: dict[str, BoardRecord]) -> dict[int, Standing]:
    """The standings by entry."""
    return {each.entry: each for each in standings(event, Results(event, records.values())).entries}


def order(event: Event, records: dict[str, BoardRecord]) -> list[tuple[int, int, float]]:
    """Rank, entry, score."""
    return [
        (each.rank, each.entry, round(each.score, 6))
        for each in standings(event, Results(event, records.values())).entries
    ]


class TestTeams:
    """Three entries, two boards a match; entry 0 gains 3 IMPs a board (100 points) against 1
    and 5 (200) against 2, entry 1 gains 3 against 2."""

    def test_teams_are_ranked_by_imps(self) -> None:
        robin = event(Format.ROUND_ROBIN, 3)
        records = play_out(robin, better_seed(robin))
        assert standings(robin, Results(robin, records.values())).unit == "IMPs"
        assert order(robin, records) == [(1, 0, 16), (2, 1, 0), (3, 2, -16)]
        best = of(robin, records)[0]
        assert best == Standing(0, 1, 16, 2, 2, 0, 0, 4, 16, withdrawn=False)

    def test_teams_are_ranked_by_victory_points(self) -> None:
        robin = event(Format.ROUND_ROBIN, 3, scoring=Scoring.VP)
        records = play_out(robin, better_seed(robin))
        six, ten = victory_points(6, 2), victory_points(10, 2)
        assert order(robin, records) == [
            (1, 0, six[0] + ten[0]),
            (2, 1, 20),
            (3, 2, six[1] + ten[1]),
        ]

    def test_teams_are_ranked_by_board_a_match(self) -> None:
        robin = event(Format.ROUND_ROBIN, 3, scoring=Scoring.BOARD_A_MATCH)
        assert order(robin, play_out(robin, better_seed(robin))) == [
            (1, 0, 4),
            (2, 1, 2),
            (3, 2, 0),
        ]

    def test_teams_are_ranked_by_total_points(self) -> None:
        robin = event(Format.ROUND_ROBIN, 3, scoring=Scoring.TOTAL_POINTS)
        records = play_out(robin, better_seed(robin))
        assert order(robin, records) == [(1, 0, 600), (2, 1, 0), (3, 2, -600)]

    def test_equal_entries_share_a_rank(self) -> None:
        robin = event(Format.ROUND_ROBIN, 4)
        level = play_out(robin, swings(robin, lambda _: 0))
        assert order(robin, level) == [(1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 3, 0)]
        assert of(robin, level)[2].drawn == 3

    def test_an_unfinished_match_counts_as_far_as_it_went(self) -> None:
        robin = event(Format.ROUND_ROBIN, 3)
        units = units_of(plan(robin, []))[:2]
        records = {unit.id: better_seed(robin)(unit) for unit in units}
        home, visitors = units[0].match.entries
        found = of(robin, records)
        assert (found[home].score, found[visitors].score) in ((3, -3), (-3, 3))
        assert (found[home].matches, found[home].won, found[visitors].won) == (1, 0, 0)

    def test_a_gauntlet_goes_by_the_mean_of_matches(self) -> None:
        """The first meets everybody, the others only the first: sums would not compare."""
        gauntlet = event(Format.GAUNTLET, 3)
        records = play_out(gauntlet, better_seed(gauntlet))
        assert standings(gauntlet, Results(gauntlet, records.values())).unit == "IMPs a match"
        assert order(gauntlet, records) == [(1, 0, 8), (2, 1, -6), (3, 2, -10)]

    def test_a_bye_counts_in_a_swiss(self) -> None:
        """12 VPs for a bye; round one 0 - 1, the second of which then sits out."""
        swiss = event(Format.SWISS, 3, rounds=2, scoring=Scoring.VP)
        records = play_out(swiss, better_seed(swiss))
        rounds = plan(swiss, records.values())
        assert [each.byes for each in rounds] == [(2,), (1,)]
        six, ten = victory_points(6, 2), victory_points(10, 2)
        assert order(swiss, records) == [
            (1, 0, six[0] + ten[0]),
            (2, 1, six[1] + 12),
            (3, 2, ten[1] + 12),
        ]
        assert of(swiss, records)[1].matches == 1
        assert of(swiss, records)[1].byes == 1

    def test_a_knock_out_goes_by_rounds(self) -> None:
        """Six entries play: byes count as rounds won, and level matches go to the better seed."""
        cup = event(Format.KNOCK_OUT, 6, boards=1)
        records = play_out(cup, better_seed(cup))
        assert standings(cup, Results(cup, records.values())).unit == "rounds won"
        assert order(cup, records) == [
            *((1, 0, 3), (2, 1, 2), (3, 2, 1), (3, 3, 1)),
            *((5, 4, 0), (5, 5, 0)),
        ]
        byes = {entry: (each.byes, each.won) for entry, each in of(cup, records).items()}
        assert byes == {0: (1, 2), 1: (1, 1), 2: (0, 1), 3: (0, 1), 4: (0, 0), 5: (0, 0)}
        level = play_out(cup, swings(cup, lambda _: 0))
        assert [entry for _, entry, _ in order(cup, level)] == [0, 1, 2, 3, 4, 5]

    def test_an_adjusted_board_of_teams_counts_three_imps(self) -> None:
        robin = event(Format.ROUND_ROBIN, 3)

        def result(unit: Unit) -> BoardRecord:
            if unit.position == 1 and {0, 1} == set(unit.match.entries) and unit.place == "open":
                return lost(robin, unit, 0, adjusted=True)
            return better_seed(robin)(unit)

        records = play_out(robin, result)
        assert order(robin, records) == [(1, 0, 3 - 3 + 10), (2, 1, 6), (3, 2, -16)]
        assert of(robin, records)[0].boards == 4

    @pytest.mark.parametrize(
        ("scoring", "scores"),
        [
            (Scoring.VP, {0: 0, 1: 12 + victory_points(6, 2)[0], 2: 12 + victory_points(6, 2)[1]}),
            (Scoring.IMPS, {0: -12, 1: 6 + 6, 2: 6 - 6}),
            (Scoring.BOARD_A_MATCH, {0: 1.6, 1: 1.2 + 2, 2: 1.2}),
        ],
    )
    def test_an_entry_that_is_withdrawn_comes_last(
        self, scoring: Scoring, scores: dict[int, float]
    ) -> None:
        """Entry 0 goes on its first board: both its matches are forfeited."""
        robin = event(Format.ROUND_ROBIN, 3, scoring=scoring)

        def result(unit: Unit) -> BoardRecord:
            return lost(robin, unit, 0) if 0 in unit.lineup else better_seed(robin)(unit)

        found = of(robin, play_out(robin, result))
        assert {entry: each.score for entry, each in found.items()} == pytest.approx(scores)
        assert (found[0].rank, found[0].withdrawn, found[0].won, found[0].matches) == (
            3,
            True,
            0,
            2,
        )
        assert [(found[entry].rank, found[entry].won) for entry in (1, 2)] == [(1, 2), (2, 1)]
        assert found[1].boards == 2


class TestPairs:
    """A Mitchell of four pairs, two tables: 0 and 1 sit North-South, in the second round
    East-West, and each of the two sets of two boards is played by 0 and by 1. Pair 0 has 420
    on every board, pair 1 has 140, a difference of 7 IMPs."""

    @staticmethod
    def mitchell(scoring: Scoring, **settings: object) -> Event:
        return event(Format.PAIRS, 4, movement=Movement.MITCHELL, scoring=scoring, **settings)

    @staticmethod
    def result(pairs: Event, unit: Unit) -> BoardRecord:
        points = 420 if 0 in unit.match.entries else 140
        north_south, east_west = unit.match.entries
        return record(pairs, unit, points if north_south < east_west else -points)

    def test_pairs_are_ranked_by_matchpoints(self) -> None:
        pairs = self.mitchell(Scoring.MATCHPOINTS)
        records = play_out(pairs, lambda unit: self.result(pairs, unit))
        assert standings(pairs, Results(pairs, records.values())).unit == "%"
        assert order(pairs, records) == [(1, 0, 100), (2, 2, 50), (2, 3, 50), (4, 1, 0)]
        found = of(pairs, records)[0]
        assert (found.boards, found.matches, found.won, found.imps) == (4, 2, 0, 4 * 7)

    def test_pairs_are_ranked_by_cross_imps(self) -> None:
        pairs = self.mitchell(Scoring.CROSS_IMPS)
        records = play_out(pairs, lambda unit: self.result(pairs, unit))
        assert standings(pairs, Results(pairs, records.values())).unit == "IMPs/board"
        assert order(pairs, records) == [(1, 0, 7), (2, 2, 0), (2, 3, 0), (4, 1, -7)]

    def test_pairs_are_ranked_by_butler(self) -> None:
        """The datum is 280, 140 from both scores: 4 IMPs."""
        pairs = self.mitchell(Scoring.BUTLER)
        records = play_out(pairs, lambda unit: self.result(pairs, unit))
        assert order(pairs, records) == [(1, 0, 4), (2, 2, 0), (2, 3, 0), (4, 1, -4)]

    @pytest.mark.parametrize(
        ("scoring", "plus", "minus"),
        [(Scoring.MATCHPOINTS, 60, 40), (Scoring.CROSS_IMPS, 3, -3), (Scoring.BUTLER, 3, -3)],
    )
    def test_an_adjusted_board_of_pairs_counts_average(
        self, scoring: Scoring, plus: float, minus: float
    ) -> None:
        """Its other table has nobody to compare with: average, or nothing."""
        pairs = self.mitchell(scoring, boards=1)
        units = units_of(plan(pairs, []))
        records = {unit.id: record(pairs, unit, 420) for unit in units}
        first = units[0]
        records[first.id] = lost(pairs, first, 0, adjusted=True)
        level = 50 if scoring is Scoring.MATCHPOINTS else 0
        found = {entry: each.score for entry, each in of(pairs, records).items()}
        opponents = first.match.entries[1]
        assert found[0] == pytest.approx((minus + level) / 2)
        assert found[opponents] == pytest.approx((plus + level) / 2)
        assert found[1] == level

    @pytest.mark.parametrize(("scoring", "plus"), [(Scoring.MATCHPOINTS, 60), (Scoring.BUTLER, 3)])
    def test_opponents_of_a_withdrawn_pair_have_average_plus(
        self, scoring: Scoring, plus: float
    ) -> None:
        """It counts on the board that was lost for good too, and the withdrawn pair comes last."""
        pairs = self.mitchell(scoring)
        records = play_out(
            pairs,
            lambda unit: lost(pairs, unit, 0) if 0 in unit.lineup else record(pairs, unit, 140),
        )
        found = of(pairs, records)
        level = 50 if scoring is Scoring.MATCHPOINTS else 0
        assert [found[entry].score for entry in (1, 2, 3)] == pytest.approx(
            [level, (plus + level) / 2, (plus + level) / 2]
        )
        assert (found[0].rank, found[0].withdrawn, found[0].boards) == (4, True, 0)
        assert found[2].boards == 2

    def test_fewer_scores_than_tables_are_factored(self) -> None:
        """Two of three tables finish a board: the better pair has 3/2 (2 + 1) - 1 of 4 points."""
        pairs = self.mitchell_of_six()
        units = units_of(plan(pairs, []))
        records = {unit.id: record(pairs, unit, 10 * unit.match.number) for unit in units}
        first = units[0]
        records[first.id] = lost(pairs, first, first.match.entries[0], adjusted=True)
        found = of(pairs, records)
        assert sum(each.score for each in found.values()) == pytest.approx(6 * 50)
        alike = [each for each in units if each.board == first.board and each.id != first.id]
        only = {unit.id: records[unit.id] for unit in [first, *alike]}
        scores = {entry: each.score for entry, each in of(pairs, only).items()}
        better = max(alike, key=lambda unit: unit.match.number).match.entries[0]
        assert scores[better] == pytest.approx(100 * (1.5 * 3 - 1) / 4)

    @staticmethod
    def mitchell_of_six() -> Event:
        return event(
            Format.PAIRS, 6, movement=Movement.MITCHELL, scoring=Scoring.MATCHPOINTS, boards=1
        )

    def test_the_scores_of_a_howell_add_up(self) -> None:
        pairs = event(Format.PAIRS, 6, movement=Movement.HOWELL, scoring=Scoring.MATCHPOINTS)
        records = play_out(
            pairs, lambda unit: record(pairs, unit, 10 * (unit.lineup[1] - unit.lineup[0]))
        )
        found = of(pairs, records)
        assert sum(each.score for each in found.values()) == pytest.approx(6 * 50)
        ranks = [found[entry].rank for entry in range(6)]
        assert (ranks[0], ranks[5]) == (1, 6)


def test_partners_of_an_individual_share_a_score() -> None:
    """Eight players at two tables: whoever sits with player 0 has the better score."""
    single = event(Format.INDIVIDUAL, 8, boards=1, scoring=Scoring.MATCHPOINTS)

    def result(unit: Unit) -> BoardRecord:
        north, east, south, west = unit.lineup
        score = 420 if 0 in (north, south) else -420 if 0 in (east, west) else 0
        return record(single, unit, score)

    found = of(single, play_out(single, result))
    assert found[0].score == 100
    # Each other one is once its partner, with all the points, twice its opponent, with none,
    # and four times at the other table, half of them in its direction: 1 + 4/2 boards of 7.
    assert all(each.boards == 7 for each in found.values())
    assert {round(each.score, 6) for entry, each in found.items() if entry} == {round(300 / 7, 6)}
