"""One against all."""

from __future__ import annotations

import pytest

from bridge_arena.tournaments.formats.pairings import gauntlet


def test_a_gauntlet_has_one_match_a_round() -> None:
    assert gauntlet(4) == [[(0, 1)], [(0, 2)], [(0, 3)]]


def test_too_few_entries_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 2 entries, not 1"):
        gauntlet(1)
