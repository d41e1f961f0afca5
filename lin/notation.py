"""LIN's notation of seats, hands, calls, cards, vulnerability, results and text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call, Contract
from bridge_arena.bridge.cards import SUITS, SUITS_DOWN, Card, Hand, Suit
from bridge_arena.bridge.errors import BridgeError, NotationError
from bridge_arena.bridge.explanation import with_signs
from bridge_arena.bridge.seats import Seat, Vulnerability

SEATS_WRITTEN = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of hands and names; a dealer's digit is the place in it, from 1."""

_LETTER_OF = {
    Vulnerability.NONE: "o",
    Vulnerability.NS: "n",
    Vulnerability.EW: "e",
    Vulnerability.ALL: "b",
}
_VULNERABILITY_OF = {letter: vulnerability for vulnerability, letter in _LETTER_OF.items()}
_VULNERABILITY_OF["0"] = Vulnerability.NONE
_SUIT_OF = {suit.letter: suit for suit in SUITS} | {suit.symbol: suit for suit in SUITS}
_CARD = re.compile(r"(?P<suit>[SHDC♠♥♦♣])|(?P<rank>10|[2-9TJQKA])|(?P<other>\S)", re.IGNORECASE)
_RESULT = re.compile(
    r"(?P<bid>[1-7](?:NT|[CDHSN]))(?P<risk>(?:XX?|DD?)?)(?P<seat>[NESW])(?P<after>(?:XX?|DD?)?)"
    r"(?P<result>=|[+-]\d{1,2})?",
    re.IGNORECASE,
)
_PASSED_OUT = frozenset(["PASS", "P", "AP", "PASSEDOUT"])


def seat_of(digit: str) -> Seat | None:
    """Return the dealer of a digit 1 to 4; None for anything else."""
    return SEATS_WRITTEN[int(digit) - 1] if digit in ("1", "2", "3", "4") else None


def digit_of(dealer: Seat) -> str:
    return str(SEATS_WRITTEN.index(dealer) + 1)


def parse_vulnerability(text: str) -> Vulnerability:
    """Read LIN's letter, or a word of PBN; raise NotationError for any other text."""
    text = text.strip().lower()
    return _VULNERABILITY_OF.get(text) or Vulnerability.parse(text)


def format_vulnerability(vulnerability: Vulnerability) -> str:
    """Return LIN's letter of a vulnerability."""
    return _LETTER_OF[vulnerability]


def parse_cards(text: str) -> list[Card]:
    """Read the cards of a hand, or of plays: suit letters, each with ranks after it.

    NotationError is raised if something in the text is not a card.
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
    """Return suit letters from spades down, each with its ranks, lowest first as BBO has them."""
    return "".join(
        suit.letter + "".join(card.rank.letter for card in reversed(list(hand.suit(suit))))
        for suit in SUITS_DOWN
    )


def format_call(call: Call) -> str:
    """Return LIN's form of a call: `p`, `d`, `r`, or a bid like `1N`."""
    short = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}.get(call)
    return short or str(call).removesuffix("T")


def portable(text: str) -> str:
    """Return a text as LIN can hold it: one line, no bar, suit symbols as `!S`."""
    return "".join("/" if c == "|" else c if c.isprintable() else " " for c in with_signs(text))


def portable_name(text: str) -> str:
    """Return a name as LIN can hold it in a list divided by commas."""
    return portable(text).replace(",", ";").strip()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one table."""

    contract: Contract | None = None  # the contract; None if the board was passed out
    # Declarer's tricks; None if they are not known or the board was passed out.
    tricks: int | None = None


def parse_result(text: str) -> Result | None:
    """Return the result of a text like `4SWx-2`; None for any other text."""
    text = text.replace(" ", "").upper()
    if text in _PASSED_OUT:
        return Result()
    match = _RESULT.fullmatch(text)
    if match is None:
        return None
    bid = match["bid"].replace("NT", "N").replace("N", "NT")
    risk = (match["risk"] or match["after"]).replace("D", "X")
    try:
        contract = Contract.parse(bid + risk, Seat.parse(match["seat"]))
    except BridgeError:
        return None
    if not match["result"]:
        return Result(contract)
    over = 0 if match["result"] == "=" else int(match["result"])
    tricks = contract.tricks_needed + over
    return Result(contract, tricks if 0 <= tricks <= 13 else None)


def format_result(result: Result) -> str:
    """Return the text that `parse_result` reads."""
    contract = result.contract
    if contract is None:
        return "PASS"
    bid = f"{contract.level}{str(contract.denomination)[0]}"
    text = f"{bid}{contract.declarer}{'x' * contract.risk}"
    if result.tricks is None:
        return text
    over = result.tricks - contract.tricks_needed
    return text + (f"{over:+}" if over else "=")
