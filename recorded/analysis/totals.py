"""Sums over tables, by player, pair, team, role, contract level and denomination.

One observation is one table. Each figure is signed for the one that it is counted for: IMPs that a
player's own errors cost are negative in that player's line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.tournaments.schedule.units import HOME, team_at
from bridge_arena.tournaments.statistics.means import Mean, RunningMean


class Group(StrEnum):
    """The groups by which tables are summed."""

    ALL = "all"
    ROLE = "role"
    LEVEL = "level"
    DENOMINATION = "denomination"
    TEAM = "team"
    PAIR = "pair"
    PLAYER = "player"


class Measure(StrEnum):
    """The figures that are summed."""

    TRICKS_VS_DD = "tricks_vs_dd"  # tricks taken less double-dummy tricks, for the own side
    TRICKS_LOST = "tricks_lost"  # double-dummy tricks that the ledger charges
    IMPS = "imps"  # against par


DECLARER, DEFENDERS, RESULT, AUCTION = "declarer", "defenders", "result", "auction"
"""Roles besides those of the ledger: the two sides, the whole result, the contract."""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """A line of the sums."""

    group: Group
    name: str  # the name of the player, pair, team and so on
    role: str  # the role in which the tables are counted
    measure: Measure  # the figure


_Observation = tuple[str, Measure, float]


class Totals:
    """The sums of all findings added."""

    def __init__(self) -> None:
        self._means: dict[Key, RunningMean] = {}

    def add(self, finding: Finding) -> None:
        """Add a finding."""
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
            play = [*sides[side], *(each for each in sides[side.other] if each[0] in _DEFENCE)]
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
        found = self._means.get(Key(group, name, role, measure))
        return found.mean if found else Mean(0, None, None)

    def names(self, group: Group) -> list[str]:
        """Return the names of a group, in order."""
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
    """Yield what one table says of one side."""
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
