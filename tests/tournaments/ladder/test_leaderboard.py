"""Tests of the leaderboard of a ladder, from its store alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from tests.tournaments.ladder.ladders import ladder_file, opened

PLAYERS = "random", "baseline", "natural"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    """A ladder of three players, who have a version each."""
    with closing(opened(tmp_path / "results.sqlite", ladder_file(*PLAYERS))) as store:
        for number in range(1, 1 + len(PLAYERS)):
            store.add_version(number, f"v{number}")
            store.note_presence(number, number, is_there=True)
        yield store


def end_match(store: LadderStore, scores: Scores, first: int, second: int, *imps: int) -> None:
    """Have a match end whose boards have these swings, seen from the first version."""
    sums = PairSums(tuple(imps.count(swing) for swing in SWINGS), 1, 1, 2.0)
    store.end(store.draw(first, second), sums, scores.add((first, second), sums))


def test_a_circle_is_named(store: LadderStore) -> None:
    scores = Scores(len(PLAYERS), {})
    for first, second, swing in ((1, 2, 3), (2, 3, 3), (1, 3, -3)):
        assert not leaderboard(store).circles
        end_match(store, scores, first, second, *[swing] * 200)
    board = leaderboard(store)
    (circle,) = board.circles
    assert circle.text == (
        "random, baseline and natural beat each other in a circle, so that none of them is ahead "
        "of another: random beats baseline, baseline beats natural, natural beats random"
    )
    assert [row.rank for row in board.ranked] == [(1, 3)] * 3
