"""The spelling of seats, calls, cards and hands: every form that is read, and the one written.

What is written depends on the program at the other end, by its `Quirks`, which `docs/bluechip.md`
has in a table. The patterns here are parts of those of lines, which are read without regard to case
and with one space for any run of spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints

from bridge_arena.base.wording import one_line
from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call, Denomination
from bridge_arena.bridge.cards import SUITS, SUITS_DOWN, Card, Hand, Rank, Suit
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.errors import ProtocolError


class QuirkError(ValueError):
    """An unknown quirk, or an unknown value of one."""


@dataclass(frozen=True, slots=True)
class Quirks:
    """The differences of one program from the protocol's standard form, which the defaults are."""

    # The letters of seats, passes and doubles: `North passes` or `NORTH PASSES`.
    letters: Literal["plain", "upper"] = "plain"
    # The order in a single card: `JD` or `DJ`.
    card: Literal["rank-suit", "suit-rank"] = "rank-suit"
    # The letters of a single card.
    card_case: Literal["upper", "lower"] = "upper"
    # The colon after a heading: `cards : S A`, `cards: S A` or `cards S A`.
    colon: Literal["spaced", "close", "none"] = "spaced"
    # Whether full stops end the parts of a line about a board or a hand.
    stop: bool = True
    # Whether quotation marks enclose the name of a team.
    quotes: bool = True
    # The word before the meaning of a call that is not alerted; `none`: it is not sent.
    infos: Literal["infos", "alert", "none"] = "infos"
    # The line before dummy's lead: `Dummy to lead`, the seat's name instead, or no line.
    dummy_lead: Literal["dummy", "seat", "none"] = "dummy"
    # Manager: whether it tells the times after each board.
    timing: bool = True
    # Manager: whether it answers an illegal call or card by `Illegal bid` or `Illegal card`.
    illegal: bool = True
    # Client: whether it uses the manager's dealer and vulnerability, or assumes that North deals
    # and nobody is vulnerable.
    board: Literal["told", "fixed"] = "told"
    # Client: whether it asks for the meaning of an opponent's bid or double that came without one.
    explain: bool = False

    @property
    def of_client_alone(self) -> str:
        """The first changed quirk that concerns only a client; empty if there is none."""
        changed = (name for name in _CLIENT if getattr(self, name) != getattr(STANDARD, name))
        return next(changed, "")

    @classmethod
    def parse(cls, items: Iterable[str]) -> Quirks:
        """Read items like `card=suit-rank` or `timing=no`; raise QuirkError for any other."""
        kinds = get_type_hints(cls)
        chosen: dict[str, str | bool] = {}
        for item in items:
            name, equals, value = item.partition("=")
            if not equals or name not in kinds:
                known = ", ".join(field.name for field in fields(cls))
                raise QuirkError(f"there is no quirk {item!r} (NAME=VALUE with one of {known})")
            if name in chosen:
                raise QuirkError(f"quirk {name} is given twice")
            allowed: dict[str, str | bool] = {word: word for word in get_args(kinds[name])}
            if kinds[name] is bool:
                allowed = {"yes": True, "no": False}
            if value not in allowed:
                raise QuirkError(f"quirk {name} is {value!r}, expected one of {', '.join(allowed)}")
            chosen[name] = allowed[value]
        return cls(**chosen)  # type: ignore[arg-type]


_CLIENT = ("board", "explain")

STANDARD = Quirks()
"""The protocol's standard form."""

SEAT = r"(?:north|east|south|west|[nesw])"
SEAT_OR_DUMMY = rf"(?:dummy|{SEAT})"

POSSESSIVE = r"(?:['`´’\x92]? ?s)?"
"""The ending of `North's`."""

CARD = r"(?:(?:10|[2-9tjqka]) ?[shdc]|[shdc] ?(?:10|[2-9tjqka]))"

CALL = (
    r"(?:(?:bids? )?(?:no bid|pass(?:e[sd])?|p|redoubles?|rdbl|xx|doubles?|dbl|x"
    r"|[1-7] ?(?:no ?trumps?|nt|n|clubs?|c|diamonds?|d|hearts?|h|spades?|s)))(?![a-z0-9])"
)

