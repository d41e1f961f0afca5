"""Reads the DDS project's own test vectors, and the known deal of these tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bridge_arena.bridge.calls import DENOMINATIONS, Contract, Denomination, Risk
from bridge_arena.bridge.cards import SUITS, Card, Deal, Rank, Suit
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from tests.data import data_path

KNOWN_DEAL = Deal.parse("N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65")

# Clubs, diamonds, hearts, spades, notrump; N E S W in each.
KNOWN_TABLE = DoubleDummyTable((4, 9, 4, 9, 7, 6, 7, 6, 2, 11, 2, 11, 3, 10, 3, 10, 3, 7, 3, 7))

FREAK_DEAL = Deal.parse("N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962")
"""Its table takes minutes."""

DDS_SUITS = tuple(reversed(SUITS))


@dataclass(frozen=True)
class Vector:
    """One group of lines of list100.txt."""

    deal: Deal
    dealer: Seat
    vulnerability: Vulnerability
    trump: Suit | None
    leader: Seat
    card_values: dict[Card, int]
    table: DoubleDummyTable
    par_score: int
    par_contracts: frozenset[str]
    cards: tuple[Card, ...]
    trace: tuple[int, ...]

    @property
    def contract(self) -> Contract:
        denomination = Denomination.NOTRUMP if self.trump is None else Denomination(self.trump)
        return Contract(1, denomination, Risk.UNDOUBLED, self.leader.previous)


def table_of(results: list[int]) -> DoubleDummyTable:
    """From spades, hearts, diamonds, clubs, notrump to the order of `DoubleDummyTable`."""
    return DoubleDummyTable(
        tuple(
            results[4 * (3 - denomination if denomination < 4 else 4) + seat]
            for denomination in DENOMINATIONS
            for seat in SEATS
        )
    )


def vectors() -> Iterator[Vector]:
    lines = data_path("dds", "list100.txt").read_text().splitlines()
    groups = lines[1:]
    for start in range(0, len(groups) - 6, 7):
        header, future, table, _, par, play, trace = groups[start : start + 7]
        settings, text = header.split('"')[:2]
        dealer, vulnerability, trump, leader = map(int, settings.split()[1:5])
        numbers = [int(word) for word in trace.split()[1:]]
        assert len(numbers) == numbers[0] + 1
        cards = play.split('"')[1]
        score, *contracts = par.split('"')[1::2]
        yield Vector(
            Deal.parse(text),
            SEATS[dealer],
            (Vulnerability.NONE, Vulnerability.ALL, Vulnerability.NS, Vulnerability.EW)[
                vulnerability
            ],
            None if trump == 4 else DDS_SUITS[trump],
            SEATS[leader],
            _card_values([int(word) for word in future.split()[1:]]),
            table_of([int(word) for word in table.split()[1:]]),
            int(score),
            frozenset(contracts),
            tuple(Card(cards[at : at + 2]) for at in range(0, len(cards), 2)),
            tuple(numbers[1:]),
        )


def _card_values(numbers: list[int]) -> dict[Card, int]:
    count = numbers[0]
    suits, ranks, equals, scores = (
        numbers[1 + count * row : 1 + count * (row + 1)] for row in range(4)
    )
    return {
        Card.of(DDS_SUITS[suit], Rank(each)): score
        for suit, rank, others, score in zip(suits, ranks, equals, scores, strict=True)
        for each in range(2, 15)
        if each == rank or others >> each & 1
    }
