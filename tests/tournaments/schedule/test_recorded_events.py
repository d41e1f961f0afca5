"""The matches of records that no header tells of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge_arena.bridge.record import Mode, Room
from bridge_arena.tournaments.schedule.event_files import by_match, team_names
from tests.tournaments.matches import table


def test_names_fall_back_on_the_pairs_of_the_open_room() -> None:
    closed = replace(table(1, Room.CLOSED, home="", visitors=""), players=("a", "b", "c", "d"))
    opened = replace(table(1, Room.OPEN, home="", visitors=""), players=("n", "e", "s", "e"))
    assert team_names([closed, opened]) == ("n and s", "e")
    assert team_names([replace(opened, home="alpha")]) == ("alpha", "e")
    assert team_names([closed]) == ("Home", "Visitors")


def test_several_matches_are_told_apart() -> None:
    records = [table(1, Room.OPEN), table(1, Room.OPEN, home="gamma")]
    assert list(by_match(records)) == [
        ("alpha", "beta", Mode.FULL),
        ("gamma", "beta", Mode.FULL),
    ]
    with pytest.raises(ValueError, match="records of 2 matches"):
        team_names(records)


def test_modes_are_matches_of_their_own() -> None:
    records = [table(1, Room.OPEN), replace(table(1, Room.OPEN), mode=Mode.BIDDING)]
    assert [mode for _, _, mode in by_match(records)] == [Mode.FULL, Mode.BIDDING]
    with pytest.raises(ValueError, match=r"alpha - beta \(bidding\); alpha - beta \(full\)"):
        team_names(records)
