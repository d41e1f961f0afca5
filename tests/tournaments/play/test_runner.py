"""Tests of the runner that would take too long with whole programs."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Container, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.tournaments.events.event import Entrant, Event, EventPolicies
from bridge_arena.tournaments.formats.rules import Deals, Format
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.play.venue import Begin, Keep, OpenVenue, VenueOptions, any_time
from bridge_arena.tournaments.schedule.plan import plan, withdrawn
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.statistics.sequential import Sprt
from bridge_arena.tournaments.store import Store
from tests.patience import PATIENCE
from tests.tournaments.crossing import first_crossing
from tests.tournaments.scores import (
    Result,
    better_seed,
    event,
    lost,
    record,
    swings,
    units_of,
)
from tests.tournaments.store.contents import contents
from tests.tournaments.venues import FakeVenue

PYTHON = shlex.quote(sys.executable)


class KilledError(Exception):
    """The end of a hall in the middle of its play."""


class QuickHall(FakeVenue):
    """Tables that end in any order, each with the result that a function gives. After
    `until` units it is the end of the hall."""

    def __init__(self, result: Result, tables: int, rng: Random, until: int | None) -> None:
        self._result = result
        self._tables = tables
        self._rng = rng
        self._until = until
        self.played: list[str] = []
        # The boards that were played, and those of them that were shown since.
        self.boards: set[int] = set()
        self.shown: set[int] = set()

    async def seat(self, units: Iterable[Unit]) -> None:
        assert list(units)

    async def play(self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time) -> None:
        units = takewhile(begin, units)
        at_tables: list[Unit] = []
        while True:
            at_tables += islice(units, self._tables - len(at_tables))
            if not at_tables:
                return
            self.boards |= {unit.board for unit in at_tables}
            assert self.shown.isdisjoint(unit.board for unit in at_tables)
            if len(self.played) == self._until:
                raise KilledError
            unit = at_tables.pop(self._rng.randrange(len(at_tables)))
            self.played.append(unit.id)
            keep(unit, self._result(unit))
            await asyncio.sleep(0)

    def show(self, finished: Container[int]) -> None:
        self.shown |= {board for board in self.boards if board in finished}


def opens(hall: QuickHall) -> OpenVenue:
    return lambda _: hall


async def run(
    path: Path,
    hall: QuickHall,
    told: list[BoardRecord] | None = None,
    stop: Stop | None = None,
) -> None:
    """Play what is left of the event of a store."""
    with (
        closing(Store.open(path)) as store,
        EventLog(path.with_suffix(".jsonl")) as log,
    ):
        on_board = ([] if told is None else told).append
        await Runner(store, log, on_board, opens(hall), stop).run()


def created(path: Path, event: Event) -> Path:
    Store.create(path, event).close()
    return path


def records_of(path: Path) -> dict[str, BoardRecord]:
    with closing(Store.open(path)) as store:
        return dict(store.results())


EVENTS = {
    "match": event(Format.MATCH, 2, boards=8),
    "round robin": event(Format.ROUND_ROBIN, 4, legs=2),
    "swiss": event(Format.SWISS, 5, rounds=4, deals=Deals.BAROMETER),
    "knock-out": event(Format.KNOCK_OUT, 5, deals=Deals.FRESH, boards=1),
    "pairs": event(Format.PAIRS, 6),
    "individual": event(Format.INDIVIDUAL, 9, boards=1),
}


def eventful(whole: Event) -> Result:
    """Swings and ties, and now and then a lost player: the same for a unit each time."""

    def result(unit: Unit) -> BoardRecord:
        rng = Random(unit.id)
        if rng.random() < 0.1:
            return lost(whole, unit, rng.choice(unit.lineup))
        open_room = unit.room is not Room.CLOSED
        return record(whole, unit, rng.choice((0, 0, 50, -420)) if open_room else 0)

    return result


SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
"""Of the numbers of tables, the order of boards, and the interruptions."""


@pytest.mark.slow
@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("seed", SEEDS)
async def test_interruptions_leave_no_trace(tmp_path: Path, name: str, seed: int) -> None:
    """The rows of the database do not depend on the number of tables, the order in which they end,
    or interruptions.
    """
    whole = EVENTS[name].model_copy(update={"policies": EventPolicies(restarts=1000)})
    peaceful = created(tmp_path / "peaceful.sqlite", whole)
    await run(peaceful, QuickHall(eventful(whole), 1, Random(1), None))

    rng = Random(seed)
    stopped = created(tmp_path / "stopped.sqlite", whole)
    total = 0
    while True:
        hall = QuickHall(eventful(whole), rng.randint(1, 7), rng, rng.randint(0, 9))
        try:
            await run(stopped, hall)
            break
        except KilledError:
            pass
        finally:
            total += len(hall.played)
    assert contents(stopped) == contents(peaceful)
    records = records_of(stopped)
    assert total == len(records), "nothing is played twice"
    assert {unit.id for unit in units_of(plan(whole, records.values()))} == set(records)
    if name != "match":
        assert any(each.adjusted is not None for each in records.values())


AGAIN = {
    "swiss of the same deals": event(Format.SWISS, 5, rounds=4, deals=Deals.SAME),
    "knock-out of the same deals": event(Format.KNOCK_OUT, 7, deals=Deals.SAME, boards=1),
    "knock-out with a bye": event(Format.KNOCK_OUT, 3, deals=Deals.SAME, boards=2),
    "knock-out of ties": event(Format.KNOCK_OUT, 8, deals=Deals.BAROMETER, boards=1),
}
"""Events of which a later round plays boards of an earlier one, or one match those of another
when it is tied."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [*EVENTS, *AGAIN])
@pytest.mark.parametrize("seed", SEEDS)
async def test_boards_that_are_shown_are_played_no_more(
    tmp_path: Path, name: str, seed: int
) -> None:
    """The result is the same however often the event is stopped and resumed."""
    whole = (EVENTS | AGAIN)[name].model_copy(update={"policies": EventPolicies(restarts=1000)})
    path = created(tmp_path / "results.sqlite", whole)
    rng = Random(seed)
    boards, shown = set[int](), set[int]()
    while True:
        hall = QuickHall(eventful(whole), rng.randint(1, 7), rng, rng.randint(0, 9))
        hall.boards, hall.shown = boards, shown
        try:
            await run(path, hall)
            break
        except KilledError:
            boards, shown = hall.boards, hall.shown
    records = records_of(path)
    assert {unit.board for unit in units_of(plan(whole, records.values()))} == hall.shown


