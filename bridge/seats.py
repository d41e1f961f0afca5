"""The four seats, the two sides, and vulnerability."""

from __future__ import annotations

from enum import Enum, IntEnum

from bridge_arena.bridge.errors import NotationError


class Side(IntEnum):
    """A side: North-South or East-West."""

    NS = 0
    EW = 1

    @property
    def other(self) -> Side:
        """The opponents' side."""
        return SIDES[1 - self]

    def __str__(self) -> str:
        return self.name


SIDES: tuple[Side, ...] = tuple(Side)
"""The two sides, indexed by their number."""


class Seat(IntEnum):
    """A seat at the table, numbered clockwise from North."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @classmethod
    def parse(cls, text: str) -> Seat:
        """Read a seat, `N E S W` or a full name, in any case; else raise NotationError."""
        seat = _SEAT_OF.get(text) or _SEAT_OF.get(text.upper())
        if seat is None:
            raise NotationError(f"{text!r} is not a seat (N, E, S or W)")
        return seat

    def __bool__(self) -> bool:
        return True  # North is a seat, though its int is 0

    @property
    def letter(self) -> str:
        """The seat's letter: N, E, S or W."""
        return "NESW"[self]

    @property
    def side(self) -> Side:
        """The seat's side."""
        return SIDES[self & 1]

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return SEATS[self ^ 2]

    @property
    def next(self) -> Seat:
        """The seat to the left, whose turn comes after this one's."""
        return SEATS[(self + 1) & 3]

    @property
    def previous(self) -> Seat:
        """The seat to the right, whose turn comes before this one's."""
        return SEATS[(self + 3) & 3]

    def __str__(self) -> str:
        return self.letter


SEATS: tuple[Seat, ...] = tuple(Seat)
"""The four seats, indexed by their number."""

_SEAT_OF = {text: seat for seat in SEATS for text in (seat.letter, seat.name)}


class Vulnerability(Enum):
    """The vulnerable sides; the values are PBN's words (PBN 2.1, Vulnerable tag)."""

    NONE = "None"
    NS = "NS"
    EW = "EW"
    ALL = "All"

    @classmethod
    def parse(cls, text: str) -> Vulnerability:
        """Read PBN's words in any case, or their synonyms Love, - and Both; else NotationError."""
        try:
            return _VULNERABILITY_WORDS[text.upper()]
        except KeyError:
            raise NotationError(f"{text!r} is not a vulnerability (None, NS, EW or All)") from None

    def includes(self, side: Side) -> bool:
        """Return whether a side is vulnerable."""
        return self is Vulnerability.ALL or self.value == side.name

    def __str__(self) -> str:
        return self.value


_VULNERABILITY_WORDS = {
    **{sides.value.upper(): sides for sides in Vulnerability},
    **{"LOVE": Vulnerability.NONE, "-": Vulnerability.NONE, "BOTH": Vulnerability.ALL},
}
