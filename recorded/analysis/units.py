"""Units of work for the solver: a question in one line of text, and its answer in another.

    N:<deal>                        the deal's double-dummy table: 20 results
    N:<deal>;<strain><seat>;<cards> declarer's tricks along a line of play: one number
                                    before the lead and one after every card
    {...}                           what a call cost: `recorded.calls.question`

A question holds all that its answer depends on and nothing else: not the level of the contract, not
the players, not the file. So it is solved once, however many tables it comes from. Answers are
hexadecimal digits, one for each number of tricks; that of a call is JSON.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle import solver
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.recorded.calls.question import Question


def units_of(record: BoardRecord) -> list[str]:
    """Return what must be solved for one table: nothing if its auction did not end."""
    if record.contract is None and not record.is_finished:
        return []
    play = play_unit(record)
    return [table_unit(record.board.deal), *([play] if play else [])]


def table_unit(deal: Deal) -> str:
    return str(deal)


def play_unit(record: BoardRecord) -> str | None:
    """Return the unit of the play as far as it is recorded, or None if there is no card."""
    contract = record.contract
    if contract is None or not record.cards:
        return None
    cards = "".join(map(str, record.cards))
    return f"{record.board.deal};{contract.denomination}{contract.declarer};{cards}"


def id_of(unit: str) -> str:
    """Return a name for a unit, which is always the same."""
    return hashlib.sha256(unit.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def solve(unit: str) -> str:
    """Return the answer of a unit, computed in this process."""
    if unit.startswith("{"):
        from bridge_arena.recorded.calls.weighing import cost_of  # noqa: PLC0415  it loads the nets

        return str(cost_of(Question.parse(unit)))
    deal = table_deal(unit)
    if deal is not None:
        return table_answer(solver.double_dummy_table(deal))
    deal_text, strain, cards = unit.split(";")
    contract = Contract.parse(f"1{strain[:-1]}", Seat.parse(strain[-1]))
    played = [Card(cards[at : at + 2]) for at in range(0, len(cards), 2)]
    return _digits(solver.play_values(Deal.parse(deal_text), contract, played))


def table_deal(unit: str) -> Deal | None:
    """Return the deal whose table is asked for, or None if the unit asks for something else."""
    return None if unit.startswith("{") or ";" in unit else Deal.parse(unit)


def table_answer(table: DoubleDummyTable) -> str:
    return _digits(table.results)


def table_in(answer: str) -> DoubleDummyTable:
    return DoubleDummyTable(values_in(answer))


def values_in(answer: str) -> tuple[int, ...]:
    return tuple(int(digit, 16) for digit in answer)


def _digits(tricks: Iterable[int]) -> str:
    return "".join(f"{number:x}" for number in tricks)
