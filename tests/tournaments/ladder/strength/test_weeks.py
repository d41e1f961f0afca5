"""Tests of the form of versions, week by week."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from bridge_arena.tournaments.ladder.strength.weeks import (
    History,
    Performance,
    performances,
    week_of,
)
from tests.tournaments.ladder.ladders import ladder_file, opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    """A ladder of two players, who have a version each."""
    with closing(opened(tmp_path / "results.sqlite", ladder_file("random", "baseline"))) as store:
        store.add_version(1, "a")
        store.add_version(2, "b")
        yield store


def sums_of(*imps: int) -> PairSums:
    return PairSums(tuple(imps.count(swing) for swing in SWINGS), 1, 1)


def test_a_week_has_its_iso_number() -> None:
    assert week_of("2026-03-01T10:00:00+00:00") == "2026-W09"
    assert week_of("2027-01-03T23:59:59+00:00") == "2026-W53"


def test_form_is_what_is_gained_beyond_what_was_expected() -> None:
    home, visitors = performances(sums_of(5, -1), [], 0.5)
    assert (home.gain, visitors.gain) == (1.5, -1.5)
    assert home.squares == visitors.squares == 26
    unknown, _ = performances(sums_of(5, -1), [], None)
    assert unknown == Performance()
    assert Performance(boards=1, imps=9).error is None
    hundred = Performance(boards=100, imps=100, squares=2575)
    assert hundred.error == pytest.approx(1.984 * 5 / 10, abs=1e-3)
    assert hundred.gain_text == "+1.00 ± 0.99"
    assert Performance().gain_text == "-"
    assert Performance(1, expected=0.001).gain_text == "+0.00"


def test_form_is_that_of_the_latest_weeks() -> None:
    weeks = {f"2026-W{week}": Performance(boards=60, imps=week) for week in (30, 29, 10)}
    assert History(weeks=weeks).form == Performance(boards=120, imps=59)
    assert History().form == Performance()


def test_sums_of_weeks_are_those_of_all_matches(store: LadderStore) -> None:
    one = Performance(2, 4, 26, 1.0, (1.0, 2.0, 3.0, 4.0))
    for _ in range(3):
        match = store.draw(1, 2)
        store.end(match, sums_of(5, -1), (), {1: one, 2: one.turned()})
    histories = store.weeks.histories()
    assert list(histories[1].weeks.values()) == [Performance(6, 12, 78, 3.0)]
    assert histories[2].form == Performance(6, -12, 78, -3.0)
    assert one + one.turned() == Performance(4, 0, 52)
    assert store.weeks.causes().tolist() == [[3, 6, 9, 12], [-3, -6, -9, -12]]


def test_the_latest_weeks_are_read_alone(store: LadderStore) -> None:
    with store._session("write") as session:
        for week in range(10, 20):
            weeks = {1: Performance(boards=week)}
            store.weeks.count(session.connection(), f"2026-W{week}", weeks)
    (history,) = store.weeks.histories().values()
    assert list(history.weeks) == [f"2026-W{week}" for week in range(19, 13, -1)]
