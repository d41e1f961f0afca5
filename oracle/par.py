"""Par: the result of perfect bidding and perfect play, computed by DDS from a table.

It takes no noticeable time, so it can be called anywhere; only the table is expensive.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.bridge.calls import Contract, Denomination, Risk
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability
from bridge_arena.oracle import dds
from bridge_arena.oracle.dds import denomination_code
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable


@dataclass(frozen=True, slots=True)
class ParContract:
    """A contract that reaches par."""

    contract: Contract
    tricks: int  # declarer's double-dummy tricks in it


@dataclass(frozen=True, slots=True)
class Par:
    """The par of a board."""

    score: int  # North-South's points
    # All that reach it, the lowest level of each denomination, for each declarer; empty if par is
    # to pass out.
    contracts: tuple[ParContract, ...]


def par(table: DoubleDummyTable, dealer: Seat, vulnerability: Vulnerability) -> Par:
    """Return the par of a board.

    The dealer matters if both sides can make the highest contract: the side that may bid it first
    gets it.

    Args:
        table: The deal's double-dummy table.
        dealer: The seat that calls first.
        vulnerability: The board's vulnerability.

    Returns:
        The score and the contracts of par.

    Raises:
        SolverError: The solver is missing or failed.
    """
    results = dds.TableResults()
    for denomination in Denomination:
        for seat in SEATS:
            code = denomination_code(denomination)
            results.resTable[code][seat] = table.tricks(denomination, seat)
    answer = dds.Par()
    dds.load().dealer_par(results, answer, dealer, _VULNERABILITY_CODES[vulnerability])
    contracts: list[ParContract] = []
    for answered in answer.contracts[: answer.number]:
        if not answered.level:
            continue  # passed out
        for seat in _DECLARERS[answered.seats]:
            # DDS tells no undertricks of some sacrifices that one seat alone has.
            denomination = _DENOMINATIONS[answered.denom]
            tricks = table.tricks(denomination, seat)
            risk = Risk.DOUBLED if tricks < answered.level + 6 else Risk.UNDOUBLED
            contracts.append(
                ParContract(Contract(answered.level, denomination, risk, seat), tricks)
            )
    return Par(answer.score, tuple(contracts))


_VULNERABILITY_CODES = {
    Vulnerability.NONE: 0,
    Vulnerability.ALL: 1,
    Vulnerability.NS: 2,
    Vulnerability.EW: 3,
}

_DENOMINATIONS = tuple(reversed(Denomination))
"""The denominations by their numbers in DDS's par results, which alone begin with notrump."""

_DECLARERS = (
    *((seat,) for seat in SEATS),
    *(tuple(seat for seat in SEATS if seat.side == side) for side in Side),
)
"""The declarers by their numbers in DDS's par results: N, E, S, W, either of NS or of EW."""
