"""Tag values in export form: upper case, one word for each thing, declarer's tricks.

All functions take and return the value of a tag. A value that is not of its kind raises ValueError,
but a date of another form is kept.
"""

from __future__ import annotations

import re

from bridge_arena.bridge.loose_hands import plain_deal
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.values import (
    NOT_SAID,
    UNKNOWN,
    is_against_contract,
    is_passed_out,
    parse_tricks,
    parse_vulnerability,
)

_RANKS = "AKQJT98765432"
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_YEAR_FIRST = re.compile(r"(\d{4})[-./](\d\d?)[-./](\d\d?)")
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)")
_NO_NAME = re.compile("[^A-Za-z0-9_]")
_MONTH_NAMED = re.compile(r"(\d\d?)[-. ]([A-Za-z]{3})[a-z]*[-. ](\d{4})")


def tag_name(name: str) -> str:
    """Return a name in the letters that the standard allows for names (section 2).

    Any other letter is replaced by `_` and its code, so that different names stay different.
    """
    if name.isascii():
        return name
    return _NO_NAME.sub(lambda match: f"_{ord(match[0]):x}", name)


def seat(value: str) -> str:
    """Return Dealer, Declarer, Auction or Play: a letter, perhaps after `^` (section 3.4.13)."""
    text = value.strip()
    if text in UNKNOWN or text == "#":
        return text
    mark = "^" if text.startswith("^") else ""
    return mark + Seat.parse(text.removeprefix("^").strip()).letter


def declarer(value: str) -> str:
    """Return a seat as `seat` does; `?` if the value says that nobody is or is known."""
    return "?" if value.strip() == "-" or is_passed_out(value) else seat(value)


def vulnerable(value: str) -> str:
    """Return None, NS, EW or All (section 3.4.10)."""
    text = value.strip()
    if text in UNKNOWN or text == "#":
        return text
    return str(parse_vulnerability(text))


def contract(value: str) -> str:
    """Return Pass, a contract, or in end positions a denomination alone (section 3.4.14)."""
    text = value.strip().upper().replace(" ", "")
    if text in NOT_SAID:
        return "?"
    if text == "#":
        return text
    if is_passed_out(value):
        return "Pass"
    match = re.fullmatch(r"([1-7]?)(NT?|[SHDC])(XX?|R)?", text)
    if match is None or (match[3] and not match[1]):
        raise ValueError(f"{value!r} is not a contract")
    denomination = "NT" if match[2][0] == "N" else match[2]
    return match[1] + denomination + (match[3] or "").replace("R", "XX")


def result(value: str, declarer: str, contract: str) -> str:
    """Return declarer's tricks, perhaps after `^` (section 3.4.15).

    Declarer and contract are export values; the contract is for a result against it. If declarer
    is not known, a value with sides is kept.
    """
    text = value.strip()
    if text in UNKNOWN or text[0] == "#":
        return text
    mark = "^" if text.startswith("^") else ""
    by = declarer.removeprefix("^")
    level = int(contract[0]) if contract[:1].isdecimal() else None
    is_known = by in tuple("NESW")
    tricks = parse_tricks(text, Seat.parse(by) if is_known else Seat.NORTH, level)
    return f"{mark}{tricks}" if is_known or is_against_contract(text) else text


def date(value: str) -> str:
    """Return YYYY.MM.DD for a date whose form has one meaning, else the value (section 3.4.3)."""
    text = value.strip()
    if match := _YEAR_FIRST.fullmatch(text) or _COMPACT.fullmatch(text):
        year, month, day = match.groups()
    elif match := _MONTH_NAMED.fullmatch(text):
        day, name, year = match.groups()
        if name.lower() not in _MONTHS:
            return value
        month = str(_MONTHS.index(name.lower()) + 1)
    else:
        return value
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return value
    return f"{year}.{int(month):02}.{int(day):02}"


def deal(value: str, dealer: str) -> str:
    """Return the hands from the dealer on, ranks from ace to two (section 3.4.11).

    Hands that are not given stay `-`.
    """
    text = value.strip()
    if text in UNKNOWN or text == "#":
        return text
    first, colon, rest = plain_deal(text).partition(":")
    hands = [_hand(word) for word in rest.split()]
    if not colon or len(hands) != len(SEATS):
        raise ValueError(f"{text!r} is not four hands with the seat of the first")
    given = [card for hand in hands if hand != "-" for card in _cards(hand)]
    sizes = {len(_cards(hand)) for hand in hands if hand != "-"}
    if not given:
        raise ValueError("no hand has cards")
    if len(given) != len(set(given)):
        raise ValueError("a card is dealt twice")
    if len(sizes) > 1 or max(sizes) > 13:
        raise ValueError("the hands have not the same number of cards, 13 at most")
    start = Seat.parse(first.strip())
    lead = Seat.parse(dealer) if dealer in tuple("NESW") else start
    shift = (lead - start) % 4
    return f"{lead.letter}:{' '.join(hands[shift:] + hands[:shift])}"


def _hand(word: str) -> str:
    if word == "-":
        return "-"
    suits = word.upper().split(".")
    if len(suits) != 4 or not set("".join(suits)) <= set(_RANKS):
        raise ValueError(f"{word!r} is not a hand")
    return ".".join("".join(sorted(suit, key=_RANKS.index)) for suit in suits)


def _cards(hand: str) -> list[str]:
    return [
        suit + rank for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks
    ]
