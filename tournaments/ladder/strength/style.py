"""How the versions on a ladder bid and play: sums over their tables, which make their style.

They change in the transaction that ends a match. A figure of the style is a share of chances, or a
mean, so that it is a quotient of two sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from operator import add

from bridge_arena.bridge.calls import DOUBLE, PASS, Contract, Denomination, Risk
from bridge_arena.bridge.cards import DECK_SIZE
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, team_at

_SEATS = "first", "second", "third", "fourth"

_MOST_OF_WEAK_TWO = 11
"""The most high-card points of a weak two."""

_GAME_LEVELS = {
    Denomination.CLUBS: 5,
    Denomination.DIAMONDS: 5,
    Denomination.HEARTS: 4,
    Denomination.SPADES: 4,
    Denomination.NOTRUMP: 3,
}

_SMALL_SLAM = 6


@dataclass(frozen=True, slots=True)
class Style:
    """What a version did at its tables, in sums.

    Those of auctions are of the tables at which it bid, and that came to a result; those of
    contracts and of play are of the tables that came to a result; faults are of all tables.
    """

    tables: int = 0
    # How often it could open in each seat, as everybody before had passed, and how often it did.
    first_chances: int = 0
    second_chances: int = 0
    third_chances: int = 0
    fourth_chances: int = 0
    first_openings: int = 0
    second_openings: int = 0
    third_openings: int = 0
    fourth_openings: int = 0
    notrump_openings: int = 0  # of 1NT
    weak_twos: int = 0  # openings of 2D, 2H or 2S with at most 11 points
    preempts: int = 0  # openings of a suit at the three level or higher
    # How often the opponent before it opened one of a suit, and what it did at once.
    overcall_chances: int = 0
    overcalls: int = 0  # bids
    takeout_doubles: int = 0
    calls: int = 0  # of all four players
    contracts: int = 0  # that it declared
    levels: int = 0  # the sum of their levels
    games: int = 0  # of them, without slams
    games_made: int = 0
    slams: int = 0
    slams_made: int = 0
    contracts_doubled: int = 0  # by the opponents
    defences: int = 0  # contracts of the opponents
    doubles: int = 0  # those of them that it doubled
    doubles_set: int = 0  # those of these that went down
    claims: int = 0  # of its contracts that ended by a claim
    own_calls: int = 0  # those of its calls whose time was measured, and their seconds
    call_seconds: float = 0.0
    cards: int = 0
    card_seconds: float = 0.0
    # Its faults by kind.
    illegal: int = 0
    malformed: int = 0
    timeout: int = 0
    stall: int = 0
    disconnect: int = 0
    crash: int = 0
    refused: int = 0
    undo: int = 0

    def __add__(self, other: Style) -> Style:
        """Return the sums of both."""
        return Style(*map(add, astuple(self), astuple(other)))


SUMS = tuple(field.name for field in fields(Style))
"""The names of the sums."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of style: the quotient of two sums."""

    name: str
    of: str  # what it is a share or the mean of
    part: str  # the sum above the line
    whole: str  # the sum below it
    is_share: bool = True  # else it is a mean
    decimals: int = 0  # of the percentage, or of the mean

    def of_style(self, style: Style) -> float | None:
        """Return the figure; None if there is nothing that it could be of."""
        whole = getattr(style, self.whole)
        return getattr(style, self.part) / whole if whole else None

    def text(self, style: Style) -> str:
        """Return the figure in words, as `12 %`."""
        value = self.of_style(style)
        if value is None:
            return "–"
        return f"{100 * value:.{self.decimals}f} %" if self.is_share else f"{value:.2f}"


MEASURES = {
    "Opening": (
        *(
            Measure(f"Opens in {seat} seat", "when nobody has", f"{seat}_openings", whole)
            for seat, whole in ((seat, f"{seat}_chances") for seat in _SEATS)
        ),
    ),
}
