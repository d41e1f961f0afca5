"""Matches of card play, as the command sets them up."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bridge.record import Mode
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.event_run import EventRun
from bridge_arena.commands.lab.card_play import begin, go_on
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.store import Store
from tests.tournaments.scores import event


def new_match(bots: list[str], folder: Path) -> Event:
    """Begin a match of two boards, and leave it."""
    with EventRun(str, folder) as run:
        begin(run, bots, 2, None, 1, None)
        return run.store.event()


def old_match(folder: Path) -> None:
    """Go on with a match, and leave it."""
    with EventRun(str, folder) as run:
        go_on(run)


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
    begun = new_match([first, second], tmp_path / "lab")
    assert [entry.name for entry in begun.entries] == (names or [first, f"{first}-2"])


MINE = """
from bridge_arena.bots.baseline.bot import BaselineBot


class Mine(BaselineBot):
    pass
"""


def test_card_play_does_not_go_on_with_another_version_of_a_bot(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.py", tmp_path / "lab"
    file.write_text(MINE)
    new_match([f"{file}:Mine", "baseline"], folder)
    old_match(folder)
    file.write_text(MINE + "    # changed\n")
    with pytest.raises(UnusableError, match=r"mine\.py:Mine has changed since .*lab was begun"):
        old_match(folder)


@pytest.mark.parametrize("mode", [Mode.FULL, Mode.BIDDING])
def test_card_play_does_not_go_on_with_a_match_that_is_bid(mode: Mode, tmp_path: Path) -> None:
    Store.create(tmp_path / STORE, event(Format.MATCH, 2, mode=mode)).close()
    with pytest.raises(UnusableError, match=r"was not begun by arena lab: arena match --resume"):
        old_match(tmp_path)


def test_card_play_does_not_go_on_with_bots_that_come_by_themselves(tmp_path: Path) -> None:
    entries = [Entrant(bot=bot, name=bot) for bot in ("remote:far", "random")]
    begun = event(Format.MATCH, 2, mode=Mode.PLAY, entries=entries)
    Store.create(tmp_path / STORE, begun).close()
    with pytest.raises(UnusableError, match="remote:far comes by itself"):
        old_match(tmp_path)


def test_hashes_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    new_match(["baseline", "random"], tmp_path)
    assert not (tmp_path / "bots.json").exists()
    (tmp_path / "bots.json").write_text("{")
    with pytest.raises(UnusableError, match=r"bots\.json cannot be read"):
        old_match(tmp_path)
