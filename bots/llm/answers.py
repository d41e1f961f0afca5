"""The reading of a model's answer: one line names the action, whatever else it says.

The line is `CALL: 1NT` or `CARD: SA`; an answer that is nothing but the action will do too. Nothing
is guessed: an answer without such a line, or with two that differ, is unreadable. A call may come
with lines `MEANS: 15-17 balanced [hcp 15-17, S 2-5]`, in the one-line form of explanations, and
`ALERT: yes`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from bridge_arena.base.wording import one_line
from bridge_arena.bots.llm.prompt import quoted
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.types import TEXT_LIMIT

T = TypeVar("T")


class UnreadableError(ValueError):
    """An answer names no action, or more than one; the text says so."""


def read_call(text: str) -> MadeCall:
    """Read a call, with its alert and its meaning. Raises UnreadableError."""
    call = _the_action(text, "CALL", _call)
    meanings = _values(text, "MEANS")
    alerts = _values(text, "ALERT")
    meaning = Explanation.parse(one_line(meanings[-1], TEXT_LIMIT)) if meanings else None
    is_alerted = bool(alerts) and _plain(alerts[-1]).upper() in ("YES", "TRUE")
    return MadeCall(call, is_alerted, meaning)


def read_card(text: str) -> Card:
    """Read a card. Raises UnreadableError."""
    return _the_action(text, "CARD", _card)


def _the_action(text: str, word: str, parse: Callable[[str], T]) -> T:
    named = _values(text, word)
    if not named and "\n" not in text.strip():
        named = [text.strip()]
    if not named:
        raise UnreadableError(f"it has no line {word}: ...")
    try:
        actions = {parse(_plain(value)) for value in named}
    except NotationError:
        raise UnreadableError(f"{quoted(named[-1])} names no {word.lower()}") from None
    if len(actions) > 1:
        raise UnreadableError(f"it names more than one {word.lower()}")
    return actions.pop()


def _values(text: str, word: str) -> list[str]:
    """Return what stands behind a word and a colon, on each line that begins so."""
    # Line by line, so that no answer, however long, takes long to read.
    pattern = re.compile(rf"[ \t>*_#`-]*{word}[ \t*_`]*[:=](.*)", re.I)
    matches = map(pattern.match, text.splitlines())
    return [match[1].strip() for match in matches if match is not None]


def _plain(text: str) -> str:
    """Return a text without Markdown's signs, quotes, blanks and full stops around it."""
    # Suits are signs, and not the pictures that another character behind them asks for.
    return text.replace("\N{VARIATION SELECTOR-16}", "").strip(" \t\r*_`'\"“”.")


_BID = re.compile(
    r"(?P<level>[1-7]) ?(?:(?P<letter>[CDHS♣♦♥♠])|(?P<suit>CLUB|DIAMOND|HEART|SPADE)S?"
    r"|N|NT|NO ?TRUMPS?)"
)
_OTHERS = {
    **dict.fromkeys(("PASS", "P"), "Pass"),
    **dict.fromkeys(("X", "DOUBLE", "DBL"), "X"),
    **dict.fromkeys(("XX", "REDOUBLE", "RDBL"), "XX"),
}
_CARD = re.compile(r"(?P<suit>[CDHS♣♦♥♠]) ?(?P<rank>10|[2-9TJQKA])")
_TURNED = re.compile(r"(?P<rank>10|[2-9TJQKA]) ?(?P<suit>[CDHS♣♦♥♠])")
_LETTERS = str.maketrans("♣♦♥♠", "CDHS")


def _call(text: str) -> Call:
    text = text.upper()
    if match := _BID.fullmatch(text):
        suit = match["letter"] or (match["suit"] or "NT")[: 1 if match["suit"] else 2]
        return Call(f"{match['level']}{suit.translate(_LETTERS)}")
    return Call(_OTHERS.get(text, text))


def _card(text: str) -> Card:
    text = text.upper()
    match = _CARD.fullmatch(text) or _TURNED.fullmatch(text)
    if match is None:
        return Card(text)
    return Card(match["suit"].translate(_LETTERS) + match["rank"].replace("10", "T"))
