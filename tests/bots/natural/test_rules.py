"""Where rules apply, what they require there, and when the vulnerability may matter."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural import language
from bridge_arena.bots.natural.reading import Forcing, State
from bridge_arena.bots.natural.rules import Book, conditions
from bridge_arena.bots.natural.situation import FIXED, notation
from bridge_arena.bots.natural.system import book
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Suit
from tests.bots.natural.auctions import SILENT, block, hand_ranges, knowing, meant, measured, state

TEXT = """
@ * ; ours
Pass | | ours
@ 1M
2M | | raise
@ 1H
3H | | jump
@ 1x 1y ; !ours
X | | never ours
@ 1x *
4x | | game
@ * ; theirs only
Pass | | theirs
@ *
Pass | | anything
"""


def written(text: str) -> Book:
    return Book(language.parse(text, "table.txt"))


def told(read: Book, reached: State) -> list[str]:
    """The meanings of the rules that stand in an auction."""
    return [line.rule.meaning.text for each in read.sections(reached) for line in each.lines]


class TestSections:
    @pytest.mark.parametrize(
        ("calls", "expected"),
        [
            ("", "anything"),
            ("1H Pass", "ours, raise, jump, game, anything"),
            ("1S Pass", "ours, raise, game, anything"),
            ("1C Pass 1H Pass", "ours, game, anything"),
            ("1C", "theirs"),
            ("1C 1H", "game, theirs"),
        ],
    )
    def test_sections_stand_in_the_order_of_their_calls(self, calls: str, expected: str) -> None:
        assert told(written(TEXT), state(calls)) == expected.split(", ")


class TestVulnerability:
    @pytest.mark.parametrize(
        ("calls", "heeded"),
        [("", True), ("Pass Pass", True), ("1H", False), ("2H Pass", False), ("3H Pass", True)],
    )
    def test_vulnerability_is_heeded_in_sections_of_preempts_only(
        self,
        calls: str,
        heeded: bool,  # noqa: FBT001
    ) -> None:
        made = [Call(text) for text in calls.split()]
        assert book().heeds_vulnerability(made) == heeded

    @pytest.mark.parametrize(
        "text",
        [
            "@\n1H | | one\n@ (1x)\n2y | !vul | overcall",  # of a later call
            "@ * ; theirs\n3x | nonvul | preempt",
            "@\n~x | vul | the cheapest",  # any bid may be an opening
            "@ * *\n3x | vul | preempt",
        ],
    )
    def test_vulnerability_may_change_any_section(self, text: str) -> None:
        assert written(text).heeds_vulnerability([Call("1H")])

    def test_tables_that_do_not_mention_it(self) -> None:
        made = [Call("Pass"), Call("1H")]
        assert not written("@\n1H | | one").heeds_vulnerability(made)


def calls(text: str, reached: State) -> list[str]:
    """The calls that the rules of a block have in an auction, in order."""
    section = block(text).match(notation(reached.calls))
    lines = () if section is None else section.lines
    return [str(call) for line in lines if (call := line.call(reached)) is not None]


class TestCalls:
    def test_levels_and_jumps_stand_for_bids(self) -> None:
        reached = state("1D Pass")
        assert calls("@ 1D\n~H||\n^H||\n^^H||\n3H||", reached) == ["1H", "2H", "3H", "3H"]
        assert calls("@ 1D\n~C||\n^C||\n~NT||", reached) == ["2C", "3C", "1NT"]

    def test_insufficient_bids_are_left_out(self) -> None:
        assert calls("@ 1S\n1H||\n1S||\n1NT||\n2C||", state("1S Pass")) == ["1NT", "2C"]

    def test_a_pass_of_a_forcing_call_must_be_told(self) -> None:
        forced = state("1H Pass", FORCING, SILENT)
        assert calls("@ 1H\n2H||\nPass||", forced) == ["2H"]
        assert calls("@ 1H\n2H||\nPass||[stand]", forced) == ["2H", "Pass"]
        assert calls("@ 1H\n2H||\nPass||", state("1H Pass")) == ["2H", "Pass"]

    def test_no_rule_bids_above_seven(self) -> None:
        reached = state("7H Pass")
        assert calls("@ 7H\n~C||\n^S||\n~S||\nPass||", reached) == ["7S", "Pass"]

    def test_a_bound_letter_stands_for_its_suit(self) -> None:
        assert calls("@ 1M\n2M||\n~O||", state("1H Pass")) == ["2H", "1S"]

    def test_an_open_letter_stands_for_every_other_suit(self) -> None:
        assert calls("@ 1M\n2x||", state("1S Pass")) == ["2C", "2D", "2H"]
        assert calls("@ 1M\n3m||", state("1S Pass")) == ["3C", "3D"]
        assert calls("@ 1m 1y\n2z||", state("1C Pass 1H Pass")) == ["2D", "2S"]

    def test_an_open_letter_may_stand_in_the_needs_alone(self) -> None:
        """The rule yields a call for each suit that the letter may be: any of them will do."""
        assert calls("@ 1NT\n2C | M4 | Stayman", state("1NT Pass")) == ["2C", "2C"]

    def test_letters_of_the_auction_stand_for_its_suits(self) -> None:
        reached = knowing(
            state("1S 2C"), partner=hand_ranges(S=(5, 13)), right=hand_ranges(C=(5, 13))
        )
        assert calls("@ 1S (2C)\n~R||\n~E||\n~Y||\n~T||", reached) == ["2S", "3C"]


FORCING = meant(forcing=Forcing.ROUND)
ANSWER = meant(keys=(0, 3), trump=Suit.HEARTS)
ASKED = meant(asks=True, trump=Suit.HEARTS, forcing=Forcing.ROUND)


@pytest.mark.parametrize(
    ("condition", "holds", "fails"),
    [
        ("forced", state("1H Pass", FORCING, SILENT), state("1H Pass")),
        ("free", state("1H Pass"), state("1H Pass", FORCING, SILENT)),
        (
            "game",
            state("1H Pass", meant(forcing=Forcing.GAME), SILENT),
            state("1H", meant(forcing=Forcing.GAME)),
        ),
        ("ours", state("1H Pass"), state("1H")),
        ("theirs", state("1H"), state("1H Pass")),
        ("atgame", state("4H Pass"), state("3H Pass")),
        ("fit", knowing(state("2H Pass"), partner=hand_ranges(H=(6, 6))), state("1NT Pass")),
        ("signoff", state("4H Pass", meant(signoff=True), SILENT), state("4H Pass")),
        ("asked", state("4NT Pass", ASKED, SILENT), state("4NT 5C", ASKED, SILENT)),
        ("answered", state("5C Pass", ANSWER, SILENT), state("5C 5D", ANSWER, SILENT)),
        ("silent", state("1H Pass Pass"), state("1H X Pass")),
        ("theirs !fit", state("1H"), state("1H Pass")),
    ],
)
def test_a_block_is_for_the_conditions_it_names(condition: str, holds: State, fails: State) -> None:
    read = block(f"@ * ; {condition}\nPass||")
    assert read.is_for(conditions(holds))
    assert not read.is_for(conditions(fails))


class TestBind:
    def test_all_needs_must_be_met(self) -> None:
        (rule,) = block("@\n1S | 12-21 S5+ S>=H | spades").rules
        (line,) = rule.lines(FIXED)
        bound = line.bind(state(), Call("1S"))
        assert bound is not None
        assert bound.ranges == hand_ranges((12, 21), S=(5, 13)).completed()
        assert bound.test(measured("AQ765.K4.K832.Q4"))
        assert not bound.test(measured("AQ765.K4.9832.Q4"))
        assert not bound.test(measured("AQ76.K43.K832.Q4"))
        assert not bound.test(measured("AQ765.KQ8762.K.4"))

    def test_a_need_that_cannot_hold_makes_its_rule_void(self) -> None:
        (rule,) = block("@\n1S | seat3 | spades").rules
        (line,) = rule.lines(FIXED)
        assert line.bind(state("Pass"), Call("1S")) is None
        assert line.bind(state("Pass Pass"), Call("1S")) is not None

    def test_a_suit_that_the_state_tells(self) -> None:
        """The same line stands for another suit in each auction."""
        (rule,) = block("@ *\n~R | R3+ good(R) | support").rules
        (line,) = rule.lines(FIXED)
        hearts = knowing(state("1H Pass"), partner=hand_ranges(H=(5, 13)))
        clubs = knowing(state("1C Pass"), partner=hand_ranges(C=(5, 13)))
        assert [line.call(each) for each in (hearts, clubs, state())] == [
            Call("2H"),
            Call("2C"),
            None,
        ]
        bound = [line.bind(each, Call("2H")) for each in (hearts, clubs, state())]
        assert [each and each.ranges for each in bound] == [
            hand_ranges(H=(3, 13)).completed(),
            hand_ranges(C=(3, 13)).completed(),
            None,
        ]

    def test_the_same_requirement_is_made_once(self) -> None:
        (rule,) = block("@ *\n~R | R3+ sup10+ | support").rules
        (line,) = rule.lines(FIXED)
        one, other = (
            knowing(state(calls), partner=hand_ranges(H=(5, 13)))
            for calls in ("1H Pass", "Pass 1H Pass")
        )
        assert line.bind(one, Call("2H")) is line.bind(other, Call("2H"))
