"""What the terminal and the page show of all findings: counts, costs of players, and sums.

The sums are over tables, by player, pair, team, role, contract level and denomination. One
observation is one table. Each figure is signed for the one that it is counted for: IMPs that a
player's own errors cost are negative in that player's line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.recorded.field.overview import Biggest, FieldOverview
from bridge_arena.reports.common.costs import CallCost, clear_costs
from bridge_arena.tournaments import HOME, team_at
from bridge_arena.tournaments.statistics.means import Mean, RunningMean

WORST = 20
"""The most cards, and the most calls, that are kept."""

BIGGEST = 20
"""The number of boards shown: those farthest from par, or with the biggest swings."""

PROBLEMS = 50
"""Problems kept to be shown."""


class Group(StrEnum):
    ALL = "all"
    ROLE = "role"
    LEVEL = "level"
    DENOMINATION = "denomination"
    TEAM = "team"
    PAIR = "pair"
    PLAYER = "player"


class Measure(StrEnum):
    TRICKS_VS_DD = "tricks_vs_dd"  # tricks taken less double-dummy tricks, for the own side
    TRICKS_LOST = "tricks_lost"  # double-dummy tricks that the ledger charges
    IMPS = "imps"  # against par


DECLARER, DEFENDERS, RESULT, AUCTION = "declarer", "defenders", "result", "auction"
"""Roles besides those of the ledger: the two sides, the whole result, the contract."""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    group: Group
    name: str  # the name of the player, pair, team and so on
    role: str  # the role in which the tables are counted
    measure: Measure


_Observation = tuple[str, Measure, float]


class Totals:
    def __init__(self) -> None:
        self._means: dict[Key, RunningMean] = {}

    def add(self, finding: Finding) -> None:
        record = finding.entry.record
        if record is None:
            return
        sides = {side: list(_observations(finding, record, side)) for side in Side}
        for side, observations in sides.items():
            names = [record.players[seat] for seat in SEATS if seat.side == side]
            if all(names):
                self._add_all(Group.PAIR, " - ".join(sorted(names)), observations)
            self._add_all(Group.TEAM, _team(record, side), observations)
        contract = record.contract
        if contract is not None:
            side = contract.declarer.side
            # Declarer's figures, and of the other side only those that declarer does not have.
            others = [item for item in sides[side.other] if item[0] in _DEFENCE]
            play = [*sides[side], *others]
            self._add_all(Group.ALL, "", play)
            self._add_all(Group.LEVEL, str(contract.level), play)
            self._add_all(Group.DENOMINATION, str(contract.denomination), play)
            for role, measure, value in play:
                if role in tuple(Role):
                    self._add(Key(Group.ROLE, role, role, measure), value)
        for seat in SEATS:
            if record.players[seat]:
                own = list(_of_player(finding, record, seat, sides[seat.side]))
                self._add_all(Group.PLAYER, record.players[seat], own)

    def get(self, group: Group, name: str, role: str, measure: Measure) -> Mean:
        """Return the mean of a line, which may have no observations."""
        running = self._means.get(Key(group, name, role, measure))
        return running.mean if running else Mean(0, None, None)

    def names(self, group: Group) -> list[str]:
        return sorted({key.name for key in self._means if key.group == group})

    def __iter__(self) -> Iterator[tuple[Key, Mean]]:
        order = list(Group)
        for key in sorted(self._means, key=lambda key: (order.index(key.group), key)):
            yield key, self._means[key].mean

    def _add_all(self, group: Group, name: str, observations: list[_Observation]) -> None:
        if name or group is Group.ALL:
            for role, measure, value in observations:
                self._add(Key(group, name, role, measure), value)

    def _add(self, key: Key, value: float) -> None:
        if key not in self._means:
            self._means[key] = RunningMean()
        self._means[key].add(value)


_DEFENCE = (Role.OPENING_LEAD, Role.DEFENCE)


def _observations(finding: Finding, record: BoardRecord, side: Side) -> Iterator[_Observation]:
    sign = 1 if side == Side.NS else -1
    if finding.imps is not None:
        yield RESULT, Measure.IMPS, sign * finding.imps
    if finding.auction_imps is not None:
        yield AUCTION, Measure.IMPS, sign * finding.auction_imps
    if record.contract is None:
        return
    declares = record.contract.declarer.side == side
    if finding.difference is not None:
        role = DECLARER if declares else DEFENDERS
        gained = finding.difference if declares else -finding.difference
        yield role, Measure.TRICKS_VS_DD, gained
    for role in (Role.DECLARER_PLAY,) if declares else _DEFENCE:
        if finding.ledger is not None:
            yield role, Measure.TRICKS_LOST, finding.ledger.lost(role)
        if finding.against_par is not None:
            part = finding.against_par.parts[Room.OPEN, role]
            yield role, Measure.IMPS, sign * part + 0.0


def _of_player(
    finding: Finding, record: BoardRecord, seat: Seat, of_side: list[_Observation]
) -> Iterator[_Observation]:
    """Yield the part of a side's observations that belongs to a player."""
    # Dummy has no part in the play, and the lead is the leader's. Each defender is counted
    # the tricks of the defence that it lost alone.
    contract = record.contract
    for role, measure, value in of_side:
        if role in (RESULT, AUCTION, DEFENDERS):
            yield role, measure, value
        elif contract is None:
            continue
        elif role in (DECLARER, Role.DECLARER_PLAY):
            if seat == contract.declarer:
                yield role, measure, value
        elif role == Role.OPENING_LEAD:
            if seat == contract.declarer.next:
                yield role, measure, value
        elif measure is Measure.TRICKS_LOST and finding.ledger is not None:
            losses = finding.ledger.losses
            own = [loss.tricks for loss in losses if (loss.seat, loss.role) == (seat, role)]
            yield role, measure, sum(own)


