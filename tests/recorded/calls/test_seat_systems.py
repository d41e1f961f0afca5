"""Tests of the systems of the four seats, alone and together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.registry import SHIPPED
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.recorded.calls.question import Systems, TableSystem, system_of, systems_at
from tests.recorded.audit.boards import played
from tests.server.tables import WEST_PLAYS_FOUR_HEARTS


@pytest.mark.parametrize(
    ("player", "name"),
    [
        ("natural", "natural"),
        ("baseline", "simple"),
        ("baseline-2", "simple"),
        ("neural", "neural"),
        ("deepq", "deepq"),
        ("fastplay:worlds=4,bidding=qtable", "qtable"),
        ("mine=baseline:bidding=neural", "neural"),
        ("montecarlo:bidding=unheard", "natural"),
        ("random", "natural"),
        ("remote:neural", "natural"),
        ("cmd:neural", "natural"),
        ("human:Ann", "natural"),
        ("", "natural"),
        ("Ann = 2, of course: -", "natural"),
    ],
)
def test_the_system_behind_a_name_is_known(player: str, name: SystemName) -> None:
    assert system_of(player) == name


@pytest.mark.parametrize("name", SHIPPED)
def test_every_bot_that_ships_has_a_system(name: str) -> None:
    assert system(system_of(name))


def test_a_name_in_a_file_of_boards_opens_no_other_file(tmp_path: Path) -> None:
    """Were the file read, it would be none of weights, and the bot would not be made."""
    foreign = tmp_path / "secret.npz"
    foreign.write_text("secret")
    assert system_of(f"fastplay:weights={foreign},bidding=neural") == "neural"
    assert system_of("fastplay:weights=/dev/zero,bidding=simple") == "simple"


def test_the_players_of_a_table_have_their_systems() -> None:
    record = replace(played(WEST_PLAYS_FOUR_HEARTS), players=("Ann", "neural", "Bob", "neural"))
    assert systems_at(record) == ("natural", "neural", "natural", "neural")
    specs = {"Bob": "baseline", "neural": "remote:neural"}
    assert systems_at(record, specs) == ("natural", "natural", "simple", "natural")


def test_each_hand_is_bid_by_its_own_system() -> None:
    names: Systems = ("natural", "simple", "neural", "qtable")
    table = TableSystem(names)
    board = Board.dealt(1, 1)
    auction = Auction(Seat.NORTH)
    for seat in SEATS:
        own = system(names[seat])
        hand = board.deal[seat]
        asked = (hand, auction, board.vulnerability)
        assert table.choose(*asked) == own.choose(*asked)
        assert table.options(*asked) == own.options(*asked)
        auction.push(Call("Pass"))


def test_each_call_is_read_by_the_system_of_its_maker() -> None:
    auction = Auction(Seat.EAST, map(Call, ("1NT", "Pass", "2D", "Pass", "2H")))
    board = Board.dealt(1, 1)
    table = TableSystem(("natural", "simple", "natural", "neural"))
    read = table.explain(auction, board.vulnerability)
    names: list[SystemName] = ["simple", "neural", "natural"]
    simple, neural, natural = (system(each).explain(auction, board.vulnerability) for each in names)
    assert read == [simple[0], natural[1], neural[2], natural[3], simple[4]]
    assert simple[0] != neural[0]
