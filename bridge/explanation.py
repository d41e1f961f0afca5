"""Explanations: what a call promises about the hand that made it.

An explanation is text for people and ranges for programs. Its one-line form carries both, so that a
note in a file reads back as the same explanation: `strong notrump [hcp 15-17, S 2-5]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bridge_arena.bridge.cards import SUITS, SUITS_DOWN, Hand, Suit
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.evaluation import hcp

Range = tuple[int, int]
"""Lowest and highest value, both included."""


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
        _check_range("hcp", self.hcp, 37)
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
        """Read an explanation in the form that `str` writes.

        Args:
            line: The line; a line of any other form is text that promises nothing.

        Returns:
            The explanation.
        """
        match = _WITH_PROMISES.fullmatch(line)
        if match is None:
            return cls(line)
        points: Range | None = None
        lengths: dict[Suit, Range] = {}
        flags = set[str]()
        for promise in match["promises"].split(", "):
            name, _, value = promise.partition(" ")
            found = _RANGE.fullmatch(value)
            if promise in ("forcing", "artificial"):
                flags.add(promise)
            elif found is None:
                return cls(line)
            elif name == "hcp":
                points = int(found["low"]), int(found["high"])
            elif name in _SUIT_OF:
                lengths[_SUIT_OF[name]] = int(found["low"]), int(found["high"])
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
