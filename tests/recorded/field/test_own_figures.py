"""The file's own figures: the way they were counted is found, and what differs is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.recorded.field.own_figures import Compared, Ways, compare
from bridge_arena.recorded.field.tables import FieldBoard
from tests.oracle.vectors import KNOWN_DEAL
from tests.recorded.field.club import FIRST, SECOND, field_of


def compared(*boards: FieldBoard) -> Compared:
    """The first of the boards of an event."""
    ways = Ways()
    for board in boards:
        ways.add(board)
    return compare(boards[0], ways)


def table(header: str, rows: list[str]) -> FieldBoard:
    lines = "\n".join(rows)
    return field_of(
        f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{KNOWN_DEAL}"]\n'
        f'[ScoreTable "{header}"]\n{lines}\n'
    )


def test_a_figure_that_differs_is_named_at_its_row() -> None:
    found = compared(field_of(FIRST))
    assert found.differences == ("", "", "", "MP_NS 3, not 2")
    assert found.agreements["MP"].figures == {"two for a win": 8}
    assert found.agreements["MP"].agreed == {"two for a win": 7}
    assert found.agreements["score"].agreed == {"": 3}


def test_both_sides_are_compared() -> None:
    found = compared(field_of(SECOND), field_of(FIRST))
    assert found.agreements["MP"].figures == {"two for a win": 8}
    assert found.differences == (
        "",
        "",
        "MP_NS 0, not 2; MP_EW 6, not 4",
        "MP_NS 2, not 0; MP_EW 4, not 6",
    )


def test_a_score_that_the_result_is_not_worth_is_named() -> None:
    field = table("Contract;Declarer;Result;Score_NS", ["4S N 10 450", "4S N 11 450"])
    found = compared(field)
    assert found.differences == ("score NS 450, the result is worth NS 420", "")
    assert found.agreements["score"].agreed.total() == 1


def test_sections_that_were_scored_apart_are_recognised() -> None:
    rows = ["A 50 2 0", "A 0 0 2", "B 420 2 0", "B 100 0 2"]
    found = compared(table("Section;Score_NS;MP_NS;MP_EW", rows))
    assert found.agreements["MP"].agreed == {"two for a win in the section": 8}


def test_a_board_is_counted_as_most_of_its_event() -> None:
    odd = table("Score_NS;MP_NS", ["50 1", "0 0"])
    others = [table("Score_NS;MP_NS", ["50 2", "0 0"]), table("Score_NS;MP_NS", ["90 0", "100 2"])]
    assert compared(odd).differences == ("", "")
    assert compared(odd, *others).differences == ("MP_NS 1, not 2", "")


SCORES = st.lists(
    st.integers(-80, 80).map(lambda tens: 10 * tens), min_size=3, max_size=12, unique=True
)


def by_pairs(score: int, others: list[int]) -> float:
    return sum(1.0 if score > other else 0.5 for other in others if score >= other)


WAYS: dict[str, tuple[str, Callable[[float, int], float]]] = {
    "two for a win": ("MP", lambda wins, _: 2 * wins),
    "one for a win": ("MP", lambda wins, _: wins),
    "Ascherman, two for a win": ("MP", lambda wins, _: 2 * wins + 1),
    "Ascherman": ("MP", lambda wins, _: wins + 0.5),
    "of the top": ("Percentage", lambda wins, n: round(100 * wins / (n - 1), 1)),
}


@pytest.mark.parametrize("way", WAYS)
@given(SCORES)
def test_each_way_of_counting_is_found(way: str, scores: list[int]) -> None:
    kind, count = WAYS[way]
    rows = []
    for at, score in enumerate(scores):
        wins = by_pairs(score, scores[:at] + scores[at + 1 :])
        rows.append(f"{score} {count(wins, len(scores)):g}")
    found = compared(table(f"Score_NS;{kind}_NS", rows)).agreements[kind]
    assert found.agreed == {way: len(scores)}
