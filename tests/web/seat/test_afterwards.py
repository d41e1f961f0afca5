"""Tests of what players are told of finished boards."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest

from bridge_arena.bridge.record import Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.schedule.rulings import Annul, Ruling
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.web.board.document import CallCost
from bridge_arena.web.live.kibitzing import Kibitzing
from bridge_arena.web.live.rooms import Game
from bridge_arena.web.seat.afterwards import Afterwards
from bridge_arena.web.seat.people import Chair
from bridge_arena.web.seat.scorecard import Section
from tests.tournaments.ruled import rulings
from tests.web.live.halls import Hall, units


class Solving:
    """In place of `Kibitzing`: solves when it is told to."""

    def __init__(self) -> None:
        self.games: list[str] = []
        self.solve_all = asyncio.Event()

    async def solve(self, game: Game) -> None:
        self.games.append(game.key)
        await self.solve_all.wait()

    async def weigh(self, game: Game, unit: str) -> None:
        table = game.document["tables"][list(game.tables).index(unit)]
        table["weighed"] = {"2": CallCost(gain=1.0, error=0.1, real=3, isClear=True)}


async def test_each_player_has_the_own_board_solved() -> None:
    hall, solving = Hall(), Solving()
    afterwards = Afterwards(hall.arena, hall.people, cast("Kibitzing", solving), None)
    chairs: list[Chair] = []
    for unit in units():
        await hall.play(unit)
        chair = Chair(unit.id)
        chair.played.append((unit, Seat.SOUTH))
        chairs.append(chair)

    def is_solved(chair: Chair) -> bool:
        over = cast("dict[str, Any]", afterwards.about(chair)["over"])
        return cast("bool", over["is_solved"])

    for _ in range(3):
        assert not any(map(is_solved, chairs))
        await hall.settle()
    assert solving.games == ["1-1-1", "1-1-2"]
    assert {afterwards.about(chair)["scope"] for chair in chairs} == {"match"}
    solving.solve_all.set()
    await hall.settle()
    assert all(map(is_solved, chairs))


async def test_what_the_arena_keeps_no_more_is_not_solved() -> None:
    hall, solving = Hall(), Solving()
    afterwards = Afterwards(hall.arena, hall.people, cast("Kibitzing", solving), None)
    first, _, second, _ = units()
    for unit in (first, second):
        await hall.play(unit)
        chair = Chair(unit.id)
        chair.played.append((unit, Seat.SOUTH))
        afterwards.about(chair)
        await hall.settle()
        (task,) = (each for each in asyncio.all_tasks() if "Solving.solve" in repr(each))
        if unit is first:
            forgotten = task
            del hall.arena.games["1-1-1"]
    assert forgotten.cancelled()


async def test_how_often_something_was_taken_back_is_told() -> None:
    hall = Hall()
    afterwards = Afterwards(hall.arena, hall.people, cast("Kibitzing", Solving()), None)
    unit, *_ = units()
    record = await hall.play(unit)
    undone = Fault(Seat.SOUTH, FaultKind.UNDO, 2, "took back 1NT")
    hall.arena.played[unit.id] = replace(record, faults=(undone, undone))
    chair = Chair("Ann")
    chair.played.append((unit, Seat.SOUTH))
    assert cast("dict[str, Any]", afterwards.about(chair)["over"])["undone"] == 2


async def test_the_scorecard_follows_the_rulings(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Ruling] = []
    hall = Hall(rulings=lambda: made)
    afterwards = Afterwards(hall.arena, hall.people, cast("Kibitzing", Solving()), None)
    chair = Chair("Ann")

    def seat_of(_: Chair, unit: Unit) -> Seat | None:
        return Seat.SOUTH if unit.room is Room.OPEN else None

    monkeypatch.setattr(hall.people, "seat_of", seat_of)
    for unit in units()[:2]:
        await hall.play(unit)
    worth = []
    for made[:] in ([], rulings([Annul(match="1/1", board=1)])):
        hall.arena.lobby.count()
        (section,) = cast("list[Section]", afterwards.about(chair)["scorecard"])
        worth.append([line.get("worth") for line in section["lines"]])
    assert worth == [[0.0], [None]]


async def test_what_the_end_of_the_event_interrupts_is_solved_when_the_pages_stay() -> None:
    hall = Hall()
    unit, *_ = units()
    await hall.play(unit)
    game = hall.arena.games["1-1-1"]
    with Oracle(workers=1) as oracle:
        pass
    for _ in range(2):
        with pytest.raises(asyncio.CancelledError):
            await Kibitzing(oracle, {}).solve(game)
    with Oracle(workers=1) as oracle:
        await Kibitzing(oracle, {}).solve(game)
    assert game.document["par"] is not None
    assert not any(live.unsolved for live in game.tables.values() if live is not None)


async def test_what_calls_cost_is_found_once_the_cards_are_solved() -> None:
    hall, solving = Hall(), Solving()
    afterwards = Afterwards(hall.arena, hall.people, cast("Kibitzing", solving), None)
    unit, *_ = units()
    record = await hall.play(unit)
    chair = Chair("Ann")
    chair.played.append((unit, Seat.SOUTH))

    def told() -> tuple[bool, list[bool]]:
        over = cast("dict[str, Any]", afterwards.about(chair)["over"])
        (table,) = over["board"]["tables"]
        return over["is_weighed"], ["callCost" in call for call in table["calls"]]

    nothing = [False] * len(record.calls)
    for _ in range(3):
        assert told() == (False, nothing)
        await hall.settle()
    solving.solve_all.set()
    await hall.settle()
    assert told() == (True, [False, True, *nothing[2:]])


@pytest.mark.slow
async def test_the_calls_of_one_table_are_weighed_even_if_that_is_interrupted() -> None:
    hall = Hall()
    unit, other, *_ = units()
    record = await hall.play(unit)
    await hall.play(other)
    game = hall.arena.games["1-1-1"]
    with Oracle(workers=1) as oracle:
        pass
    with pytest.raises(asyncio.CancelledError):
        await Kibitzing(oracle, hall.arena.specs).weigh(game, unit.id)
    with Oracle(workers=1) as oracle:
        await Kibitzing(oracle, hall.arena.specs).weigh(game, unit.id)
    weighed, unweighed = (table.get("weighed", {}) for table in game.document["tables"])
    assert weighed.keys() == {str(number + 1) for number in range(len(record.calls))}
    assert unweighed == {}
