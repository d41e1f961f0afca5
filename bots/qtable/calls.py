"""The sixteen calls of a turn, and the situations in which they are made.

Contracts are numbers: 0 is passed out, 1 to 35 are 1C to 7NT. A turn's calls are steps: 0 is Pass,
and 1 to 15 are the bids above the last one, up to 7NT. (Prorok says only that the calls are limited
to sixteen; all auctions that he prints consist of such steps.)

Two partners bid in turn: opener, responder, opener, responder. A bid as the fourth call is passed.
A pass ends the auction, except as the opening. A situation is the steps made so far: there are 16
after the opening, 256 after the response and 4096 after the rebid, numbered in this order.
"""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.bridge.calls import CALLS, FIRST_BID, PASS, Call

STEPS = 16
"""The number of calls of a turn."""

TURNS = 4
"""The calls of the two partners together."""

TOP = 35
"""The contract 7NT."""

FIRST = (0, 0, STEPS, STEPS + STEPS**2)
"""The first situation of each turn; the opening has none."""

SITUATIONS = STEPS + STEPS**2 + STEPS**3


def situation_of(steps: Sequence[int]) -> int:
    """Return the number of the situation after one to three steps."""
    number = 0
    for step in steps:
        number = number * STEPS + step
    return FIRST[len(steps)] + number


def steps_of(situation: int) -> tuple[int, ...]:
    """Return the steps that lead to a situation."""
    turn = max(turn for turn in range(1, TURNS) if FIRST[turn] <= situation)
    number = situation - FIRST[turn]
    return tuple(number // STEPS**place % STEPS for place in reversed(range(turn)))


def contract_after(steps: Sequence[int]) -> int:
    """Return the last bid of the steps; it is more than `TOP` if they exceed 7NT."""
    return sum(steps)


def is_over(steps: Sequence[int]) -> bool:
    """Return whether the auction is over: after four calls, or a pass other than the first."""
    return len(steps) == TURNS or (len(steps) > 1 and steps[-1] == 0)


def calls_of(steps: Sequence[int]) -> list[Call]:
    """Return the steps as the calls of the partners."""
    calls: list[Call] = []
    contract = 0
    for step in steps:
        contract += step
        calls.append(call_of(contract) if step else PASS)
    return calls


def steps_to(calls: Sequence[Call]) -> tuple[int, ...] | None:
    """Return the partners' calls as steps; None if a call is no step, such as a double."""
    steps: list[int] = []
    contract = 0
    for call in calls:
        if not call.is_bid and call != PASS:
            return None
        step = contract_of(call) - contract if call.is_bid else 0
        if step >= STEPS:
            return None
        contract += step
        steps.append(step)
    return tuple(steps)


def call_of(contract: int) -> Call:
    """Return the bid of a contract, 1 to 35, or Pass for 0."""
    return CALLS[FIRST_BID + contract - 1] if contract else PASS


def contract_of(bid: Call) -> int:
    return bid - FIRST_BID + 1
