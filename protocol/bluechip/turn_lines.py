"""The lines of auction and play: calls, cards, and what a client is ready for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.robot_words import read_words, with_signs
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.bluechip.line import Line, pattern
from bridge_arena.protocol.bluechip.quirks import STANDARD, Quirks
from bridge_arena.protocol.bluechip.spelling import (
    CALL,
    CARD,
    POSSESSIVE,
    SEAT,
    SEAT_OR_DUMMY,
    read_call,
    read_card,
    read_player,
    read_seat,
    tidy,
    write_call,
    write_card,
    write_player,
    write_seat,
)
from bridge_arena.protocol.types import TEXT_LIMIT

MEANING_LIMIT = 900
"""The most characters of the meaning of a call that are written."""


class Wanted(StrEnum):
    """The things that a client may be ready for."""

    TEAMS = "teams"
    START = "start"
    DEAL = "deal"
    CARDS = "cards"
    BID = "bid"
    CARD = "card"
    DUMMY = "dummy"


@dataclass(frozen=True, slots=True)
class Ready(Line):
    """`North ready for East's bid`.

    Attributes:
        seat: The client's seat.
        wanted: What it is ready for.
        whose: The seat of the caller, or of the card; None for dummy. Only a bid and a card have
            it.
        trick: The number of the trick, from 1; None if the line does not name it.
    """

    seat: Seat
    wanted: Wanted
    whose: Seat | None = None
    trick: int | None = None

    PATTERN = pattern(
        rf"(?P<seat>{SEAT})(?: is)? ready (?:to (?P<start>start)|for "
        r"(?:(?P<thing>teams|deal|cards|dummy)"
        rf"|(?P<whose>{SEAT_OR_DUMMY}){POSSESSIVE} "
        r"(?:(?P<bid>bid)|card(?: to trick(?: number)? (?P<trick>\d{1,3}))?)))"
    )

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        seat = read_seat(match["seat"])
        if match["start"] or match["thing"]:
            return cls(seat, Wanted((match["start"] or match["thing"]).lower()))
        trick = None if match["trick"] is None else int(match["trick"])
        wanted = Wanted.BID if match["bid"] else Wanted.CARD
        return cls(seat, wanted, read_player(match["whose"]), trick)

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        return f"{write_seat(self.seat, quirks)} ready {self._what(quirks)}"

    def _what(self, quirks: Quirks) -> str:
        if self.wanted == Wanted.START:
            return "to start"
        # Here, unlike elsewhere, dummy is written in small letters.
        whose = "dummy" if self.whose is None else write_seat(self.whose, quirks)
        if self.wanted == Wanted.BID:
            return f"for {whose}'s bid"
        if self.wanted == Wanted.CARD:
            trick = "" if self.trick is None else f" to trick {self.trick}"
            return f"for {whose}'s card{trick}"
        return f"for {self.wanted}"


@dataclass(frozen=True, slots=True)
class Called(Line):
    """`North bids 2C Alert. text`: a call, with its meaning if that is told."""

    seat: Seat
    call: Call
    alert: bool = False
    meaning: str = ""

    PATTERN = pattern(
        rf"(?P<seat>{SEAT}) (?P<call>{CALL})"
        r"(?:[ .,;:!]*(?P<how>alert|infos?)(?:ed)?\b[.:]? ?(?P<meaning>.*))?"
    )

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        alert = (match["how"] or "").lower() == "alert"
        meaning = match["meaning"] or ""
        return cls(read_seat(match["seat"]), read_call(match["call"]), alert, meaning)

    @classmethod
    def from_made(cls, seat: Seat, made: MadeCall) -> Self:
        """Return the line of a call."""
        meaning = "" if made.explanation is None else tidy(with_signs(str(made.explanation)))
        return cls(seat, made.call, made.alert, meaning)

    @property
    def made(self) -> MadeCall:
        """The call with its explanation."""
        return MadeCall(self.call, self.alert, read_meaning(self.meaning))

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        text = f"{write_seat(self.seat, quirks)} {write_call(self.call, quirks)}"
        meaning = self.meaning[:MEANING_LIMIT].rstrip()
        if self.alert or (meaning and quirks.infos == "alert"):
            return f"{text} Alert. {meaning}".rstrip()
        if meaning and quirks.infos == "infos":
            return f"{text} Infos. {meaning}"
        return text


@dataclass(frozen=True, slots=True)
class Played(Line):
    """`West plays JD`.

    Attributes:
        seat: The seat of the card; None for dummy, if the line says so.
        card: The card.
    """

    seat: Seat | None
    card: Card

    PATTERN = pattern(rf"(?P<seat>{SEAT_OR_DUMMY}) plays? (?:the )?(?P<card>{CARD})")

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(read_player(match["seat"]), read_card(match["card"]))

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        return f"{write_player(self.seat, quirks)} plays {write_card(self.card, quirks)}"


@dataclass(frozen=True, slots=True)
class Explain(Line):
    """`Explain North's 1H`: a question about a call; the answer is a line of free text."""

    seat: Seat
    call: Call

    PATTERN = pattern(rf"explain (?P<seat>{SEAT}){POSSESSIVE} (?P<call>{CALL})")

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(read_seat(match["seat"]), read_call(match["call"]))

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        return f"Explain {write_seat(self.seat, quirks)}'s {self.call}"


NO_MEANING = "No explanation"
"""The answer if nothing is known about a call."""


@dataclass(frozen=True, slots=True)
class Illegal(Line):
    """`Illegal bid` or `Illegal card`: another call or card is expected."""

    in_play: bool

    PATTERN = pattern(r"illegal (?:(?P<call>bid|call)|card|play)")

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(match["call"] is None)

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        del quirks
        return "Illegal card" if self.in_play else "Illegal bid"


def read_meaning(text: str) -> Explanation | None:
    """Return the explanation that a line gives; None if it gives none."""
    if not text or text.rstrip(".").lower() == NO_MEANING.lower():
        return None
    explanation = read_words(text)
    return replace(explanation, text=explanation.text[:TEXT_LIMIT])
