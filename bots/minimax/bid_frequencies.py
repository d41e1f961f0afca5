"""How likely a suit is bid naturally, given the cards held in it, learned by counting.

A bid is natural if it is made because the bidder holds the suit. The calls alone decide, so this
works with every system. Besides what the bidder explained as artificial, these bids are left out,
which mean something else nearly everywhere:

- 2C as the opening, and 2D in response to it;
- where a partner's first bid was in notrump: the other's first bid if it is one level higher
  (Stayman, transfers), and the notrump bidder's answer to that;
- answers to partner's 4NT and 5NT;
- a suit that an opponent has bid (cue bids);
- a new suit from the four level on when a suit is agreed (controls), or with a jump when partner
  has bid a suit (splinters).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge_arena.bridge.calls import Call, Denomination
from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat

HONOURS = 0b1111 << 9  # the bits of ace, king, queen and jack in a suit's holding

SHIPPED = Path(__file__).with_name("bids.json")
"""The table that ships, made by `python -m bridge_arena.bots.minimax.learn`."""

Counts = list[list[int]]
"""Numbers of holdings, by cards in the suit (0..13), then by honours among them (0..4)."""

_STRONG = Call("2C")


def natural_suits(dealer: Seat, calls: Sequence[MadeCall]) -> tuple[frozenset[Suit], ...]:
    """Return the suits that each seat, indexed by Seat, has bid naturally."""
    suits: tuple[set[Suit], ...] = (set(), set(), set(), set())
    bids: list[tuple[Seat, Call]] = []
    for number, made in enumerate(calls):
        if not made.call.is_bid:
            continue
        seat, suit = SEATS[(dealer + number) % 4], made.call.denomination.trump
        explained = made.explanation is not None and made.explanation.artificial
        if suit is not None and not explained and not _is_conventional(seat, made.call, bids):
            suits[seat].add(suit)
        bids.append((seat, made.call))
    return tuple(map(frozenset, suits))


def _is_conventional(seat: Seat, call: Call, bids: Sequence[tuple[Seat, Call]]) -> bool:
    """Return whether a bid in a suit is of the kinds that are left out, after earlier bids."""
    own = [bid for bidder, bid in bids if bidder == seat]
    partner = [bid for bidder, bid in bids if bidder == seat.partner]
    theirs = {bid.denomination for bidder, bid in bids if bidder.side != seat.side}
    opening = bids[0][1] if bids else None
    answers_strong = opening == _STRONG and partner == [_STRONG] and not own
    if own:
        about_notrump = len(partner) == 1 and _asks(own, partner[0])
    else:
        about_notrump = _asks(partner, call)
    return (
        (opening is None and call == _STRONG)
        or (answers_strong and call == Call("2D"))
        or about_notrump
        or partner[-1:] in ([Call("4NT")], [Call("5NT")])
        or call.denomination in theirs
        or _shows_control(call, own, partner, is_jump=bool(bids) and call > bids[-1][1] + 5)
    )


def _shows_control(call: Call, own: list[Call], partner: list[Call], *, is_jump: bool) -> bool:
    """Return whether a bid is a control or a splinter."""
    by_self, by_partner = ({bid.denomination for bid in bids} for bids in (own, partner))
    if call.level < 4 or call.denomination in by_self | by_partner:
        return False
    by_partner.discard(Denomination.NOTRUMP)
    return bool(by_self & by_partner or (by_partner and is_jump))


def _asks(before: list[Call], call: Call) -> bool:
    """Return whether `call` is a suit one level over a notrump bid, the only bid of `before`."""
    if len(before) != 1 or call.denomination == Denomination.NOTRUMP:
        return False
    return before[0].denomination == Denomination.NOTRUMP and call.level == before[0].level + 1


@dataclass(frozen=True, slots=True)
class BidTable:
    """How often suits were held, and how often their holder bid them naturally."""

    held: Counts  # how often each holding was held
    bid: Counts  # how often its holder bid the suit
    source: str = ""  # what was counted
    date: str = ""  # the date of the count, YYYY-MM-DD

    def chance(self, cards: int, honours: int) -> float:
        """Return P(B = 1 | C, H): the chance that a holder of these cards bids the suit."""
        # One imaginary holding that was bid, and one that was not, make nothing impossible.
        return (self.bid[cards][honours] + 1) / (self.held[cards][honours] + 2)

    @classmethod
    def load(cls, path: Path = SHIPPED) -> BidTable:
        content = json.loads(path.read_text(encoding="utf-8"))
        return cls(content["held"], content["bid"], content["source"], content["date"])

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
    return BidTable(held, bid, source, date)


def _rows(counts: Counts) -> str:
    return ",\n    ".join(json.dumps(row) for row in counts)
