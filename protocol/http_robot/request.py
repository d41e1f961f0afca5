"""The query of a request: a position in which a call or card is due, or an auction to explain.

Hands, auctions and cards are read in every form that is in use, and written in one; their readers
raise NotationError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.loose_hands import plain_hand
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.http_robot.position import Kind, ParameterError, Position, auction_so_far

_WORDS = {PASS: "P", DOUBLE: "X", REDOUBLE: "XX"}

_CALL_OF = {
    **{str(call).upper(): call for call in CALLS},
    **{str(call).removesuffix("T"): call for call in CALLS if call.is_bid},
    **{word: call for call, word in _WORDS.items()},
    **{"--": PASS, "PA": PASS, "DB": DOUBLE, "RD": REDOUBLE},
}

_SIDES = {"N-S": "NS", "E-W": "EW"}


def read_call(text: str) -> Call:
    """Return the call of `1S`, `3N`, `3NT`; `P`, `Pa`, `PASS`, `--`; `X`, `Db`; `XX`, `Rd`."""
    call = _CALL_OF.get(text.upper())
    if call is None:
        raise NotationError(f"{text!r} is not a call")
    return call


def write_call(call: Call) -> str:
    """Return `1S`, `3N`, `P`, `X` or `XX`."""
    return _WORDS.get(call) or str(call).removesuffix("T")


def read_calls(text: str) -> list[Call]:
    """Return the calls of an auction: with spaces or dashes between them, or two characters each.

    A text with two dashes in a row has none between calls, as these are its Pass.
    """
    if " " in text:
        words = text.split()
    elif "-" in text and "--" not in text:
        words = text.split("-")
    elif text.upper() in _CALL_OF:
        words = [text]
    else:
        words = [text[start : start + 2] for start in range(0, len(text), 2)]
    return [read_call(word) for word in words]


def write_calls(calls: Sequence[Call]) -> str:
    """Return an auction with dashes between the calls: `P-1S-X`.

    A single Pass is `--`, as a lone `P` does not show which of the two ways it is written in.
    """
    return "--" if list(calls) == [PASS] else "-".join(map(write_call, calls))


def read_cards(text: str) -> list[Card]:
    """Return the cards of `DJDKD3D2`, in the order played."""
    return [Card(text[start : start + 2]) for start in range(0, len(text), 2)]


def write_cards(cards: Sequence[Card]) -> str:
    """Return two characters for each card, suit first."""
    return "".join(map(str, cards))


def read_hand(text: str) -> Hand:
    """Return the hand of `AK97543.K.T3.AK7`, also in the forms of `bridge.loose_hands`."""
    return Hand.parse(plain_hand(text))


def read_vulnerability(text: str) -> Vulnerability:
    """Return the vulnerability of `NS`, `N-S`; `EW`, `E-W`; `Both`, `All`; `None` or nothing."""
    return Vulnerability.parse(_SIDES.get(text.upper(), text)) if text else Vulnerability.NONE


PARAMETERS = frozenset(
    {"hand", "dummy", "seat", "dealer", "vul", "ctx", "played", "format", "details", "tricks"}
)
"""The parameters that have a meaning here."""

T = TypeVar("T")


def parameters_of(position: Position) -> dict[str, str]:
    """Return the parameters that tell a robot of a position; its kind is the path."""
    parameters = {
        "hand": str(position.hand),
        "seat": str(position.seat),
        "dealer": str(position.dealer),
        "vul": str(position.vulnerability),
        "ctx": write_calls(position.calls),
    }
    if position.dummy is not None:
        parameters |= {"dummy": str(position.dummy), "played": write_cards(position.played)}
    return parameters


def position_of(kind: Kind, parameters: Mapping[str, str]) -> Position:
    """Return the position that a request tells of, in which a bid, a lead or another card is due.

    Args:
        kind: What is asked for.
        parameters: The values by name; others than those of `PARAMETERS` are ignored.

    Raises:
        ParameterError: A parameter is missing or cannot be read, no such position can come up, or
            something else is due in it.
    """
    if parameters.get("format", "").lower() == "true":
        raise ParameterError("format", "cards are read in the order played alone, not as in PBN")
    position = Position(
        _read(parameters, "seat", Seat.parse),
        _read(parameters, "hand", read_hand),
        _read(parameters, "dealer", Seat.parse),
        _read(parameters, "vul", read_vulnerability),
        tuple(_read(parameters, "ctx", read_calls)),
        _read(parameters, "dummy", read_hand) if parameters.get("dummy") else None,
        tuple(_read(parameters, "played", read_cards)) if parameters.get("played") else (),
    )
    if position.kind is kind:
        return position
    if kind is Kind.BID:
        raise ParameterError("ctx", "the auction is over")
    if position.kind is Kind.BID:
        raise ParameterError("ctx", "the auction is not over")
    if kind is Kind.LEAD:
        raise ParameterError("played", "the opening lead is made: ask /play")
    raise ParameterError("played", "no card is played: ask /lead")


def auction_of(parameters: Mapping[str, str]) -> tuple[Auction, Vulnerability]:
    """Return the auction that a request tells of, over or not, and the vulnerability.

    Raises:
        ParameterError: A parameter is missing or cannot be read, or a call is illegal.
    """
    dealer = _read(parameters, "dealer", Seat.parse)
    vulnerability = _read(parameters, "vul", read_vulnerability)
    return auction_so_far(dealer, _read(parameters, "ctx", read_calls)), vulnerability


def _read(parameters: Mapping[str, str], name: str, reader: Callable[[str], T]) -> T:
    """Return what a parameter says. Raises ParameterError."""
    text = parameters.get(name)
    if text is None:
        raise ParameterError(name, "it is missing")
    try:
        return reader(text)
    except NotationError as error:
        raise ParameterError(name, str(error)) from None
