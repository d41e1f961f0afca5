"""`arena leaderboard` of events that bots played: from kept tallies as from the records."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.arena import arena


@pytest.mark.slow
def test_a_leaderboard_is_the_same_from_tallies_and_from_records(tmp_path: Path) -> None:
    for number, mode in enumerate(("bidding", "full"), start=1):
        match = ("match", "natural", "random", "--boards", "2", "--mode", mode, "--no-control")
        played = arena(tmp_path, *match, "--seed", str(number), "--out", mode)
        assert played.status == 0, played
    ended = [
        arena(tmp_path, "leaderboard", "bidding", "full", *options)
        for options in ((), (), ("--anew",), ("--out", "site"))
    ]
    assert [each.status for each in ended] == [0] * 4, ended
    first, *others = [each.output for each in ended]
    assert "2 entries, 2 events, 4 boards in two rooms, in 2 matches" in first
    assert all(other.startswith(first) for other in others)
