"""Tests of what the file of answers keeps of boards in two rooms."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.recorded.analysis.answers import Answers
from tests.recorded.analysis.games import CLOSED, OPEN, entry_of


@pytest.mark.parametrize(("result", "cards"), [("10", 4), ("0", 0)])
def test_the_other_room_has_its_play_where_the_result_is_possible(
    result: str, cards: int, tmp_path: Path
) -> None:
    rooms = [entry_of(OPEN.replace('"10"', f'"{result}"')), entry_of(CLOSED)]
    answers = Answers(tmp_path / "answers.sqlite")
    try:
        answers.add_halves(enumerate(rooms))
        found = answers.other_rooms(list(enumerate(rooms)))
    finally:
        answers.close()
    assert (len(found[1].cards), found[1].tricks) == (cards, int(result))
