"""Hands and deals in the forms in which people write them, turned into PBN's.

Suits may have letters or signs (`SAKQ`, `S:AKQ`, `♠AKQ`), a void a hyphen or an underscore, ten
may be 10, and a dot may be missing or too much. A text is changed only if there is one way to read
it; what else is wrong with it is left to `bridge.cards`, which reads PBN's form alone.
"""

from __future__ import annotations

import re
from itertools import combinations, product
from math import prod

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.errors import BridgeError

_SIGNS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC", "\ufe0e\ufe0f")
_BETWEEN = re.compile(r"[\s.,:=_-]+")
_LETTERED = re.compile(r"(?:[SHDC][2-9TJQKA]*)+")
_HOLDING = re.compile("([SHDC])([^SHDC]*)")
_NO_CARDS = re.compile(r"[-?._:SHDC\s]+", re.IGNORECASE)
_VOIDS = ("-", "--", "_", "__")
_MOST_READINGS = 64
"""The most ways to read a deal of which the possible one is looked for."""


def plain_hand(text: str) -> str:
    """Return a hand as `spades.hearts.diamonds.clubs`; the text itself if it is no such hand."""
    readings = _readings(text)
    return readings[0] if len(readings) == 1 else text


def plain_deal(text: str) -> str:
    """Return a deal in PBN's form, `-` for a hand without cards.

    `text` has the first hand's seat, a colon, and four hands clockwise. If a dot is missing or too
    much in a hand, the other hands may tell which. The text itself is returned if there is not one
    way to read it.
    """
    first, colon, rest = text.strip().partition(":")
    hands = [
        ["-"] if _NO_CARDS.fullmatch(hand.translate(_SIGNS)) else _readings(hand)
        for hand in _hands(rest)
    ]
    if len(hands) != 4 or prod(map(len, hands)) > _MOST_READINGS:
        return text
    deals = [f"{first}{colon}{' '.join(choice)}" for choice in product(*hands)]
    if len(deals) > 1:
        deals = list(filter(_is_deal, deals))
    return deals[0] if len(deals) == 1 else text


def _hands(text: str) -> list[str]:
    """Return the texts of the hands, in which there may be spaces."""
    words = text.split()
    if len(words) == 4:
        return words
    lettered = text.upper().translate(_SIGNS)
    if "S" in lettered:
        return [hand.strip() for hand in re.findall("S[^S]*", lettered)]
    if len(words) == 16 and "." not in text:
        return [".".join(words[start : start + 4]) for start in range(0, 16, 4)]
    return re.sub(r"(?<=\S)\s*\.\s*", ".", text).split()


def _readings(text: str) -> list[str]:
    """Return the hands, in PBN's form, that a text may stand for; at least the text itself."""
    text = text.strip().replace("10", "T")
    lettered = _BETWEEN.sub("", text.upper().translate(_SIGNS))
    if _LETTERED.fullmatch(lettered):
        suits = _HOLDING.findall(lettered)
        holdings = dict(suits)
        is_clear = len(holdings) == len(suits)
        return [".".join(holdings.get(suit, "") for suit in "SHDC")] if is_clear else [text]
    fields = text.split("." if "." in text else None if " " in text else "_")
    fields = ["" if field.strip() in _VOIDS else field.strip() for field in fields]
    if len(fields) > 4:
        full = list(filter(None, fields))
        hands = [full] if len(full) == 4 else []
        if len(fields) == 5:
            hands += [fields[:at] + fields[at + 1 :] for at in range(5) if not fields[at]]
    else:
        hands = [_placed(fields, places) for places in combinations(range(4), len(fields))]
    return sorted({".".join(hand) for hand in hands}) or [text]


def _placed(fields: list[str], places: tuple[int, ...]) -> list[str]:
    hand = [""] * 4
    for place, field in zip(places, fields, strict=True):
        hand[place] = field
    return hand


def _is_deal(text: str) -> bool:
    try:
        Deal.parse(text)
    except BridgeError:
        return False
    return True
