"""The rules and the score table against an independent judge: OpenSpiel's bridge.

Its cards are 4 x rank + suit, dealt in turn from North; its calls come 52 higher:
Pass, X, XX, then the bids. It accepts a revoke without a word, so legality is
compared before every action.
"""

from __future__ import annotations

import re
from itertools import product
from random import Random
from typing import Any

import pytest

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import (
    CALLS,
    DENOMINATIONS,
    DOUBLE,
    PASS,
    REDOUBLE,
    Call,
    Contract,
    Risk,
)
from bridge_arena.bridge.cards import CARDS, SUITS, Card, Deal, Hand, Rank, Suit
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.scoring import contract_score, score_ns
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from tests.late_imports import late_imports

with late_imports():
    import pyspiel

FIRST_CALL = 52
DENOMINATION_LETTERS = "CDHSN"
VULNERABILITIES = tuple(Vulnerability)
BOARDS_PER_SEED = 500


def judge_game(dealer: Seat, vulnerability: Vulnerability) -> Any:
    dealer_vul = vulnerability.includes(dealer.side)
    non_dealer_vul = vulnerability.includes(dealer.side.other)
    return pyspiel.load_game(
        "bridge",
        {
            "use_double_dummy_result": False,
            "dealer": int(dealer),
            "dealer_vul": dealer_vul,
            "non_dealer_vul": non_dealer_vul,
        },
    )


def judge_card(card: Card) -> int:
    return 4 * (card.rank - 2) + card.suit


