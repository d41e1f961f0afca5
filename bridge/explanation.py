"""Explanations: what a call promises about the hand that made it.

An explanation is text for people and ranges for programs. Its one-line form carries both, so that a
note in a file reads back as the same explanation: `strong notrump [hcp 15-17, S 2-5]`.

Robots word them otherwise (`read_words`), with ranges among the words and suits as `!S`. BEN, and
the robots of BBO before it, divide what a call shows by semicolons, and give a second reading, with
all ranges, after two dashes:

    5+ !S -- 5+!S; 11-20 HCP; Forcing; Artificial
    Splinter -- 1-!D; 6-!H; 5-6!S; 14-20 HCP

`5+` is five or more, `1-` one or fewer. A part of any other form, such as `stop in !D` or
`12-22 total points`, promises nothing that an explanation has a range for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from bridge_arena.bridge.cards import SUITS, SUITS_DOWN, Hand, Suit
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.evaluation import hcp

Range = tuple[int, int]
"""Lowest and highest value, both included."""

MOST_HCP = 37
"""The most high-card points of a hand."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The meaning of one call; a range that is absent promises nothing.

    Attributes:
        text: The meaning in words.
        hcp: The lowest and highest number of high-card points, within 0 to 37.
        lengths: The lowest and highest number of cards of suits, within 0 to 13.
        forcing: Whether partner may not pass.
        artificial: Whether the call says nothing natural about its denomination.

    Raises:
        NotationError: A range is empty or out of bounds.
    """

    text: str = ""
    hcp: Range | None = None
    lengths: dict[Suit, Range] = field(default_factory=dict, hash=False)
    forcing: bool = False
    artificial: bool = False

    def __post_init__(self) -> None:
        _check_range("hcp", self.hcp, MOST_HCP)
        for suit, length in self.lengths.items():
            if not isinstance(suit, Suit):
                raise NotationError(f"{suit!r} is not a Suit, as the keys of lengths are")
            _check_range(f"length in {suit}", length, 13)

    def holds_for(self, hand: Hand) -> bool:
        """Return whether a hand of thirteen cards is within the ranges."""
        if self.hcp is not None and not self.hcp[0] <= hcp(hand) <= self.hcp[1]:
            return False
        return all(low <= hand.length(s) <= high for s, (low, high) in self.lengths.items())

    def __str__(self) -> str:
        promises = [f"hcp {_format_range(self.hcp)}"] if self.hcp else []
        promises += [
            f"{suit} {_format_range(self.lengths[suit])}"
            for suit in SUITS_DOWN
            if suit in self.lengths
        ]
        promises += ["forcing"] * self.forcing + ["artificial"] * self.artificial
        if not promises:
            return self.text
        bracket = f"[{', '.join(promises)}]"
        return f"{self.text} {bracket}" if self.text else bracket

    @classmethod
    def parse(cls, line: str) -> Explanation:
        """Read an explanation as `str` writes it; any other line is text that promises nothing."""
        match = _WITH_PROMISES.fullmatch(line)
        if match is None:
            return cls(line)
        points: Range | None = None
        lengths: dict[Suit, Range] = {}
        flags = set[str]()
        for promise in match["promises"].split(", "):
            name, _, value = promise.partition(" ")
            limits = _RANGE.fullmatch(value)
            if promise in ("forcing", "artificial"):
                flags.add(promise)
            elif limits is None:
                return cls(line)
            elif name == "hcp":
                points = int(limits["low"]), int(limits["high"])
            elif name in _SUIT_OF:
                lengths[_SUIT_OF[name]] = int(limits["low"]), int(limits["high"])
            else:
                return cls(line)
        try:
            return cls(match["text"], points, lengths, "forcing" in flags, "artificial" in flags)
        except NotationError:
            return cls(line)


_WITH_PROMISES = re.compile(r"(?P<text>.*?) ?\[(?P<promises>[^\[\]]+)\]")
_RANGE = re.compile(r"(?P<low>\d{1,2})-(?P<high>\d{1,2})")
_SUIT_OF = {suit.letter: suit for suit in SUITS}


def _check_range(name: str, given: Range | None, top: int) -> None:
    if given is not None and not 0 <= given[0] <= given[1] <= top:
        raise NotationError(f"{name} {given[0]} to {given[1]} is not a range within 0 to {top}")


def _format_range(given: Range) -> str:
    return f"{given[0]}-{given[1]}"


_SUIT_NAMED = {suit.letter: suit for suit in SUITS} | {suit.symbol: suit for suit in SUITS}
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
    return _SIGN.sub(lambda match: _SUIT_NAMED[match[1].upper()].symbol, text)


def with_signs(text: str) -> str:
    """Return a text with `!S` and so on in place of suit symbols."""
    for suit in SUITS:
        text = text.replace(suit.symbol, f"!{suit.letter}")
    return text


def read_words(line: str) -> Explanation:
    """Read an explanation in its own form, or with its ranges among the words of a robot.

    Its text is the line, with suit symbols. Where a second reading has ranges, those of the first
    do not count.
    """
    explanation = Explanation.parse(line)
    if explanation != Explanation(line):
        return replace(explanation, text=with_symbols(explanation.text))
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
    is_forcing = any(word == "forcing" or word.startswith("forcing ") for word in words)
    return Explanation(text, hcp, lengths, is_forcing, "artificial" in words)


def _promised(parts: list[str]) -> tuple[Range | None, dict[Suit, Range]]:
    """Return the points and the lengths that the parts of a reading promise together."""
    hcp: Range = (0, MOST_HCP)
    lengths: dict[Suit, Range] = {}
    for part in parts:
        for promise in _promises(part):
            if promise["suit"] is None:
                hcp = _both(hcp, _range(promise, MOST_HCP))
            else:
                suit = _SUIT_NAMED[promise["suit"]]
                lengths[suit] = _both(lengths.get(suit, (0, 13)), _range(promise, 13))
    points = None if hcp == (0, MOST_HCP) or hcp[0] > hcp[1] else hcp
    return points, {
        suit: (low, high)
        for suit, (low, high) in lengths.items()
        if low <= high and (low, high) != (0, 13)
    }


def _promises(part: str) -> list[re.Match[str]]:
    """Return the ranges of a part that consists of them, or has one in brackets at its end."""
    promises = list(_PROMISE.finditer(part))
    if promises and _BETWEEN.fullmatch(_PROMISE.sub(" ", part)):
        return promises
    bracketed = _IN_BRACKETS.fullmatch(part)
    return _promises(bracketed["promise"]) if bracketed else []


def _range(promise: re.Match[str], top: int) -> Range:
    low = int(promise["low"])
    if promise["high"] is not None:
        return low, min(int(promise["high"]), top)
    if promise["open"] == "+":
        return low, top
    return (0, min(low, top)) if promise["open"] else (low, low)


def _both(first: Range, second: Range) -> Range:
    return max(first[0], second[0]), min(first[1], second[1])
