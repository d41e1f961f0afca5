"""Boards: a number, a dealer, a vulnerability and a deal; and deals from a public seed.

Whoever knows or guesses a public seed can work out its deals, so these are for training, benchmarks
and tests. The boards of an event come from a `bridge.seeds.DealKey`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, TypeVar

from bridge_arena.bridge.cards import Deal, Hand
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability

_VULNERABILITY_CYCLE = tuple(
    Vulnerability(word)
    for word in "None NS EW All NS EW All None EW All None NS All None NS EW".split()
)


def standard_dealer(number: int) -> Seat:
    """Return the dealer of board `number`, counted from 1 (Law 2)."""
    return SEATS[(number - 1) % 4]


def standard_vulnerability(number: int) -> Vulnerability:
    """Return the vulnerability of board `number`, counted from 1 (Law 2)."""
    return _VULNERABILITY_CYCLE[(number - 1) % 16]


@dataclass(frozen=True, slots=True)
class Board:
    """A board: a deal with its number, dealer and vulnerability.

    Attributes:
        number: The board's number, from 1.
        dealer: The seat that calls first.
        vulnerability: The sides that are vulnerable.
        deal: The four hands.
    """

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    deal: Deal

    def __hash__(self) -> int:
        # Boards are keys of many dicts: the rest of a board tells hardly any apart.
        return hash((self.number, self.deal))

    @classmethod
    def standard(cls, number: int, deal: Deal) -> Board:
        """Return the board with the dealer and vulnerability that belong to its number (Law 2)."""
        return cls(number, standard_dealer(number), standard_vulnerability(number), deal)

    @classmethod
    def dealt(cls, seed: int, number: int) -> Board:
        """Return the standard board of a number in the set dealt from a public seed."""
        return cls.standard(number, random_deal(seed, number))


class OnBoard(Protocol):
    """Anything that belongs to one board."""

    @property
    def board(self) -> Board:
        """The board it belongs to."""


T = TypeVar("T", bound=OnBoard)


def by_board(tables: Iterable[T]) -> dict[Board, list[T]]:
    """Return the tables grouped by board, in the order in which they come."""
    boards: dict[Board, list[T]] = {}
    for table in tables:
        boards.setdefault(table.board, []).append(table)
    return boards


def random_deal(seed: int, number: int) -> Deal:
    """Return a deal of the stream of a public seed, uniform over all deals, by its number in it.

    The stream is SHA-256 of the seed, so the same seed gives the same deals on every machine and in
    every version, and any deal can be made without the others.
    """
    return shuffled(_bytes(f"bridge-arena deal {seed} {number}"))


def shuffled(draws: Iterator[int]) -> Deal:
    """Return the deal that a Fisher-Yates shuffle makes from a stream of uniform bytes."""
    pack = list(range(52))
    _shuffle(pack, draws)
    north, east, south, west = (_hand(pack[start : start + 13]) for start in range(0, 52, 13))
    return Deal((north, east, south, west))


def redeal(seed: int, number: int, layout: int) -> Deal:
    """Return a deal of a public seed with the cards of East and West shuffled between them.

    All divisions of the hidden cards are equally likely, and the same on every machine, as in
    `random_deal`. Layout 0 is the deal itself.
    """
    deal = random_deal(seed, number)
    if layout == 0:
        return deal
    north, east, south, west = deal.hands
    hidden = sorted((*east, *west))
    _shuffle(hidden, _bytes(f"bridge-arena redeal {seed} {number} {layout}"))
    return Deal((north, _hand(hidden[:13]), south, _hand(hidden[13:])))


def _shuffle(cards: list[int], draws: Iterator[int]) -> None:
    for last in range(len(cards) - 1, 0, -1):
        # A byte is uniform over 0..255; skip those past the last multiple of size.
        size = last + 1
        draw = next(byte for byte in draws if byte < 256 - 256 % size)
        chosen = draw % size
        cards[last], cards[chosen] = cards[chosen], cards[last]


def _hand(cards: Iterable[int]) -> Hand:
    return Hand(sum(1 << card for card in cards))


def _bytes(label: str) -> Iterator[int]:
    """Yield an endless stream of uniform bytes: SHA-256 of the label and a counter."""
    counter = 0
    while True:
        yield from sha256(f"{label} {counter}".encode()).digest()
        counter += 1