async def test_a_board_of_a_match_is_shown_when_both_rooms_are_done_with_it(
    tmp_path: Path,
) -> None:
    whole = EVENTS["match"]
    hall = QuickHall(eventful(whole), 1, Random(1), 5)
    with pytest.raises(KilledError):
        await run(created(tmp_path / "results.sqlite", whole), hall)
    assert hall.played[-1] == "1/1/3/open"
    assert hall.shown == {1, 2}


class TestStop:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", EVENTS)
    async def test_an_event_that_is_stopped_again_and_again_is_as_one_that_is_not(
        self, tmp_path: Path, name: str
    ) -> None:
        whole = EVENTS[name].model_copy(update={"policies": EventPolicies(restarts=1000)})
        peaceful = created(tmp_path / "peaceful.sqlite", whole)
        await run(peaceful, QuickHall(eventful(whole), 1, Random(1), None))
        stopped = created(tmp_path / "stopped.sqlite", whole)
        rng, played = Random(4), list[str]()
        while True:
            stop = Stop(boards=rng.randint(1, 5))
            hall = QuickHall(eventful(whole), rng.randint(1, 4), rng, None)
            try:
                await run(stopped, hall, stop=stop)
                break
            except StoppedError:
                assert not stop.in_play
            finally:
                played += hall.played
        assert contents(stopped) == contents(peaceful)
        assert len(played) == len(set(played)) == len(records_of(stopped))

    async def test_boards_in_play_are_finished(self, tmp_path: Path) -> None:
        whole, stop = EVENTS["round robin"], Stop()
        titles: list[str] = []

        def result(unit: Unit) -> BoardRecord:
            if unit.id == "1/1/2/open":
                titles.extend(stop.in_play)
                stop.order()
            return better_seed(whole)(unit)

        hall = QuickHall(result, 3, Random(1), None)
        path = created(tmp_path / "results.sqlite", whole)
        with pytest.raises(StoppedError):
            await run(path, hall, stop=stop)
        last = hall.played[hall.played.index("1/1/2/open") :]
        assert len(last) == 3
        assert sorted(titles) == sorted(
            f"round {round_}, match {match}, board {position} {place}"
            for round_, match, position, place in (unit.split("/") for unit in last)
        )
        assert set(hall.played) == set(records_of(path))

    async def test_as_many_boards_as_may_begin_are_played_in_both_rooms(
        self, tmp_path: Path
    ) -> None:
        path = created(tmp_path / "results.sqlite", EVENTS["match"])
        for played in (3, 6):
            hall = QuickHall(eventful(EVENTS["match"]), 3, Random(1), None)
            with pytest.raises(StoppedError):
                await run(path, hall, stop=Stop(boards=3))
            assert records_of(path).keys() == {
                f"1/1/{position}/{room}"
                for position in range(1, played + 1)
                for room in ("open", "closed")
            }
            assert set(range(1, played + 1)) >= hall.shown
        hall = QuickHall(eventful(EVENTS["match"]), 3, Random(1), None)
        await run(path, hall, stop=Stop(boards=2))
        assert len(records_of(path)) == 16, "the event has just as many boards left"

    async def test_an_order_that_comes_with_the_last_board_changes_nothing(
        self, tmp_path: Path
    ) -> None:
        whole, stop = EVENTS["match"], Stop()

        def result(unit: Unit) -> BoardRecord:
            if len(hall.played) == 2 * whole.boards:
                stop.order()
            return better_seed(whole)(unit)

        hall = QuickHall(result, 2, Random(1), None)
        await run(created(tmp_path / "results.sqlite", whole), hall, stop=stop)
        assert stop.is_ordered

    async def test_who_is_to_be_seated_is_not_waited_for_after_the_order(
        self, tmp_path: Path
    ) -> None:
        stop = Stop()

        class Waiting(QuickHall):
            async def seat(self, units: Iterable[Unit]) -> None:
                del units
                stop.order()
                await asyncio.Event().wait()

        path = created(tmp_path / "results.sqlite", EVENTS["match"])
        hall = Waiting(eventful(EVENTS["match"]), 1, Random(1), None)
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(StoppedError):
                await run(path, hall, stop=stop)
        assert hall.played == []

    async def test_a_board_is_in_play_from_its_beginning_until_its_player_is_lost_elsewhere(
        self, tmp_path: Path
    ) -> None:
        in_play: list[list[str]] = []
        stop = Stop()

        class Losing(QuickHall):
            async def play(
                self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time
            ) -> None:
                first, second = next(units), next(units)
                in_play.append([*stop.in_play])
                assert begin(first)
                in_play.append([*stop.in_play])
                assert keep(first, None) is None
                in_play.append([*stop.in_play])
                stop.order()
                assert not begin(second)

        path = created(tmp_path / "results.sqlite", EVENTS["match"])
        with pytest.raises(StoppedError):
            await run(path, Losing(eventful(EVENTS["match"]), 2, Random(1), None), stop=stop)
        assert in_play == [[], ["board 1 open"], []]
        assert records_of(path) == {}


