"""The auction: legality, its end, the contract and its declarer."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.auction import Auction, shortest_auction
from bridge_arena.bridge.calls import (
    CALLS,
    DENOMINATIONS,
    DOUBLE,
    PASS,
    REDOUBLE,
    Call,
    Contract,
    Denomination,
    Risk,
)
from bridge_arena.bridge.errors import IllegalCallError
from bridge_arena.bridge.seats import SEATS, Seat


def auction(calls: str, dealer: Seat = Seat.NORTH) -> Auction:
    return Auction(dealer, [Call(text) for text in calls.split()])


@st.composite
def auctions(draw: st.DrawFn) -> Auction:
    """Draw auctions of any length, finished or not, in which low bids are common."""
    auction = Auction(draw(st.sampled_from(SEATS)))
    for choice in draw(st.lists(st.integers(0, 5), max_size=60)):
        legal = auction.legal_calls()
        if legal:
            auction.push(legal[choice % len(legal)])
    return auction


def test_the_dealer_calls_first_and_the_turn_goes_clockwise() -> None:
    auction = Auction(Seat.WEST)
    turns = []
    for text in "Pass 1C X XX Pass".split():
        turns.append(str(auction.turn))
        auction.push(Call(text))
    assert turns == ["W", "N", "E", "S", "W"]


def test_36_calls_are_legal_at_the_start() -> None:
    legal = Auction(Seat.NORTH).legal_calls()
    assert len(legal) == 36
    assert legal[0] == PASS
    assert DOUBLE not in legal
    assert REDOUBLE not in legal


@pytest.mark.parametrize("call", ["1C", "1H", "2C"])
def test_an_insufficient_bid_is_refused(call: str) -> None:
    with pytest.raises(IllegalCallError, match=f"{call} by E is illegal: insufficient .* 2C .*18"):
        auction("2C " + call)


def test_over_7nt_only_pass_and_double_are_left() -> None:
    assert auction("7NT").legal_calls() == [PASS, DOUBLE]


@pytest.mark.parametrize("calls", ["1C", "1C Pass Pass", "1C X Pass 1H", "1C X XX 1D"])
def test_an_opponents_bid_may_be_doubled(calls: str) -> None:
    assert DOUBLE in auction(calls).legal_calls()


@pytest.mark.parametrize(
    "calls", ["", "Pass", "1C Pass", "1C X", "1C X Pass", "1C X XX", "1C 1D X 2C Pass"]
)
def test_only_an_opponents_undoubled_bid_may_be_doubled(calls: str) -> None:
    with pytest.raises(IllegalCallError, match=r"X by . is illegal: .*Law 19"):
        auction(calls + " X")


@pytest.mark.parametrize("calls", ["1C X", "1C X Pass Pass", "Pass 1C Pass Pass X"])
def test_an_own_doubled_bid_may_be_redoubled(calls: str) -> None:
    assert REDOUBLE in auction(calls).legal_calls()


@pytest.mark.parametrize("calls", ["", "1C", "1C Pass", "1C X Pass", "1C X XX Pass", "1C X 1D"])
def test_only_an_own_doubled_bid_may_be_redoubled(calls: str) -> None:
    with pytest.raises(IllegalCallError, match=r"XX by . is illegal: .*Law 19"):
        auction(calls + " XX")


def test_a_new_bid_cancels_the_double() -> None:
    assert str(auction("1C X XX 1D").contract) == "1D"


def test_four_passes_end_an_auction_without_a_bid() -> None:
    begun = auction("Pass Pass Pass")
    assert not begun.is_over
    assert not begun.is_passed_out
    passed_out = auction("Pass Pass Pass Pass")
    assert passed_out.is_over
    assert passed_out.is_passed_out
    assert passed_out.contract is None


@pytest.mark.parametrize(
    "calls", ["1C Pass Pass Pass", "Pass Pass Pass 1C Pass Pass Pass", "1C X XX Pass Pass Pass"]
)
def test_three_passes_after_a_bid_end_the_auction(calls: str) -> None:
    assert auction(calls).is_over
    assert not auction(calls).is_passed_out
    assert not auction(calls[: -len(" Pass")]).is_over


@pytest.mark.parametrize("call", ["Pass", "X", "7NT"])
def test_no_call_is_legal_after_the_end(call: str) -> None:
    auction_over = auction("1C Pass Pass Pass")
    assert auction_over.legal_calls() == []
    with pytest.raises(IllegalCallError, match="the auction is over"):
        auction_over.push(Call(call))


@pytest.mark.parametrize(
    ("calls", "contract", "declarer"),
    [
        ("1NT Pass 3NT", "3NT", Seat.NORTH),
        ("1H Pass 2NT Pass 3NT", "3NT", Seat.SOUTH),  # North bid no notrump before
        ("1S Pass 2H Pass 4H", "4H", Seat.SOUTH),  # partner named it first
        ("1S Pass 2H Pass 4S", "4S", Seat.NORTH),
        ("1C 1S 2C 2S", "2S", Seat.EAST),
        ("1S Pass 1NT 2S", "2S", Seat.WEST),  # the other side's spades do not count
        ("1H 2C 2H 3C 4H X Pass Pass XX", "4HXX", Seat.NORTH),
        ("Pass 1D Pass 1H X", "1HX", Seat.WEST),
    ],
)
def test_declarer_first_named_the_denomination_for_the_side(
    calls: str, contract: str, declarer: Seat
) -> None:
    final = auction(calls + " Pass Pass Pass").contract
    assert final is not None
    assert (str(final), final.declarer) == (contract, declarer)


def test_the_contract_as_it_stands() -> None:
    assert Auction(Seat.NORTH).contract is None
    assert str(auction("1C 1D X").contract) == "1DX"


def test_a_refused_call_changes_nothing() -> None:
    bidding = auction("2H")
    with pytest.raises(IllegalCallError):
        bidding.push(Call("2D"))
    assert bidding == auction("2H")
    assert bidding.turn is Seat.EAST
    assert bidding.legal_calls() == auction("2H").legal_calls()


def test_the_longest_auction_has_319_calls() -> None:
    """Return three passes, then every bid, doubled and redoubled as late as possible."""
    calls = ["Pass"] * 3
    for bid in CALLS[3:]:
        calls += [str(bid), "Pass", "Pass", "X", "Pass", "Pass", "XX", "Pass", "Pass"]
    calls.append("Pass")
    longest = auction(" ".join(calls))
    assert longest.is_over
    assert len(longest.calls) == 319


def test_a_copy_goes_its_own_way() -> None:
    original = auction("1C")
    copy = original.copy()
    copy.push(DOUBLE)
    assert original == auction("1C")
    assert copy == auction("1C X") != original
    assert auction("1C", Seat.EAST) != original
    assert str(copy) == "N: 1C X"


@given(auctions(), *[st.lists(st.integers(0, 5), max_size=20)] * 2)
def test_a_copy_is_as_if_its_calls_were_made(
    original: Auction, one: list[int], other: list[int]
) -> None:
    """The copy and the original go on apart."""
    copy = original.copy()
    for auction, choices in ((copy, one), (original, other)):
        for choice in choices:
            legal = auction.legal_calls()
            if legal:
                auction.push(legal[choice % len(legal)])
        anew = Auction(auction.dealer, auction.calls)
        assert auction.contract == anew.contract
        assert auction.legal_calls() == anew.legal_calls()
        assert (auction.turn, auction.is_over) == (anew.turn, anew.is_over)


@given(auctions())
def test_legality_and_push_agree(auction: Auction) -> None:
    legal = auction.legal_calls()
    assert legal == sorted(legal)
    assert bool(legal) != auction.is_over
    for call in CALLS:
        assert auction.is_legal(call) == (call in legal)
        trial = auction.copy()
        if call in legal:
            trial.push(call)
            assert trial.calls == [*auction.calls, call]
        else:
            with pytest.raises(IllegalCallError):
                trial.push(call)


@given(auctions())
def test_passing_ends_every_auction(auction: Auction) -> None:
    passes = 0
    while not auction.is_over:
        auction.push(PASS)
        passes += 1
    assert passes <= 4
    assert (auction.contract is None) == auction.is_passed_out


@given(st.randoms(use_true_random=False), st.sampled_from(SEATS))
def test_random_auctions_end_within_319_calls(random: Random, dealer: Seat) -> None:
    auction = Auction(dealer)
    while not auction.is_over:
        auction.push(random.choice(auction.legal_calls()[:4]))
    assert len(auction.calls) <= 319


@given(
    st.builds(
        Contract,
        st.integers(1, 7),
        st.sampled_from(DENOMINATIONS),
        st.sampled_from(Risk),
        st.sampled_from(SEATS),
    ),
    st.sampled_from(SEATS),
)
def test_the_shortest_auction_ends_in_its_contract(contract: Contract, dealer: Seat) -> None:
    auction = Auction(dealer, shortest_auction(contract, dealer))
    assert auction.is_over
    assert auction.contract == contract


def test_the_shortest_auction_has_no_call_too_many() -> None:
    contract = Contract(4, Denomination.HEARTS, Risk.REDOUBLED, Seat.WEST)
    calls = shortest_auction(contract, Seat.SOUTH)
    assert " ".join(map(str, calls)) == "Pass 4H X XX Pass Pass Pass"


def test_an_auction_is_equal_to_nothing_else_and_shows_its_calls() -> None:
    auction = Auction(Seat.EAST)
    auction.push(Call("1NT"))
    assert (auction == "1NT") is False
    assert repr(auction) == f"Auction({Seat.EAST!r}, {auction.calls!r})"
