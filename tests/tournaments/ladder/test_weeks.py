"""Tests of what versions did week by week: sums, form, and where the IMPs came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.oracle.ledger import Role
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.sums import SWINGS, PairSums
from bridge_arena.tournaments.ladder.weeks import History, Performance, performances, week_of
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.matches import table
from tests.tournaments.scores import lost, record


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
    assert unknown.gain == 0
    assert Performance(boards=1, imps=9).error is None
    hundred = Performance(boards=100, imps=100, squares=2575)
    assert hundred.error == pytest.approx(1.984 * 5 / 10, abs=1e-3)


def test_form_is_that_of_the_latest_weeks() -> None:
    weeks = {f"2026-W{week}": Performance(boards=60, imps=week) for week in (30, 29, 10)}
    assert History(weeks=weeks).form == Performance(boards=120, imps=59)
    assert History().form == Performance()


def test_sums_of_weeks_are_those_of_all_matches(store: LadderStore) -> None:
    parts = {f"{whose}_{role.key}": 0.25 for whose in ("own", "others") for role in Role}
    one = Performance(2, 4, 26, 1.0, 2, 2.5, **parts)
    for _ in range(3):
        match = store.draw(1, 2)
        store.end(match, sums_of(5, -1), (), {1: one, 2: one.turned()})
    histories = store.weeks.histories()
    assert histories[1].total == one + one + one
    assert histories[2].total == histories[1].total.turned()
    assert list(histories[1].weeks.values()) == [histories[1].total]
    assert sum(histories[1].total.causes.values()) == pytest.approx(2)


def test_the_latest_weeks_are_read_alone(store: LadderStore) -> None:
    with store._session("write") as session:
        for week in range(10, 20):
            weeks = {1: Performance(boards=week)}
            store.weeks.count(session.connection(), f"2026-W{week}", weeks)
    (history,) = store.weeks.histories().values()
    assert list(history.weeks) == [f"2026-W{week}" for week in range(19, 13, -1)]
    assert history.total.boards == sum(range(10, 20))


class Rigged(Oracle):
    """Says of each contract that nine tricks can be made."""

    async def play_values(
        self, deal: Deal, contract: Contract, cards: Sequence[Card]
    ) -> tuple[int, ...]:
        del deal, contract
        return (9,) * (len(cards) + 1)


def four_spades(event: Event, unit: Unit) -> BoardRecord:
    """The home team is given a trick in each contract; the fourth board of a match is left."""
    if unit.position == 4:
        return lost(event, unit, 0, adjusted=True)
    names = record(event, unit)
    tricks = 10 if unit.room is Room.OPEN else 9
    played = table(unit.position, unit.room, "4S", "N", tricks)
    return replace(
        names, board=played.board, contract=played.contract, tricks=tricks, score=played.score
    )


@pytest.mark.parametrize("is_valued", [True, False])
def test_the_end_of_a_match_counts_its_boards_by_role(tmp_path: Path, *, is_valued: bool) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=4)).close()
    with Rigged() as oracle:
        play(path, venues(four_spades), 8, concurrency=1, oracle=oracle if is_valued else None)
    with closing(LadderStore.open(path)) as store:
        one, other = (history.total for history in store.weeks.histories().values())
        # Each is the home team once, and loses as visitors what it gained as home team.
        assert (store.sums()[1, 2].imps, one.imps, one.boards) == (0, 0, 8)
    assert other == one.turned()
    # 10 IMPs for game, 12 if vulnerable, and 3 for the board that was left.
    assert one.squares == 2 * (10**2 + 12**2 + 10**2 + 3**2)
    assert one.split_boards == (6 if is_valued else 0)
    if is_valued:
        assert one.others_defence == -one.own_defence == 32
        assert one.causes == {"auction": 0, "opening_lead": 0, "declarer_play": 0, "defence": 0}
