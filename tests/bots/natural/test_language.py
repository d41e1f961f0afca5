"""Tests of how the tables are read, and where their rules apply."""

from __future__ import annotations

from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.natural import language
from bridge_arena.bots.natural.reading import Forcing, State
from bridge_arena.bots.natural.situation import LETTERS, notation
from bridge_arena.bots.natural.system import TABLES
from tests.bots.natural.auctions import SILENT, block, hand_ranges, knowing, meant, measured, state


class TestParse:
    def test_blocks_are_parsed_with_their_rules(self) -> None:
        blocks = language.parse(
            """
            # a comment
            @ 1M        # the answers
            2NT | M4+ sup13+ | forcing raise [game art]
            2M  | M3+        | raise

            @ 1NT
            Pass | | content
            """,
            "table.txt",
        )
        assert [each.where for each in blocks] == ["table.txt:3", "table.txt:7"]
        assert [len(each.rules) for each in blocks] == [2, 1]
        raised = blocks[0].rules[0].meaning
        assert (raised.text, raised.forcing, raised.artificial) == (
            "forcing raise",
            Forcing.GAME,
            True,
        )

    @pytest.mark.parametrize(
        ("flags", "expected"),
        [
            ("", SILENT),
            (" [round]", meant(forcing=Forcing.ROUND)),
            (" [signoff]", meant(signoff=True)),
            (" [art]", meant(artificial=True)),
            (" [ask]", meant(asks=True, artificial=True, forcing=Forcing.ROUND)),
            (" [keys0,3]", meant(keys=(0, 3), artificial=True, forcing=Forcing.ROUND)),
        ],
    )
    def test_flags_of_a_rule_are_parsed(self, flags: str, expected: object) -> None:
        assert block(f"@ 1H\n2H | | {flags}").rules[0].meaning == expected

    def test_a_pass_that_lets_a_call_stand(self) -> None:
        assert block("@ 1H\nPass | | to defend [stand]").rules[0].meaning.stands
        assert not block("@ 1H\nPass | | to defend").rules[0].meaning.stands

    @pytest.mark.parametrize(
        ("line", "problem"),
        [
            ("2H | M3+", "'2H | M3+' is not a rule"),
            ("2H | M3+ | raise | more", "is not a rule"),
            ("8H | | too high", "'8H' is not a call"),
            ("2Q | | what", "'2Q' is not a call"),
            ("^^^H | | far", "is not a call"),
            ("2H | M3+ strong | raise", "'strong' is not a term"),
            ("2H | | raise [forcing]", "'forcing' is not a flag"),
            ("2H | M14 | raise", "'M14' is not a term: 14 is no range of numbers up to 13"),
            ("2H | 14-12 | raise", "'14-12' is not a term: 14-12 is no range of numbers up to 37"),
            ("2H | seat5 | raise", "'seat5' is not a term"),
            ("2H | more(5) | raise", "'more(5)' is not a term"),
            ("2H | stop(_) | raise", "'stop(_)' is not a term"),
            ("2H | keys, | raise", "'keys,' is not a term: ',' is no list of key cards"),
            ("2H | keys6 | raise", "'6' is no list of key cards, of which there are 5"),
            ("2O | | raise", "'O' is the other suit of a pair that majors.txt:2 lacks"),
            ("2H | o4+ | raise", "'o' is the other suit of a pair that majors.txt:2 lacks"),
            ("2H | | raise [keys]", "'' is no list of key cards"),
            ("2H | | raise [stand]", "'2H' is not a pass, so it lets no call stand"),
            ("2H | | raise [game", "are not in one pair of brackets at the end"),
            ("2H | | raise game]", "are not in one pair of brackets at the end"),
            ("2H | | [game] raise", "are not in one pair of brackets at the end"),
            ("@ 1Z", "'1Z' in pattern"),
            ("@ 1H ; maybe", "'maybe' is not a condition"),
            ("@ 1H ; !maybe", "'maybe' is not a condition"),
        ],
    )
    def test_a_mistake_is_named_with_table_and_line(self, line: str, problem: str) -> None:
        with pytest.raises(ValueError, match=r"^majors\.txt:3: ") as caught:
            language.parse(f"# first\n@ 1H\n{line}\n", "majors.txt")
        assert problem in str(caught.value)

    def test_a_rule_needs_a_block(self) -> None:
        with pytest.raises(ValueError, match=r"^t\.txt:1: a rule stands before the first block"):
            language.parse("2H | | raise", "t.txt")

    def test_a_block_needs_rules(self) -> None:
        with pytest.raises(ValueError, match=r"^t\.txt:3: the block has no rules$"):
            language.parse("@ 1H\n2H | | raise\n@ 1S\n@ 1D", "t.txt")
        with pytest.raises(ValueError, match=r"^t\.txt: there are no rules$"):
            language.parse("# nothing\n", "t.txt")

    def test_all_mistakes_are_named_each_once(self) -> None:
        text = "@ 1Z\n2H | | raise\n2Q | | what\n@ 1M\n2M | strong | raise\n3O | | other\n@ 1?"
        with pytest.raises(language.TableError, match=r"\(and 3 more\)$") as caught:
            language.parse(text, "t.txt")
        starts = [mistake.partition(": ")[0] for mistake in caught.value.mistakes]
        assert starts == ["t.txt:1", "t.txt:3", "t.txt:5", "t.txt:7"]


