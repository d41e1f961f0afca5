"""The most probable division, by brute force."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from random import Random

import pytest

from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bots.minimax.bid_frequencies import HONOURS, BidTable
from bridge_arena.bots.minimax.placement import HiddenHand, Share, most_probable
from bridge_arena.bridge.cards import CARDS, SUITS, Hand, Suit

TABLE = BidTable.load()

Division = tuple[tuple[Share, ...], ...]


def shares(hand: Hand) -> tuple[Share, ...]:
    return tuple(
        Share(hand.length(suit), (hand.holding(suit) & HONOURS).bit_count()) for suit in SUITS
    )


def chance_of_bids(hand: Hand, hidden: HiddenHand) -> float:
    """P(the bids | the hand as dealt)."""
    chance = 1.0
    for suit in hidden.bid:
        dealt = shares(hand | hidden.played)[suit]
        chance *= TABLE.chance(dealt.cards, dealt.honours)
    return chance


def by_brute_force(unseen: Hand, hands: list[HiddenHand]) -> dict[Division, float]:
    """Return the weight of every division, summed over all ways to deal the cards."""
    weights: dict[Division, float] = defaultdict(float)
    cards = list(unseen)
    for owners in product(range(len(hands)), repeat=len(cards)):
        dealt = [
            Hand.of(card for card, owner in zip(cards, owners, strict=True) if owner == place)
            for place in range(len(hands))
        ]
        if any(
            len(hand) != hidden.size or any(hand.length(suit) for suit in hidden.voids)
            for hand, hidden in zip(dealt, hands, strict=True)
        ):
            continue
        weight = 1.0
        for hand, hidden in zip(dealt, hands, strict=True):
            weight *= chance_of_bids(hand, hidden)
        weights[tuple(map(shares, dealt))] += weight
    return weights


def small_case(seed: int, sizes: list[int]) -> tuple[Hand, list[HiddenHand]]:
    """A few cards dealt, some played before, some suits bid, some voids shown: all true."""
    rng = Random(seed)
    pack = shuffled(rng, CARDS)
    hands = []
    unseen = Hand()
    for size in sizes:
        held, pack = Hand.of(pack[:size]), pack[size:]
        played, pack = Hand.of(pack[:4]), pack[4:]
        lacking = [suit for suit in SUITS if not held.length(suit)]
        voids = frozenset(suit for suit in lacking if rng.random() < 0.5)
        bid = frozenset(suit for suit in SUITS if rng.random() < 0.4)
        hands.append(HiddenHand(size, played, voids, bid))
        unseen |= held
    return unseen, hands


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("sizes", [[4, 4], [5, 4], [2, 2, 3]])
def test_no_division_is_more_probable(seed: int, sizes: list[int]) -> None:
    unseen, hands = small_case(seed, sizes)
    weights = by_brute_force(unseen, hands)
    found = tuple(most_probable(unseen, hands, TABLE, Random(seed)))
    assert weights[found] == pytest.approx(max(weights.values()))


def hidden(size: int, bid: str = "", voids: str = "") -> HiddenHand:
    suits = {suit.letter: suit for suit in SUITS}
    return HiddenHand(
        size,
        Hand(),
        frozenset(suits[letter] for letter in voids),
        frozenset(suits[letter] for letter in bid),
    )


UNSEEN = Hand.parse("AKQJT98.5432.76543.6543") | Hand.parse("765.AKQ..")


def test_a_player_who_bid_a_suit_has_most_of_its_cards() -> None:
    first, second = most_probable(UNSEEN, [hidden(13, "S"), hidden(13)], TABLE, Random(1))
    assert first[Suit.SPADES].cards > second[Suit.SPADES].cards
    assert first[Suit.SPADES].honours >= second[Suit.SPADES].honours


def test_equally_probable_divisions_come_up_by_chance() -> None:
    found = {
        tuple(share.cards for share in most_probable(UNSEEN, [hidden(13)] * 2, TABLE, Random(s))[0])
        for s in range(30)
    }
    assert found == {(2, 2, 4, 5), (2, 3, 3, 5)}


def test_the_same_random_numbers_find_the_same_division() -> None:
    cases = [most_probable(UNSEEN, [hidden(13)] * 2, TABLE, Random(5)) for _ in range(2)]
    assert cases[0] == cases[1]


def test_cards_that_nobody_can_hold_are_an_error() -> None:
    with pytest.raises(ValueError, match="26 unseen cards cannot be divided"):
        most_probable(UNSEEN, [hidden(13, voids="S"), hidden(13, voids="S")], TABLE, Random(1))


def test_no_hidden_hands_need_no_division() -> None:
    assert most_probable(Hand(), [], TABLE, Random(1)) == []
