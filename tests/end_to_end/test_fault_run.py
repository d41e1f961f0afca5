"""Tests of an event with faults of every kind, and of its judges, which must notice every error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgpack
import pytest

from benchmarks.bad_network import spoilt_down, spoilt_up
from benchmarks.fault_run import SERVER_KILL, FaultRun, Sights, judge_records
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.protocol.codec import decode_server, encode, frame
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    BoardStart,
    CardPlayed,
    DummyShown,
    Goodbye,
    Message,
    Welcome,
    YourTurn,
)
from tests.server.tables import new_table, say, seen_by

BOARDS = 20
SEED = 3


@pytest.mark.slow
async def test_nothing_is_lost_and_nothing_is_leaked(tmp_path: Path) -> None:
    run = FaultRun(tmp_path, BOARDS, tables=4, seed=SEED, every=0.4, kills=1)
    outcome = await run.run()
    assert outcome.complaints == []
    assert len(outcome.records) == 2 * BOARDS
    assert outcome.injected[SERVER_KILL] == 1
    assert outcome.injected.total() > BOARDS
    assert outcome.sights is not None
    assert outcome.sights.frames > 1000
    assert outcome.sights.snapshots > 0


# The judges.


def played() -> tuple[BoardRecord, list[tuple[Seat, Message]]]:
    """Board 1 with a short auction and the lowest card always, and what its seats were told."""
    table = new_table()
    told: list[tuple[Seat, Message]] = []
    events = table.start(0.0)
    calls = iter("Pass Pass 1NT Pass Pass Pass".split())
    while events:
        for event in events:
            told += [(seat, message) for seat in SEATS for message in seen_by(seat, [event])]
        turn = table.turn
        events = [] if turn is None else say(table, next(calls, None) or min(turn.legal))
    return replace(table.record(("a", "b", "c", "d")), room=Room.OPEN), told


def complaints_of(records: Sequence[BoardRecord], boards: int = 1) -> list[str]:
    return list(judge_records(records, boards))


@pytest.fixture
def both_rooms() -> list[BoardRecord]:
    record, _ = played()
    return [record, replace(record, room=Room.CLOSED)]


class TestJudgeOfRecords:
    def test_the_judge_has_no_complaint_of_right_records(
        self, both_rooms: list[BoardRecord]
    ) -> None:
        assert complaints_of(both_rooms) == []

    def test_the_judge_notices_a_board_that_is_missing_or_there_twice(
        self, both_rooms: list[BoardRecord]
    ) -> None:
        assert len(complaints_of(both_rooms, boards=2)) == 2
        assert len(complaints_of(both_rooms[:1])) == 1
        assert len(complaints_of([*both_rooms, both_rooms[0]])) == 1

    def test_the_judge_notices_a_revoke(self, both_rooms: list[BoardRecord]) -> None:
        record = both_rooms[0]
        # Two cards of one hand change places, of which the first must follow suit.
        cards = list(record.cards)
        deal = record.board.deal
        later = next(
            place
            for place, card in enumerate(cards)
            if card in deal[Seat.EAST] and card.suit != cards[0].suit
        )
        first = next(place for place in range(4) if cards[place] in deal[Seat.EAST])
        assert first > 0
        cards[first], cards[later] = cards[later], cards[first]
        both_rooms[0] = replace(record, cards=tuple(cards))
        (complaint,) = complaints_of(both_rooms)
        assert "is no legal card of E" in complaint

    @pytest.mark.parametrize(
        "wrong",
        [
            {"tricks": 13},
            {"score": 10},
            {"contract": None},
            {"score": None},
            {"adjusted": Side.NS},
        ],
    )
    def test_the_judge_notices_a_result_that_is_not_the_plays(
        self, both_rooms: list[BoardRecord], wrong: dict[str, Any]
    ) -> None:
        both_rooms[0] = replace(both_rooms[0], **wrong)
        assert len(complaints_of(both_rooms)) == 1

    def test_the_judge_notices_an_illegal_auction(self, both_rooms: list[BoardRecord]) -> None:
        calls = (MadeCall(Call("X")), *both_rooms[0].calls)
        both_rooms[0] = replace(both_rooms[0], calls=calls)
        assert len(complaints_of(both_rooms)) == 1


def sights_of(folder: Path, record: BoardRecord, seat: Seat, messages: Sequence[Any]) -> Sights:
    """Return what the judge finds in the messages of one seat, one message in each frame."""
    name = "home" if seat.side is Side.NS else "away"
    welcome = Welcome(table="A1", seat=seat)
    with (folder / f"{name}-{seat.letter}-1.seen").open("wb") as file:
        file.write(msgpack.packb([0, None]))
        for message in (welcome, *messages):
            raw = message if isinstance(message, dict) else msgpack.unpackb(encode(message))
            file.write(msgpack.packb([0, msgpack.packb([raw])]))
    sights = Sights([record])
    sights.look(folder, "home")
    return sights


class TestJudgeOfSights:
    @pytest.mark.parametrize("seat", SEATS)
    def test_the_judge_has_no_complaint_of_right_sights(self, tmp_path: Path, seat: Seat) -> None:
        record, told = played()
        messages = [message for to, message in told if to == seat]
        sights = sights_of(tmp_path, record, seat, messages)
        assert sights.complaints == []
        assert sights.frames == len(messages) + 1
        assert sights.spoilt == sights.forgotten == 0

    @pytest.mark.parametrize("seat", SEATS)
    def test_the_judge_notices_what_only_another_seat_is_told(
        self, tmp_path: Path, seat: Seat
    ) -> None:
        """Each hand and each turn of another's is noticed, wherever it comes."""
        record, told = played()
        for place, (to, message) in enumerate(told):
            if to == seat or not isinstance(message, BoardStart | YourTurn):
                continue
            messages = [each for other, each in told[:place] if other == seat]
            sights = sights_of(tmp_path, record, seat, [*messages, message])
            assert len(sights.complaints) == 1, message

    def test_the_judge_notices_dummy_before_the_lead(self, tmp_path: Path) -> None:
        record, told = played()
        messages = [message for to, message in told if to == Seat.NORTH]
        kinds = [type(message) for message in messages]
        lead, dummy = kinds.index(CardPlayed), kinds.index(DummyShown)
        messages[lead], messages[dummy] = messages[dummy], messages[lead]
        (complaint,) = sights_of(tmp_path, record, Seat.NORTH, messages).complaints
        assert "dummy before the lead" in complaint

    def test_the_judge_notices_a_field_that_is_not_of_the_protocol(self, tmp_path: Path) -> None:
        record, told = played()
        _, start = told[0]
        raw = {**msgpack.unpackb(encode(start)), "partner": str(record.board.deal[Seat.SOUTH])}
        (complaint,) = sights_of(tmp_path, record, Seat.NORTH, [raw]).complaints
        assert "partner" in complaint

    def test_the_judge_notices_a_board_that_ended_otherwise(self, tmp_path: Path) -> None:
        record, told = played()
        messages = [message for to, message in told if to == Seat.NORTH]
        other = replace(record, cards=record.cards[::-1])
        assert sights_of(tmp_path, other, Seat.NORTH, messages).forgotten == 1


