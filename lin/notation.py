"""How LIN writes seats, hands, calls, cards, vulnerability and text."""

from __future__ import annotations

import re

from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import SUITS, SUITS_DOWN, Card, Hand, Suit
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Seat, Vulnerability

SEATS_WRITTEN = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of hands and names; a dealer's digit counts from 1 in it."""

_VULNERABILITY_OF = {
    **dict.fromkeys(("o", "0", "-"), Vulnerability.NONE),
    "n": Vulnerability.NS,
    "e": Vulnerability.EW,
    "b": Vulnerability.ALL,
}
_LETTER_OF = {
    Vulnerability.NONE: "o",
    Vulnerability.NS: "n",
    Vulnerability.EW: "e",
    Vulnerability.ALL: "b",
}
_SUIT_OF = {suit.letter: suit for suit in SUITS} | {suit.symbol: suit for suit in SUITS}
_CARD = re.compile(r"(?P<suit>[SHDC♠♥♦♣])|(?P<rank>10|[2-9TJQKA])|(?P<other>\S)", re.IGNORECASE)
_WRITTEN_SUIT = re.compile("!([CDHS])", re.IGNORECASE)


def seat_of(digit: str) -> Seat | None:
    """The dealer of a digit 1 to 4; None for anything else."""
    return SEATS_WRITTEN[int(digit) - 1] if digit in ("1", "2", "3", "4") else None


def digit_of(dealer: Seat) -> str:
    return str(SEATS_WRITTEN.index(dealer) + 1)


def parse_vulnerability(text: str) -> Vulnerability:
    """The vulnerability of a letter, or of PBN's words. Raises NotationError."""
    text = text.strip().lower()
    return _VULNERABILITY_OF.get(text) or Vulnerability.parse(text)


def format_vulnerability(vulnerability: Vulnerability) -> str:
    return _LETTER_OF[vulnerability]


def parse_cards(text: str) -> list[Card]:
    """The cards of a hand, or of plays: suit letters, each with ranks after it.

    Raises NotationError.
    """
    cards: list[Card] = []
    suit: Suit | None = None
    for match in _CARD.finditer(text):
        if match["suit"]:
            suit = _SUIT_OF[match["suit"].upper()]
        elif match["rank"] and suit is not None:
            rank = "T" if match["rank"] == "10" else match["rank"]
            cards.append(Card(suit.letter + rank))
        else:
            raise NotationError(f"{match[0]!r} in {text[:60]!r} is not a card")
    return cards


def format_hand(hand: Hand) -> str:
    """Suit letters from spades down, each with its ranks, lowest first as BBO has them."""
    return "".join(
        suit.letter + "".join(card.rank.letter for card in reversed(list(hand.suit(suit))))
        for suit in SUITS_DOWN
    )


def format_call(call: Call) -> str:
    """`p`, `d`, `r`, or a bid like `1N`."""
    short = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}.get(call)
    return short or str(call).removesuffix("T")


def with_symbols(text: str) -> str:
    """Text with suit symbols where the file has `!S`, as in explanations."""
    return _WRITTEN_SUIT.sub(lambda match: _SUIT_OF[match[1].upper()].symbol, text)


def portable(text: str) -> str:
    """Text as LIN can hold it: one line, no bar, suit symbols as `!S`."""
    for suit in SUITS:
        text = text.replace(suit.symbol, f"!{suit.letter}")
    return "".join("/" if c == "|" else c if c.isprintable() else " " for c in text)


def portable_name(text: str) -> str:
    """A name as LIN can hold it, in a list with commas."""
    return portable(text).replace(",", ";").strip()
