"""The lines of the dialogue: as bytes, and as values of seating, of a board, and of its turns.

A line ends with LF, with or without CR. It is read as Latin-1, in which some programs write their
alerts, and written in ASCII, which all programs can read. Each class of values is a kind of line:
it reads all forms of it that programs write, and writes one.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, Self

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.explanation import Explanation, read_words, with_signs
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.bluechip.spelling import (
    CALL,
    CARD,
    POSSESSIVE,
    SEAT,
    SEAT_OR_DUMMY,
    STANDARD,
    Quirks,
    read_call,
    read_card,
    read_hand,
    read_player,
    shown,
    tidy,
    write_call,
    write_card,
    write_colon,
    write_hand,
    write_player,
    write_seat,
)
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.types import TEXT_LIMIT

MAX_LINE = 1024
"""The longest line, in bytes including its end, that either end accepts."""

_NO_TEXT = frozenset(range(32)) - frozenset(b"\t\r")
"""The bytes that never occur in text."""


class FramingError(ProtocolError):
    """Bytes that are no lines of text: nothing after them can be understood."""


class LineBuffer:
    """A buffer that takes bytes as they come and gives complete lines."""

    def __init__(self) -> None:
        self._rest = b""  # the beginning of a line whose end has not come yet

    def feed(self, data: bytes) -> Iterator[str]:
        """Yield complete lines that are not empty; FramingError if one is too long or no text."""
        *complete, self._rest = (self._rest + data).split(b"\n")
        for line in complete:
            _check_length(line)
            if not _NO_TEXT.isdisjoint(line):
                raise FramingError("expected lines of text, received other bytes")
            if text := line.decode("latin-1").strip():
                yield text
        rest = self._rest
        if len(rest) >= MAX_LINE:
            self._rest = b""
        _check_length(rest)


def _check_length(line: bytes) -> None:
    if len(line) >= MAX_LINE:
        raise FramingError(f"expected lines of at most {MAX_LINE} bytes, received a longer one")


def to_bytes(line: str) -> bytes:
    """Return a line as it is sent."""
    return line.encode("ascii", "replace") + b"\r\n"


class Line(ABC):
    """One line as a value; `str` gives its standard form."""

    __slots__ = ()

    PATTERN: ClassVar[re.Pattern[str]]
    """The pattern of a line of this kind, with single spaces."""

    @classmethod
    def _read(cls, match: re.Match[str], /) -> Self:
        """Return the value of a line that `PATTERN` matches; its groups are named as the fields."""
        groups = match.groupdict().items()
        return cls(**{name: _READERS[name](text) for name, text in groups})

    @abstractmethod
    def format(self, quirks: Quirks, /) -> str:
        """Return the line as a program with quirks sends it, without its end."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a line of this kind."""
        line = parse_line(text, (cls,))
        assert isinstance(line, cls)
        return line

    def __str__(self) -> str:
        return self.format(STANDARD)


def _seconds(text: str) -> int:
    total = 0
    for part in text.split(":"):
        total = 60 * total + int(part)
    return total


_VULNERABILITIES = {
    **dict.fromkeys(("neither", "none", "nobody", "love"), Vulnerability.NONE),
    "ns": Vulnerability.NS,
    "ew": Vulnerability.EW,
    **dict.fromkeys(("both", "all"), Vulnerability.ALL),
}

_READERS: dict[str, Callable[[Any], Any]] = {
    "seat": read_player,
    "dealer": Seat.parse,
    "hand": read_hand,
    "call": read_call,
    "alert": lambda word: word is not None and word.lower() == "alert",
    "meaning": lambda text: text or "",
    "card": read_card,
    "text": str,
    "number": int,
    "in_play": bool,
    "vulnerability": lambda word: _VULNERABILITIES[word.lower().replace("/", "")],
    **dict.fromkeys(("ns_board", "ns_total", "ew_board", "ew_total"), _seconds),
}


def parse_line(text: str, kinds: Sequence[type[Line]]) -> Line:
    """Read a line of one of several kinds."""
    tidied = " ".join(text.split())
    for kind in kinds:
        match = kind.PATTERN.fullmatch(tidied)
        if match is not None:
            try:
                return kind._read(match)
            except BridgeError as error:
                raise ProtocolError(str(error)) from None
    raise ProtocolError(f"{shown(tidied)} is not understood")


