"""Explanations as robots word them, with ranges among the words and suits as `!S`.

BEN, and the robots of BBO before it, divide what a call shows by semicolons, and give a second
reading, with all ranges, after two dashes:

    5+ !S -- 5+!S; 11-20 HCP; Forcing; Artificial
    Splinter -- 1-!D; 6-!H; 5-6!S; 14-20 HCP

`5+` is five or more, `1-` one or fewer. A part of any other form, such as `stop in !D` or
`12-22 total points`, promises nothing that an explanation has a range for.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.explanation import Explanation, Range

MOST_HCP = 37
"""The most high-card points of a hand."""

_SUIT_OF = {suit.letter: suit for suit in SUITS} | {suit.symbol: suit for suit in SUITS}
_SIGN = re.compile("!([CDHS])", re.IGNORECASE)
_PROMISE = re.compile(
    r"(?P<low>\d{1,2})(?: ?- ?(?P<high>\d{1,2})|(?P<open>[+-]))? ?"
    r"(?:(?P<suit>[♣♦♥♠])|(?P<hcp>HCP\b))",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:[\s,&]|\band\b)*")
_IN_BRACKETS = re.compile(r"(?P<words>.*)\((?P<promise>[^()]*)\)\s*")


def with_symbols(text: str) -> str:
    """Return a text, such as an explanation, with suit symbols in place of `!S` and so on."""
    return _SIGN.sub(lambda match: _SUIT_OF[match[1].upper()].symbol, text)


def with_signs(text: str) -> str:
    """Return a text with `!S` and so on in place of suit symbols."""
    for suit in SUITS:
        text = text.replace(suit.symbol, f"!{suit.letter}")
    return text


def read_words(line: str) -> Explanation:
    """Read an explanation in its own form, or with its ranges among the words of a robot.

    Args:
        line: The line.

    Returns:
        The explanation. Its text is the line, with suit symbols; where a second reading has ranges,
        those of the first do not count.
    """
    told = Explanation.parse(line)
    if told != Explanation(line):
        return replace(told, text=with_symbols(told.text))
    text = with_symbols(line)
    hcp: Range | None = None
    lengths: dict[Suit, Range] = {}
    words = set[str]()
    for reading in text.split(" -- "):
        parts = [part.strip() for part in reading.split(";")]
        words |= {part.lower() for part in parts}
        points, held = _promised(parts)
        if points is not None or held:
            hcp, lengths = points, held
    is_forcing = any(each == "forcing" or each.startswith("forcing ") for each in words)
    return Explanation(text, hcp, lengths, is_forcing, "artificial" in words)


def _promised(parts: list[str]) -> tuple[Range | None, dict[Suit, Range]]:
    """Return the points and the lengths that the parts of a reading promise together."""
    hcp: Range = (0, MOST_HCP)
    lengths: dict[Suit, Range] = {}
    for part in parts:
        for found in _promises(part):
            if found["suit"] is None:
                hcp = _both(hcp, _range(found, MOST_HCP))
            else:
                suit = _SUIT_OF[found["suit"]]
                lengths[suit] = _both(lengths.get(suit, (0, 13)), _range(found, 13))
    points = None if hcp == (0, MOST_HCP) or hcp[0] > hcp[1] else hcp
    return points, {
        suit: (low, high)
        for suit, (low, high) in lengths.items()
        if low <= high and (low, high) != (0, 13)
    }


def _promises(part: str) -> list[re.Match[str]]:
    """Return the ranges of a part that consists of them, or has one in brackets at its end."""
    found = list(_PROMISE.finditer(part))
    if found and _BETWEEN.fullmatch(_PROMISE.sub(" ", part)):
        return found
    bracketed = _IN_BRACKETS.fullmatch(part)
    return _promises(bracketed["promise"]) if bracketed else []


def _range(found: re.Match[str], top: int) -> Range:
    low = int(found["low"])
    if found["high"] is not None:
        return low, min(int(found["high"]), top)
    if found["open"] == "+":
        return low, top
    return (0, min(low, top)) if found["open"] else (low, low)


def _both(first: Range, second: Range) -> Range:
    return max(first[0], second[0]), min(first[1], second[1])
