"""The cards and calls that cost something: tricks double dummy, or IMPs on average."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.replay_pages import step_of
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.values import AsText

CLEAR = 2.0
"""A call has clearly cost something if its cost is this many standard errors above zero."""


class ExpectedContract(NamedTuple):
    """A contract that a call leads to in some of the layouts that fit the auction."""

    contract: str  # with its declarer, `4DX W`; `Pass` if all pass, "" for rare contracts together
    share: float  # the share of these layouts
    points: int  # the mean score of the caller's side in them


@dataclass(frozen=True, slots=True)
class CallCost:
    """The cost of a call to its side, in IMPs."""

    call: str
    best: str | None  # the best other call; None if no other call was considered
    gain: float  # the average gain of the best other call; negative if the call was better
    standard_error: float
    real: int  # the gain of the best other call in the real layout
    # Where the auction ended after the call, and after the best other one, the most frequent
    # contracts first; empty if they were not kept.
    contracts: tuple[ExpectedContract, ...] = ()
    best_contracts: tuple[ExpectedContract, ...] = ()

    @property
    def cost(self) -> float:
        """The gain, but never below zero: a call that is better than all others cost nothing."""
        return max(0.0, self.gain)

    @property
    def is_clear(self) -> bool:
        """Whether the cost is more than the luck of the layouts."""
        return self.gain > CLEAR * self.standard_error

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str) -> CallCost:
        facts: dict[str, Any] = json.loads(text)
        for name in ("contracts", "best_contracts"):
            facts[name] = tuple(ExpectedContract(*expected) for expected in facts.get(name, ()))
        return cls(**facts)


def clear_costs(costs: Sequence[CallCost | None]) -> Iterator[tuple[int, CallCost]]:
    """Yield the place and cost of each call that clearly cost something; None is unknown."""
    for place, cost in enumerate(costs):
        if cost is not None and cost.is_clear:
            yield place, cost


def costliest(costs: Sequence[CallCost | None]) -> tuple[int, CallCost] | None:
    """Return the place and cost of the call that cost most; None if no cost is clear."""
    return max(clear_costs(costs), key=lambda placed: placed[1].cost, default=None)


CostsOf = Callable[[BoardRecord], Sequence[CallCost | None]]
"""A function that returns the costs of a table's calls, in order; None for an unknown cost."""


def without_costs(_record: BoardRecord) -> Sequence[CallCost | None]:
    """Return no costs, for readers who do not ask for them."""
    return ()


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A card or call that cost something."""

    board: int
    room: Room | None  # None for a single table
    by: str  # the entry that decided: declarer's for dummy's cards
    seat: AsText[Seat]  # the caller's seat, or the hand that the card was played from


@dataclass(frozen=True, slots=True)
class CostlyCall(CostlyDecision):
    """A call that clearly cost IMPs."""

    table: int  # the place of the table among those of the board, from 0
    place: int  # the place in the auction, from 1, as replays count
    call: str  # as in `CallCost`, and so are best, cost, standard_error and real
    best: str | None
    cost: float
    standard_error: float
    real: int
    replay: str  # the address of the replay at this call, relative to the report

    @property
    def lost(self) -> float:
        return self.cost


@dataclass(frozen=True, slots=True)
class CostlyCard(CostlyDecision):
    """A card that cost double-dummy tricks."""

    trick: int  # the number of the trick, from 1
    card: AsText[Card]
    tricks: int
    table: int  # the place of the table among those of the board, from 0
    step: int  # the place of the card among calls and cards, from 1, as replays count
    replay: str  # the address of the replay at this step, relative to the report

    @property
    def lost(self) -> int:
        return self.tricks


Costly = TypeVar("Costly", CostlyCall, CostlyCard)


def costly_calls(
    tables: Iterable[SeatedTable], page: str, costs_of: CostsOf
) -> Iterator[CostlyCall]:
    """Yield the calls of a board that clearly cost something; `page` is its replay page."""
    for number, table in enumerate(tables):
        for place, cost in clear_costs(costs_of(table.record)):
            seat = table.record.caller(place)
            yield CostlyCall(
                board=table.board.number,
                room=table.record.room,
                by=table.names[seat],
                seat=seat,
                table=number,
                place=place + 1,
                call=cost.call,
                best=cost.best,
                cost=cost.cost,
                standard_error=cost.standard_error,
                real=cost.real,
                replay=step_of(page, number, place + 1),
            )


def costly_cards(tables: Iterable[SeatedTable], page: str) -> Iterator[CostlyCard]:
    """Yield the cards of a board that cost a trick, in order, as `costly_calls` does."""
    for number, table in enumerate(tables):
        record = table.record
        losses = table.ledger.losses if table.ledger else ()
        hands = record.play().seats if losses else []
        for loss in losses:
            if loss.seat is None or loss.card >= len(record.cards):
                continue  # lost in a claim, without a card
            step = len(record.calls) + loss.card + 1
            yield CostlyCard(
                board=table.board.number,
                room=record.room,
                by=table.names[loss.seat],
                seat=hands[loss.card],
                trick=loss.card // 4 + 1,
                card=record.cards[loss.card],
                tricks=loss.tricks,
                table=number,
                step=step,
                replay=step_of(page, number, step),
            )


def worst_of(decisions: Iterable[Costly]) -> Costly | None:
    """Return the call or card that cost most, of equal ones the first; None if there is none."""
    return max(decisions, key=lambda decision: decision.lost, default=None)
