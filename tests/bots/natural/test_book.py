"""Which rules stand in an auction, and whether the vulnerability may change what it tells."""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural import language
from bridge_arena.bots.natural.reading import State
from bridge_arena.bots.natural.rules import Book
from bridge_arena.bots.natural.system import book
from bridge_arena.bridge.calls import Call
from tests.bots.natural.auctions import state

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
        [("", True), ("Pass Pass", True), ("1H", False), ("Pass 1NT 2H", False), ("2H Pass", True)],
    )
    def test_vulnerability_is_heeded_in_sections_of_weak_openings_only(
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
