"""The file of a learned table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.learning.arrays import ArraysError, write_arrays
from bridge_arena.bots.library.minibridge.game import random_deal
from bridge_arena.bots.library.minibridge.games import margins, stream
from bridge_arena.bots.qplay.card_table import CardTable, shipped
from bridge_arena.bots.qplay.learning import TablePlayer, best_card

VALUES = {3: {51: 0.5, 0: 1.5}, 2**43: {7: -1.0}, 5: {1: 0.25, 2: 0.125, 3: 2.0}}

ROWS = st.dictionaries(st.integers(0, 51), st.floats(-5, 5, width=16), min_size=1)


def test_a_card_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    CardTable.of(VALUES, "known").write(tmp_path / "t.npz")
    table = CardTable.read(tmp_path / "t.npz")
    assert table.nested() == VALUES
    assert table.hands == "known"


@given(st.dictionaries(st.integers(0, 2**44 - 1), ROWS, max_size=6), st.integers(1, 2**52 - 1))
def test_a_card_table_plays_the_best_card_that_was_learned(
    values: dict[int, dict[int, float]], legal: int
) -> None:
    table = CardTable.of(values, "known")
    assert table.nested() == values
    for state, row in values.items():
        assert table.best(state, legal) == best_card(row, legal)
    assert table.best(2**44, legal) is None


def test_a_table_may_be_learned_with_unknown_hands() -> None:
    table = CardTable.of({5: {1: 1.0}}, "unknown")
    assert table.best(5 | 1 << 40, 0b10) == 1
    assert CardTable.of({5: {1: 1.0}}, "known").best(5 | 1 << 40, 0b10) is None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"states": [5, 3, 2**43]}, "the states are not in rising order"),
        ({"states": [3, 5, 2**44]}, "states has a value outside 0 to"),
        ({"states": [3.0, 5.0, 6.0]}, "states has a value outside 0 to"),
        ({"cards": [52, 1, 2, 3, 4, 5]}, "cards has a value outside 0 to 51"),
        ({"first": [0, 2, 5, 7]}, "first does not part"),
        ({"first": [0, 5, 2, 6]}, "first does not part"),
        ({"first": [0, 2, 6]}, "first does not part"),
        ({"values": [0.0] * 5}, "values is 5, expected 6"),
        ({"values": [0.0] * 5 + [np.nan]}, "values holds something that is no finite number"),
        ({"known": [2]}, "known has a value outside 0 to 1"),
        ({"known": [1, 1]}, "known is 2, expected 1"),
        ({"cards": None}, "there is no array cards"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    path = tmp_path / "t.npz"
    arrays = CardTable.of(VALUES, "known").arrays()
    for name, value in change.items():
        del arrays[name]
        if value is not None:
            arrays[name] = np.array(value)
    write_arrays(path, arrays)
    with pytest.raises(ArraysError, match=f"^{path}: {problem}"):
        CardTable.read(path)


@pytest.mark.parametrize("package", ["bridge_arena.bots.qplay", "bridge_arena.bots.sarsa"])
def test_the_shipped_table_wins_more_than_a_random_declarer(package: str) -> None:
    """On deals that it has not learned from, unknown states played at random."""
    table = shipped(package)
    assert len(table.states) > 10_000
    deals = [random_deal(stream(77, number)) for number in range(1500)]
    player = TablePlayer(table.nested(), table.hands)
    won = (margins(deals, player, "follow", 1) >= 0).mean()
    player = TablePlayer({}, "known")
    assert won > (margins(deals, player, "follow", 1) >= 0).mean()
    assert player.known == player.decided == 0
