"""Whether hands kept what their calls promised.

Every call counts, of unfinished boards too; of a match of card play alone none does, as its
auctions were given. A pass put in for a player who gave no answer is that player's, and
explains nothing. A range that all hands keep, 0-37 points or 0-13 cards, is no promise.

What is told is read as a file has it (`pbn.annotations`), so that a match gives the same
figures from its store and from its PBN: a text that looks like promises is read as such.

One observation is a range promised (or, of `kept`, a call with ranges). A hand makes several
calls, and what one gets wrong the next often repeats: standard errors are clustered by deal,
which holds for all that was bid on it, by either pair and in either room.
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
from bridge_arena.tournaments.statistics.clustered import clustered_mean
from bridge_arena.tournaments.statistics.means import Mean

MOST_BROKEN = 5
"""Calls shown at most of those that promised what the hand did not hold."""

POINTS_OF_A_CARD = 3
"""High-card points that miss a range as badly as one card does: over all hands, points have
a standard deviation of 4.13, the length of a suit one of 1.37."""

SUIT_KEYS = {suit: suit.name.lower() for suit in SUITS_DOWN}
"""Each suit's name in keys and columns."""

Told = tuple[BoardRecord, Collection[Seat]]
"""A table, and the seats there whose calls are looked at."""


@dataclass(frozen=True, slots=True)
class Promises:
    """What became of the promises of one kind. `kept`: the share of them, 0 to 1; `width`:
    from the lowest to the highest value promised, a mean; `missed_by`: how far outside of
    the range the others were, a mean over these. In points, or in cards."""

    kept: Mean
    width: float | None
    missed_by: Mean


@dataclass(frozen=True, slots=True)
class Broken:
    """A call whose hand did not keep what it promised. `at`: its place in the auction, from
    0. `points`, `lengths`: how far outside of the range, negative where the hand had too
    little, 0 or left out where it kept its promise."""

    record: Hidden[BoardRecord]
    seat: Hidden[Seat]
    at: int
    told: Hidden[Explanation]
    points: int
    lengths: Hidden[Mapping[Suit, int]]

    @property
    def call(self) -> Call:
        return self.record.calls[self.at].call

    @property
    def hand(self) -> Hand:
        return self.record.board.deal[self.seat]

    @property
    def weight(self) -> int:
        """How bad it is: all that was missed, in points."""
        cards = sum(map(abs, self.lengths.values()))
        return abs(self.points) + POINTS_OF_A_CARD * cards

    @model_serializer
    def values(self) -> Json:
        """Return what JSON files hold of it."""
        room = self.record.room
        cards = {SUIT_KEYS[suit]: off for suit, off in self.lengths.items()}
        return {
            "board": self.record.board.number,
            "room": room.value if room else None,
            "seat": str(self.seat),
            "position": self.at + 1,
            "call": str(self.call),
            "promised": str(self.told),
            "hand": str(self.hand),
            "off": ({"hcp": self.points} if self.points else {}) | cards,
        }


@dataclass(frozen=True, slots=True)
class ExplanationFigures:
    """What the calls of one entry told. `explained`: calls with text or promises, of which
    `with_ranges` promised points or lengths. `kept`: the share of these that kept all they
    promised. `hcp`: of high-card points; the suits: of their lengths. `worst`: those that broke
    most, one of a hand at most.
    """

    calls: int
    alerted: int
    explained: int
    with_ranges: int
    kept: Mean
    hcp: Promises
    spades: Promises
    hearts: Promises
    diamonds: Promises
    clubs: Promises
    worst: tuple[Broken, ...]

    @property
    def kinds(self) -> dict[str, Promises]:
        """Each kind of promise by its name: points, and the length of each suit."""
        return {
            "points": self.hcp,
            **{name: getattr(self, name) for name in SUIT_KEYS.values()},
        }


def explanation_figures(tables: Iterable[Told]) -> ExplanationFigures:
    """The figures of the calls that those seats made, in whatever order the tables come."""
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
        """How far outside of the range, negative below it."""
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
    """Sums over the tables so far. `deals`: their numbers as clusters."""

    calls: int = 0
    alerted: int = 0
    explained: int = 0
    kept: list[tuple[int, float]] = field(default_factory=list)
    hcp: _Kind = field(default_factory=_Kind)
    suits: Mapping[Suit, _Kind] = field(default_factory=lambda: {s: _Kind() for s in SUITS_DOWN})
    broken: list[Broken] = field(default_factory=list)
    deals: dict[Deal, int] = field(default_factory=dict)

    def add(self, record: BoardRecord, seats: Collection[Seat]) -> None:
        cluster = self.deals.setdefault(record.board.deal, len(self.deals))
        worst: dict[Seat, Broken] = {}
        for at, made in enumerate(record.calls):
            seat = SEATS[(record.board.dealer + at) & 3]
            if seat not in seats:
                continue
            self.calls += 1
            self.alerted += made.alert
            told = _told(made)
            if told is None:
                continue
            self.explained += 1
            points, lengths = self._check(told, record.board.deal[seat], cluster)
            broken = Broken(record, seat, at, told, points, lengths)
            if broken.weight > (worst[seat].weight if seat in worst else 0):
                worst[seat] = broken
        self.broken += worst.values()

    def _check(self, told: Explanation, hand: Hand, cluster: int) -> tuple[int, dict[Suit, int]]:
        """What the hand missed of the promises, points and cards, as `Broken` has it."""
        points = 0
        lengths: dict[Suit, int] = {}
        range_of = {suit: each for suit, each in told.lengths.items() if each != (0, 13)}
        of_points = None if told.hcp == (0, 37) else told.hcp
        if of_points is not None:
            points = self.hcp.add(cluster, of_points, hcp(hand))
        for suit, promised in range_of.items():
            if off := self.suits[suit].add(cluster, promised, hand.length(suit)):
                lengths[suit] = off
        if range_of or of_points is not None:
            self.kept.append((cluster, float(not points and not lengths)))
        return points, lengths


def _told(made: MadeCall) -> Explanation | None:
    """What a file tells of a call; None where that is nothing."""
    text = str(made_call(made.call, note_of(made)).explanation or "").strip()
    return Explanation.parse(text) if text else None


def _order(broken: Broken) -> tuple[int, int, int, int, str, bool, int]:
    """The worst first; of equals the one played first, wherever it stood."""
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