_SEAT_NAMES = ("North", "East", "South", "West")
_RANKS = {rank.letter: rank for rank in Rank}
_SUITS = {suit.letter: suit for suit in SUITS}
_DENOMINATIONS = {str(denomination)[0]: denomination for denomination in Denomination}
_BETWEEN = frozenset(" .:,;-")
"""The characters that may stand between the cards of a hand."""


def read_player(text: str) -> Seat | None:
    """Return the seat that `SEAT_OR_DUMMY` matches; None for dummy."""
    return None if text.upper() == "DUMMY" else Seat.parse(text)


def write_seat(seat: Seat, quirks: Quirks) -> str:
    """Return the name of a seat."""
    name = _SEAT_NAMES[seat]
    return name.upper() if quirks.letters == "upper" else name


def write_player(seat: Seat | None, quirks: Quirks) -> str:
    """Return the name of a seat; `Dummy` for None."""
    return "Dummy" if seat is None else write_seat(seat, quirks)


def read_call(text: str) -> Call:
    """Return the call that `CALL` matches."""
    word = re.sub(r"^bids? ", "", text.lower())
    if word in ("no bid", "p") or word.startswith("pass"):
        return PASS
    if word in ("xx", "rdbl") or word.startswith("redouble"):
        return REDOUBLE
    if word in ("x", "dbl") or word.startswith("double"):
        return DOUBLE
    return Call.bid(int(word[0]), _DENOMINATIONS[word[1:].lstrip()[0].upper()])


def write_call(call: Call, quirks: Quirks) -> str:
    """Return `passes`, `doubles`, `redoubles` or `bids 1NT`."""
    if call.is_bid:
        return f"bids {call}"
    word = ("passes", "doubles", "redoubles")[call]
    return word.upper() if quirks.letters == "upper" else word


def read_card(text: str) -> Card:
    """Return the card that `CARD` matches."""
    letters = text.upper().replace("10", "T").replace(" ", "")
    return Card(letters if letters[0] in _SUITS else letters[::-1])


def write_card(card: Card, quirks: Quirks) -> str:
    """Return the letters of a card."""
    letters = (card.rank.letter, card.suit.letter)
    text = "".join(letters if quirks.card == "rank-suit" else reversed(letters))
    return text.lower() if quirks.card_case == "lower" else text


def read_hand(text: str) -> Hand:
    """Return the thirteen cards of `S A K 5. H Q 2. D A T 8 6. C 9 5 3`; else raise ProtocolError.

    The suits come in any order; a void is `-`, nothing, or left out.
    """
    suit: Suit | None = None
    cards: list[Card] = []
    for letter in text.upper().replace("10", "T"):
        if letter in _SUITS:
            suit = _SUITS[letter]
        elif letter in _RANKS and suit is not None:
            cards.append(Card.of(suit, _RANKS[letter]))
        elif letter not in _BETWEEN:
            raise ProtocolError(f"{letter!r} in a hand is neither a suit nor a rank")
    hand = Hand.of(cards)
    if len(cards) != 13 or len(hand) != 13:
        raise ProtocolError(f"a hand has {len(hand)} different cards of {len(cards)}, not 13")
    return hand


def write_hand(hand: Hand, quirks: Quirks) -> str:
    """Return the suits from spades down, each from the top: `S A K 5. H -. D ...`."""
    stop = "." if quirks.stop else ""
    return " ".join(
        f"{suit} {' '.join(card.rank.letter for card in hand.suit(suit)) or '-'}{stop}"
        for suit in SUITS_DOWN
    )


def write_colon(quirks: Quirks) -> str:
    """Return what separates a heading from its text."""
    return {"spaced": " : ", "close": ": ", "none": " "}[quirks.colon]


def tidy(text: str) -> str:
    """Return free text as a line can hold it: printable, with single spaces."""
    return " ".join(one_line(text).split())


def shown(line: str) -> str:
    """Return the beginning of a line, for an error message about it."""
    return repr(line if len(line) <= 80 else f"{line[:79]}…")
