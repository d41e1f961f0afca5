"""How the versions on a ladder bid and play: sums over their tables, which make their style.

They change in the transaction that ends a match. A measure of the style is the quotient of two
sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from operator import add

from bridge_arena.bridge.calls import DOUBLE, PASS, Contract, Denomination, Risk
from bridge_arena.bridge.cards import CARDS
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.record import BoardRecord, FaultKind, Mode
from bridge_arena.bridge.seats import SEATS, SIDES, Side
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

    Those of auctions are of tables that came to a result, and at which the players bid; those of
    contracts are of tables that came to a result; times and faults are of all tables.
    """

    auctions: int = 0
    calls: int = 0  # of all four players in these auctions
    # How often it could open in each seat, as everybody before had passed, and how often it did.
    first_chances: int = 0
    second_chances: int = 0
    third_chances: int = 0
    fourth_chances: int = 0
    first_openings: int = 0
    second_openings: int = 0
    third_openings: int = 0
    fourth_openings: int = 0
    openings: int = 0
    notrump_openings: int = 0  # of 1NT
    weak_twos: int = 0  # openings of 2D, 2H or 2S with at most 11 points
    preempts: int = 0  # openings of a suit at the three level or higher
    # How often the opponent before it opened one of a suit, and what it did at once.
    overcall_chances: int = 0
    overcalls: int = 0  # bids
    takeout_doubles: int = 0
    results: int = 0  # tables that came to a result, passed out or not
    contracts: int = 0  # those that it declared
    levels: int = 0  # the sum of their levels
    games: int = 0  # those of them that are worth a game, and no slam
    games_made: int = 0
    slams: int = 0
    slams_made: int = 0
    contracts_doubled: int = 0  # those that the opponents doubled
    claims: int = 0  # those that ended by a claim
    defences: int = 0  # contracts of the opponents
    doubles: int = 0  # those that it doubled
    doubles_set: int = 0  # those of these that went down
    # Its calls and cards whose time was measured, and their seconds.
    timed_calls: int = 0
    call_seconds: float = 0.0
    timed_cards: int = 0
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

    @property
    def faults(self) -> dict[FaultKind, int]:
        """The numbers of its faults, of the kinds that it committed."""
        every = {kind: getattr(self, kind.value) for kind in FaultKind}
        return {kind: faults for kind, faults in every.items() if faults}


SUMS = tuple(field.name for field in fields(Style))
"""The names of the sums."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of style: the quotient of two sums."""

    name: str
    about: str  # what it counts, and of what
    part: str  # the sum above the line
    whole: str  # the sum below it
    is_share: bool = True  # else it is a mean

    def text(self, style: Style) -> str:
        """Return it, as `12 %` or `9.40`."""
        part, whole = getattr(style, self.part), getattr(style, self.whole)
        if not whole:
            return "–"
        if self.is_share:
            return f"{100 * part / whole:.0f} %"
        return f"{part / whole:.2f}" if part > 0.1 * whole else f"{part / whole:.3f}"


def _opens(seat: str, about: str) -> Measure:
    return Measure(f"Opens in {seat} seat", about, f"{seat}_openings", f"{seat}_chances")


MEASURES: dict[str, tuple[Measure, ...]] = {
    "Opening": (
        _opens("first", "when dealer"),
        _opens("second", "when dealer passes"),
        _opens("third", "after two passes"),
        _opens("fourth", "after three passes"),
        Measure("1NT", "of its openings", "notrump_openings", "openings"),
        Measure("Weak twos", "of its openings; at most 11 points", "weak_twos", "openings"),
        Measure("Pre-empts", "of its openings; a suit at level 3 or more", "preempts", "openings"),
    ),
    "Over an opening of one of a suit before it": (
        Measure("Overcalls", "when next to call", "overcalls", "overcall_chances"),
        Measure("Takeout doubles", "when next to call", "takeout_doubles", "overcall_chances"),
    ),
    "Contracts": (
        Measure("Declares", "of all tables", "contracts", "results"),
        Measure("Level", "mean of its contracts", "levels", "contracts", is_share=False),
        Measure("Games", "of its contracts, without slams", "games", "contracts"),
        Measure("Games made", "of its games", "games_made", "games"),
        Measure("Slams", "of its contracts", "slams", "contracts"),
        Measure("Slams made", "of its slams", "slams_made", "slams"),
        Measure("Claims", "of its contracts", "claims", "contracts"),
    ),
    "Doubles": (
        Measure("Doubles", "of the opponents’ contracts", "doubles", "defences"),
        Measure("Doubles that set it", "of contracts that it doubled", "doubles_set", "doubles"),
        Measure("Is doubled", "of its contracts", "contracts_doubled", "contracts"),
    ),
    "Tempo": (
        Measure("Calls", "mean of its auctions, of all four", "calls", "auctions", is_share=False),
        Measure("Seconds a call", "mean", "call_seconds", "timed_calls", is_share=False),
        Measure("Seconds a card", "mean", "card_seconds", "timed_cards", is_share=False),
    ),
}
"""What a bridge player finds telling, by what it is about."""


