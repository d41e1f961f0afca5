"""How likely a suit is bid, given the cards held in it, learned by counting."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bridge_arena.bots.minimax.bids import natural_suits
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS

HONOURS = 0b1111 << 9
"""The bits of ace, king, queen and jack in a suit's holding."""

SHIPPED = Path(__file__).with_name("bids.json")
"""The table that ships, made by `python -m bridge_arena.bots.minimax.learn`."""

Counts = tuple[tuple[int, ...], ...]
"""Numbers of holdings, by cards in the suit (0..13), then by honours among them (0..4)."""


@dataclass(frozen=True, slots=True)
class BidTable:
    """How often suits were held, and how often their holder bid them naturally.

    Attributes:
        held: How often each holding was held.
        bid: How often its holder bid the suit.
        source: What was counted.
        date: The date of the count, YYYY-MM-DD.
    """

    held: Counts
    bid: Counts
    source: str = ""
    date: str = ""

    def chance(self, cards: int, honours: int) -> float:
        """Return P(B = 1 | C, H): the chance that a holder of these cards bids the suit.

        It is the counted frequency, with one imaginary holding that was bid and one that was not.
        So nothing is impossible, and a holding that was never seen has an even chance.

        Args:
            cards: The number of cards in the suit.
            honours: The number of honours among them.

        Returns:
            A probability.
        """
        return (self.bid[cards][honours] + 1) / (self.held[cards][honours] + 2)

    @classmethod
    def load(cls, path: Path = SHIPPED) -> BidTable:
        """Read the table from a file."""
        content = json.loads(path.read_text(encoding="utf-8"))
        return cls(
            _frozen(content["held"]), _frozen(content["bid"]), content["source"], content["date"]
        )

    def dumps(self) -> str:
        """Return the text of a file that `load` reads."""
        lines = [
            "{",
            f'  "source": {json.dumps(self.source)},',
            f'  "date": {json.dumps(self.date)},',
            '  "rows": "cards in a suit, 0 to 13; columns: honours among them, 0 to 4",',
            f'  "held": [\n    {_rows(self.held)}\n  ],',
            f'  "bid": [\n    {_rows(self.bid)}\n  ]',
            "}",
        ]
        return "\n".join(lines) + "\n"


def count(records: Iterable[BoardRecord], source: str = "", date: str = "") -> BidTable:
    """Return the table of the four hands and the auctions of `records`."""
    held = [[0] * 5 for _ in range(14)]
    bid = [[0] * 5 for _ in range(14)]
    for record in records:
        suits = natural_suits(record.board.dealer, record.calls)
        for seat in SEATS:
            for suit in SUITS:
                holding = record.board.deal[seat].holding(suit)
                cards, honours = holding.bit_count(), (holding & HONOURS).bit_count()
                held[cards][honours] += 1
                bid[cards][honours] += suit in suits[seat]
    return BidTable(_frozen(held), _frozen(bid), source, date)


def _frozen(rows: Iterable[Iterable[int]]) -> Counts:
    return tuple(tuple(row) for row in rows)


def _rows(counts: Counts) -> str:
    return ",\n    ".join(json.dumps(row) for row in counts)
