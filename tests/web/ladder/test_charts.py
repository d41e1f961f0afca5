"""Tests of where the lines and marks of charts are."""

from __future__ import annotations

import re

import pytest

from bridge_arena.tournaments.ladder.player_record import OwnVersion
from bridge_arena.tournaments.ladder.players import Version
from bridge_arena.tournaments.ladder.strength.scores import Figures, Rating
from bridge_arena.web.ladder.charts import total_chart, version_chart


def own(number: int, day: int, rating: float | None, error: float | None = 1.0) -> OwnVersion:
    version = Version(number, 1, f"v{number}", f"2026-11-{day:02}T00:00:00+00:00")
    return OwnVersion(
        version, None if rating is None else Rating(rating, error), Figures(1, 16, 0, 0)
    )


NOW = "2026-11-21T00:00:00+00:00"


def test_versions_follow_one_another_in_time() -> None:
    chart = version_chart([own(3, 16, 2.0), own(2, 11, 0.0), own(1, 1, -1.0)], NOW)
    assert chart is not None
    assert [(one.left, one.width) for one in chart.marks] == [(75, 25), (50, 25), (0, 50)]
    assert chart.marks[0].middle < chart.marks[1].middle < chart.marks[2].middle
    for mark in chart.marks:
        assert mark.top + mark.height / 2 == pytest.approx(mark.middle)
    assert (chart.begin[:10], chart.end[:10]) == ("2026-11-01", "2026-11-21")


def test_a_version_without_boards_and_an_anchor_do_not_spoil_the_scale() -> None:
    chart = version_chart([own(3, 16, None), own(2, 11, 1.0, 900.0), own(1, 1, 0.0, None)], NOW)
    assert chart is not None
    assert len(chart.marks) == 2
    for mark in chart.marks:
        assert 0 <= mark.top <= mark.middle <= mark.top + mark.height <= 100
    assert chart.marks[1].height == 0


def test_one_version_alone_has_no_time_line() -> None:
    assert version_chart([own(1, 1, 1.0)], NOW) is None
    assert version_chart([own(2, 2, 1.0), own(1, 1, None)], NOW) is None


def test_versions_of_one_moment_are_drawn_too() -> None:
    chart = version_chart([own(2, 1, 1.0), own(1, 1, 0.0)], "2026-11-01T00:00:00+00:00")
    assert chart is not None
    assert all(0 <= one.left <= one.left + one.width <= 100 for one in chart.marks)


@pytest.mark.parametrize("imps", [[], [0], [5], [-5], [24 * 16] * 1000, [3, -8, 1]])
def test_a_total_begins_at_nothing_and_ends_at_the_right_edge(imps: list[int]) -> None:
    chart = total_chart(imps)
    points = [tuple(map(float, point.split())) for point in re.split("[ML]", chart.path)[1:]]
    assert len(points) == len(imps) + 1
    assert points[0] == (0.0, chart.zero)
    if imps:
        assert points[-1][0] == pytest.approx(100, abs=0.1)
    assert all(0 <= value <= 100 for point in points for value in point)
    assert "0" in [tick.text for tick in chart.ticks]
    assert len(chart.ticks) < 10
