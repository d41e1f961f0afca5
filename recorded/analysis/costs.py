"""What cards and calls cost: in all, each player, and those that cost most."""

from __future__ import annotations

from dataclasses import dataclass, field

from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.recorded.biggest import Biggest
from bridge_arena.reports.common.call_costs import CallCost, clear_costs

WORST = 20
"""The most cards, and the most calls, that are kept."""


@dataclass(frozen=True, slots=True)
class CostlyCard:
    """A card that cost double-dummy tricks."""

    finding: Finding  # the finding on its table
    by: str  # the player: the name, or the seat if there is none; declarer for dummy's cards
    card: Card
    trick: int
    tricks: int  # the tricks that it cost


@dataclass(frozen=True, slots=True)
class CostlyCall:
    """A call that clearly cost IMPs."""

    finding: Finding  # the finding on its table
    by: str  # the player: the name, or the seat if there is none
    cost: CallCost


@dataclass(slots=True)
class Sum:
    """The sum of what cards and calls cost."""

    cards: int = 0  # the number of cards that cost a double-dummy trick
    tricks: int = 0  # the tricks that they cost
    calls: int = 0  # the number of calls that clearly cost IMPs
    imps: float = 0.0  # the IMPs that they cost


@dataclass(slots=True)
class Costs:
    """What cards and calls cost."""

    total: Sum = field(default_factory=Sum)  # the sum over all players
    # The sums by player, of those whose names are known.
    players: dict[str, Sum] = field(default_factory=dict)
    # The cards that cost most, the worst first.
    cards: Biggest[CostlyCard] = field(default_factory=lambda: Biggest(WORST))
    # The calls that cost most, the worst first.
    calls: Biggest[CostlyCall] = field(default_factory=lambda: Biggest(WORST))
    has_cards: bool = False  # whether any play was valued
    has_calls: bool = False  # whether the cost of any call was asked for

    def add(self, finding: Finding, record: BoardRecord) -> None:
        """Add the cards and calls of a finding with its record."""
        self.has_calls |= bool(finding.calls)
        for place, cost in clear_costs(finding.calls):
            seat = record.caller(place)
            for each in self._sums(record, seat):
                each.calls += 1
                each.imps += cost.cost
            self.calls.add(cost.cost, CostlyCall(finding, _player(record, seat), cost))
        if finding.ledger is None:
            return
        self.has_cards = True
        for loss in finding.ledger.losses:
            if loss.seat is None or loss.card >= len(record.cards):
                continue  # lost in a claim, without a card
            for each in self._sums(record, loss.seat):
                each.cards += 1
                each.tricks += loss.tricks
            by, card = _player(record, loss.seat), record.cards[loss.card]
            costly = CostlyCard(finding, by, card, loss.card // 4 + 1, loss.tricks)
            self.cards.add(loss.tricks, costly)

    def _sums(self, record: BoardRecord, seat: Seat) -> list[Sum]:
        """Return the sums to which a player's costs belong."""
        name = record.players[seat]
        return [self.total, self.players.setdefault(name, Sum())] if name else [self.total]


def _player(record: BoardRecord, seat: Seat) -> str:
    return record.players[seat] or seat.name.capitalize()
