"""The analysis: a ledger for every table with a contract."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bridge.calls import Contract
from bridge.cards import Card, Deal
from bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge.seats import Seat
from oracle.errors import DeadlineError
from oracle.pool import Oracle
from tests.tournaments.matches import table, unfinished
from tournaments.analysis.ledgers import analyse


class Rigged(Oracle):
    """Answers at once that a lead gave a trick away; a board of East's takes too long."""

    async def play_values(
        self, deal: Deal, contract: Contract, cards: Sequence[Card]
    ) -> tuple[int, ...]:
        del deal
        if contract.declarer is Seat.EAST:
            raise DeadlineError("too long")
        await asyncio.sleep(0)
        return (9,) + (10,) * len(cards)


def played(number: int, room: Room, declarer: str) -> BoardRecord:
    record = table(number, room, "4S", declarer, 10)
    leader = Seat.parse(declarer).next
    return replace(record, cards=(next(iter(record.board.deal[leader])),))


async def ledgers_of(records: Sequence[BoardRecord]) -> tuple[dict[int, str], int]:
    """The boards that got a ledger, with their double-dummy tricks, and how many were
    counted."""
    calls: list[None] = []
    with Rigged() as oracle:
        ledgers = await analyse(records, oracle, lambda: calls.append(None))
    return {
        board.number: f"{ledger.dd_tricks}" for (board, _), ledger in ledgers.items() if ledger
    }, len(calls)


async def test_tables_without_a_contract_or_an_end_have_none() -> None:
    records = [
        played(1, Room.OPEN, "S"),
        table(2, Room.OPEN),
        unfinished(3, Room.OPEN, Fault(Seat.NORTH, FaultKind.CRASH, 0)),
        played(4, Room.CLOSED, "E"),
    ]
    analysed, counted = await ledgers_of(records)
    assert analysed == {1: "9"}
    assert counted == 4, "the progress bar comes to its end"


async def test_nothing_to_analyse() -> None:
    assert await ledgers_of([]) == ({}, 0)


async def test_both_rooms_are_kept_apart() -> None:
    with Rigged() as oracle:
        ledgers = await analyse([played(1, room, "S") for room in Room], oracle, lambda: None)
    assert {room for _, room in ledgers} == set(Room)


async def test_an_error_of_ours_is_not_swallowed() -> None:
    class Broken(Rigged):
        async def play_values(self, *_: object) -> tuple[int, ...]:
            raise ZeroDivisionError

    with Broken() as oracle, pytest.raises(ExceptionGroup) as caught:
        await analyse([played(1, Room.OPEN, "S")], oracle, lambda: None)
    assert caught.group_contains(ZeroDivisionError)
