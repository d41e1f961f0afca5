"""Tests of who is a pair, and of the ranking of pairs."""

from __future__ import annotations

import pytest

from bridge_arena.pbn.read.results import standings_of
from bridge_arena.recorded.field.findings import BoardFinding, find_board
from bridge_arena.recorded.field.own_figures import Ways
from bridge_arena.recorded.field.pairs import Figure, Pairs, Ranked
from tests.oracle.vectors import KNOWN_DEAL
from tests.recorded.field.club import FIRST, SECOND, field_of, game_of


def finding(text: str) -> BoardFinding:
    return find_board(field_of(text), None, Ways())


def ids(number: int, scoring: str, *rows: str, event: str = "E") -> BoardFinding:
    """A board of pairs without names."""
    lines = "\n".join(rows)
    return finding(
        f'[Event "{event}"]\n[Board "{number}"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
        f'[Deal "{KNOWN_DEAL}"]\n[Scoring "{scoring}"]\n'
        f'[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n{lines}\n'
    )


def ranked(*boards: BoardFinding) -> list[list[Ranked]]:
    pairs = Pairs()
    for board in boards:
        pairs.add(board)
    return list(pairs.rankings())


def places(ranking: list[Ranked]) -> list[tuple[int, str]]:
    return [(pair.rank, pair.key.pair) for pair in ranking]


def test_both_directions_have_a_winner_with_ranks_and_errors() -> None:
    north_south, east_west = ranked(finding(FIRST), finding(SECOND))
    assert [(each.rank, each.key.names) for each in north_south] == [
        (1, "Ann-Bo"),
        (1, "Ed-Flo"),
        (3, "Ian-Jo"),
        (3, "Mo-Ned"),
    ]
    assert {each.key.direction for each in north_south} == {"NS"}
    assert {each.key.direction for each in east_west} == {"EW"}
    mean = north_south[2].means[Figure.PERCENTAGE]
    # None of 6, then 2 of 6: 0 and 33.3 per cent.
    assert mean.n == 2
    assert mean.mean == pytest.approx(100 / 6)
    assert mean.standard_error == pytest.approx(100 / 6)


def test_one_number_of_both_directions_is_one_pair() -> None:
    (ranking,) = ranked(ids(1, "MP", "1 2 420", "3 4 -50"), ids(2, "MP", "2 3 100", "4 1 110"))
    assert {pair.key.direction for pair in ranking} == {"both"}
    # 1 has 100 and 0 per cent; 2 has 0 and 0; 3 has 0 and 100; 4 has 100 and 100.
    assert places(ranking) == [(1, "4"), (2, "1"), (2, "3"), (4, "2")]


def test_one_number_of_two_pairs_at_one_board_is_two_pairs() -> None:
    first, second = ranked(ids(1, "MP", "1 1 420", "2 2 -50"), ids(2, "MP", "1 2 50", "2 1 0"))
    assert places(first) == [(1, "1"), (2, "2")]
    assert places(second) == [(1, "1"), (1, "2")]


def test_imps_are_ranked_by_cross_imps() -> None:
    # By matchpoints 2 is first: two wins of three.
    boards = [ids(1, "IMP", "1 8 1400", "2 9 0"), ids(2, "IMP", "1 9 0", "2 8 10")]
    boards.append(ids(3, "IMP", "1 7 0", "2 6 10"))
    assert places(ranked(*boards)[0])[0] == (1, "1")


def test_tables_without_a_pair_are_counted() -> None:
    pairs = Pairs()
    pairs.add(ids(1, "MP", "1 ??? 420", "- 2 -50"))
    assert pairs.unnamed == 2


def test_standings_of_a_file_are_kept_with_the_pair() -> None:
    pairs = Pairs()
    pairs.add(ids(1, "MP", "1 2 420", "3 4 -50"))
    game = game_of('[TotalScoreTable "Rank;PairId;Names;Percentage"]\n1 3 Ann-Bo 61.5\n')
    for standing in standings_of(game):
        pairs.add_standing("club.pbn", "", standing)
    found = {pair.key.pair: pair.own for ranking in pairs.rankings() for pair in ranking}
    assert found["1"] is None
    assert found["3"] is not None
    assert (found["3"].names, found["3"].rank) == ("Ann-Bo", "1")


def test_standings_of_another_event_are_kept_apart() -> None:
    pairs = Pairs()
    for event, names in ("Monday", "Ann-Bo"), ("Tuesday", "Cy-Di"):
        pairs.add(ids(1, "MP", "1 2 420", "3 4 -50", event=event))
        game = game_of(f'[TotalScoreTable "Rank;PairId;Names"]\n1 3 {names}\n')
        for standing in standings_of(game):
            pairs.add_standing("club.pbn", event, standing)
    every = [pair for ranking in pairs.rankings() for pair in ranking]
    found = {pair.key.event: pair.own.names for pair in every if pair.own is not None}
    assert found == {"Monday": "Ann-Bo", "Tuesday": "Cy-Di"}
