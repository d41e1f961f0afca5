"""The lines by which a client takes its seat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.bluechip.line import Line, pattern
from bridge_arena.protocol.bluechip.quirks import STANDARD, Quirks
from bridge_arena.protocol.bluechip.spelling import SEAT, read_seat, tidy, write_colon, write_seat

VERSION = 18
"""The version of the protocol that is used here."""

VERSIONS = (18, 19)
"""The versions that clients announce; no difference between them is known."""

ANY_SEAT = "ANYPL"
"""The word for any seat that is free."""


@dataclass(frozen=True, slots=True)
class Connecting(Line):
    """`Connecting "Team A" as North using protocol version 18`.

    Attributes:
        team: The team's name.
        seat: The seat that the client wants; None for any.
        version: The version of the protocol.
    """

    team: str
    seat: Seat | None
    version: int = VERSION

    PATTERN = pattern(
        r'connecting[ :]*(?:"(?P<quoted>[^"]*)"|(?P<bare>.*?))'
        rf"(?: as (?P<seat>{SEAT}|any[a-z]*))? using protocol(?: version)?[ :]*"
        r"(?P<version>\d{1,4})"
    )

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        word = match["seat"]
        seat = None if word is None or word.lower().startswith("any") else read_seat(word)
        return cls(_team(match["quoted"], match["bare"]), seat, int(match["version"]))

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        seat = ANY_SEAT if self.seat is None else write_seat(self.seat, quirks)
        team = _quoted(self.team, quirks)
        return f"Connecting {team} as {seat} using protocol version {self.version}"


@dataclass(frozen=True, slots=True)
class Seated(Line):
    """`North ("Team A") seated`."""

    seat: Seat
    team: str

    PATTERN = pattern(rf'(?P<seat>{SEAT}) (?:\(? ?"(?P<quoted>[^"]*)" ?\)?|(?P<bare>.*?)) ?seated')

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(read_seat(match["seat"]), _team(match["quoted"], match["bare"]))

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        team = _quoted(self.team, quirks)
        return f"{write_seat(self.seat, quirks)} {f'({team})' if quirks.quotes else team} seated"


@dataclass(frozen=True, slots=True)
class Teams(Line):
    """`Teams : N/S : "Team A" E/W : "Team B"`; what follows is ignored."""

    ns: str
    ew: str

    PATTERN = pattern(
        r'teams[ :]*n/?s[ :]*(?:"(?P<ns>[^"]*)"|(?P<bare_ns>.*?))[ .,]*'
        r'\be/?w[ :]*(?:"(?P<ew>[^"]*)".*|(?P<bare_ew>[^"]*))'
    )

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(_team(match["ns"], match["bare_ns"]), _team(match["ew"], match["bare_ew"]))

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        colon = write_colon(quirks)
        ns, ew = _quoted(self.ns, quirks), _quoted(self.ew, quirks)
        return f"Teams{colon}N/S{colon}{ns} E/W{colon}{ew}"


@dataclass(frozen=True, slots=True)
class Refusal(Line):
    """`Error: text`, a manager's answer to a line that it does not accept."""

    text: str

    PATTERN = pattern(r"(?:error|unexpected|disconnect)\b[ .:]*(?P<text>.*?)")

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        return cls(match["text"])

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        del quirks
        return f"Error: {tidy(self.text)}"


@dataclass(frozen=True, slots=True)
class EndOfSession(Line):
    """`End of session`; one manager ends with the result, which begins with `NS:`."""

    PATTERN = pattern(r"end of (?:the )?session|ns ?:.*")

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""
        del match
        return cls()

    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""
        del quirks
        return "End of session"


def _team(quoted: str | None, bare: str | None) -> str:
    return (bare or "").strip() if quoted is None else quoted.strip()


def _quoted(team: str, quirks: Quirks) -> str:
    name = tidy(team).replace('"', "'")
    return f'"{name}"' if quirks.quotes else name
