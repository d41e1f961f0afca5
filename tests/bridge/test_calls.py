"""Calls, denominations and contracts."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import (
    CALLS,
    DENOMINATIONS,
    DOUBLE,
    FIRST_BID,
    PASS,
    REDOUBLE,
    Call,
    Contract,
    Denomination,
    Risk,
)
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import SEATS, Seat

bids = st.sampled_from(CALLS[FIRST_BID:])
contracts = st.builds(
    Contract,
    st.integers(1, 7),
    st.sampled_from(DENOMINATIONS),
    st.sampled_from(Risk),
    st.sampled_from(SEATS),
)


def test_the_38_calls_stand_in_rising_order() -> None:
    assert " ".join(map(str, CALLS)) == (
        "Pass X XX "
        "1C 1D 1H 1S 1NT 2C 2D 2H 2S 2NT 3C 3D 3H 3S 3NT 4C 4D 4H 4S 4NT "
        "5C 5D 5H 5S 5NT 6C 6D 6H 6S 6NT 7C 7D 7H 7S 7NT"
    )
    assert [int(call) for call in CALLS] == list(range(38))


def test_calls_are_read_in_any_case() -> None:
    assert Call("pass") is Call("PASS") is Call("Pass") is PASS
    assert Call("xx") is REDOUBLE
    assert Call("3nt") is Call.bid(3, Denomination.NOTRUMP)


@pytest.mark.parametrize("text", ["", "P", "3", "3N", "0C", "8C", "NT", "XXX", "1C "])
def test_text_that_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a call"):
        Call(text)


@pytest.mark.parametrize("level", [-1, 0, 8])
def test_bids_have_seven_levels(level: int) -> None:
    with pytest.raises(NotationError, match="no bid at level"):
        Call.bid(level, Denomination.CLUBS)


def test_pass_and_doubles_are_no_bids() -> None:
    assert not any(call.is_bid for call in (PASS, DOUBLE, REDOUBLE))


def test_pass_is_true_although_its_int_is_0() -> None:
    assert int(PASS) == 0
    assert PASS


@given(st.sampled_from(CALLS))
def test_calls_round_trip(call: Call) -> None:
    assert Call(str(call)) is call
    assert pickle.loads(pickle.dumps(call)) is call
    assert repr(call) == f"Call('{call}')"


@given(bids, bids)
def test_bids_rank_by_level_then_denomination(one: Call, other: Call) -> None:
    assert one.is_bid
    assert Call.bid(one.level, one.denomination) is one
    assert (one < other) == ((one.level, one.denomination) < (other.level, other.denomination))


def test_a_denomination_has_its_trump_suit() -> None:
    assert [denomination.trump for denomination in DENOMINATIONS] == [*SUITS, None]


@pytest.mark.parametrize(
    ("text", "level", "denomination", "risk"),
    [
        ("4S", 4, Denomination.SPADES, Risk.UNDOUBLED),
        ("3NTX", 3, Denomination.NOTRUMP, Risk.DOUBLED),
        ("1cxx", 1, Denomination.CLUBS, Risk.REDOUBLED),
    ],
)
def test_every_form_of_a_contract_is_read(
    text: str, level: int, denomination: Denomination, risk: Risk
) -> None:
    contract = Contract.parse(text, Seat.WEST)
    assert contract == Contract(level, denomination, risk, Seat.WEST)
    assert str(contract) == text.upper()
    assert contract.tricks_needed == level + 6


@pytest.mark.parametrize("text", ["", "X", "Pass", "4SXXX", "X4S", "8C", "4", "4S X"])
def test_text_that_is_no_contract_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a contract"):
        Contract.parse(text, Seat.NORTH)


@given(contracts)
def test_contracts_round_trip(contract: Contract) -> None:
    assert Contract.parse(str(contract), contract.declarer) == contract
    assert pickle.loads(pickle.dumps(contract)) == contract
