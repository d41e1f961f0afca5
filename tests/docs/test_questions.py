"""The pages on questions have the server's limit."""

from __future__ import annotations

import pytest

from bridge_arena.protocol.messages import MOST_QUESTIONS
from tests.data import ROOT


@pytest.mark.parametrize("page", ["faults.md", "playing.md"])
def test_a_page_says_how_many_questions_are_answered_at_a_turn(page: str) -> None:
    text = " ".join((ROOT / "docs" / page).read_text().split())
    assert f"At most {MOST_QUESTIONS} questions are answered at " in text