def pattern(text: str) -> re.Pattern[str]:
    """Return a line's pattern, which ignores case and allows punctuation at the end."""
    return re.compile(rf"(?:{text})[ .,;:!]*", re.IGNORECASE)


# A client takes its seat.

VERSION = 18
"""The version of the protocol that is used here."""

VERSIONS = (18, 19)
"""The versions that clients announce; no difference between them is known."""

ANY_SEAT = "ANYPL"
"""The word for any seat that is free."""


@dataclass(frozen=True, slots=True)
class Connecting(Line):
    """`Connecting "Team A" as North using protocol version 18`; `seat` is None for any."""

    team: str
    seat: Seat | None
    version: int = VERSION

    PATTERN = pattern(
        r'connecting[ :]*(?:"(?P<quoted>[^"]*)"|(?P<bare>.*?))'
        rf"(?: as (?P<seat>{SEAT}|any[a-z]*))? using protocol(?: version)?[ :]*"
        r"(?P<version>\d{1,4})"
    )

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        word = match["seat"]
        seat = None if word is None or word.lower().startswith("any") else Seat.parse(word)
        return cls(_team(match["quoted"], match["bare"]), seat, int(match["version"]))

    def format(self, quirks: Quirks) -> str:
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
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(Seat.parse(match["seat"]), _team(match["quoted"], match["bare"]))

    def format(self, quirks: Quirks) -> str:
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
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(_team(match["ns"], match["bare_ns"]), _team(match["ew"], match["bare_ew"]))

    def format(self, quirks: Quirks) -> str:
        colon = write_colon(quirks)
        ns, ew = _quoted(self.ns, quirks), _quoted(self.ew, quirks)
        return f"Teams{colon}N/S{colon}{ns} E/W{colon}{ew}"


@dataclass(frozen=True, slots=True)
class Refusal(Line):
    """`Error: text`, a manager's answer to a line that it does not accept."""

    text: str

    PATTERN = pattern(r"(?:error|unexpected|disconnect)\b[ .:]*(?P<text>.*?)")

    def format(self, _: Quirks) -> str:
        return f"Error: {tidy(self.text)}"


@dataclass(frozen=True, slots=True)
class EndOfSession(Line):
    """`End of session`; one manager ends with the result, which begins with `NS:`."""

    PATTERN = pattern(r"end of (?:the )?session|ns ?:.*")

    def format(self, _: Quirks) -> str:
        return "End of session"


def _team(quoted: str | None, bare: str | None) -> str:
    return (bare or "").strip() if quoted is None else quoted.strip()


def _quoted(team: str, quirks: Quirks) -> str:
    name = tidy(team).replace('"', "'")
    return f'"{name}"' if quirks.quotes else name


# The manager tells of a board: the deal, the leader, and the times.

_VULNERABLE = {
    Vulnerability.NONE: "Neither",
    Vulnerability.NS: "N/S",
    Vulnerability.EW: "E/W",
    Vulnerability.ALL: "Both",
}

_TIME = r"\d{1,6}(?::\d\d?){1,2}"


@dataclass(frozen=True, slots=True)
class StartOfBoard(Line):
    """`Start of Board`; in the middle of a board it means that the board is abandoned."""

    PATTERN = pattern(r"start of (?:the )?board")

    def format(self, _: Quirks) -> str:
        return "Start of Board"


