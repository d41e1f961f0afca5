"""Tests of what is kept of a game that has no record."""

from __future__ import annotations

from io import BytesIO

import pytest

from bridge_arena.pbn.read.reader import read_games
from bridge_arena.recorded.analysis.tables import cells_of_tags
from tests.recorded.analysis.games import OPEN


def told(text: str) -> dict[str, object]:
    (game,) = read_games(BytesIO(text.encode()))
    return {name: cell for name, cell in cells_of_tags(game).items() if cell not in (None, "")}


WHOLE = {
    **{"room": "Open", "home": "Iceland", "visitors": "Sweden", "board": 1, "dealer": "N"},
    **{"vulnerable": "None", "north": "n", "east": "e", "south": "s", "west": "w"},
    **{"contract": "4H", "declarer": "E", "tricks": 10, "score": -420},
}


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ("D3 {lead}", "SA", {}),
        ('[Deal "', '[Deal "x', {}),
        ('[Declarer "E"]', "%", {"declarer": None, "score": None}),
        ('[Result "10"]', '[Result "many"]', {"tricks": None, "score": None}),
        ('[Result "10"]', '[Result "-1"]', {"tricks": 9, "score": 50}),
        ('[Contract "4H"]', '[Contract "8H"]', {"contract": None, "score": None}),
        ('[Contract "4H"]', '[Contract "4hx"]', {"contract": "4HX", "score": -590}),
        ('[Vulnerable "None"]', "%", {"vulnerable": None, "score": None}),
        ('[Board "1"]', '[Board "one"]', {"board": None}),
        ('[Dealer "N"]', '[Dealer "nobody"]', {"dealer": None}),
    ],
)
def test_each_tag_tells_what_it_can(old: str, new: str, missing: dict[str, object]) -> None:
    assert old in OPEN
    expected = {name: cell for name, cell in (WHOLE | missing).items() if cell is not None}
    assert told(OPEN.replace(old, new)) == expected
