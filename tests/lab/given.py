"""Boards whose auctions are given, for the tests of card play in the laboratory."""

from __future__ import annotations

from itertools import islice

from bridge_arena.bots.baseline.bidding import Simple
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.tournaments.events.boards import GivenBoard, dealt_boards

KEY = DealKey.of_seed(5)


def given_boards(count: int) -> list[GivenBoard]:
    """The first boards of a seed, as simple bidders bid them."""
    return list(islice(dealt_boards(KEY, Simple()), count))