class TestSpoiling:
    def test_what_goes_to_the_server_differs_in_one_bit(self) -> None:
        random, data = Random(1), bytes(range(200))
        for _ in range(100):
            spoilt = int.from_bytes(spoilt_up(data, random), "big")
            assert (spoilt ^ int.from_bytes(data, "big")).bit_count() == 1

    def test_what_goes_to_a_bot_is_noticed_there(self) -> None:
        random = Random(1)
        payload = frame([encode(message) for _, message in played()[1][:3]])
        head = bytes((0x82, 126)) + len(payload).to_bytes(2, "big")
        for _ in range(200):
            spoilt = spoilt_down(head + payload, random)
            assert spoilt != head + payload
            if spoilt[:4] == head:
                with pytest.raises(ProtocolError):
                    decode_server(spoilt[4:])

    def test_a_flip_that_leaves_a_message_is_not_made(self) -> None:
        """This holds for the name of an optional field, before the end of the connection too."""
        random = Random(1)
        goodbye = frame([encode(Goodbye(reason="the event is over"))])
        data = bytes((0x82, len(goodbye))) + goodbye
        end = bytes((0x88, 2, 3, 232))
        for _ in range(500):
            spoilt = spoilt_down(data + end, random)
            if spoilt[:2] == data[:2] and spoilt[len(data) :] == end:
                with pytest.raises(ProtocolError):
                    decode_server(spoilt[2 : len(data)])
