"""Tests of what an auction has shown: the state that rules are matched against."""

from __future__ import annotations

import pytest

from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.natural.reading import Forcing, State, is_game
from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call, Denomination
from bridge_arena.bridge.cards import Suit
from tests.bots.natural.auctions import SILENT, hand_ranges, knowing, meant, state

ROUND = meant(forcing=Forcing.ROUND)
GAME = meant(forcing=Forcing.GAME)


class TestAfter:
    def test_the_state_before_any_call_knows_nothing(self) -> None:
        empty = State((True, False))
        assert (empty.turn, empty.bid, empty.doubled) == (0, PASS, PASS)
        assert not any((empty.ours, empty.theirs, empty.forced))
        assert empty.last_by_partner is None

    def test_the_last_bid_and_who_made_it(self) -> None:
        reached = state("Pass 1H Pass")
        assert (reached.turn, reached.bid, reached.bidder) == (3, Call("1H"), 1)
        assert reached.ours
        assert not reached.theirs
        reached = state("Pass 1H Pass Pass")
        assert reached.theirs
        assert not reached.ours

    def test_doubles_last_until_the_next_bid(self) -> None:
        assert state("1H X").doubled == DOUBLE
        assert state("1H X XX").doubled == REDOUBLE
        assert state("1H X Pass").doubled == DOUBLE
        assert state("1H X 2H").doubled == PASS

    def test_what_is_known_of_the_caller(self) -> None:
        known = hand_ranges(hcp=(12, 21), H=(5, 13))
        reached = state("1H Pass", meant(ranges=known), SILENT)
        assert reached.partner == known
        assert reached.own == ANY
        assert reached.opponents == (ANY, ANY)
        assert state("1H", meant(ranges=known)).opponents == (ANY, known)  # to the right

    def test_the_state_knows_who_passed_at_first(self) -> None:
        reached = state("Pass Pass 1H Pass")
        assert reached.passed
        assert not state("1H Pass Pass Pass").passed

    def test_a_call_leaves_the_state_before_it_alone(self) -> None:
        before = state("1H")
        before.after(Call("2H"), SILENT)
        assert before == state("1H")


class TestForced:
    def test_a_force_for_a_round_binds_partner(self) -> None:
        assert state("1H Pass", ROUND, SILENT).forced
        assert not state("1H Pass", SILENT, SILENT).forced

    def test_a_bid_by_an_opponent_lifts_the_force(self) -> None:
        assert not state("1H 2C", ROUND, SILENT).forced

    def test_a_double_or_redouble_leaves_the_force(self) -> None:
        assert state("1H X", ROUND, SILENT).forced
        assert state("1H X XX", ROUND, SILENT).forced
        assert state("1H Pass 2C X", GAME, SILENT).forced
        assert state("1H Pass 2C Pass 2H X", GAME, SILENT, SILENT, SILENT).forced

    def test_nothing_is_above_seven_notrump(self) -> None:
        assert state("7S Pass", ROUND, SILENT).forced
        assert not state("7NT Pass", ROUND, SILENT).forced

    def test_a_force_to_game_holds_until_game(self) -> None:
        """The game force holds also after calls that do not repeat it."""
        assert state("1H Pass 2C Pass 2H Pass", GAME, SILENT, SILENT, SILENT).forced
        assert state("1H Pass 2C Pass", GAME, SILENT).forced
        assert not state("1H Pass 2C Pass 4H Pass", GAME, SILENT, SILENT, SILENT).forced

    def test_a_force_to_game_binds_one_side_only(self) -> None:
        reached = state("1H Pass 2C 2D", GAME, SILENT)
        assert reached.game == (True, False)
        assert state("1H Pass 2C 2D Pass Pass", GAME, SILENT, SILENT, SILENT).forced
        assert not state("1H Pass 2C 2D Pass", GAME, SILENT, SILENT).forced

    def test_a_force_to_game_is_kept_by_a_penalty(self) -> None:
        assert not state("1H Pass 2C 2D X Pass", GAME, SILENT, SILENT, SILENT).forced

    def test_an_answer_about_key_cards_may_be_where_to_stop(self) -> None:
        asked = meant(asks=True, trump=Suit.DIAMONDS, forcing=Forcing.ROUND)
        answer = meant(keys=(1, 4), trump=Suit.DIAMONDS, forcing=Forcing.ROUND)
        assert state("4NT Pass", asked, SILENT).forced
        assert not state("4NT Pass 5D Pass", asked, SILENT, answer, SILENT).forced
        assert state("4NT Pass 5C Pass", asked, SILENT, answer, SILENT).forced


class TestTold:
    def test_a_double_of_a_forcing_bid_counts_as_a_pass(self) -> None:
        passed = list(state("1NT Pass 2C Pass").calls)
        assert state("1NT Pass 2C X", SILENT, SILENT, ROUND, SILENT).pattern_calls == passed

    def test_a_double_of_a_forcing_bid_counts_as_a_pass_later_in_the_auction(self) -> None:
        reached = state("1NT Pass 2C X 2D Pass", SILENT, SILENT, ROUND, SILENT, SILENT, SILENT)
        assert reached.pattern_calls == list(state("1NT Pass 2C Pass 2D Pass").calls)

    def test_doubles_of_other_bids_remain_doubles(self) -> None:
        reached = state("1H X", SILENT, ROUND)
        assert list(reached.pattern_calls) == list(reached.calls)
        redoubled = state("1H X XX", SILENT, ROUND, SILENT)
        assert list(redoubled.pattern_calls) == list(redoubled.calls)
        own = state("1NT Pass 2C X Pass", SILENT, SILENT, ROUND, SILENT, SILENT)
        assert list(own.pattern_calls) == list(own.calls)