@dataclass(frozen=True, slots=True)
class BoardInfo(Line):
    """`Board number 1. Dealer North. Neither vulnerable.`."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability

    PATTERN = pattern(
        rf"board(?: number)?[ :]*(?P<number>\d{{1,9}})[ .,:]*dealer[ :]*(?P<dealer>{SEAT})[ .,]+"
        r"(?P<vulnerability>neither|none|nobody|love|n/?s|e/?w|both|all)(?: sides?)?"
        r"(?: vulnerable| vul)?"
    )

    def format(self, quirks: Quirks) -> str:
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

    def format(self, quirks: Quirks) -> str:
        whose = write_player(self.seat, quirks)
        return f"{whose}'s cards{write_colon(quirks)}{write_hand(self.hand, quirks)}"


@dataclass(frozen=True, slots=True)
class ToLead(Line):
    """`West to lead`; `seat` is None for dummy."""

    seat: Seat | None

    PATTERN = pattern(rf"(?P<seat>{SEAT_OR_DUMMY}) to lead")

    def format(self, quirks: Quirks) -> str:
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

    def format(self, _: Quirks) -> str:
        ns = f"this board  {_short(self.ns_board)},  total  {_long(self.ns_total)}"
        ew = f"this board  {_short(self.ew_board)},  total  {_long(self.ew_total)}"
        return f"Timing - N/S : {ns}.  E/W : {ew}"


def _short(seconds: int) -> str:
    return f"{seconds // 60:02}:{seconds % 60:02}"


def _long(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


# Auction and play: calls, cards, and what a client is ready for.

MEANING_LIMIT = 900
"""The most characters of the meaning of a call that are written."""

NO_MEANING = "No explanation"
"""The answer if nothing is known about a call."""


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
    """`North ready for East's bid`."""

    seat: Seat
    wanted: Wanted
    # The seat of the caller, or of the card; None for dummy. Only a bid and a card have it.
    whose: Seat | None = None
    trick: int | None = None  # the number of the trick, from 1; None if the line does not name it

    PATTERN = pattern(
        rf"(?P<seat>{SEAT})(?: is)? ready (?:to (?P<start>start)|for "
        r"(?:(?P<thing>teams|deal|cards|dummy)"
        rf"|(?P<whose>{SEAT_OR_DUMMY}){POSSESSIVE} "
        r"(?:(?P<bid>bid)|card(?: to trick(?: number)? (?P<trick>\d{1,3}))?)))"
    )

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        seat = Seat.parse(match["seat"])
        if match["start"] or match["thing"]:
            return cls(seat, Wanted((match["start"] or match["thing"]).lower()))
        trick = None if match["trick"] is None else int(match["trick"])
        wanted = Wanted.BID if match["bid"] else Wanted.CARD
        return cls(seat, wanted, read_player(match["whose"]), trick)

    def format(self, quirks: Quirks) -> str:
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
        r"(?:[ .,;:!]*(?P<alert>alert|infos?)(?:ed)?\b[.:]? ?(?P<meaning>.*))?"
    )

    @classmethod
    def from_made(cls, seat: Seat, made: MadeCall) -> Self:
        """Return the line of a call."""
        meaning = "" if made.explanation is None else tidy(with_signs(str(made.explanation)))
        return cls(seat, made.call, made.alert, meaning)

    @property
    def made(self) -> MadeCall:
        """The call with its explanation."""
        return MadeCall(self.call, self.alert, read_meaning(self.meaning))

    def format(self, quirks: Quirks) -> str:
        text = f"{write_seat(self.seat, quirks)} {write_call(self.call, quirks)}"
        meaning = self.meaning[:MEANING_LIMIT].rstrip()
        if self.alert or (meaning and quirks.infos == "alert"):
            return f"{text} Alert. {meaning}".rstrip()
        if meaning and quirks.infos == "infos":
            return f"{text} Infos. {meaning}"
        return text


@dataclass(frozen=True, slots=True)
class Played(Line):
    """`West plays JD`; `seat` is None for dummy, if the line says so."""

    seat: Seat | None
    card: Card

    PATTERN = pattern(rf"(?P<seat>{SEAT_OR_DUMMY}) plays? (?:the )?(?P<card>{CARD})")

    def format(self, quirks: Quirks) -> str:
        return f"{write_player(self.seat, quirks)} plays {write_card(self.card, quirks)}"


@dataclass(frozen=True, slots=True)
class Explain(Line):
    """`Explain North's 1H`: a question about a call; the answer is a line of free text."""

    seat: Seat
    call: Call

    PATTERN = pattern(rf"explain (?P<seat>{SEAT}){POSSESSIVE} (?P<call>{CALL})")

    def format(self, quirks: Quirks) -> str:
        return f"Explain {write_seat(self.seat, quirks)}'s {self.call}"


@dataclass(frozen=True, slots=True)
class Illegal(Line):
    """`Illegal bid` or `Illegal card`: another call or card is expected."""

    in_play: bool

    PATTERN = pattern(r"illegal (?:bid|call|(?P<in_play>card|play))")

    def format(self, _: Quirks) -> str:
        return "Illegal card" if self.in_play else "Illegal bid"


def read_meaning(text: str) -> Explanation | None:
    """Return the explanation that a line gives; None if it gives none."""
    if not text or text.rstrip(".").lower() == NO_MEANING.lower():
        return None
    explanation = read_words(text)
    return replace(explanation, text=explanation.text[:TEXT_LIMIT])
