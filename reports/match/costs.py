"""What the cards and calls of each bot cost it, and which of them cost most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from bridge_arena.bridge.record import Mode
from bridge_arena.reports.common.costs import (
    CostlyCall,
    CostlyCard,
    CostsOf,
    costly_calls,
    costly_cards,
    not_asked,
)
from bridge_arena.reports.common.tables import TeamBoard

WORST = 10
"""The most cards, and the most calls, that are listed of a bot."""


@dataclass(frozen=True, slots=True)
class BoardCosts:
    """The cards and calls of a board, in both rooms, that cost something.

    Attributes:
        board: The board.
        page: The name of its replay page.
        cards: The cards that cost a double-dummy trick, in the order of play; None if the oracle
            has not valued them, or the bots did not play them.
        calls: The calls that clearly cost IMPs, in their order; None if nobody asked for them, or
            the bots did not make them.
    """

    board: TeamBoard
    page: str
    cards: Sequence[CostlyCard] | None
    calls: Sequence[CostlyCall] | None

    @classmethod
    def of(cls, board: TeamBoard, page: str, mode: Mode, costs_of: CostsOf) -> BoardCosts:
        """Return the cards and calls of a board."""
        cards = calls = None
        if mode is not Mode.BIDDING and any(table.ledger for table in board.tables):
            cards = tuple(costly_cards(board.tables, page))
        if costs_of is not not_asked and mode is not Mode.PLAY:
            calls = tuple(costly_calls(board.tables, page, costs_of))
        return cls(board, page, cards, calls)

    def lost(self, name: str, home: str) -> int:
        """Return the IMPs that one of the two bots lost on the board; 0 if it does not count."""
        imps = self.board.imps or 0
        return -imps if name == home else imps


@dataclass(frozen=True, slots=True)
class CardsOfBot:
    """The cards of a bot that cost double-dummy tricks.

    Attributes:
        n: The number of these cards.
        tricks: The tricks that they cost together.
        worst: Those that cost most, at most `WORST`; of equal ones first those of the boards on
            which the bot lost most.
    """

    n: int
    tricks: int
    worst: tuple[CostlyCard, ...]

    @classmethod
    def of(cls, cards: Iterable[CostlyCard]) -> CardsOfBot:
        """Return what all these cards of a bot cost; of equal ones the first is the worst."""
        worst_first = sorted(cards, key=lambda card: -card.tricks)
        tricks = sum(card.tricks for card in worst_first)
        return cls(len(worst_first), tricks, tuple(worst_first[:WORST]))


@dataclass(frozen=True, slots=True)
class CallsOfBot:
    """The calls of a bot that clearly cost IMPs.

    Attributes:
        n: The number of these calls.
        imps: The IMPs that they cost together.
        worst: Those that cost most, at most `WORST`.
    """

    n: int
    imps: float
    worst: tuple[CostlyCall, ...]

    @classmethod
    def of(cls, calls: Iterable[CostlyCall]) -> CallsOfBot:
        """Return what all these calls of a bot cost."""
        worst_first = sorted(calls, key=lambda call: -call.cost)
        imps = fsum(call.cost for call in worst_first)
        return cls(len(worst_first), imps, tuple(worst_first[:WORST]))


@dataclass(frozen=True, slots=True)
class BotCosts:
    """What the cards and calls of a bot cost it.

    Attributes:
        name: The bot.
        cards: Its cards; None if they are not known.
        calls: Its calls; None if nobody asked for them.
    """

    name: str
    cards: CardsOfBot | None
    calls: CallsOfBot | None

    @classmethod
    def of(cls, name: str, home: str, boards: Iterable[BoardCosts]) -> BotCosts:
        """Return what the cards and calls of a bot cost it."""
        boards = sorted(boards, key=lambda board: -board.lost(name, home))
        cards = [board.cards for board in boards if board.cards is not None]
        calls = [board.calls for board in boards if board.calls is not None]
        return cls(
            name,
            CardsOfBot.of(each for of_board in cards for each in of_board if each.by == name)
            if cards
            else None,
            CallsOfBot.of(each for of_board in calls for each in of_board if each.by == name)
            if calls
            else None,
        )