def styles_of(records: Iterable[BoardRecord]) -> tuple[Style, Style]:
    """Return what the home team and the visitors did at the tables of a match."""
    sums: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for record in records:
        for side in SIDES:
            of_side = sums[team_at(side, record.room)]
            of_side.update(_faults(record, side))
            _add_times(of_side, record, side)
            if record.is_finished:
                if record.mode is not Mode.PLAY:
                    of_side.update(auctions=1, calls=len(record.calls))
                    of_side.update(_entries_to_the_auction(record, side))
                of_side.update(_contracts(record, side))
    home, visitors = (Style(**dict(sums[team])) for team in (HOME, VISITORS))
    return home, visitors


def _entries_to_the_auction(record: BoardRecord, side: Side) -> Iterator[str]:
    """Yield the openings of a side, or what it did over an opening before it."""
    bid = next((place for place, made in enumerate(record.calls) if made.call.is_bid), None)
    for place in range(len(_SEATS) if bid is None else bid + 1):
        if record.caller(place).side is side:
            yield f"{_SEATS[place]}_chances"
    if bid is None:
        return
    opening = record.calls[bid].call
    is_suit = opening.denomination is not Denomination.NOTRUMP
    if (opener := record.caller(bid)).side is side:
        yield "openings"
        yield f"{_SEATS[bid]}_openings"
        if opening.level == 1 and not is_suit:
            yield "notrump_openings"
        elif opening.level == 2 and is_suit and opening.denomination is not Denomination.CLUBS:
            if hcp(record.board.deal[opener]) <= _MOST_OF_WEAK_TWO:
                yield "weak_twos"
        elif opening.level > 2 and is_suit:
            yield "preempts"
    elif opening.level == 1 and is_suit:
        yield "overcall_chances"
        over = record.calls[bid + 1].call
        if over != PASS:
            yield "takeout_doubles" if over == DOUBLE else "overcalls"


def _contracts(record: BoardRecord, side: Side) -> Counter[str]:
    """Return the sums of a table's result for a side."""
    sums = Counter(results=1)
    contract, tricks = record.contract, record.tricks
    if contract is None or tricks is None:
        return sums
    is_made = tricks >= contract.tricks_needed
    is_doubled = contract.risk is not Risk.UNDOUBLED
    if contract.declarer.side is side:
        sums.update(contracts=1, levels=contract.level, contracts_doubled=is_doubled)
        if (kind := _worth(contract)) is not None:
            sums.update({kind: 1, f"{kind}_made": int(is_made)})
        sums["claims"] = record.mode is not Mode.BIDDING and len(record.cards) < len(CARDS)
    else:
        sums.update(defences=1, doubles=is_doubled, doubles_set=is_doubled and not is_made)
    return sums


def _worth(contract: Contract) -> str | None:
    """Return whether a contract is one of the `slams` or `games`; None for a part score."""
    if contract.level >= _SMALL_SLAM:
        return "slams"
    return "games" if contract.level >= _GAME_LEVELS[contract.denomination] else None


def _add_times(sums: Counter[str], record: BoardRecord, side: Side) -> None:
    """Add the calls and cards of a side whose time was measured."""
    callers = Counter(map(record.caller, range(len(record.calls))))
    for seat in SEATS if record.times else ():
        if seat.side is not side:
            continue
        calls = 0 if record.mode is Mode.PLAY else callers[seat]
        own = record.times[seat]
        sums.update(timed_calls=len(own[:calls]), timed_cards=len(own[calls:]))
        # Counters of numbers that are no integers are floats, which add up as well.
        sums["call_seconds"] += sum(own[:calls]) / 1000  # type: ignore[assignment]
        sums["card_seconds"] += sum(own[calls:]) / 1000  # type: ignore[assignment]


def _faults(record: BoardRecord, side: Side) -> Counter[str]:
    """Return the numbers of faults of a side by kind."""
    return Counter(fault.kind.value for fault in record.faults if fault.seat.side is side)