_TERMS = st.builds(
    "".join,
    st.lists(
        st.sampled_from(
            "pts sup all exp max allT S M x R T > >= ( ) more( new( fit( long( top( stop stops qt "
            "aces keys queen( missing law takeout above( last( NT seat level bal vul ! , - + "
            "0 1 4 5 9 13 14 20 37 38 99".split()
        ),
        min_size=1,
        max_size=5,
    ),
)
_REACHED = [
    *map(state, ("", "Pass Pass", "1NT Pass", "1S 2C", "1C Pass 1H Pass")),
    knowing(state("1S 2C"), partner=hand_ranges(S=(5, 13)), right=hand_ranges(C=(5, 13))),
    knowing(state("1H Pass 4H Pass"), partner=hand_ranges(H=(9, 10)), right=hand_ranges()),
]


class TestSoundness:
    @settings(max_examples=400, deadline=None)
    @given(_TERMS, st.sampled_from(_REACHED))
    def test_what_is_read_can_be_bid_by(self, term: str, reached: State) -> None:
        """A term is either refused, or has a meaning that can be told in any auction."""
        try:
            blocks = language.parse(f"@ *\n~x | {term} | any\nPass | {term} | any\n", "t.txt")
        except language.TableError:
            return
        section = blocks[0].match(notation(reached.calls))
        assert section is not None
        for line in section.lines:
            call = line.call(reached)
            bound = None if call is None else line.bind(reached, call)
            if bound is not None:
                assert isinstance(bound.test(measured("AQ765.K4.K832.Q4")), bool)
                low, high = bound.ranges.hcp
                assert 0 <= low <= high <= 37
                assert all(0 <= least <= most <= 13 for least, most in bound.ranges.lengths)

    def test_terms_of_each_kind_are_read(self) -> None:
        """Check that terms of each kind can be read, so that the test above proves something."""
        for term in "pts13+ allT20-37 S>M !fit(x)9+ keys0,4 last(NT) above(S,x) stops4".split():
            assert language.parse(f"@ *\nPass | {term} | any\n", "t.txt")


def test_a_block_may_be_for_any_auction() -> None:
    assert block("@ * ; ours\nPass||").general
    assert not block("@ 1H *\nPass||").general
    assert block("@ * ; ours only\nPass||").only
    assert not block("@ *\nPass||").only


class TestShippedTables:
    @pytest.mark.parametrize("name", TABLES)
    def test_every_shipped_table_parses(self, name: str) -> None:
        folder = resources.files("bridge_arena.bots.natural").joinpath("tables")
        text = folder.joinpath(f"{name}.txt").read_text(encoding="utf-8")
        blocks = language.parse(text, name)
        assert blocks
        for each in blocks:
            assert each.rules, f"{each.where} has no rules"

    def test_all_shipped_tables_are_in_use(self) -> None:
        folder = resources.files("bridge_arena.bots.natural").joinpath("tables")
        assert sorted(TABLES) == sorted(file.name.removesuffix(".txt") for file in folder.iterdir())

    def test_the_letters_that_stand_for_several_suits(self) -> None:
        assert set(LETTERS) == set("Mmxyz")
