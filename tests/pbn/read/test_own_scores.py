"""ScoreMP, ScorePercentage, ScoreIMP and ScoreRubber of one table."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.pbn.read.own_scores import own_scores, rubber_score
from tests.pbn.read.test_field import game_of


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("NS 97.22", {"IMP_NS": "97.22"}),
        ("NS -0.53", {"IMP_NS": "-0.53"}),
        ("EW +9", {"IMP_EW": "9"}),
        ("EW 3. NS 9.5", {"IMP_EW": "3", "IMP_NS": "9.5"}),
        ("ns-5", {"IMP_NS": "-5"}),
        ("12", {"IMP_EW": "12"}),
        ("?", {}),
        ("", {}),
    ],
)
def test_a_figure_of_a_score_is_read(value: str, expected: dict[str, str]) -> None:
    found, problems = own_scores(game_of(f'[ScoreIMP "{value}"]\n'), Seat.EAST)
    assert found == {name: Decimal(number) for name, number in expected.items()}
    assert problems == []


def test_each_tag_has_its_column() -> None:
    game = game_of('[ScoreMP "NS 400"]\n[ScorePercentage "NS 50"]\n[ScoreIMP "EW 1"]\n')
    assert set(own_scores(game, None)[0]) == {"MP_NS", "Percentage_NS", "IMP_EW"}


@pytest.mark.parametrize("value", ["lots", "NS", "1e99", "NS " + "9" * 3000, "NS 1 NS 2 NS 3"])
def test_text_that_is_no_figure_is_named(value: str) -> None:
    found, (problem,) = own_scores(game_of(f'[ScoreMP "{value}"]\n'), None)
    assert found == {}
    assert str(problem).startswith("club.pbn:1: game 1: ScoreMP: ")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("EW 300/40", {Side.EW: (300, 40)}),
        ("300/40", {Side.NS: (300, 40)}),
        ("EW 300/40 NS 50 / 70  ", {Side.EW: (300, 40), Side.NS: (50, 70)}),
        ("", {}),
    ],
)
def test_a_score_of_rubber_bridge_is_read(
    value: str, expected: dict[Side, tuple[int, int]]
) -> None:
    assert rubber_score(game_of(f'[ScoreRubber "{value}"]\n'), Seat.NORTH) == expected


def test_text_that_is_no_score_of_rubber_bridge_is_refused() -> None:
    with pytest.raises(ValueError, match="rubber"):
        rubber_score(game_of('[ScoreRubber "300"]\n'), None)
