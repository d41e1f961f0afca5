"""The baseline's card play."""

from __future__ import annotations

from random import Random

import pytest

from bridge_arena.bots.baseline.play import choose_card, place_unseen
from bridge_arena.bridge.cards import CARDS, Deal, Hand, Rank
from bridge_arena.bridge.seats import SEATS, Seat
from tests.bots.views import at_play

PLAIN = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")

# South has no spades and five trumps, diamonds.
RUFFING = Deal.parse("N:A54.AK6.J54.KQJ6 T98763.987.76.A7 .5432.AKQ32.5432 KQJ2.QJT.T98.T98")


def played(deal: Deal, contract: str, cards: str = "", seed: int = 1) -> str:
    return str(choose_card(at_play(deal, contract, Seat.SOUTH, cards), Random(seed)))


class TestLastHand:
    @pytest.mark.parametrize("seed", range(5))
    def test_the_last_hand_takes_the_trick_with_the_cheapest_card(self, seed: int) -> None:
        assert played(PLAIN, "1NT", "D9 D2 DT", seed) == "DJ"
        assert played(PLAIN, "1NT", "D4 D2 D6", seed) == "DJ"
        assert played(PLAIN, "1NT", "S7 S2 S4", seed) == "SK"

    def test_the_last_hand_ducks_when_partner_wins(self) -> None:
        assert played(PLAIN, "1NT", "D9 DK D6") == "D5"
        assert played(PLAIN, "1NT", "H8 HA H7") == "H5"

    def test_the_last_hand_plays_low_when_it_cannot_win(self) -> None:
        assert played(PLAIN, "1NT", "CA C4 C9") == "C2"

    def test_the_last_hand_ruffs_with_the_lowest_trump(self) -> None:
        assert played(RUFFING, "1D", "SK S4 S3") == "D2"

    def test_the_last_hand_does_not_ruff_partners_winner(self) -> None:
        assert played(RUFFING, "1D", "S2 SA S3") == "C2"

    def test_without_trumps_there_is_nothing_to_ruff_with(self) -> None:
        assert played(RUFFING, "1NT", "SK S4 S3") in {"C2", "D2", "H2"}


class TestThirdHand:
    def test_third_hand_leaves_the_trick_to_partner_who_cannot_be_beaten(self) -> None:
        assert played(PLAIN, "1NT", "CA C4") == "C9"

    @pytest.mark.parametrize("seed", range(10))
    def test_third_hand_does_not_waste_an_honour_below_dummys_card(self, seed: int) -> None:
        assert played(PLAIN, "1NT", "H8 HA", seed) == "H7"


class TestLead:
    @pytest.mark.parametrize("seed", range(10))
    def test_a_card_that_nobody_can_beat_is_led(self, seed: int) -> None:
        assert played(PLAIN, "1NT", seed=seed) == "CA"

    @pytest.mark.parametrize("seed", range(20))
    def test_a_low_card_is_led_when_every_card_can_be_beaten(self, seed: int) -> None:
        """It keeps king, queen and jack until the ace is gone."""
        card = choose_card(at_play(RUFFING, "1D", Seat.SOUTH), Random(seed))
        assert card.rank <= Rank.TEN

    def test_masters_are_led_on(self) -> None:
        """East's queen of clubs took the second round; its jack and ten are now high."""
        view = at_play(PLAIN, "1NT", Seat.SOUTH, "CA C4 C9 C2 C7 C5 CQ CK")
        assert str(choose_card(view, Random(1))) in {"SA", "SK", "HK", "DA", "DQ", "DJ"}


class TestHonesty:
    @pytest.mark.parametrize("cards", ["", "D9", "D9 D2", "D9 D2 DT DJ", "CA C4 C9 C2"])
    def test_hidden_cards_are_placed_at_random(self, cards: str) -> None:
        view = at_play(PLAIN, "1NT", Seat.SOUTH, cards)
        for seed in range(5):
            hands = place_unseen(view, Random(seed))
            assert [len(hand) for hand in hands] == [13 - len(view.played[s]) for s in SEATS]
            for seat in SEATS:
                held = view.held(seat)
                assert held is None or hands[seat] == held
            everything = [card for hand in [*hands, *view.played] for card in hand]
            assert sorted(everything) == list(CARDS)

    def test_hidden_cards_do_not_change_the_card_played(self) -> None:
        """South and West exchange all cards that East has not seen."""
        north, east, south, west = PLAIN.hands
        hidden = [card for card in [*south, *west] if str(card) not in {"D9", "D2"}]
        for shift in range(5):
            shuffled = hidden[shift:] + hidden[:shift]
            other = Deal((north, east, Hand.of(shuffled[12:]), Hand.of([*shuffled[:12], D9])))
            for seed in range(5):
                assert played(other, "1NT", "D9 D2", seed) == played(PLAIN, "1NT", "D9 D2", seed)

    def test_the_same_seed_plays_the_same(self) -> None:
        for seed in range(5):
            assert played(PLAIN, "1NT", "D9", seed) == played(PLAIN, "1NT", "D9", seed)


D9 = next(card for card in CARDS if str(card) == "D9")


def test_before_the_play_there_is_no_card() -> None:
    view = at_play(PLAIN, "1NT", Seat.SOUTH)
    view.play = None
    with pytest.raises(ValueError, match="the play has not begun"):
        choose_card(view, Random(1))
