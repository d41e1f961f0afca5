"""The auction as bidders write it, and patterns over it.

The player to call sees the auction from the opening bid on. The calls of his side are bare; their
passes are written `P`, but left out before their first other call. The calls of the other side are
in brackets, without their passes: `1H (2C) X`. In a pattern, `M` stands for a major suit, `m` for a
minor, and `x`, `y` and `z` for any suit. Different letters stand for different suits. `*` stands
for any calls.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bridge_arena.bridge.calls import CALLS, PASS, Call
from bridge_arena.bridge.cards import SUITS, Suit

Suits = Mapping[str, Suit]  # the suit that each letter stands for

MAJORS = (Suit.HEARTS, Suit.SPADES)
MINORS = (Suit.CLUBS, Suit.DIAMONDS)
LETTERS = {"M": MAJORS, "m": MINORS, "x": SUITS, "y": SUITS, "z": SUITS}
"""The suits that each letter may stand for."""

FIXED: Suits = {suit.letter: suit for suit in SUITS}
_OTHERS = {"M": ("O", MAJORS), "m": ("o", MINORS)}
_CALL = re.compile(r"(\()?(?:([1-7])(NT|[CDHSMmxyz])|(X|XX|P))(\))?")
_ONE = r"\(?[^ ]+ "
_LETTER = re.compile(r"(?<=[1-7])[CDHSMmxyz]")
_ANY_SUIT = str.maketrans(dict.fromkeys(FIXED, "?"))
_OWN = tuple("P " if call == PASS else f"{call} " for call in CALLS)
_THEIRS = tuple("" if call == PASS else f"({call}) " for call in CALLS)


def notation(calls: Sequence[Call]) -> str:
    """Return the auction, from the dealer's calls, as the player to call next writes it."""
    # There is a space after each call; before the opening bid the text is empty.
    opening = next((index for index, call in enumerate(calls) if call != PASS), len(calls))
    acted = next(
        (i for i in range(opening, len(calls)) if calls[i] != PASS and (len(calls) - i) % 2 == 0),
        opening,
    )
    words: list[str] = []
    for index in range(opening, len(calls)):
        if (len(calls) - index) % 2:
            words.append(_THEIRS[calls[index]])
        elif index >= acted:
            words.append(_OWN[calls[index]])
    return "".join(words)


def outline(auction: str) -> str:
    """Return an auction, as `notation` returns it, with a question mark for each suit."""
    return auction.translate(_ANY_SUIT)


class Pattern:
    """A pattern; its outline is None if it fits auctions of several. Raises ValueError."""

    def __init__(self, text: str) -> None:
        letters: set[str] = set()
        parts: list[str] = []
        for word in text.split():
            if word == "*":
                parts.append(f"(?:{_ONE})*?")
                continue
            match = _CALL.fullmatch(word)
            if match is None or (match[1] is None) != (match[5] is None):
                raise ValueError(f"{word!r} in pattern {text!r} is not a call")
            call = match[4] or match[2] + self._denomination(match[3], letters)
            parts.append(rf"\({call}\) " if match[1] else f"{call} ")
        whole = "".join(f"{word} " for word in text.split())
        self.outline = None if "*" in whole else _LETTER.sub("?", whole)
        self._letters = tuple(letters)
        self._regex = re.compile("".join(parts))

    def match(self, auction: str) -> Suits | None:
        """Return the suit that each letter stands for in an auction, if the pattern fits.

        Different letters stand for different suits. `O` is the other major than `M`, `o` the other
        minor than `m`. The auction is as `notation` returns it.
        """
        match = self._regex.fullmatch(auction)
        if match is None:
            return None
        suits = {letter: FIXED[match[letter]] for letter in self._letters}
        if len(set(suits.values())) < len(suits):
            return None
        for letter, (other, pair) in _OTHERS.items():
            if letter in suits:
                suits[other] = pair[0] if suits[letter] == pair[1] else pair[1]
        return suits

    def knows(self, letter: str) -> bool:
        """Return whether a letter may stand for a suit: `O` and `o` need `M` and `m`."""
        return all(letter != other or of in self._letters for of, (other, _) in _OTHERS.items())

    @staticmethod
    def _denomination(text: str, letters: set[str]) -> str:
        if text not in LETTERS:
            return text
        if text in letters:
            return f"(?P={text})"
        letters.add(text)
        return f"(?P<{text}>[{''.join(suit.letter for suit in LETTERS[text])}])"
