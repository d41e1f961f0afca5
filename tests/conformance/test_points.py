"""Tests of the list of points, and of the document about it."""

from __future__ import annotations

from bridge_arena.conformance.points import POINTS
from tests.data import DOCS

DOCUMENT = DOCS / "checking-a-bot.md"


def test_each_point_has_a_name_of_its_own() -> None:
    assert len({point.id for point in POINTS}) == len(POINTS)
    assert len({point.title for point in POINTS}) == len(POINTS)
    assert len({point.check for point in POINTS}) == len(POINTS)


def test_a_point_needs_only_what_was_tried_before() -> None:
    for number, point in enumerate(POINTS):
        assert set(point.needs) <= {earlier.id for earlier in POINTS[:number]}


def test_the_document_lists_all_points_in_their_order() -> None:
    rows = [line.split(" | ") for line in DOCUMENT.read_text().splitlines()]
    listed = [row[:2] for row in rows if row[0].startswith("| `") and "." in row[0]]
    assert listed == [[f"| `{point.id}`", point.title] for point in POINTS]
