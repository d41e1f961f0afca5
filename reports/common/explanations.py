"""The comparison of hands with the promises of their calls.

Every call counts, also on unfinished boards. Calls of a match of card play only do not, as its
auctions were given. A pass that was substituted for a missing answer counts for its player, and
explains nothing. A range that all hands keep, 0-37 points or 0-13 cards, is no promise.

Explanations are read as a file holds them (`pbn.annotations`), so that a match gives the same
figures from its store and from its PBN file: a text that has the form of promises is read as
promises.

One observation is a range promised (or, for `kept`, a call with ranges). A hand makes several
calls, and one call often repeats the mistake of another: standard errors are clustered by deal,
which covers all that was bid on it, by either pair and in either room.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest

from pydantic import model_serializer

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS_DOWN, Deal, Hand, Suit
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.explanation import Explanation, Range
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode, Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.annotations import made_call, note_of
from bridge_arena.reports.common.values import Hidden, Json
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean

MOST_BROKEN = 5
"""The most calls with broken promises that are shown."""

POINTS_OF_A_CARD = 3
"""The high-card points that count as much as one card outside of a range: over all hands, points
have a standard deviation of 4.13, the length of a suit one of 1.37."""

SUIT_KEYS = {suit: suit.name.lower() for suit in SUITS_DOWN}
"""Each suit's name in keys and columns."""

Examined = tuple[BoardRecord, Collection[Seat]]
"""A table, and the seats there whose calls are examined."""


@dataclass(frozen=True, slots=True)
class Promises:
    """The promises of one kind, in points or in cards."""

    kept: Mean  # the share of them that was kept, 0 to 1
    width: float | None  # the mean distance from the lowest to the highest value promised
    missed_by: Mean  # the mean distance of the broken ones from the range


@dataclass(frozen=True, slots=True)
class Broken:
    """A call whose hand did not keep what it promised."""

    record: Hidden[BoardRecord]
    seat: Hidden[Seat]
    at: int  # the place of the call in the auction, from 0
    promised: Hidden[Explanation]
    points: int  # how far the points are outside of the range: negative if too few, 0 if inside
    # The same for suits; suits inside their ranges are left out.
    lengths: Hidden[Mapping[Suit, int]]

    @property
    def call(self) -> Call:
        return self.record.calls[self.at].call

    @property
    def hand(self) -> Hand:
        return self.record.board.deal[self.seat]

    @property
    def weight(self) -> int:
        """The severity: all that was missed, in points."""
        cards = sum(map(abs, self.lengths.values()))
        return abs(self.points) + POINTS_OF_A_CARD * cards

    @model_serializer
    def values(self) -> Json:
        room = self.record.room
        cards = {SUIT_KEYS[suit]: off for suit, off in self.lengths.items()}
        return {
            "board": self.record.board.number,
            "room": room.value if room else None,
            "seat": str(self.seat),
            "position": self.at + 1,
            "call": str(self.call),
            "promised": str(self.promised),
            "hand": str(self.hand),
            "off": ({"hcp": self.points} if self.points else {}) | cards,
        }


@dataclass(frozen=True, slots=True)
class ExplanationFigures:
    """The figures of the calls of one entry."""

    calls: int
    alerted: int
    explained: int  # calls with text or promises
    with_ranges: int  # calls that promised points or lengths
    kept: Mean  # the share of these that kept all their promises
    hcp: Promises
    spades: Promises
    hearts: Promises
    diamonds: Promises
    clubs: Promises
    worst: tuple[Broken, ...]  # the calls with the worst broken promises, at most one of each hand

    @property
    def kinds(self) -> dict[str, Promises]:
        """Each kind of promise by its name: points, and the length of each suit."""
        return {"points": self.hcp, **{name: getattr(self, name) for name in SUIT_KEYS.values()}}


