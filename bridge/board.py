"""Boards: a number, its dealer and vulnerability, and a deal; dealing from a public seed.

Whoever knows or guesses a public seed can work out its deals: they are for training, benchmarks
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
    """The dealer marked on board `number`, from 1 (Law 2)."""
    return SEATS[(number - 1) % 4]


def standard_vulnerability(number: int) -> Vulnerability:
    """The vulnerability marked on board `number`, from 1 (Law 2)."""
    return _VULNERABILITY_CYCLE[(number - 1) % 16]


@dataclass(frozen=True, slots=True)
class Board:
    """A deal as it lies on the table: number (from 1), dealer, vulnerability."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    deal: Deal

    @classmethod
    def standard(cls, number: int, deal: Deal) -> Board:
        """The board with the dealer and vulnerability that its number stands for."""
        return cls(number, standard_dealer(number), standard_vulnerability(number), deal)

    @classmethod
    def dealt(cls, seed: int, number: int) -> Board:
        """Return board `number` of the set dealt from a public `seed`."""
        return cls.standard(number, random_deal(seed, number))


class OnBoard(Protocol):
    """Whatever belongs to one board."""

    @property
    def board(self) -> Board: ...


T = TypeVar("T", bound=OnBoard)


def by_board(tables: Iterable[T]) -> dict[Board, list[T]]:
    """Return those of each board together, in the order in which they come."""
    boards: dict[Board, list[T]] = {}
    for table in tables:
        boards.setdefault(table.board, []).append(table)
    return boards


def random_deal(seed: int, number: int) -> Deal:
    """Return deal `number` of the stream of a public `seed`: uniform over all deals.

    The stream is SHA-256 of the seed, so that the same seed gives the same deals on every
    machine and version, and any deal can be made without the others.
    """
    return shuffled(_bytes(f"bridge-arena deal {seed} {number}"))


def shuffled(draws: Iterator[int]) -> Deal:
    """Return the deal that a stream of uniform bytes makes: a Fisher-Yates shuffle."""
    pack = list(range(52))
    _shuffle(pack, draws)
    north, east, south, west = (_hand(pack[start : start + 13]) for start in range(0, 52, 13))
    return Deal((north, east, south, west))


def redeal(seed: int, number: int, layout: int) -> Deal:
    """Deal `number` of the stream of `seed` in one of its layouts: North and South have their
    cards, East and West theirs shuffled between them, uniform over all ways and like
    `random_deal`. Layout 0 is the deal itself."""
    deal = random_deal(seed, number)
    if layout == 0:
        return deal
    north, east, south, west = deal.hands
    hidden = sorted((*east, *west))
    _shuffle(hidden, _bytes(f"bridge-arena redeal {seed} {number} {layout}"))
    return Deal((north, _hand(hidden[:13]), south, _hand(hidden[13:])))


def _shuffle(cards: list[int], draws: Iterator[int]) -> None:
    for last in range(len(cards) - 1, 0, -1):
        # A byte is uniform over 0..255; refuse those past the last whole multiple.
        size = last + 1
        draw = next(byte for byte in draws if byte < 256 - 256 % size)
        chosen = draw % size
        cards[last], cards[chosen] = cards[chosen], cards[last]


def _hand(cards: Iterable[int]) -> Hand:
    return Hand(sum(1 << card for card in cards))


def _bytes(label: str) -> Iterator[int]:
    """An endless stream of uniform bytes: SHA-256 of the label and a counter."""
    counter = 0
    while True:
        yield from sha256(f"{label} {counter}".encode()).digest()
        counter += 1
