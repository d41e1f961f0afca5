"""The layouts that are searched."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from bridge_arena.bots.minimax.bid_frequencies import BidTable
from bridge_arena.bots.minimax.placement import place_at_random, place_most_probable
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import CARDS, Card, Deal, Hand, Suit
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