def explanation_figures(tables: Iterable[Examined]) -> ExplanationFigures:
    """Return the figures of the calls from some seats; the order of the tables does not matter."""
    audit = _Audit()
    for record, seats in tables:
        if record.mode is not Mode.PLAY:
            audit.add(record, seats)
    return ExplanationFigures(
        calls=audit.calls,
        alerted=audit.alerted,
        explained=audit.explained,
        with_ranges=len(audit.kept),
        kept=clustered_mean(audit.kept),
        hcp=audit.hcp.promises(),
        **{SUIT_KEYS[suit]: kind.promises() for suit, kind in audit.suits.items()},
        worst=tuple(nsmallest(MOST_BROKEN, audit.broken, key=_order)),
    )


@dataclass
class _Kind:
    """The promises of one kind so far, with the clusters that they belong to."""

    kept: list[tuple[int, float]] = field(default_factory=list)
    missed: list[tuple[int, float]] = field(default_factory=list)
    width: int = 0

    def add(self, cluster: int, promised: Range, held: int) -> int:
        """Add a promise, and return how far the hand is outside of the range, negative if below."""
        low, high = promised
        off = min(held - low, 0) + max(held - high, 0)
        self.kept.append((cluster, float(not off)))
        self.width += high - low
        if off:
            self.missed.append((cluster, abs(off)))
        return off

    def promises(self) -> Promises:
        count = len(self.kept)
        width = self.width / count if count else None
        return Promises(clustered_mean(self.kept), width, clustered_mean(self.missed))


@dataclass
class _Audit:
    """The sums over the tables so far; `deals` has the numbers of the deals' clusters."""

    calls: int = 0
    alerted: int = 0
    explained: int = 0
    kept: list[tuple[int, float]] = field(default_factory=list)
    hcp: _Kind = field(default_factory=_Kind)
    suits: Mapping[Suit, _Kind] = field(default_factory=lambda: {s: _Kind() for s in SUITS_DOWN})
    broken: list[Broken] = field(default_factory=list)
    deals: dict[Deal, int] = field(default_factory=dict)

    def add(self, record: BoardRecord, seats: Collection[Seat]) -> None:
        """Add the calls of some seats at a table."""
        cluster = self.deals.setdefault(record.board.deal, len(self.deals))
        worst: dict[Seat, Broken] = {}
        for at, made in enumerate(record.calls):
            seat = SEATS[(record.board.dealer + at) & 3]
            if seat not in seats:
                continue
            self.calls += 1
            self.alerted += made.alert
            promised = _explanation_of(made)
            if promised is None:
                continue
            self.explained += 1
            points, lengths = self._check(promised, record.board.deal[seat], cluster)
            broken = Broken(record, seat, at, promised, points, lengths)
            if broken.weight > (worst[seat].weight if seat in worst else 0):
                worst[seat] = broken
        self.broken += worst.values()

    def _check(
        self, promised: Explanation, hand: Hand, cluster: int
    ) -> tuple[int, dict[Suit, int]]:
        """Return by how many points and cards the hand missed the promises, as `Broken` has it."""
        points = 0
        lengths: dict[Suit, int] = {}
        of_suits = {suit: range_ for suit, range_ in promised.lengths.items() if range_ != (0, 13)}
        of_points = None if promised.hcp == (0, 37) else promised.hcp
        if of_points is not None:
            points = self.hcp.add(cluster, of_points, hcp(hand))
        for suit, range_ in of_suits.items():
            if off := self.suits[suit].add(cluster, range_, hand.length(suit)):
                lengths[suit] = off
        if of_suits or of_points is not None:
            self.kept.append((cluster, float(not points and not lengths)))
        return points, lengths


def _explanation_of(made: MadeCall) -> Explanation | None:
    """Return the explanation that a file holds of a call; None if it holds none."""
    text = str(made_call(made.call, note_of(made)).explanation or "").strip()
    return Explanation.parse(text) if text else None


def _order(broken: Broken) -> tuple[int, int, int, int, str, bool, int]:
    """Return the sort key: the worst first, and of equals the one played first."""
    record = broken.record
    return (
        -broken.weight,
        record.round or 1,
        record.table or 1,
        record.board.number,
        str(record.board.deal),
        record.room is Room.CLOSED,
        broken.at,
    )
