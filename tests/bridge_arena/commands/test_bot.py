"""`arena bot`: what a bot that ships says of itself."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.bots.sdk import client
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.commands.bot import bot

MINE = """\
from bridge_arena import Bot

class Mine(Bot):
    version = "2"
"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Bot]:
    """How a bot is started on a server."""
    bots: list[Bot] = []

    def run(make_bot: Callable[[], Bot], **_: Any) -> None:
        bots.append(make_bot())

    def start(name: str) -> Bot:
        options: dict[str, Any] = {
            "bluechip": "",
            "team": "",
            "quirk": None,
            "seed": 0,
            "replay_log": None,
        }
        bot(name, url="ws://localhost:1", token="token", seat="", **options)
        return bots[-1]

    monkeypatch.setattr(client, "run", run)
    return start


def test_a_bot_that_ships_says_its_release(started: Callable[[str], Bot]) -> None:
    assert started("baseline").version == version("bridge-arena")


def test_a_class_of_a_file_says_the_hash_of_its_file(
    started: Callable[[str], Bot], tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    own, digest = started(f"{file}:Mine").version.split()
    file.write_text(f"{MINE}\n# better")
    assert own == "2"
    assert started(f"{file}:Mine").version.split()[1] != digest
