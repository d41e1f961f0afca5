"""What calls cost, and which call of a board cost most."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.values import AsText

CLEAR = 2.0
"""Standard errors above zero from which on a call has cost something beyond doubt."""


@dataclass(frozen=True, slots=True)
class CallCost:
    """What a call cost its side, in IMPs.

    `best`: the best other call; None where there was nothing else to think of. `gain`: what
    the best other call gains on average; below zero where the call was the better one.
    `standard_error`: of that. `real`: what `best` gains in the real layout.
    """

    call: str
    best: str | None
    gain: float
    standard_error: float
    real: int

    @property
    def cost(self) -> float:
        """Never below zero: a call that is better than all others cost nothing."""
        return max(0.0, self.gain)

    @property
    def is_clear(self) -> bool:
        """Whether the cost is more than the luck of the layouts."""
        return self.gain > CLEAR * self.standard_error

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str) -> CallCost:
        """The cost that `str` wrote."""
        return cls(**json.loads(text))


def costliest(costs: Sequence[CallCost | None]) -> tuple[int, CallCost] | None:
    """The place of the call that cost most, of those that cost something beyond doubt, and its
    cost; None where there is none."""
    clear = [(place, cost) for place, cost in enumerate(costs) if cost and cost.is_clear]
    return max(clear, key=lambda each: each[1].cost, default=None)


CostsOf = Callable[[BoardRecord], Sequence[CallCost | None]]
"""What tells the costs of a table's calls, in order: None of a call whose cost is not known."""


def not_asked(_record: BoardRecord) -> Sequence[CallCost | None]:
    """Tell no costs."""
    return ()


@dataclass(frozen=True, slots=True)
class CostlyCall:
    """A call and the IMPs that it cost.

    `by`: the entry that made it. `table`: its place among those of the board, from 0. `place`: in
    the auction, from 1, as replays count. `best`, `cost`, `standard_error`, `real`: as in
    `CallCost`.
    """

    room: Room | None
    by: str
    seat: AsText[Seat]
    table: int
    place: int
    call: str
    best: str | None
    cost: float
    standard_error: float
    real: int


def costliest_call(tables: Iterable[SeatedTable], costs_of: CostsOf) -> CostlyCall | None:
    """Return the call that cost most at the tables of a board; None where none cost something
    beyond doubt."""
    found = (_costly(number, table, costs_of(table.record)) for number, table in enumerate(tables))
    return max((each for each in found if each), key=lambda each: each.cost, default=None)


def _costly(number: int, table: SeatedTable, costs: Sequence[CallCost | None]) -> CostlyCall | None:
    """The call of one table that cost most."""
    found = costliest(costs)
    if found is None:
        return None
    place, cost = found
    seat = table.record.caller(place)
    return CostlyCall(
        table.record.room,
        table.names[seat],
        seat,
        number,
        place + 1,
        cost.call,
        cost.best,
        cost.cost,
        cost.standard_error,
        cost.real,
    )
