"""The manager's lines about a board: the deal, the leader, and the times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.bluechip.line import Line, pattern
from bridge_arena.protocol.bluechip.quirks import STANDARD, Quirks
from bridge_arena.protocol.bluechip.spelling import (
    POSSESSIVE,
    SEAT,
    SEAT_OR_DUMMY,
    read_hand,
    read_player,
    read_seat,
    write_colon,
    write_hand,
    write_player,
    write_seat,
)

_VULNERABLE = {
    Vulnerability.NONE: "Neither",
    Vulnerability.NS: "N/S",
    Vulnerability.EW: "E/W",
    Vulnerability.ALL: "Both",
}

_VULNERABILITIES = {
    "neither": Vulnerability.NONE,
    "none": Vulnerability.NONE,
    "nobody": Vulnerability.NONE,
    "love": Vulnerability.NONE,
    "ns": Vulnerability.NS,
    "ew": Vulnerability.EW,
    "both": Vulnerability.ALL,
    "all": Vulnerability.ALL,
}

_TIME = r"\d{1,6}(?::\d\d?){1,2}"


@dataclass(frozen=True, slots=True)
class StartOfBoard(Line):
    """`Start of Board`; in the middle of a board it means that the board is abandoned."""

    PATTERN = pattern(r"start of (?:the )?board")

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        del match
        return cls()

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        del quirks
        return "Start of Board"


@dataclass(frozen=True, slots=True)
class BoardInfo(Line):
    """`Board number 1. Dealer North. Neither vulnerable.`."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability

    PATTERN = pattern(
        rf"board(?: number)?[ :]*(?P<number>\d{{1,9}})[ .,:]*dealer[ :]*(?P<dealer>{SEAT})[ .,]+"
        r"(?P<who>neither|none|nobody|love|n/?s|e/?w|both|all)(?: sides?)?(?: vulnerable| vul)?"
    )

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        vulnerability = _VULNERABILITIES[match["who"].lower().replace("/", "")]
        return cls(int(match["number"]), read_seat(match["dealer"]), vulnerability)

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        stop = "." if quirks.stop else ""
        dealer = write_seat(self.dealer, quirks)
        who = _VULNERABLE[self.vulnerability]
        return f"Board number {self.number}{stop} Dealer {dealer}{stop} {who} vulnerable{stop}"


@dataclass(frozen=True, slots=True)
class Cards(Line):
    """`North's cards : S A K 5. H Q 2. D A T 8 6. C 9 5 3.`; `seat` is None for dummy."""

    seat: Seat | None
    hand: Hand

    PATTERN = pattern(rf"(?P<seat>{SEAT_OR_DUMMY}){POSSESSIVE} cards[ :]*(?P<hand>.*?)")

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(read_player(match["seat"]), read_hand(match["hand"]))

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        whose = write_player(self.seat, quirks)
        return f"{whose}'s cards{write_colon(quirks)}{write_hand(self.hand, quirks)}"


@dataclass(frozen=True, slots=True)
class ToLead(Line):
    """`West to lead`; `seat` is None for dummy."""

    seat: Seat | None

    PATTERN = pattern(rf"(?P<seat>{SEAT_OR_DUMMY}) to lead")

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(read_player(match["seat"]))

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        return f"{write_player(self.seat, quirks)} to lead"


@dataclass(frozen=True, slots=True)
class Timing(Line):
    """The time that each side used, in seconds, on the board and in total.

    It is written without the brackets of the protocol's description and without a full stop at the
    end, because clients parse that form.
    """

    ns_board: int
    ns_total: int
    ew_board: int
    ew_total: int

    PATTERN = pattern(
        rf"timing[^\d]*(?P<ns_board>{_TIME})[^\d]+(?P<ns_total>{_TIME})"
        rf"[^\d]+(?P<ew_board>{_TIME})[^\d]+(?P<ew_total>{_TIME})[ \]]*"
    )

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(
            _seconds(match["ns_board"]),
            _seconds(match["ns_total"]),
            _seconds(match["ew_board"]),
            _seconds(match["ew_total"]),
        )

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        del quirks
        ns = f"this board  {_short(self.ns_board)},  total  {_long(self.ns_total)}"
        ew = f"this board  {_short(self.ew_board)},  total  {_long(self.ew_total)}"
        return f"Timing - N/S : {ns}.  E/W : {ew}"


def _seconds(text: str) -> int:
    total = 0
    for part in text.split(":"):
        total = 60 * total + int(part)
    return total


def _short(seconds: int) -> str:
    return f"{seconds // 60:02}:{seconds % 60:02}"


def _long(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
