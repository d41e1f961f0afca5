"""Tests of cards of a board that is over, tried again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.pool import Oracle
from bridge_arena.web.seat.again import played_on, read_cards
from tests.server.tables import play_lowest, table_at_play

NAMES = ("Norma", "Ed", "Sue", "Will")


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle(workers=1) as made:
        yield made


@pytest.fixture
def record() -> BoardRecord:
    """West's contract, played to its end."""
    table = table_at_play()
    play_lowest(table)
    return table.record(NAMES)


async def test_the_solver_plays_the_other_hands_until_the_player_is_to_choose(
    record: BoardRecord, oracle: Oracle
) -> None:
    first = list(record.cards[:40])
    for seat, own in ((Seat.WEST, {"E", "W"}), (Seat.EAST, {"E", "W"}), (Seat.NORTH, {"N"})):
        cards = first
        while True:
            found = await played_on(record, seat, cards, oracle)
            played = found["cards"]
            assert isinstance(played, list)
            assert [each["card"] for each in played[: len(cards)]] == [str(card) for card in cards]
            assert {each["seat"] for each in played[len(cards) :]}.isdisjoint(own)
            if not found["legal"]:
                break
            legal = found["legal"]
            assert isinstance(legal, list)
            cards = read_cards(".".join([*(each["card"] for each in played), legal[0]]))
        assert len(played) == 52
        assert found.keys() == {"cards", "winners", "legal", "tricks", "score", "result"}


async def test_only_cards_that_can_be_played_are(record: BoardRecord, oracle: Oracle) -> None:
    for text in (
        "SA.SA",
        "S1",
        "x" * 1000,
        ".",
        ".".join(str(card) for card in record.cards[::-1]),
    ):
        with pytest.raises(BridgeError):
            await played_on(record, Seat.WEST, read_cards(text), oracle)
