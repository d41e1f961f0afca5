"""Matches of card play, as the command sets them up."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.commands.lab.card_play import new_match


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("baseline:bidding=natural", "old=baseline", ["baseline:bidding=natural", "old"]),
        ("baseline:bidding=natural", "baseline:bidding=natural", None),
        ("baseline", "baseline", ["baseline", "baseline-2"]),
    ],
)
def test_bots_with_options_keep_their_names(
    first: str, second: str, names: list[str] | None, tmp_path: Path
) -> None:
    _, store = new_match([first, second], 2, None, 1, None, tmp_path / "lab")
    found = [entry.name for entry in store.event().entries]
    store.close()
    assert found == (names or [first, f"{first}-2"])
