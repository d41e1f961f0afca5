"""Turns to call on many boards, and who answers them."""

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
from bridge_arena.bots.library.many_auctions.auctions import Auctions, Turns
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.neural.bot import NeuralBot
from bridge_arena.bots.qtable.bot import QTableBot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability

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
