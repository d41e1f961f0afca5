"""Tests of the costliest call of a board, in the figures and on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.reports.common.costs import CallCost, costliest
from bridge_arena.reports.common.values import Json, values
from bridge_arena.reports.match.figures import MatchFigures, match_figures
from bridge_arena.reports.match.report import render
from tests.reports.match.matches import results_of, worked_match
from tests.reports.match.test_page import Reader

CLEAR = CallCost("2C", "Pass", 2.5, 0.5, -3)
WORST = CallCost("3NT", "2S", 7.25, 1.0, 11)
DOUBTFUL = CallCost("4S", "Pass", 9.0, 5.0, 9)
RIGHT = CallCost("1C", "Pass", -4.0, 0.5, -6)


def figures_with(costs: dict[tuple[int, Room], Sequence[CallCost | None]]) -> MatchFigures:
    """The worked match with costs by board and room, each table with as many calls."""
    records, ledgers = worked_match()
    told = [
        replace(record, calls=tuple(MadeCall(Call("Pass")) for _ in costs_at(record, costs)))
        for record in records
    ]
    results = results_of(told, ledgers)
    return match_figures(results, lambda record: costs_at(record, costs))


def costs_at(
    record: BoardRecord, costs: dict[tuple[int, Room], Sequence[CallCost | None]]
) -> Sequence[CallCost | None]:
    assert record.room is not None
    return costs.get((record.board.number, record.room), ())


def rows(figures: MatchFigures) -> list[Json | None]:
    return [row["costliest_call"] for row in values(figures)["board_results"]]


def test_the_costliest_call_of_both_rooms_is_told() -> None:
    figures = figures_with(
        {
            (1, Room.OPEN): [RIGHT, CLEAR, None],
            (1, Room.CLOSED): [None, DOUBTFUL, RIGHT, WORST],
            (2, Room.OPEN): [DOUBTFUL, RIGHT],
        }
    )
    first, *others = rows(figures)
    assert first == {
        "board": 1,
        "room": "Closed",
        "by": "alpha",
        "seat": "W",
        "table": 1,
        "place": 4,
        "call": "3NT",
        "best": "2S",
        "cost": 7.25,
        "standard_error": 1.0,
        "real": 11,
        "replay": "boards/board.html#board=board-1&table=2&step=4",
    }
    assert others == [None, None], "a cost in doubt is not told"
    page = Reader(render(figures))
    links = [attributes.get("href") for _, attributes in page.tags]
    assert "boards/board.html#board=board-1&table=2&step=4" in links
    text = " ".join(page.text.split())
    assert "Costliest call" in text
    assert "3NT W, closed −7.2" in text
    assert "3NT by alpha, W, closed room, cost 7.2 ± 1.0 IMPs; better 2S" not in text, "it won it"


def test_nothing_is_said_where_it_was_not_asked() -> None:
    figures = figures_with({})
    assert rows(figures) == [None] * 3
    assert "Costliest call" not in render(figures)


def test_a_call_that_is_better_than_all_others_costs_nothing() -> None:
    assert (RIGHT.cost, RIGHT.is_clear) == (0.0, False)
    assert (DOUBTFUL.cost, DOUBTFUL.is_clear) == (9.0, False)
    assert (CLEAR.cost, CLEAR.is_clear) == (2.5, True)
    assert costliest([RIGHT, None, DOUBTFUL, CLEAR, WORST]) == (4, WORST)
    assert costliest([RIGHT, None, DOUBTFUL]) is None
    assert costliest([]) is None