class TestTrump:
    def test_the_suit_that_key_cards_were_asked_for_is_trumps(self) -> None:
        asked = meant(asks=True, trump=Suit.CLUBS)
        reached = knowing(state("4NT Pass", asked, SILENT), partner=hand_ranges(S=(8, 13)))
        assert reached.trump == Suit.CLUBS
        assert state("4NT Pass 5D Pass", asked, SILENT, SILENT, SILENT).trump == Suit.CLUBS

    def test_a_suit_of_eight_cards_between_the_hands_is_trumps(self) -> None:
        eight = knowing(
            state("1S Pass"), own=hand_ranges(S=(3, 13)), partner=hand_ranges(S=(5, 13))
        )
        assert eight.trump == Suit.SPADES
        seven = knowing(
            state("1NT Pass"), own=hand_ranges(S=(3, 13)), partner=hand_ranges(S=(4, 13))
        )
        assert seven.trump is None

    def test_the_longest_common_suit_is_trumps(self) -> None:
        both = knowing(
            state("1S Pass"),
            own=hand_ranges(S=(3, 13), H=(4, 13)),
            partner=hand_ranges(S=(5, 13), H=(5, 13)),
        )
        assert both.trump == Suit.HEARTS

    def test_a_suit_of_six_in_one_hand_is_trumps(self) -> None:
        assert knowing(state("2D Pass"), partner=hand_ranges(D=(6, 6))).trump == Suit.DIAMONDS
        assert knowing(state("Pass Pass"), own=hand_ranges(D=(6, 6))).trump == Suit.DIAMONDS

    def test_trumps_are_else_the_suit_that_partner_bid_last(self) -> None:
        four = hand_ranges(S=(4, 13))
        assert knowing(state("1S Pass"), partner=four).trump == Suit.SPADES
        assert knowing(state("1S 2C"), partner=four).trump is None
        assert knowing(state("1NT Pass"), partner=four).trump is None
        assert knowing(state("1S Pass"), partner=hand_ranges(S=(3, 13))).trump is None


class TestLetters:
    def test_nothing_has_been_shown(self) -> None:
        assert state().letters == {}

    def test_what_has_been_shown(self) -> None:
        reached = knowing(
            state("1S 2C"),
            partner=hand_ranges(S=(5, 13)),
            own=hand_ranges(S=(3, 13), H=(4, 13)),
            right=hand_ranges(C=(5, 13)),
        )
        assert reached.letters == {
            "T": Suit.SPADES,
            "R": Suit.SPADES,
            "Y": Suit.HEARTS,
            "E": Suit.CLUBS,
        }

    def test_the_letter_of_their_suit_is_the_suit_they_bid_last(self) -> None:
        known = {"left": hand_ranges(D=(4, 13)), "right": hand_ranges(S=(4, 13))}
        assert knowing(state("1D Pass 1S"), **known).letters["E"] == Suit.SPADES
        assert knowing(state("1S Pass 1D"), **known).letters["E"] == Suit.DIAMONDS
        assert knowing(state("1S 1D 1NT"), **known).letters["E"] == Suit.SPADES


def test_the_suits_shown_are_those_of_four_cards_the_longest_first() -> None:
    shown = state().shown(hand_ranges(C=(4, 13), H=(6, 13), S=(3, 13)))
    assert shown == [Suit.HEARTS, Suit.CLUBS]


@pytest.mark.parametrize(
    ("calls", "denomination", "level"),
    [("", "C", 1), ("1H", "S", 1), ("1H", "H", 2), ("1H", "C", 2), ("3NT", "C", 4), ("7S", "C", 8)],
)
def test_the_cheapest_level_of_a_denomination_is_known(
    calls: str, denomination: str, level: int
) -> None:
    assert state(calls).cheapest(Denomination("CDHS".index(denomination))) == level


@pytest.mark.parametrize(
    ("bid", "game"),
    [
        *[(bid, True) for bid in ("3NT", "4H", "4S", "5C", "6C")],
        *[(bid, False) for bid in ("2NT", "3S", "4D", "Pass", "X")],
    ],
)
def test_contracts_of_game_are_known(bid: str, game: bool) -> None:  # noqa: FBT001
    assert is_game(Call(bid)) == game


class TestMeaning:
    def test_a_call_of_two_meanings_tells_what_both_have_in_common(self) -> None:
        one = meant(
            text="raise", ranges=hand_ranges((6, 9), H=(4, 13)), forcing=Forcing.GAME, signoff=True
        )
        other = meant(text="other", ranges=hand_ranges((8, 12), H=(3, 5)), forcing=Forcing.ROUND)
        either = one.either(other)
        assert either.text == "raise, or other"
        assert one.either(one).text == "raise"
        assert either.ranges == hand_ranges((6, 12), H=(3, 13))
        assert either.forcing == Forcing.ROUND
        assert not either.signoff

    def test_a_call_of_two_meanings_is_artificial_only_if_both_are(self) -> None:
        assert meant(artificial=True).either(meant(artificial=True)).artificial
        assert not meant(artificial=True).either(SILENT).artificial

    def test_a_meaning_is_explained_with_ranges_and_marks(self) -> None:
        told = meant(
            text="Stayman",
            ranges=hand_ranges((8, 37), C=(0, 5)),
            forcing=Forcing.ROUND,
            artificial=True,
        )
        assert str(told.explanation) == "Stayman [hcp 8-37, C 0-5, forcing, artificial]"
        assert str(meant(text="nothing").explanation) == "nothing"
