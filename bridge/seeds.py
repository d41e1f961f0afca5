"""Secret keys and public seeds, from which deals and the bots' own random choices come.

A deal key is 256 random bits. Everything made from it is HMAC-SHA-256 (RFC 2104) under the key,
with a label for each purpose. So the output for one label reveals nothing of the output for
another, and any deal can be made without the others, the same on every machine and in every
version. `PublicSeed` deals as release 0.1 did.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from functools import lru_cache
from hashlib import scrypt, sha256
from typing import Protocol

from bridge_arena.bridge.board import Board, random_deal, shuffled
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat

KEY_BYTES = 32
"""The length of a key."""


class SeatSeeds(Protocol):
    """A source of the seeds of bots' own choices."""

    def seat_seed(self, number: int, seat: Seat) -> int:
        """Return the seed of a bot's own choices: 53 bits, whatever the room and the deal."""


class DealSource(SeatSeeds, Protocol):
    """A source of an event's deals and of the seeds of its bots' own choices."""

    def deal(self, number: int) -> Deal:
        """Return the deal of board `number`, uniform over all deals."""


class DealKey:
    """The secret key of 32 bytes that an event's deals come from; ValueError for another length."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError(f"a deal key has {KEY_BYTES} bytes, not {len(secret)}")
        self._secret = secret

    @classmethod
    def of_seed(cls, seed: int) -> DealKey:
        """Return the key of a seed: it is the same everywhere, and whoever guesses the seed has it.

        scrypt (RFC 7914) takes a tenth of a second, which makes every guess expensive.
        """
        return cls(_stretched(seed))

    @classmethod
    def parse(cls, text: str) -> DealKey:
        """Read a key as `str` writes it, 64 hexadecimal digits; else raise ValueError."""
        return cls(bytes.fromhex(text))

    def with_public(self, value: str) -> DealKey:
        """Return the key that deals once the value of an event's public text is known.

        Nobody knew the value when this key was committed to, so nobody could choose the deals.
        """
        return DealKey(self._digest("public", value))

    def another(self, purpose: str, number: int) -> DealKey:
        """Return another key for a purpose, by its number among those for the same purpose.

        Nobody can tell anything of this key's deals and seeds from those of the other.
        """
        return DealKey(self._digest("another", purpose, number))

    def commitment(self, definition: str) -> str:
        """Return the hash of this key and an event's definition, to publish before the first card.

        It is SHA-256, hexadecimal. It tells nothing of the key, and fits no other key or event.
        """
        facts = f"bridge-arena commitment\n{self}\n{definition}"
        return sha256(facts.encode()).hexdigest()

    def deal(self, number: int) -> Deal:
        """Return the deal of board `number`, uniform over all deals."""
        return shuffled(self._bytes("deal", number))

    def board(self, number: int) -> Board:
        """Return a board with the dealer and vulnerability that belong to its number."""
        return Board.standard(number, self.deal(number))

    def seat_seed(self, number: int, seat: Seat) -> int:
        """Return the seed of a bot's own choices on a board; see `SeatSeeds`."""
        return seed_of(self._digest("bot", number, seat))

    def _bytes(self, *label: object) -> Iterator[int]:
        """Yield an endless stream of uniform bytes."""
        counter = 0
        while True:
            yield from self._digest(*label, counter)
            counter += 1

    def _digest(self, *label: object) -> bytes:
        text = " ".join(map(str, label))
        return hmac.digest(self._secret, f"bridge-arena {text}".encode(), "sha256")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DealKey) and hmac.compare_digest(self._secret, other._secret)

    def __hash__(self) -> int:
        return hash(self._secret)

    def __str__(self) -> str:
        return self._secret.hex()

    def __repr__(self) -> str:
        # Hide the key: a log or an error message must not reveal it.
        return "DealKey(...)"


class PublicSeed:
    """The deals of events of release 0.1, which come from a public hash of their seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def deal(self, number: int) -> Deal:
        """Return the deal of board `number`."""
        return random_deal(self._seed, number)

    def seat_seed(self, number: int, seat: Seat) -> int:
        """Return the seed of a bot's own choices on a board: 53 bits."""
        return seat_seed(self._seed, number, seat)


def seat_seed(seed: int, number: int, seat: Seat) -> int:
    """Return the seed of a bot's own choices on a board of a public seed; see `SeatSeeds`."""
    return seed_of(sha256(f"bridge-arena bot {seed} {number} {seat}".encode()).digest())


def seed_of(digest: bytes) -> int:
    """Return the seed that a digest begins with: 53 bits, which every language holds exactly."""
    return int.from_bytes(digest[:8], "big") >> 11


@lru_cache(maxsize=64)
def _stretched(seed: int) -> bytes:
    salt = b"bridge-arena seed"
    work = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26}
    return scrypt(str(seed).encode(), salt=salt, dklen=KEY_BYTES, **work)
