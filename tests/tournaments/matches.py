"""Records of a match without their auctions and plays."""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import BoardRecord, Fault, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat

PLAYERS = ("n", "e", "s", "w")


def table(
    number: int,
    room: Room | None,
    contract: str = "",
    declarer: str = "N",
    tricks: int = 0,
    *,
    faults: tuple[Fault, ...] = (),
    home: str = "alpha",
    visitors: str = "beta",
) -> BoardRecord:
    """A finished board; without a contract it was passed out."""
    board = Board.dealt(1, number)
    bid = Contract.parse(contract, Seat.parse(declarer)) if contract else None
    return BoardRecord(
        board,
        PLAYERS,
        contract=bid,
        tricks=tricks if bid else None,
        score=score_ns(bid, tricks if bid else None, board.vulnerability),
        faults=faults,
        room=room,
        home=home,
        visitors=visitors,
    )


def unfinished(number: int, room: Room | None, *faults: Fault) -> BoardRecord:
    return replace(table(number, room), score=None, faults=faults)