def own_card(number: int) -> Card:
    return Card.of(SUITS[number % 4], Rank(number // 4 + 2))


def dealt(game: Any, deal: Deal) -> Any:
    """Return the judge's state after the deal, before the auction."""
    state = game.new_initial_state()
    hands = [list(hand) for hand in deal.hands]
    for number in range(52):
        state.apply_action(judge_card(hands[number % 4][number // 4]))
    return state


def judge_contract(game: Any, state: Any) -> str:
    return str(game.contract_string(state.contract_index()))


def contract_in_judges_words(contract: Contract | None) -> str:
    if contract is None:
        return "Passed Out"
    letter = DENOMINATION_LETTERS[contract.denomination]
    return f"{contract.level}{letter}{contract.risk} {contract.declarer}"


def random_call(random: Random, legal: list[Call], passing: float) -> Call:
    """Choose mostly low bids and passes, or all auctions would end at level 7."""
    if random.random() < passing:
        return PASS
    if random.random() < 0.3:
        return random.choice([call for call in legal if not call.is_bid])
    return legal[min(len(legal) - 1, int(random.expovariate(0.25)))]


def follow_auction(random: Random, dealer: Seat, state: Any) -> Auction:
    auction = Auction(dealer)
    passing = random.choice((0.0, 0.3, 0.5, 0.7))
    while not auction.is_over:
        legal = [call for call in CALLS if auction.is_legal(call)]
        assert state.legal_actions() == [FIRST_CALL + call for call in legal]
        assert auction.legal_calls() == legal
        assert state.current_player() == auction.turn
        call = random_call(random, legal, passing)
        auction.push(call)
        state.apply_action(FIRST_CALL + call)
    return auction


def follow_play(random: Random, contract: Contract, deal: Deal, state: Any) -> Play:
    hands = list(deal.hands)
    play = Play(contract)
    while not play.is_over:
        assert not state.is_terminal()
        assert state.current_player() == play.player
        legal = play.legal_cards(hands[play.turn])
        assert Hand.of(map(own_card, state.legal_actions())) == legal
        card = random.choice(list(legal))
        hands[play.turn] = hands[play.turn].without(card)
        play.push(card)
        state.apply_action(judge_card(card))
    return play


@pytest.mark.parametrize("seed", range(6))
def test_random_boards_are_judged_as_openspiel_judges_them(seed: int) -> None:
    random = Random(seed)
    games = {
        (dealer, vulnerability): judge_game(dealer, vulnerability)
        for dealer, vulnerability in product(SEATS, VULNERABILITIES)
    }
    for number in range(1, BOARDS_PER_SEED + 1):
        dealer = random.choice(SEATS)
        vulnerability = random.choice(VULNERABILITIES)
        game = games[dealer, vulnerability]
        deal = random_deal(seed, number)
        state = dealt(game, deal)

        auction = follow_auction(random, dealer, state)
        contract = auction.contract
        assert judge_contract(game, state) == contract_in_judges_words(contract)

        tricks = None
        if contract is not None:
            play = follow_play(random, contract, deal, state)
            tricks = play.declarer_tricks
            protocol = str(state)
            assert re.findall(r"Won by (\w)", protocol) == [
                str(trick.winner) for trick in play.tricks
            ]
            assert f"Declarer tricks won: {tricks}\n" in protocol
        assert state.is_terminal()
        ns = score_ns(contract, tricks, vulnerability)
        assert state.returns() == [ns, -ns, ns, -ns]


def deal_for_tricks(trump: Suit | None, tricks: int) -> tuple[Deal, list[Card]]:
    """A deal and its play in which declarer North and South take exactly `tricks`.

    Twelve times all follow suit with four neighbouring ranks, the highest with North
    or East as it should be; the four twos are left, one in each hand, and the last
    trick goes to the two of trumps, or at notrump to who won the trick before.
    """
    if trump is None:
        early = [number < tricks for number in range(12)]
        late = [number >= 13 - tricks for number in range(12)]
        ns_wins = early if tricks < 12 else late
    else:
        ns_wins = [number < tricks - 1 for number in range(12)]

    hands: list[list[Card]] = [[], [], [], []]
    play: list[Card] = []
    leader = Seat.EAST
    for number, ns in enumerate(ns_wins):
        suit, lowest = SUITS[number % 4], 3 + 4 * (number // 4)
        winner = Seat.NORTH if ns else Seat.EAST
        for seat in SEATS:
            rank = Rank(lowest + (3 - (seat - winner) % 4))
            hands[seat].append(Card.of(suit, rank))
        play += [hands[(leader + offset) % 4][-1] for offset in range(4)]
        leader = winner

    two_of_trumps = Seat.NORTH if tricks else Seat.EAST
    for seat in SEATS:
        suit = SUITS[((trump or 0) + seat - two_of_trumps) % 4]
        hands[seat].append(Card.of(suit, Rank.TWO))
    play += [hands[(leader + offset) % 4][-1] for offset in range(4)]
    north, east, south, west = map(Hand.of, hands)
    return Deal((north, east, south, west)), play


def bidding(contract: Contract) -> list[Call]:
    """A short auction by dealer North that ends in North's contract."""
    bid = Call.bid(contract.level, contract.denomination)
    risk = {
        Risk.UNDOUBLED: [],
        Risk.DOUBLED: [DOUBLE],
        Risk.REDOUBLED: [DOUBLE, REDOUBLE],
    }[contract.risk]
    return [bid, *risk, PASS, PASS, PASS]


@pytest.mark.parametrize("vulnerability", [Vulnerability.NONE, Vulnerability.NS])
def test_every_contract_scores_as_in_openspiel(vulnerability: Vulnerability) -> None:
    """All 35 bids, undoubled, doubled, redoubled, with 0 to 13 tricks, played out."""
    game = judge_game(Seat.NORTH, vulnerability)
    vulnerable = vulnerability is Vulnerability.NS
    for denomination, tricks in product(DENOMINATIONS, range(14)):
        deal, cards = deal_for_tricks(denomination.trump, tricks)
        ready = dealt(game, deal)
        for level, risk in product(range(1, 8), Risk):
            contract = Contract(level, denomination, risk, Seat.NORTH)
            state = ready.clone()
            for call in bidding(contract):
                state.apply_action(FIRST_CALL + call)
            for card in cards:
                state.apply_action(judge_card(card))
            assert judge_contract(game, state) == contract_in_judges_words(contract)
            assert f"Declarer tricks won: {tricks}\n" in str(state)
            points = contract_score(contract, tricks, vulnerable=vulnerable)
            assert state.returns()[Seat.NORTH] == points, f"{contract} with {tricks} tricks"


def test_the_judges_cards_are_ours() -> None:
    assert {own_card(judge_card(card)) for card in CARDS} == set(CARDS)
