"""Alerts and explanations as notes and comments."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.pbn.annotations import comment_of, made_call, note_in, note_of, portable
from tests.pbn.strategies import LINES


@pytest.mark.parametrize(
    ("made", "note"),
    [
        (MadeCall(PASS), None),
        (MadeCall(PASS, alert=True), "Alert"),
        (MadeCall(PASS, alert=True, explanation=Explanation()), "Alert:"),
        (
            MadeCall(PASS, alert=True, explanation=Explanation("weak", (5, 9))),
            "Alert: weak [hcp 5-9]",
        ),
        (MadeCall(PASS, explanation=Explanation("weak")), "weak"),
        (MadeCall(PASS, explanation=Explanation()), "No alert:"),
        (MadeCall(PASS, explanation=Explanation("Alert")), "No alert: Alert"),
        (MadeCall(PASS, explanation=Explanation("No alert")), "No alert: No alert"),
        (MadeCall(PASS, explanation=Explanation("5+♠, 4♥ ♦♣")), r"5+\S, 4\H \D\C"),
        (MadeCall(PASS, explanation=Explanation(r"C:\Suits \♠ \\")), "C:\\\\Suits \\\\\\S \\\\\\"),
        (MadeCall(PASS, explanation=Explanation(r"C:\dir")), r"C:\dir"),
    ],
)
def test_notes_become_explanations_and_back(made: MadeCall, note: str | None) -> None:
    assert note_of(made) == note
    assert made_call(PASS, note) == made


@settings(deadline=None)
@given(LINES)
def test_comments_hold_any_note(note: str) -> None:
    comment = comment_of(note)
    assert note_in(comment) == note
    assert comment.count("}") == 1
    assert max(map(len, comment.split("\n"))) < 215


def test_suit_symbols_of_all_kinds_are_suits() -> None:
    emoji = MadeCall(PASS, explanation=Explanation("♠\ufe0f♥\ufe0f ♡♢"))
    assert note_of(emoji) == r"\S\H \H\D"
    assert made_call(PASS, "5 ♠\ufe0f").explanation == Explanation("5 ♠")


def test_other_comments_are_no_notes() -> None:
    assert note_in("{a fine bid}") is None


def test_text_is_made_portable() -> None:
    assert portable("naïve\tÅ\n♠ “x”\x85") == r"naïve Å \S ?x? "
    assert portable("Ã©") == "??"
