"""`oracle.par` against the DDS project's vectors and by hand."""

from __future__ import annotations

from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import Contract, Risk
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import Par, ParContract, par
from tests.data import data_path
from tests.oracle.vectors import KNOWN_TABLE, table_of, vectors


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


SACRIFICE_OF_ONE_SEAT = DoubleDummyTable(
    (5, 9, 4, 9, 4, 8, 1, 8, 6, 5, 6, 7, 4, 9, 3, 9, 6, 8, 1, 9)
)
"""If East and West alone are vulnerable, par is 3NT doubled by North, three down."""


def assert_every_contract_scores_par(
    table: DoubleDummyTable, dealer: Seat, vulnerability: Vulnerability
) -> None:
    result = par(table, dealer, vulnerability)
    assert result.contracts or result.score == 0
    for each in result.contracts:
        contract = each.contract
        assert each.tricks == table.tricks(contract.denomination, contract.declarer)
        assert (contract.risk is Risk.DOUBLED) == (each.tricks < contract.tricks_needed)
        assert score_ns(contract, each.tricks, vulnerability) == result.score


@given(
    st.tuples(*[st.integers(0, 13)] * 20).map(DoubleDummyTable),
    st.sampled_from(SEATS),
    st.sampled_from(Vulnerability),
)
@example(SACRIFICE_OF_ONE_SEAT, Seat.NORTH, Vulnerability.EW)
def test_every_contract_scores_par_whatever_the_table(
    table: DoubleDummyTable, dealer: Seat, vulnerability: Vulnerability
) -> None:
    assert_every_contract_scores_par(table, dealer, vulnerability)


def test_every_contract_scores_par_on_solved_deals() -> None:
    for path in sorted(data_path("dd").glob("*.txt")):
        for line in path.read_text().splitlines()[::20]:
            table = table_of([int(digit, 16) for digit in line.split()[-1]])
            for dealer, vulnerability in product(SEATS, Vulnerability):
                assert_every_contract_scores_par(table, dealer, vulnerability)


def test_a_sacrifice_that_one_seat_alone_has_is_doubled_and_goes_down() -> None:
    north = ParContract(Contract.parse("3NTX", Seat.NORTH), 6)
    found = par(SACRIFICE_OF_ONE_SEAT, Seat.NORTH, Vulnerability.EW)
    assert found == Par(-500, (north,))


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
