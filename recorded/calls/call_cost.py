"""What is told of a call's cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

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
