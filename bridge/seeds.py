"""Seeds of bots' own random choices, the same on every machine."""

from __future__ import annotations

from hashlib import sha256

from bridge_arena.bridge.seats import Seat


def seat_seed(seed: int, number: int, seat: Seat) -> int:
    """Return the seed of a bot's own choices on board `number`, of a public `seed`.

    It depends neither on the room nor on the deal.
    """
    return seed_of(sha256(f"bridge-arena bot {seed} {number} {seat}".encode()).digest())


def seed_of(digest: bytes) -> int:
    """Return the seed that a digest begins with: 53 bits, which every language holds exactly."""
    return int.from_bytes(digest[:8], "big") >> 11
