"""Tests of the analysis of a store, during the play and after it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.errors import DeadlineError, SolverError, WorkerError
from bridge_arena.oracle.ledger import Role
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play import board_values
from bridge_arena.tournaments.play.board_values import Ledgers, complete, missing, valued, values_of
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.store import Store, StoreError, Units
from tests.server.lobby import until
from tests.tournaments.matches import table, unfinished
from tests.tournaments.scores import event, units_of

MATCH = event(Format.MATCH, 2, boards=4)
UNITS = units_of(plan(MATCH, []))


class Rigged(Oracle):
    """Answers at once that a lead gave a trick away; of East's contracts the solver has no
    answer in time, of South's none at all, and over West's it dies."""

    async def play_values(
        self, deal: Deal, contract: Contract, cards: Sequence[Card]
    ) -> tuple[int, ...]:
        del deal
        if contract.declarer is Seat.EAST:
            raise DeadlineError("too long")
        if contract.declarer is Seat.SOUTH:
            raise SolverError("no such thing")
        if contract.declarer is Seat.WEST:
            raise WorkerError("a worker ended")
        await asyncio.sleep(0)
        return (9,) + (10,) * len(cards)


@pytest.fixture(autouse=True)
def rigged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_values, "Oracle", Rigged)


def played(number: int, room: Room, declarer: str) -> BoardRecord:
    record = table(number, room, "4S", declarer, 10)
    leader = Seat.parse(declarer).next
    return replace(record, cards=(next(iter(record.board.deal[leader])),))


RECORDS = (
    played(1, Room.OPEN, "N"),
    played(1, Room.CLOSED, "E"),
    played(2, Room.OPEN, "S"),
    played(2, Room.CLOSED, "W"),
    table(3, Room.OPEN),
    unfinished(3, Room.CLOSED),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store.create(tmp_path / "results.sqlite", MATCH)) as store:
        matches = [match for each in plan(MATCH, []) for match in each.matches]
        boards = {unit.board: GivenBoard(RECORDS[0].board, ()) for unit in UNITS}
        store.schedule(matches, boards)
        for unit, record in zip(UNITS, RECORDS, strict=False):
            store.save(unit, record)
        yield store


def left(store: Store) -> Units:
    """The units that are still to be valued."""
    return missing(store, list(store.results()))


async def test_every_table_that_was_played_is_valued(store: Store) -> None:
    assert [unit for unit, _ in left(store)] == [unit.id for unit in UNITS[:4]]
    counted: list[None] = []
    await complete(store, left(store), lambda: counted.append(None))
    assert len(counted) == 4, "the progress bar comes to its end"
    assert store.analysed() == {
        UNITS[0].id: (9, 10),
        UNITS[1].id: None,  # not in time
        UNITS[2].id: None,  # no answer
    }
    ledger = store.played()[0].ledger
    assert ledger is not None
    assert (ledger.dd_tricks, ledger.lost(Role.OPENING_LEAD)) == (9, 1)
    assert [unit for unit, _ in left(store)] == [UNITS[3].id], "it may go well another time"


async def test_tables_that_were_valued_are_not_valued_again(store: Store) -> None:
    store.save_analysis(UNITS[0].id, (7,))
    await complete(store, left(store), lambda: None)
    assert store.analysed()[UNITS[0].id] == (7,)


async def test_a_value_that_fails_behind_the_play_is_left_for_later(store: Store) -> None:
    """A unit that is not in the store any more is no error."""
    async with Ledgers(store, []) as behind:
        for unit, record in zip(UNITS, RECORDS, strict=False):
            behind.add(unit.id, record)
        behind.add(UNITS[7].id, RECORDS[0])
        await until(lambda: len(store.analysed()) == 2)
    assert store.analysed() == {UNITS[0].id: (9, 10), UNITS[2].id: None}
    assert [unit for unit, _ in left(store)] == [UNITS[1].id, UNITS[3].id]


async def test_units_of_an_earlier_run_are_valued_behind_the_play(store: Store) -> None:
    store.save_analysis(UNITS[0].id, (7,))
    async with Ledgers(store, list(store.results())):
        await until(lambda: len(store.analysed()) == 2)
    assert store.analysed() == {UNITS[0].id: (7,), UNITS[2].id: None}


async def test_the_end_of_the_play_does_not_wait(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Endless(Rigged):
        async def play_values(self, *_: object) -> tuple[int, ...]:
            await asyncio.Event().wait()
            return ()

    monkeypatch.setattr(board_values, "Oracle", Endless)
    async with Ledgers(store, []) as behind:
        behind.add(UNITS[0].id, RECORDS[0])
        await asyncio.sleep(0)
    assert store.analysed() == {}


async def test_a_valuation_that_is_interrupted_goes_on_where_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Rigged):
        async def play_values(
            self, deal: Deal, contract: Contract, cards: Sequence[Card]
        ) -> tuple[int, ...]:
            if contract.declarer is not Seat.NORTH:
                await asyncio.Event().wait()
            return await super().play_values(deal, contract, cards)

    monkeypatch.setattr(board_values, "Oracle", Slow)
    valuing = asyncio.create_task(complete(store, left(store), lambda: None))
    await until(lambda: bool(store.analysed()))
    valuing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await valuing
    assert store.analysed() == {UNITS[0].id: (9, 10)}
    monkeypatch.setattr(board_values, "Oracle", Rigged)
    await complete(store, left(store), lambda: None)
    assert len(store.analysed()) == 3


async def test_an_error_of_the_store_is_told_as_such(store: Store, tmp_path: Path) -> None:
    units = left(store)
    store.close()
    (tmp_path / "results.sqlite").write_bytes(b"something else " * 100)
    with pytest.raises(StoreError, match="cannot write"):
        await complete(store, units, lambda: None)


async def test_an_error_of_ours_is_not_swallowed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(Rigged):
        async def play_values(self, *_: object) -> tuple[int, ...]:
            raise ZeroDivisionError

    monkeypatch.setattr(board_values, "Oracle", Broken)
    with pytest.raises(ZeroDivisionError):
        await complete(store, left(store), lambda: None)


async def test_tables_that_were_only_bid_need_no_solver() -> None:
    record = replace(played(1, Room.OPEN, "E"), mode=Mode.BIDDING, cards=())
    with Rigged() as oracle:
        assert await values_of(record, oracle) == (10,)
        assert await values_of(table(1, Room.OPEN), oracle) is None


async def test_records_without_a_store_are_valued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge_arena.tournaments.play.board_values.Oracle", Rigged)
    counted: list[None] = []
    found = await valued(RECORDS, lambda: counted.append(None))
    assert [each.record for each in found] == list(RECORDS)
    assert [each.values for each in found] == [(9, 10), None, None, None, None, None]
    assert len(counted) == 4, "the progress bar comes to its end"
    assert {each.record.room for each in found if each.ledger} == {Room.OPEN}
