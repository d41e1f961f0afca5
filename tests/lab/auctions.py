"""Auctions and experiments for the tests of what the laboratory tells."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import FIRST_BID, Call
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidding import NO_CALL, Bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import Match, Part
from bridge_arena.lab.scoring import scored

Rooms = tuple[Sequence[Call], Sequence[Call]]


def boards_of(number: int, seed: int = 1) -> LabBoards:
    """Boards with senseless double-dummy tricks."""
    dealt = LabBoards.dealt(DealKey.of_seed(seed), 1, number + 1)
    tricks = np.random.default_rng(seed).integers(14, size=(number, 5, 4)).astype(np.uint8)
    return LabBoards(dealt.numbers, dealt.seats, tricks)


def finished(text: str) -> list[Call]:
    """An auction, P for Pass, with the passes that end it."""
    auction = Auction(SEATS[0], [Call("Pass" if call == "P" else call) for call in text.split()])
    while not auction.is_over:
        auction.push(Call("Pass"))
    return auction.calls


def bid_of(boards: LabBoards, auctions: Sequence[Rooms]) -> Bid:
    """The arrays of auctions, by the rules of `bridge`."""
    longest = max(len(made) for rooms in auctions for made in rooms)
    found = Bid(
        np.full((len(boards), 2, longest), NO_CALL, np.int8),
        *(np.zeros((len(boards), 2), np.int64) for _ in range(3)),
    )
    for row, rooms in enumerate(auctions):
        for room, made in enumerate(rooms):
            contract = Auction(SEATS[boards.dealers[row]], made).contract
            found.calls[row, room, : len(made)] = made
            if contract is not None:
                bid = Call.bid(contract.level, contract.denomination)
                found.bid[row, room] = bid - FIRST_BID + 1
                found.risk[row, room] = contract.risk
                found.declarer[row, room] = contract.declarer
    return found


def match_of(boards: LabBoards, auctions: Sequence[Rooms]) -> Match:
    (match,) = scored(boards, [bid_of(boards, auctions)], lambda _: [])
    return match


def random_auction(rng: Random, start: Sequence[Call] = ()) -> list[Call]:
    """An auction of low bids and many passes."""
    auction = Auction(SEATS[0], start)
    while not auction.is_over:
        few = auction.legal_calls()[:6]
        auction.push(rng.choice(few) if rng.random() < 0.5 else few[0])
    return auction.calls


def random_rooms(rng: Random) -> Rooms:
    """Two auctions that often begin alike, and sometimes are."""
    one = random_auction(rng)
    same = rng.randrange(len(one) + 1)
    return one, random_auction(rng, one[:same])


def random_part(seed: int, boards: int = 30, arms: int = 2) -> Part:
    """A part of arms that share many auctions."""
    rng = Random(seed)
    found = boards_of(boards, seed % 5)
    auctions = [[random_rooms(rng) for _ in range(boards)]]
    while len(auctions) < arms:
        auctions.append(
            [
                tuple(  # type: ignore[misc]
                    made if rng.random() < 0.4 else random_auction(rng, made[: rng.randrange(4)])
                    for made in rooms
                )
                for rooms in auctions[0]
            ]
        )
    return Part(found, tuple(match_of(found, each) for each in auctions))
