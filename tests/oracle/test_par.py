"""`oracle.par` against the DDS project's vectors and by hand."""

from __future__ import annotations

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import Par, ParContract, par
from tests.oracle.vectors import KNOWN_TABLE, vectors


def as_written(result: Par) -> frozenset[str]:
    """The contracts as list100.txt writes them: `4S*-EW-1`, `3N-N`, `2C-NS+2`."""
    declarers: dict[tuple[str, str], str] = {}
    for each in result.contracts:
        contract = each.contract
        bid = f"{contract.level}{str(contract.denomination)[0]}{'*' if contract.risk else ''}"
        difference = each.tricks - contract.tricks_needed
        key = bid, f"{difference:+d}" if difference else ""
        declarers[key] = declarers.get(key, "") + str(contract.declarer)
    return frozenset(f"{bid}-{seats}{over}" for (bid, over), seats in declarers.items())


def test_par_agrees_with_known_answers() -> None:
    for v in vectors():
        result = par(v.table, v.dealer, v.vulnerability)
        assert result.score == v.par_score
        assert as_written(result) == v.par_contracts


def test_every_contract_scores_par() -> None:
    for v in vectors():
        for dealer in SEATS:
            for vulnerability in Vulnerability:
                result = par(v.table, dealer, vulnerability)
                for each in result.contracts:
                    assert score_ns(each.contract, each.tricks, vulnerability) == result.score
                    assert not each.contract.risk or each.tricks < each.contract.tricks_needed


def test_par_of_the_known_deal() -> None:
    east = ParContract(Contract.parse("4H", Seat.EAST), 11)
    west = ParContract(Contract.parse("4H", Seat.WEST), 11)
    assert par(KNOWN_TABLE, Seat.NORTH, Vulnerability.NONE) == Par(-450, (east, west))


def test_who_bids_first_gets_the_contract() -> None:
    anybody = DoubleDummyTable((7,) * 20)
    for dealer in SEATS:
        result = par(anybody, dealer, Vulnerability.NONE)
        assert result.score == (90, -90)[dealer.side]
        assert {each.contract.declarer.side for each in result.contracts} == {dealer.side}


def test_a_deal_on_which_nobody_makes_anything_is_passed_out() -> None:
    assert par(DoubleDummyTable((6,) * 20), Seat.NORTH, Vulnerability.ALL) == Par(0, ())
