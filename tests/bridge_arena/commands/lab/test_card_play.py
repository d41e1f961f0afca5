"""Matches of card play, as the command sets them up."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.lab.card_play import new_match, old_match


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


MINE = """
from bridge_arena.bots.baseline.bot import BaselineBot


class Mine(BaselineBot):
    pass
"""


def test_it_does_not_go_on_with_another_version_of_a_bot(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.py", tmp_path / "lab"
    file.write_text(MINE)
    new_match([f"{file}:Mine", "baseline"], 2, None, 1, None, folder)[1].close()
    old_match(folder)[1].close()
    file.write_text(MINE + "    # changed\n")
    with pytest.raises(UnusableError, match=r"mine\.py:Mine has changed since .*lab was begun"):
        old_match(folder)


def test_hashes_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    new_match(["baseline", "random"], 2, None, 1, None, tmp_path)[1].close()
    assert not (tmp_path / "bots.json").exists()
    (tmp_path / "bots.json").write_text("{")
    with pytest.raises(UnusableError, match=r"bots\.json cannot be read"):
        old_match(tmp_path)
