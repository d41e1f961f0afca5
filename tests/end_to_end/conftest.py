"""A match that several tests look at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.end_to_end.arena import Ended, arena

BOARDS = 4


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """The folder of a match of `boards` boards, and how the command ended."""

    folder: Path
    ended: Ended
    boards: int = BOARDS


@pytest.fixture(scope="session")
def finished_match(tmp_path_factory: pytest.TempPathFactory) -> FinishedMatch:
    """`baseline` against `random`, seed 1. Only to be read."""
    place = tmp_path_factory.mktemp("finished")
    command = f"match baseline random --boards {BOARDS} --seed 1 --out match --concurrency 2"
    return FinishedMatch(place / "match", arena(place, *command.split()))
