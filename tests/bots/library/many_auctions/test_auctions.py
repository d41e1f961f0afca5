"""Auctions in step, against the rules themselves, and turns in them one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.deepq.bot import DeepQBot
from bridge_arena.bots.library.bidding_systems import BiddingBot
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.many_auctions.auctions import BIDS, Auctions, Turns
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.neural.bot import NeuralBot
from bridge_arena.bots.qtable.bot import QTableBot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import CALLS, FIRST_BID, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability


@given(
    seed=st.integers(0, 10**6),
    passing=st.floats(0, 0.9),
    doubling=st.floats(0, 0.9),
    step=st.integers(1, 35),
)
def test_auctions_in_step_agree_with_the_rules(
    seed: int, passing: float, doubling: float, step: int
) -> None:
    rng = np.random.default_rng(seed)
    alone = [Auction(Seat.NORTH) for _ in range(8)]
    auctions, on = Auctions(8), np.arange(8)
    while len(on):
        assert auctions.turn == alone[on[0]].turn
        legal = [[int(call) for call in alone[each].legal_calls()] for each in on]
        assert [np.flatnonzero(row).tolist() for row in auctions.legal()] == legal
        calls = np.array([_call(rng, each, passing, doubling, step) for each in legal])
        auctions.push(calls)
        for each, call in zip(on, calls, strict=True):
            alone[each].push(CALLS[call])
        for row, each in enumerate(on):
            assert auctions.over[row] == alone[each].is_over
            assert [CALLS[call] for call in auctions.calls[row]] == alone[each].calls
            contract = alone[each].contract
            if contract is None:
                assert auctions.last[row] == 0
                continue
            assert auctions.last[row] == 5 * (contract.level - 1) + contract.denomination + 1
            assert auctions.risk[row] == contract.risk
            assert auctions.declarer[row] == contract.declarer
        going = np.flatnonzero(~auctions.over)
        auctions, on = auctions.rows(going), on[going]


def _call(
    rng: np.random.Generator, legal: list[int], passing: float, doubling: float, step: int
) -> int:
    if rng.random() < passing:
        return 0
    doubles = [call for call in legal if 0 < call < FIRST_BID]
    if doubles and rng.random() < doubling:
        return doubles[0]
    bids = [call for call in legal if call >= FIRST_BID][:step]
    return int(rng.choice(bids)) if bids else legal[-1]


def test_marks_say_who_did_what() -> None:
    auctions = Auctions(1)
    for text in "1C X XX 1H".split():
        call = next(call for call in CALLS if str(call) == text)
        auctions.push(np.array([call]))
    marked = {tuple(each) for each in np.argwhere(auctions.marks[0])}
    assert marked == {(0, 0), (1, BIDS), (2, 2 * BIDS), (3, 2)}


def test_rows_of_auctions_are_copies() -> None:
    auctions = Auctions(2)
    auctions.push(np.array([3, 0]))
    one = auctions.rows(np.array([0, 0]))
    one.push(np.array([4, 0]))
    assert auctions.made == 1
    assert auctions.last.tolist() == [1, 0]
    assert one.last.tolist() == [2, 1]
    assert auctions.rows(np.array([0, 1, 1])).calls.tolist() == [[3], [0], [0]]


WORDS = ("None", "NS", "EW", "All")


def turns_of(hands: list[Hand], auctions: list[Auction], vulnerable: list[Vulnerability]) -> Turns:
    """The turns of auctions with the same number of calls."""
    state = Auctions(len(auctions))
    for calls in zip(*(auction.calls for auction in auctions), strict=True):
        state.push(np.array(calls))
    dealers = [auction.dealer for auction in auctions]
    sides = [
        [told.includes(dealer.side), told.includes(dealer.side.other)]
        for told, dealer in zip(vulnerable, dealers, strict=True)
    ]
    return Turns(hands_array(hands), state, np.array(sides), np.array(dealers, np.int64))


@given(st.integers(0, 2**32), st.sampled_from(SEATS), st.sampled_from(WORDS))
def test_whoever_answers_single_turns_is_told_all_as_it_was(
    seed: int, dealer: Seat, word: str
) -> None:
    auction = Auction(dealer, [CALLS[0], CALLS[5], CALLS[1]])
    hand = random_deal(seed, 1)[auction.turn]
    told: list[object] = []

    def choose(*known: object) -> Call:
        told.extend(known)
        return CALLS[2]

    turns = turns_of([hand], [auction], [Vulnerability(word)])
    assert turns.one_by_one(choose).tolist() == [2]
    assert told == [hand, auction, Vulnerability(word)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [NaturalBot, BaselineBot, NeuralBot, QTableBot, DeepQBot])
def test_batches_are_answered_as_single_turns(kind: Callable[[], BiddingBot]) -> None:
    """Many auctions are bid to their ends, with calls of chance in between."""
    bot = kind()
    rng = np.random.default_rng(5)
    deals = [random_deal(9, number) for number in range(24)]
    dealers = [SEATS[number % 4] for number in range(24)]
    vulnerable = [Vulnerability(WORDS[number % 3]) for number in range(24)]
    auctions = [Auction(dealer) for dealer in dealers]
    while auctions:
        hands = [deal[auction.turn] for deal, auction in zip(deals, auctions, strict=True)]
        calls = bot.call_many(turns_of(hands, auctions, vulnerable)).tolist()
        known = list(zip(hands, auctions, vulnerable, strict=True))
        assert calls == [bot.system.choose(*each).call for each in known]
        for auction, call in zip(auctions, calls, strict=True):
            legal = auction.legal_calls()
            low = legal[: 1 + int(rng.integers(8))]
            auction.push(low[-1] if rng.random() < 0.15 else CALLS[call])
        going = [n for n, auction in enumerate(auctions) if not auction.is_over]
        deals, auctions = [deals[n] for n in going], [auctions[n] for n in going]
        vulnerable = [vulnerable[n] for n in going]