def _team(record: BoardRecord, side: Side) -> str:
    if record.room is None:
        return ""
    return record.home if team_at(side, record.room) == HOME else record.visitors


@dataclass(frozen=True, slots=True)
class CostlyCard:
    finding: Finding  # on its table
    by: str  # the player: the name, or the seat if there is none; declarer for dummy's cards
    card: Card
    trick: int
    tricks: int  # the tricks that it cost


@dataclass(frozen=True, slots=True)
class CostlyCall:
    """A call that clearly cost IMPs."""

    finding: Finding  # on its table
    by: str  # the player: the name, or the seat if there is none
    cost: CallCost


@dataclass(slots=True)
class Sum:
    cards: int = 0  # the number of cards that cost a double-dummy trick
    tricks: int = 0  # the tricks that they cost
    calls: int = 0  # the number of calls that clearly cost IMPs
    imps: float = 0.0  # the IMPs that they cost


@dataclass(slots=True)
class Costs:
    """What cards and calls cost: the sums, and those that cost most, the worst first."""

    total: Sum = field(default_factory=Sum)  # the sum over all players
    players: dict[str, Sum] = field(default_factory=dict)  # by the name, where it is known
    cards: Biggest[CostlyCard] = field(default_factory=lambda: Biggest(WORST))
    calls: Biggest[CostlyCall] = field(default_factory=lambda: Biggest(WORST))
    has_cards: bool = False  # whether any play was valued
    has_calls: bool = False  # whether the cost of any call was asked for

    def add(self, finding: Finding, record: BoardRecord) -> None:
        self.has_calls |= bool(finding.calls)
        for place, cost in clear_costs(finding.calls):
            seat = record.caller(place)
            for total in self._sums(record, seat):
                total.calls += 1
                total.imps += cost.cost
            self.calls.add(cost.cost, CostlyCall(finding, _player(record, seat), cost))
        if finding.ledger is None:
            return
        self.has_cards = True
        for loss in finding.ledger.losses:
            if loss.seat is None or loss.card >= len(record.cards):
                continue  # lost in a claim, without a card
            for total in self._sums(record, loss.seat):
                total.cards += 1
                total.tricks += loss.tricks
            by, card = _player(record, loss.seat), record.cards[loss.card]
            costly = CostlyCard(finding, by, card, loss.card // 4 + 1, loss.tricks)
            self.cards.add(loss.tricks, costly)

    def _sums(self, record: BoardRecord, seat: Seat) -> list[Sum]:
        name = record.players[seat]
        return [self.total, self.players.setdefault(name, Sum())] if name else [self.total]


def _player(record: BoardRecord, seat: Seat) -> str:
    return record.players[seat] or seat.name.capitalize()


@dataclass(slots=True)
class Overview:
    """Counts over all games."""

    games: int = 0
    contracts: int = 0  # games with a contract
    passed_out: int = 0  # boards that were passed out
    plays: int = 0  # plays with a ledger
    complete: int = 0  # plays of all 52 cards
    bad: int = 0  # games with errors
    unsolved: int = 0  # games that were not solved in time
    two_rooms: int = 0  # boards played in two rooms
    differences: Counter[int] = field(default_factory=Counter)  # tables, by tricks less DD
    # Double-dummy tricks lost, by role and number of the trick (1 to 13).
    lost: Counter[tuple[Role, int]] = field(default_factory=Counter)
    # Tables by the IMPs of their contract against par, for declarer's side.
    from_par: Counter[int] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)  # the problems to be shown
    totals: Totals = field(default_factory=Totals)  # the sums
    fields: FieldOverview = field(default_factory=FieldOverview)  # the counts of the fields
    costs: Costs = field(default_factory=Costs)  # what cards and calls cost
    # The open room's findings on the boards with the biggest swings, the biggest first.
    swings: Biggest[Finding] = field(default_factory=lambda: Biggest(BIGGEST))
    # The findings farthest from par, the farthest first.
    farthest: Biggest[Finding] = field(default_factory=lambda: Biggest(BIGGEST))

    def add(self, finding: Finding) -> None:
        self.games += 1
        self.totals.add(finding)
        self.bad += bool(finding.entry.problems)
        record = finding.entry.record
        if record is None:
            return
        self.costs.add(finding, record)
        if record.contract is None:
            self.passed_out += record.is_finished
        else:
            self._add_contract(finding, record, record.contract)
        self.unsolved += "no table" in finding.note or "no ledger" in finding.note
        if finding.imps is not None:
            self.farthest.add(abs(finding.imps), finding)
        if finding.rooms is not None and record.room == "Open":
            self.two_rooms += 1
            self.swings.add(abs(finding.rooms.swing), finding)

    def report(self, problem: Problem) -> None:
        if len(self.problems) < PROBLEMS:
            self.problems.append(str(problem))

    @property
    def equal_share(self) -> float | None:
        """The share of the contracts played that took exactly their double-dummy tricks."""
        played = self.differences.total()
        return self.differences[0] / played if played else None

    def _add_contract(self, finding: Finding, record: BoardRecord, contract: Contract) -> None:
        self.contracts += 1
        if finding.difference is not None:
            self.differences[finding.difference] += 1
        if finding.auction_imps is not None:
            sign = -1 if contract.declarer.side else 1
            self.from_par[sign * finding.auction_imps] += 1
        if finding.ledger is not None:
            self.plays += 1
            self.complete += len(record.cards) == 52
            for loss in finding.ledger.losses:
                if loss.card < len(record.cards):
                    self.lost[loss.role, loss.card // 4 + 1] += loss.tricks
