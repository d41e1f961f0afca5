"""The values of tags and the words of sections, in loose forms too: deals, contracts, calls, cards.

Each function takes a value or word as it is in a file and raises ValueError, with a reason, if it
cannot be read.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bridge_arena.bridge.calls import CALLS, FIRST_BID, Call, Contract, Risk
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.loose_hands import plain_deal
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability

_LOOSE_CALLS = {
    **dict.fromkeys(["P", "PAS", "PASS", "--"], "Pass"),
    **dict.fromkeys(["D", "DB", "DBL", "DOUBLE"], "X"),
    **dict.fromkeys(["R", "RD", "RDBL", "REDBL", "REDOUBLE"], "XX"),
}

UNKNOWN = frozenset(["", "?"])
"""Values that stand for an unknown one (PBN 2.1, section 3.4)."""

NOT_SAID = UNKNOWN | {"-"}
"""Values of Contract and Declarer that tell nothing, with the hyphen of some programs."""

_PASSED_OUT = frozenset(["P", "PAS", "PASS", "AP", "ALLPASS", "PASSED", "PASSEDOUT"])
# Values in export form, which most are.
_CONTRACTS = {f"{bid}{risk}": (bid, risk) for bid in CALLS[FIRST_BID:] for risk in Risk}
_TRICKS = {str(tricks): tricks for tricks in range(14)}
_SEATS = {seat.letter: seat for seat in SEATS}
_AGAINST_CONTRACT = re.compile(r"=|[+-]\d{1,2}", re.ASCII)


def parse_call(word: str) -> Call:
    """Return a call in the standard's form or in a common loose form (`P`, `1N`, `Dbl`)."""
    text = word.upper()
    if len(text) == 2 and text[1] == "N":
        text += "T"
    return Call(_LOOSE_CALLS.get(text, text))


def parse_card(word: str) -> Card:
    """Return a card, suit first; ten may be written 10."""
    return Card(word.replace("10", "T"))


@lru_cache(maxsize=512)  # files repeat a deal for each table that played it
def parse_deal(value: str) -> Deal:
    """Return a complete deal (section 3.4.11), also in the forms of `bridge.loose_hands`."""
    try:
        return Deal.parse(value)
    except ValueError:
        pass  # the reason is found below
    text = value.strip()
    if text in UNKNOWN:
        raise ValueError("the deal is missing")
    plain = plain_deal(text)
    if "-" in plain.partition(":")[2].split():
        raise ValueError(f"the deal has hidden hands: {text!r}")
    return Deal.parse(plain)


@lru_cache(maxsize=64)
def parse_vulnerability(value: str) -> Vulnerability:
    """Return a vulnerability: the standard's words and synonyms, no hyphens (section 3.4.10)."""
    text = value.strip()
    return Vulnerability.parse(text if text == "-" else text.replace("-", ""))


def parse_tricks(value: str, declarer: Seat | None, level: int | None = None) -> int | None:
    """Return declarer's tricks (section 3.4.15); None if they are unknown.

    A value is `9`, `NS 9`, `EW 4` or `NS 9 EW 4`, each perhaps with `^`. If the level of the
    contract is known, it may be a result against the contract. The other side's tricks, or a
    side's, need a declarer.
    """
    if value in _TRICKS:
        return _TRICKS[value]
    text = value.strip().removeprefix("^").strip()
    if text in UNKNOWN:
        return None
    if level is not None and is_against_contract(text):
        tricks = 6 + level + int(text.strip("=") or 0)
    else:
        tricks = _tricks_won(text, declarer)
    if not 0 <= tricks <= 13:
        raise ValueError(f"{value!r} is not a number of tricks, 0 to 13")
    return tricks


def is_against_contract(value: str) -> bool:
    """Return whether a result counts from the contract (`+1`, `=`, `-2`), which is not PBN."""
    return _AGAINST_CONTRACT.fullmatch(value.strip().removeprefix("^")) is not None


def _tricks_won(text: str, declarer: Seat | None) -> int:
    if "+" in text or "-" in text:
        raise ValueError(f"{text!r} is not a number of tricks")
    sides = _by_side(text)
    if None in sides:
        return sides[None]
    if declarer is None:
        raise ValueError(f"{text!r} needs a declarer")
    if declarer.side in sides:
        return sides[declarer.side]
    return 13 - sides[declarer.side.other]


@lru_cache(maxsize=1024)
def parse_score(value: str, declarer: Seat | None) -> int | None:
    """Return North-South's points (section 3.5); None if they are unknown.

    A value is `NS n`, `EW n`, both, or `n` for declarer's side.
    """
    text = value.strip()
    if text in UNKNOWN:
        return None
    sides = _by_side(text)
    if Side.NS in sides:
        return sides[Side.NS]
    if Side.EW in sides:
        return -sides[Side.EW]
    points = sides[None]
    if declarer is None and points:
        raise ValueError(f"{value!r} does not say whose score it is")
    return -points if declarer is not None and declarer.side == Side.EW else points


def _by_side(text: str) -> dict[Side | None, int]:
    """Return the numbers of `n`, `NS n`, `EW n` or two of these; None is declarer's side.

    The space between side and number may be missing (`NS-50`).
    """
    words = text.upper().replace("NS", " NS ").replace("EW", " EW ").split()
    if len(words) == 1:
        return {None: _number(words[0], text)}
    names, numbers = words[::2], words[1::2]
    if len(names) != len(numbers) or not set(names) <= {"NS", "EW"}:
        raise ValueError(f"{text!r} is not a number with or without a side")
    return {Side[name]: _number(word, text) for name, word in zip(names, numbers, strict=True)}


def _number(word: str, text: str) -> int:
    digits = word.lstrip("+-")
    if not digits.isdecimal() or len(word) - len(digits) > 1 or len(digits) > 6:
        raise ValueError(f"{text!r} is not a number with or without a side")
    return int(word)


def parse_declarer(value: str) -> Seat | None:
    """Return the declarer (section 3.4.13), of a seat, perhaps after `^`.

    None if it is unknown, or the value says that the board was passed out.
    """
    if value in _SEATS:
        return _SEATS[value]
    text = value.strip().removeprefix("^").strip()
    return None if text in NOT_SAID or is_passed_out(text) else Seat.parse(text)


def parse_contract(value: str, declarer: Seat | None) -> Contract | None:
    """Return a contract (section 3.4.14); None for Pass or an unknown one.

    Notrump may be `N`. A contract needs a declarer.
    """
    if declarer is not None and value in _CONTRACTS:
        return Contract.of(*_CONTRACTS[value], declarer)
    text = value.strip().upper().replace(" ", "")
    if text in NOT_SAID or text in _PASSED_OUT:
        return None
    if declarer is None:
        raise ValueError(f"{value!r} has no declarer")
    if text[1:2] == "N" and text[2:3] != "T":
        text = text[:2] + "T" + text[2:]
    if text.endswith("R"):
        text = text[:-1] + "XX"
    return Contract.parse(text, declarer)


def is_passed_out(value: str) -> bool:
    """Return whether a value of the Contract tag says that the board was passed out."""
    return value.strip().upper().replace(" ", "") in _PASSED_OUT


def text_of(value: str) -> str:
    """Return free text, a name for example; an unknown one is empty."""
    if value in UNKNOWN:
        return ""
    return value[1:] if value[:2] == " #" else value


def value_of(text: str) -> str:
    """Return the value of a text, the inverse of `text_of`.

    A text that begins with `#` gets a space before it, because `#` alone would stand for the value
    of the game before.
    """
    if not text:
        return "?"
    return f" {text}" if text.startswith("#") else text