async def test_a_run_of_an_event_that_is_over_plays_nothing(tmp_path: Path) -> None:
    path = created(tmp_path / "results.sqlite", EVENTS["swiss"])
    await run(path, QuickHall(better_seed(EVENTS["swiss"]), 2, Random(1), None))
    before = contents(path)
    hall = QuickHall(better_seed(EVENTS["swiss"]), 2, Random(1), None)
    await run(path, hall)
    assert (hall.played, contents(path)) == ([], before)


class TestLostPlayers:
    ROBIN = event(Format.ROUND_ROBIN, 4, policies=EventPolicies(restarts=2))

    def result(self, unit: Unit) -> BoardRecord:
        """Entry 3 is lost on every board."""
        if 3 in unit.lineup:
            return lost(self.ROBIN, unit, 3)
        return better_seed(self.ROBIN)(unit)

    @pytest.mark.parametrize("tables", [1, 5])
    async def test_the_board_is_adjusted_until_there_are_too_many(
        self, tmp_path: Path, tables: int
    ) -> None:
        path = created(tmp_path / "results.sqlite", self.ROBIN)
        told: list[BoardRecord] = []
        hall = QuickHall(self.result, tables, Random(2), None)
        await run(path, hall, told)
        records = records_of(path)
        unfinished = [each for each in records.values() if not each.is_finished]
        assert sum(each.adjusted is not None for each in unfinished) == 2
        assert len(unfinished) == 3
        assert all(each.adjusted in (None, each.faults[-1].seat.side) for each in unfinished), (
            "the side at fault"
        )
        assert withdrawn(self.ROBIN, records.values()).keys() == {3}
        others = [
            unit for unit in units_of(plan(self.ROBIN, records.values())) if 3 not in unit.lineup
        ]
        assert all(records[unit.id].is_finished for unit in others), "all others played on"
        assert len(told) == len(records) == len(others) + 3
        # Only its boards at other tables were in play when it was withdrawn.
        assert len(hall.played) < len(records) + tables
        lines = map(json.loads, path.with_suffix(".jsonl").read_text().splitlines())
        assert [line["entry"] for line in lines if line["event"] == "withdrawn"] == ["e3"]

    async def test_an_entry_that_is_withdrawn_stays_so_after_an_interruption(
        self, tmp_path: Path
    ) -> None:
        path = created(tmp_path / "results.sqlite", self.ROBIN)
        while not any(
            not each.is_finished and each.adjusted is None for each in records_of(path).values()
        ):
            with pytest.raises(KilledError):
                await run(path, QuickHall(self.result, 1, Random(2), 1))
        left = QuickHall(self.result, 2, Random(2), None)
        await run(path, left)
        units = {unit.id: unit for unit in units_of(plan(self.ROBIN, records_of(path).values()))}
        assert all(3 not in units[unit].lineup for unit in left.played)

    @pytest.mark.parametrize(
        "match",
        [
            event(Format.MATCH, 2, boards=4, policies=EventPolicies(restarts=0)),
            event(
                Format.MATCH,
                0,
                boards=4,
                entries=(
                    Entrant(bot="random", name="e0"),
                    Entrant(bot="random", name="e1", restarts=0),
                ),
            ),
        ],
        ids=["the event's restarts", "its own restarts"],
    )
    async def test_nobody_waits_for_a_table_of_a_match_that_is_lost(
        self, tmp_path: Path, match: Event
    ) -> None:
        """A match that is lost ends, though a table is still in play."""

        class Hanging(QuickHall):
            async def play(
                self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time
            ) -> None:
                del begin
                first, _ = next(units), next(units)
                keep(first, lost(match, first, 1))
                await asyncio.Event().wait()

        path = created(tmp_path / "results.sqlite", match)
        async with asyncio.timeout(PATIENCE):
            await run(path, Hanging(better_seed(match), 2, Random(1), None))
        assert len(records_of(path)) == 1

    async def test_a_run_can_be_cancelled_while_tables_hang(self, tmp_path: Path) -> None:
        match = event(Format.MATCH, 2)

        class Hanging(QuickHall):
            async def play(
                self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time
            ) -> None:
                del units, keep, begin
                await asyncio.Event().wait()

        path = created(tmp_path / "results.sqlite", match)
        task = asyncio.create_task(run(path, Hanging(better_seed(match), 1, Random(1), None)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


class TestSequentialTest:
    MATCH = event(Format.MATCH, 2, boards=40, sprt="imp0=0 imp1=3")
    GAINS = tuple(Random(5).choice((0, 50, 200, 420, -100)) for _ in range(40))

    def result(self) -> Result:
        return swings(self.MATCH, lambda unit: self.GAINS[unit.position - 1])

    @pytest.mark.parametrize("tables", [1, 2, 9])
    async def test_a_sequential_test_ends_at_the_same_board(
        self, tmp_path: Path, tables: int
    ) -> None:
        imps = {0: 0, 50: 2, 200: 5, 420: 9, -100: -3}
        last = first_crossing(Sprt.parse("imp0=0 imp1=3"), [imps[gain] for gain in self.GAINS])
        assert last is not None
        path = created(tmp_path / "results.sqlite", self.MATCH)
        hall = QuickHall(self.result(), tables, Random(3), None)
        await run(path, hall)
        expected = [f"1/1/{at}/{room}" for at in range(1, last + 1) for room in ("open", "closed")]
        assert list(records_of(path)) == expected
        assert len(hall.played) >= 2 * last
        assert tables > 1 or len(hall.played) == 2 * last

    @pytest.mark.slow
    async def test_boards_played_beyond_the_end_are_dropped_after_an_interruption(
        self, tmp_path: Path
    ) -> None:
        whole = created(tmp_path / "whole.sqlite", self.MATCH)
        await run(whole, QuickHall(self.result(), 1, Random(3), None))
        path = created(tmp_path / "results.sqlite", self.MATCH)
        rng = Random(8)
        while True:
            try:
                await run(path, QuickHall(self.result(), 9, rng, rng.randint(0, 6)))
                break
            except KilledError:
                pass
        assert records_of(path) == records_of(whole)


class TestRealHall:
    @staticmethod
    def match(command: str, **settings: Any) -> Event:
        entries = (Entrant(bot=command, name="a"), Entrant(bot=command, name="b"))
        return event(Format.MATCH, 2, entries=entries, **settings)

    async def test_a_bot_that_never_connects_ends_the_run(self, tmp_path: Path) -> None:
        text = 'import time; print("loads", flush=True); time.sleep(600)'
        sleeper = f"cmd:{PYTHON} -c '{text}'"
        match = self.match(sleeper, policies=EventPolicies(start=1.0))
        ended: list[BoardRecord] = []
        with (
            closing(Store.create(tmp_path / "results.sqlite", match)) as store,
            EventLog(tmp_path / "log.jsonl") as log,
        ):
            runner = Runner(store, log, ended.append, partial(LocalVenue, options=VenueOptions(2)))
            with pytest.raises(SeatingError, match=r"bot [ab] \([NESW]\) did not connect within"):
                await runner.run()
            assert list(store.results()) == []
        assert ended == []
        assert '"output": "loads"' in (tmp_path / "log.jsonl").read_text()

    async def test_a_bot_is_not_told_the_key_of_its_opponents_robot(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ROBOT_KEY", "for one")
        told = tmp_path / "told"
        text = f'import os; print("ROBOT_KEY" in os.environ, file=open("{told}", "a"))'
        entries = (
            Entrant(bot=f"cmd:{PYTHON} -c '{text}'", name="spy"),
            Entrant(bot="http:http://127.0.0.1:1,key=ROBOT_KEY", name="robot"),
        )
        match = event(Format.MATCH, 2, entries=entries)
        with (
            closing(Store.create(tmp_path / "results.sqlite", match)) as store,
            EventLog(tmp_path / "log.jsonl") as log,
            pytest.raises(SeatingError, match="bot spy"),
        ):
            await Runner(
                store, log, lambda _: None, partial(LocalVenue, options=VenueOptions(1))
            ).run()
        assert set(told.read_text().split()) == {"False"}

    async def test_no_bot_is_started_where_nothing_is_left_to_play(self, tmp_path: Path) -> None:
        """No bot is started: these could not be."""
        match = self.match("cmd:./nowhere")
        with (
            closing(Store.create(tmp_path / "results.sqlite", match)) as store,
            EventLog(tmp_path / "log.jsonl") as log,
        ):
            await Runner(
                store, log, lambda _: None, opens(QuickHall(better_seed(match), 1, Random(1), None))
            ).run()
            size = (tmp_path / "log.jsonl").stat().st_size
            await Runner(
                store, log, lambda _: None, partial(LocalVenue, options=VenueOptions(2))
            ).run()
            assert (tmp_path / "log.jsonl").stat().st_size == size
