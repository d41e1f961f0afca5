"""The spelling of hands, auctions and cards: every form that is read, and the one written.

Readers raise NotationError.
"""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.loose_hands import plain_hand
from bridge_arena.bridge.seats import Vulnerability

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
    """Return the calls of an auction.

    Args:
        text: The calls with spaces or dashes between them, or two characters for each. A text with
            two dashes in a row has none between calls, as these are its Pass.

    Returns:
        The calls, the dealer's first.
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
