"""What the cards and calls of each bot cost it, and which of them cost most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from pydantic import model_serializer

from bridge_arena.bridge.record import Mode
from bridge_arena.reports.common.costs import (
    Costly,
    CostlyCall,
    CostlyCard,
    CostsOf,
    costly_calls,
    costly_cards,
    without_costs,
)
from bridge_arena.reports.common.tables import TeamBoard
from bridge_arena.reports.common.values import Json, values

WORST = 10
"""The most cards, and the most calls, that are listed of a bot."""


@dataclass(frozen=True, slots=True)
class BoardCosts:
    """The cards and calls of a board, in both rooms, that cost something."""

    board: TeamBoard
    page: str
    # In the order of play; None if the oracle has not valued them, or the bots did not play them.
    cards: Sequence[CostlyCard] | None
    # In their order; None if nobody asked for them, or the bots did not make them.
    calls: Sequence[CostlyCall] | None

    @classmethod
    def of(cls, board: TeamBoard, page: str, mode: Mode, costs_of: CostsOf) -> BoardCosts:
        """Return the cards and calls of a board, of which the bots decided what the mode says."""
        cards = calls = None
        if mode is not Mode.BIDDING and any(table.ledger for table in board.tables):
            cards = tuple(costly_cards(board.tables, page))
        if costs_of is not without_costs and mode is not Mode.PLAY:
            calls = tuple(costly_calls(board.tables, page, costs_of))
        return cls(board, page, cards, calls)

    def lost(self, name: str, home: str) -> int:
        """Return the IMPs that one of the two bots lost on the board; 0 if it does not count."""
        imps = self.board.imps or 0
        return -imps if name == home else imps


@dataclass(frozen=True, slots=True)
class DecisionCosts:
    """What all cards, or all calls, of a bot cost it."""

    unit: str  # what they cost, tricks or IMPs, as the key in JSON files
    n: int
    lost: float
    # Those that cost most, at most `WORST`; of equal ones first those of the boards on which the
    # bot lost most.
    worst: tuple[CostlyCard | CostlyCall, ...]

    @classmethod
    def of(
        cls,
        unit: str,
        add: Callable[[Iterable[float]], float],
        boards: Iterable[Sequence[Costly] | None],
        name: str,
    ) -> DecisionCosts | None:
        """Return what a bot's own of the cards, or calls, cost it; None if no board knows them."""
        known = [decisions for decisions in boards if decisions is not None]
        own = [decision for decisions in known for decision in decisions if decision.by == name]
        worst = sorted(own, key=lambda decision: -decision.lost)[:WORST]
        lost = add(decision.lost for decision in own)
        return cls(unit, len(own), lost, tuple(worst)) if known else None

    @model_serializer
    def values(self) -> Json:
        """Return the values for JSON files."""
        worst = [values(decision) for decision in self.worst]
        return {"n": self.n, self.unit: self.lost, "worst": worst}


@dataclass(frozen=True, slots=True)
class BotCosts:
    """What the cards and calls of a bot cost it."""

    name: str
    cards: DecisionCosts | None  # its cards; None if they are not known
    calls: DecisionCosts | None  # its calls; None if nobody asked for them

    @classmethod
    def of(cls, name: str, home: str, boards: Iterable[BoardCosts]) -> BotCosts:
        """Return what the cards and calls of a bot cost it."""
        boards = sorted(boards, key=lambda board: -board.lost(name, home))
        cards = DecisionCosts.of("tricks", sum, (board.cards for board in boards), name)
        calls = DecisionCosts.of("imps", fsum, (board.calls for board in boards), name)
        return cls(name, cards, calls)
