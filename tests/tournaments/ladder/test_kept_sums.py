"""What a ladder keeps and reads is what its matches make anew."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.tournaments.ladder.store.ladder_store import pair_of
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, Pair, PairSums
from tests.tournaments.ladder.ladders import ladder_file, opened

FILE = ladder_file("random", "baseline", "natural")
VERSIONS = 3

swings = st.lists(st.sampled_from(SWINGS), max_size=8).map(
    lambda imps: tuple(imps.count(swing) for swing in SWINGS)
)
two = st.tuples(st.integers(0, 8), st.integers(0, 8))
seconds = st.integers(0, 99).map(float)
split_boards = st.integers(0, 8)
match_sums = st.builds(PairSums, swings, st.just(1), st.just(1), seconds, two, two, split_boards)
teams = st.permutations(range(1, VERSIONS + 1)).map(lambda every: every[:2])


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(matches=st.lists(st.tuples(teams, match_sums), max_size=12))
def test_what_is_kept_is_what_the_matches_make(matches: list[tuple[list[int], PairSums]]) -> None:
    anew: dict[Pair, PairSums] = {}
    kept = Scores(VERSIONS, {})
    with (
        TemporaryDirectory() as folder,
        closing(opened(Path(folder) / "results.sqlite", FILE)) as store,
    ):
        for version in range(1, VERSIONS + 1):
            store.add_version(version, "a")
        for (home, visitors), of_home in matches:
            match = store.draw(home, visitors)
            pair = pair_of(match)
            sums = of_home if home == pair[0] else of_home.turned()
            store.end(match, of_home, kept.add(pair, sums))
            anew[pair] = anew.get(pair, PairSums()) + sums
        read = Scores(VERSIONS, store.sums(), store.orders())
        assert dict(store.sums()) == anew
        orders = store.orders()
    for scores in (read, Scores(VERSIONS, anew, orders)):
        assert scores.matches == kept.matches == len(matches)
        np.testing.assert_array_equal(scores.ahead, kept.ahead)
        np.testing.assert_allclose(scores.standing().evidence, kept.standing().evidence)
        for version in range(1, VERSIONS + 1):
            assert scores.figures(version) == kept.figures(version)
            assert scores.ratings(version) == kept.ratings(version)
