"""The layouts that are searched, and the most probable divisions of the unseen cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bots.minimax.bid_frequencies import HONOURS, BidTable
from bridge_arena.bots.minimax.placement import (
    HiddenHand,
    Share,
    most_probable,
    place_at_random,
    place_most_probable,
)
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import CARDS, SUITS, Card, Deal, Hand, Suit
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.protocol.messages import AuctionEnd
from bridge_arena.protocol.view import View
from tests.bots.views import at_play, call_made, new_view, turned

TABLE = BidTable.load()

Place = Callable[[View, Random], list[Hand]]


def probably(view: View, rng: Random) -> list[Hand]:
    return place_most_probable(view, TABLE, rng)


DEAL = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")

# East has one club.
SHORT = Deal.parse("N:Q32.A432.K32.654 J754.QJ87.T764.Q AK6.K65.AQJ5.K32 T98.T9.98.AJT987")

LINES = [
    "",
    "S7",
    "S7 S2 SJ",
    "S7 S2 SJ SA D5",
    "S7 S2 SJ SA D5 D4 DK D6 C4 C9 CK",
]


@pytest.mark.parametrize("place", [place_at_random, probably])
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("seed", range(3))
def test_every_card_has_its_place(place: Place, line: str, seed: int) -> None:
    view = at_play(DEAL, "1NT", Seat.SOUTH, line)
    hands = place(view, Random(seed))
    assert [len(hand) for hand in hands] == [13 - len(view.played[seat]) for seat in SEATS]
    for seat in SEATS:
        held = view.held(seat)
        assert held is None or hands[seat] == held
    assert sorted(card for hand in [*hands, *view.played] for card in hand) == list(CARDS)


@pytest.mark.parametrize("place", [place_at_random, probably])
def test_a_player_sees_two_hands_and_the_leader_one(place: Place) -> None:
    """Over many layouts, every hidden card has been in every hidden place."""
    for line, hidden in (("", 3), ("S7", 2)):
        view = at_play(DEAL, "1NT", Seat.SOUTH, line)
        layouts = [place(view, Random(seed)) for seed in range(40)]
        for card in (Card("SJ"), Card("C9")) if line else (Card("SK"), Card("C9")):
            owners = {seat for hands in layouts for seat in SEATS if card in hands[seat]}
            assert len(owners) == hidden


@pytest.mark.parametrize("place", [place_at_random, probably])
@pytest.mark.parametrize("seed", range(20))
def test_a_void_in_the_trick_in_progress_is_respected(place: Place, seed: int) -> None:
    view = at_play(SHORT, "1NT", Seat.SOUTH, "CA C4 CQ C2 CJ C5 H7")
    assert view.play is not None
    hands = place(view, Random(seed))
    assert not hands[Seat.EAST].length(Suit.CLUBS)
    assert Position.of(view.play, hands).turn == Seat.SOUTH


@pytest.mark.parametrize("seed", range(20))
def test_earlier_voids_are_evidence_only_for_the_most_probable(seed: int) -> None:
    view = at_play(SHORT, "1NT", Seat.SOUTH, "CA C4 CQ C2 CJ C5 H7 C3 S8 S2 SJ")
    assert not probably(view, Random(seed))[Seat.EAST].length(Suit.CLUBS)


def test_earlier_voids_are_not_heeded_by_placement_at_random() -> None:
    view = at_play(SHORT, "1NT", Seat.SOUTH, "CA C4 CQ C2 CJ C5 H7 C3 S8 S2 SJ")
    owners = [place_at_random(view, Random(seed))[Seat.EAST] for seed in range(20)]
    assert any(hand.length(Suit.CLUBS) for hand in owners)


def test_a_player_who_bid_a_suit_is_given_its_cards() -> None:
    """East opened spades, South declares hearts, West is on lead."""
    deal = Deal.parse("N:62.AJ43.K432.654 AKQJ5.82.T76.QJ9 73.KQ765.AQJ.K32 T984.T9.985.AT87")
    view = new_view(Seat.WEST, Board(1, Seat.EAST, Vulnerability.NONE, deal))
    for call in "1S 2H Pass 4H Pass Pass Pass".split():
        view.apply(call_made(Seat.EAST, view.auction, call))
    end = AuctionEnd(table="t", board=1, seq=3, contract="4H", declarer=Seat.SOUTH)
    view.apply(end)
    layouts = [probably(view, Random(seed)) for seed in range(20)]
    assert all(hands[Seat.EAST].length(Suit.SPADES) >= 5 for hands in layouts)
    assert all(hands[Seat.SOUTH].length(Suit.HEARTS) >= 5 for hands in layouts)


@pytest.mark.parametrize("place", [place_at_random, probably])
def test_cards_that_cannot_be_seen_do_not_matter(place: Place) -> None:
    view = at_play(DEAL, "1NT", Seat.SOUTH, "D9 D2")
    for shift in range(5):
        same = at_play(turned(DEAL, view, shift), "1NT", Seat.SOUTH, "D9 D2")
        assert place(same, Random(shift)) == place(view, Random(shift))


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
