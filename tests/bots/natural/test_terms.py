"""Every term of the tables: which hands pass it, and what it tells."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.natural import terms
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.reading import Forcing, State
from bridge_arena.bots.natural.situation import FIXED
from bridge_arena.bots.natural.terms import NEVER, RuleContext
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import Suit
from tests.bots.natural.auctions import (
    SILENT,
    hand_ranges,
    knowing,
    meant,
    measured,
    place,
    state,
)

HAND = "AQ765.K4.K832.Q4"  # 14 points, 15 with length
FLAT = "AQ76.K43.K83.Q42"
LETTERS = {**FIXED, "M": Suit.SPADES, "O": Suit.HEARTS, "x": Suit.DIAMONDS, "y": Suit.CLUBS}


def passes(term: str, hand: str, where: RuleContext | None = None) -> bool | None:
    """Whether the hand passes; None where the term cannot hold in the auction."""
    bound = terms.parse(term)(where or place(state(), suits=LETTERS))
    return None if bound is None else bound.test(measured(hand))


@pytest.mark.parametrize(
    ("term", "yes", "no"),
    [
        ("14", HAND, "AQ765.K4.K832.J4"),
        ("12-14", HAND, "AQ765.K4.K832.K4"),
        ("14+", HAND, "AQ765.K4.K832.J4"),
        ("-14", HAND, "AQ765.K4.K832.K4"),
        ("pts15", HAND, FLAT),
        ("pts15+", HAND, FLAT),
        ("S5+", HAND, FLAT),
        ("H2", HAND, FLAT),
        ("D3-4", HAND, "AQ765.K4.K8.Q432"),
        ("x-3", FLAT, HAND),
        ("M5", HAND, FLAT),
        ("S>D", HAND, "AQ76.K4.K8543.Q4"),
        ("H>=C", HAND, "AQ765.K.K8432.Q4"),
        ("H>C", "AQ765.K43.K83.Q4", HAND),
        ("long(S)", HAND, "AQ76.K4.K8543.Q4"),
        ("long(M)", "AQ765.KQ432.K8.4", "AQ765.KQ5432.K.4"),
        ("long(H)", "AQ76.KQ432.K8.43", "AQ765.KQ432.K8.4"),  # of equals the higher
        ("short(C)", "AQ765.KQ432.K8.4", HAND),
        ("good(S)", HAND, "AT765.K4.K832.Q4"),
        ("top(S)2+", HAND, "AJ765.K4.K832.Q4"),
        ("top(S)2", HAND, "AKQ65.K4.K832.Q4"),
        ("stop(H)", HAND, "AQ765.Q4.K832.K4"),
        ("stops3", HAND, "AQ765.K4.K832.K4"),
        ("stops4", "AQ765.K4.K832.K4", HAND),
        ("bal", FLAT, "AQ7654.K43.K83.Q"),
        ("semi", "AQ7654.K43.K8.Q2", "AQ7654.K43.K832."),
        ("qt2+", HAND, "QJ765.K4.K832.Q4"),
        ("aces1", HAND, "AQ765.A4.K832.Q4"),
        ("aces-1", HAND, "AQ765.A4.K832.Q4"),
        ("queen(S)", HAND, "AK765.K4.K832.Q4"),
        ("!14", "AQ76.K43.K83.J42", HAND),
        ("!bal", "AQ7654.K43.K83.Q", FLAT),
    ],
)
def test_terms_of_a_hand_pass_the_hands_they_describe(term: str, yes: str, no: str) -> None:
    assert passes(term, yes) is True
    assert passes(term, no) is False


@pytest.mark.parametrize(
    "text",
    [
        *["", "Z", "14-", "14--15", "hcp14", "S", "S5-", "good", "stop()", "law12", "keys", "!"],
        *["more(xy)", "seat", "above(x)", "takeout(x)", "bal+", "all", "exp(T)20"],
    ],
)
def test_text_that_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(
        ValueError, match=f"{re.escape(repr(text.removeprefix('!')))} is not a term"
    ):
        terms.parse(text)


def described() -> list[str]:
    """The terms of the description."""
    lines = [line for line in (terms.__doc__ or "").splitlines() if line.startswith("    ")]
    # The terms stand in a column of their own, or fill their line.
    columns = [line[4:22] if line[22:23] == " " else line for line in lines]
    return [word for column in columns for word in column.split() if word != "!term"]


def test_every_term_of_the_description_is_one() -> None:
    for word in described():
        terms.parse(word)
    assert len(described()) >= 40


def test_terms_that_heed_the_vulnerability() -> None:
    """All others are bound alike, whoever is vulnerable."""
    asked = meant(asks=True, trump=Suit.SPADES, ranges=hand_ranges(S=(5, 13)))
    answer = meant(keys=(0, 3), trump=Suit.SPADES, ranges=hand_ranges(S=(3, 13)))
    safe, vulnerable = (
        place(
            state("4NT Pass 5C Pass", asked, SILENT, answer, SILENT, vulnerable=(each, each)),
            "5S",
            LETTERS,
        )
        for each in (False, True)
    )
    for word in described():
        for term in (word, f"!{word}", f"!!{word}"):
            alike = terms.parse(term)(safe) is terms.parse(term)(vulnerable)
            assert alike != terms.heeds_vulnerability(term), term


@pytest.mark.parametrize("term", ["x5+", "x>=y", "more(x)", "new(x)", "unbid(x)", "fit(x)8+"])
@pytest.mark.parametrize("letters", [{}, {"y": Suit.CLUBS}])
def test_a_suit_that_there_is_not_makes_a_rule_impossible(
    term: str, letters: dict[str, Suit]
) -> None:
    assert passes(term, HAND, place(state(), suits=letters)) is None


class TestStrength:
    """Points counted with what partner has shown."""

    def where(self, call: str, *, spades: int = 0, hcp: tuple[int, int] = (12, 14)) -> RuleContext:
        partner = hand_ranges(hcp=hcp, S=(spades, 13))
        return place(knowing(state("1S Pass"), partner=partner), call)

    def test_support_is_counted_for_the_suit_of_the_call(self) -> None:
        # 9 points; a doubleton with four spades, none that counts for clubs.
        hand = "K432.Q32.A432.32"
        assert passes("sup10", hand, self.where("2S", spades=5)) is True
        assert passes("sup9", hand, self.where("3C")) is True
        assert passes("sup10-12", hand, self.where("2S", spades=5)) is True
        assert passes("sup11+", hand, self.where("2S", spades=5)) is False

    def test_support_needs_a_suit(self) -> None:
        assert passes("sup10", HAND, place(state(), "2NT")) is None

    def test_a_pass_is_for_the_agreed_suit(self) -> None:
        reached = knowing(
            state("1S Pass"), own=hand_ranges(S=(3, 13)), partner=hand_ranges(S=(5, 13))
        )
        assert passes("sup10", "K432.Q32.A432.32", place(reached, "Pass")) is True

    def test_a_term_may_count_the_fewest_points_that_partner_has_shown(self) -> None:
        hand = "KQ2.Q32.A432.432"  # 11
        assert passes("all23+", hand, self.where("2NT")) is True
        assert passes("all23", hand, self.where("2NT")) is True
        assert passes("all24+", hand, self.where("2NT")) is False

    def test_a_term_may_count_the_points_that_partner_may_be_expected_to_have(self) -> None:
        """A third of his range more than the least, at most three."""
        hand = "KQ2.Q32.A432.432"
        assert passes("exp23", hand, self.where("2NT", hcp=(12, 14))) is True
        assert passes("exp24", hand, self.where("2NT", hcp=(12, 15))) is True
        assert passes("exp26", hand, self.where("2NT", hcp=(12, 37))) is True

    def test_a_term_may_limit_the_most_of_both_hands(self) -> None:
        hand = "KQ2.Q32.A432.432"
        assert passes("max25", hand, self.where("2NT")) is True
        assert passes("max26+", hand, self.where("2NT")) is False

    def test_a_term_counts_with_the_agreed_trump(self) -> None:
        hand = "K432.Q32.A432.32"  # 9, 10 for spades
        reached = knowing(
            state("1S Pass"),
            own=hand_ranges(S=(3, 13)),
            partner=hand_ranges(hcp=(12, 14), S=(5, 13)),
        )
        assert passes("allT22", hand, place(reached, "4NT")) is True
        assert passes("all21", hand, place(reached, "4NT")) is True

    def test_a_strength_that_partner_cannot_have_makes_a_rule_impossible(self) -> None:
        assert terms.parse("all-10")(self.where("2NT")) is NEVER


class TestSuits:
    def test_a_term_may_ask_for_more_than_was_shown(self) -> None:
        shown = knowing(state("1S Pass 2C Pass"), own=hand_ranges(S=(5, 13)))
        assert passes("more(S)", "AQ7654.K43.K8.Q2", place(shown)) is True
        assert passes("more(S)", HAND, place(shown)) is False

    def test_a_term_may_ask_for_a_new_or_an_unbid_suit(self) -> None:
        reached = knowing(
            state("1S 2C"),
            partner=hand_ranges(S=(5, 13)),
            own=hand_ranges(H=(4, 13)),
            right=hand_ranges(C=(5, 13)),
        )
        where = place(reached)
        assert passes("new(D)", HAND, where) is True
        assert passes("new(S)", HAND, where) is False
        assert passes("new(H)", HAND, where) is False
        assert passes("unbid(D)", HAND, where) is True
        assert passes("unbid(C)", HAND, where) is False

    def test_a_term_may_ask_for_the_level_of_the_call(self) -> None:
        assert passes("level-3", HAND, place(state(), "3S")) is True
        assert passes("level-3", HAND, place(state(), "4C")) is False

    def test_a_term_may_ask_for_a_fit(self) -> None:
        where = place(knowing(state("1H Pass"), partner=hand_ranges(H=(5, 13))))
        assert passes("fit(H)7+", HAND, where) is True
        assert passes("fit(H)8+", HAND, where) is False
        assert passes("fit(S)5+", HAND, where) is False  # partner has not shown spades

    def test_trumps_enough_for_the_level(self) -> None:
        reached = knowing(state("1S 2C"), partner=hand_ranges(S=(5, 13)))
        hand = "K432.Q32.A432.32"  # nine trumps
        assert passes("law", hand, place(reached, "3S")) is True
        assert passes("law", hand, place(reached, "4S")) is False
        assert passes("law1", hand, place(reached, "4S")) is True
        assert passes("law", hand, place(reached, "3D")) is False  # none shown
        assert passes("law", hand, place(reached, "2NT")) is None
        assert passes("law", hand, place(reached, "X")) is None

    def test_a_term_may_ask_for_stoppers_in_their_suits(self) -> None:
        both = knowing(state("1C 1S"), left=hand_ranges(D=(5, 13)), right=hand_ranges(S=(5, 13)))
        assert passes("stop", HAND, place(both)) is True
        assert passes("stop", "AQ765.K4.9832.AQ", place(both)) is False
        assert passes("stop", "9876.K432.K83.Q4", place(state())) is True

    def test_stoppers_with_what_partner_has_shown(self) -> None:
        reached = knowing(state("1C Pass"), partner=hand_ranges(C=(4, 13)))
        assert passes("stops4", HAND, place(reached)) is True
        strong = knowing(state("1NT Pass"), partner=hand_ranges(hcp=(15, 17)))
        assert passes("stops4", "5432.432.432.432", place(strong)) is True

    @pytest.mark.parametrize(
        ("hand", "takeout"),
        [
            ("KQ32.4.AJ32.Q432", True),
            ("KQ32.432.AJ3.Q43", True),
            ("KQ3.4.AJ432.Q432", True),
            ("KQ32.43.AJ432.Q4", True),  # one minor short, four of the major
            ("KQ3.43.AJ5432.Q4", False),
            ("KQ.432.AJ32.Q432", False),
            ("KQ32.5432.AJ432.", False),
        ],
    )
    def test_a_term_may_ask_for_the_shape_of_a_takeout_double(
        self,
        hand: str,
        takeout: bool,  # noqa: FBT001
    ) -> None:
        hearts = knowing(state("1H"), right=hand_ranges(H=(5, 13)))
        assert passes("takeout", hand, place(hearts)) == takeout


class TestKeyCards:
    def where(self, *keys: int, hcp: tuple[int, int] = (6, 9)) -> RuleContext:
        asked = meant(asks=True, trump=Suit.SPADES, forcing=Forcing.ROUND)
        answer = meant(keys=keys, trump=Suit.SPADES, ranges=hand_ranges(hcp=hcp, S=(4, 13)))
        return place(state("4NT Pass 5C Pass", asked, SILENT, answer, SILENT))

    def test_a_term_may_ask_for_the_number_of_key_cards(self) -> None:
        where = self.where(0, 3)
        assert passes("keys2,5", "AK765.43.Q832.Q4", where) is True
        assert passes("keys0,3", "AK765.43.Q832.Q4", where) is False
        assert passes("keys1,4", "AQ765.K4.K832.Q4", where) is True
        assert passes("keys1,4", HAND, place(state())) is None  # no trump suit

    def test_a_term_may_ask_for_the_queen_of_trumps(self) -> None:
        suits = {**FIXED, "T": Suit.SPADES}
        assert passes("queen(T)", HAND, place(state(), suits=suits)) is True

    def test_a_term_may_ask_for_the_key_cards_missing_of_an_answer(self) -> None:
        three = "AK765.A4.K832.Q4"
        assert passes("missing2", three, self.where(0, 3)) is True
        assert passes("missing1", three, self.where(1, 4)) is True
        assert passes("missing0", three, self.where(2, 5)) is True
        assert passes("missing-1", three, self.where(1, 4)) is True

    def test_an_opener_is_believed_to_have_the_higher_number(self) -> None:
        two = "AK765.J4.K832.Q4"
        assert passes("missing0", two, self.where(0, 3, hcp=(12, 21))) is True
        assert passes("missing3", two, self.where(0, 3)) is True

    def test_no_number_is_possible(self) -> None:
        all_five = "AK765.A4.A832.A4"
        assert passes("missing0", all_five, self.where(1, 4)) is False

    def test_key_cards_are_unknown_without_an_answer(self) -> None:
        assert passes("missing0", HAND, place(state("4NT Pass"))) is None


class TestCircumstances:
    def test_a_term_may_compare_the_ranks_of_suits(self) -> None:
        suits = {"x": Suit.DIAMONDS, "y": Suit.SPADES}
        assert passes("above(y,x)", HAND, place(state(), suits=suits)) is True
        assert passes("above(x,y)", HAND, place(state(), suits=suits)) is False

    def test_a_term_may_ask_for_the_last_bid(self) -> None:
        assert passes("last(H)", HAND, place(state("1H"))) is True
        assert passes("last(S)", HAND, place(state("1H"))) is False
        assert passes("last(NT)", HAND, place(state("1NT"))) is True
        assert passes("last(NT)", HAND, place(state("1H"))) is False
        assert passes("last(T)", HAND, place(state("1H"))) is False  # no trump is agreed
        assert passes("last(T)", HAND, place(state("1NT"))) is False
        assert passes("last(H)", HAND, place(state())) is False

    def test_a_term_may_ask_for_the_seat(self) -> None:
        assert passes("seat3", HAND, place(state("Pass Pass"))) is True
        assert passes("seat3", HAND, place(state("Pass"))) is False
        assert passes("!seat4", HAND, place(state("Pass"))) is True

    def test_a_term_may_ask_who_has_passed(self) -> None:
        reached = state("Pass Pass 1H Pass")
        assert passes("passed", HAND, place(reached)) is True
        assert passes("!passed", HAND, place(reached)) is False

    @pytest.mark.parametrize(
        ("vulnerable", "holding"),
        [
            ((False, False), {"nonvul"}),
            ((True, True), {"vul"}),
            ((True, False), {"vul"}),
            ((False, True), {"nonvul"}),
        ],
    )
    def test_a_term_may_ask_for_the_vulnerability(
        self, vulnerable: tuple[bool, bool], holding: set[str]
    ) -> None:
        for term in ("vul", "nonvul"):
            dealer = place(state(vulnerable=vulnerable))
            assert passes(term, HAND, dealer) == (term in holding)
            other = place(state("Pass", vulnerable=(vulnerable[1], vulnerable[0])))
            assert passes(term, HAND, other) == (term in holding)


EXACT = (
    *("14", "12-14", "12+", "-9", "S5+", "M4", "x-3", "more(S)", "fit(S)8+", "long(H)"),
    *("short(C)", "stop(D)", "bal", "semi", "law", "takeout", "!S5+", "S>=H", "good(S)", "stop"),
)


@given(st.sampled_from(EXACT), st.integers(1, 500))
def test_the_ranges_are_around_all_hands_that_pass(term: str, number: int) -> None:
    hand = random_deal(2, number).hands[0]
    reached: State = knowing(
        state("1S 2D"), partner=hand_ranges(S=(5, 13)), right=hand_ranges(D=(5, 13))
    )
    bound = terms.parse(term)(place(reached, "3S", LETTERS))
    assert bound is not None
    if bound.test(Facts(hand)):
        assert bound.ranges.holds(hand)


def test_terms_that_tell_nothing_leave_the_ranges_open() -> None:
    bound = terms.parse("!14")(place(state()))
    assert bound is not None
    assert bound.ranges == ANY
