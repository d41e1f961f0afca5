"""Tests of where ratings come from: what a match keeps by cause, and the fit."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder import matches
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.causes import causes_of_ratings
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums, Sums
from bridge_arena.tournaments.ladder.strength.weeks import CAUSES
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.ladder.ladders import (
    check_causes,
    check_sums,
    ladder_file,
    opened,
    play,
    venues,
)
from tests.tournaments.matches import table
from tests.tournaments.scores import lost, record


class Rigged(Oracle):
    """Says of each contract that nine tricks can be made."""

    async def play_values(
        self, deal: Deal, contract: Contract, cards: Sequence[Card]
    ) -> tuple[int, ...]:
        del deal, contract
        return (9,) * (len(cards) + 1)


def four_spades(event: Event, unit: Unit) -> BoardRecord:
    """The home team is given a trick in each contract; the fourth board of a match is left."""
    if unit.position == 4:
        return lost(event, unit, 0, adjusted=True)
    names = record(event, unit)
    tricks = 10 if unit.room is Room.OPEN else 9
    played = table(unit.position, unit.room, "4S", "N", tricks)
    return replace(
        names, board=played.board, contract=played.contract, tricks=tricks, score=played.score
    )


@pytest.mark.parametrize("is_valued", [True, False])
def test_the_end_of_a_match_counts_its_boards_by_role(tmp_path: Path, *, is_valued: bool) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=4)).close()
    with Rigged() as oracle:
        play(path, venues(four_spades), 4, concurrency=1, oracle=oracle if is_valued else None)
    with closing(LadderStore.open(path)) as store:
        sums, board = store.sums()[1, 2], leaderboard(store)
        imps = store.weeks.causes()
    # Games of 10 IMPs, or 12 if vulnerable, and 3 for the board that was left.
    assert (sums.boards, abs(sums.imps)) == (4, 10 + 12 + 10 - 3)
    assert sums.split_boards == (3 if is_valued else 0)
    assert np.abs(imps).tolist() == 2 * [[0, 0, 0, 32 if is_valued else 0]]
    assert not imps.sum(axis=0).any()
    (other,) = (row for row in board.ranked if row.player.name != board.anchor)
    own = dict(zip(CAUSES, imps[other.version.number - 1] / 3, strict=True))
    assert other.causes == (pytest.approx(own) if is_valued else None)


class KilledError(Exception):
    """The end of a ladder while it values a match."""


def test_a_match_whose_valuing_was_killed_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def kill(*_: object) -> None:
        raise KilledError

    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=4)).close()
    with Rigged() as oracle, monkeypatch.context() as patch:
        patch.setattr(matches, "complete", kill)
        with pytest.raises(KilledError):
            play(path, venues(four_spades), 4, concurrency=1, oracle=oracle)
    with closing(LadderStore.open(path)) as store:
        assert len(store.open_matches()) == 1
        assert not store.sums()
    with Rigged() as oracle:
        play(path, venues(four_spades), 4, concurrency=1, oracle=oracle)
    check_sums(path, 4)
    check_causes(path)


def test_the_parts_of_ratings_are_fitted_as_ratings_are() -> None:
    """Nobody is a good bidder for having met bad ones: 3 bids as 1 does, and plays worse."""
    parts = np.array([[0, 0, 0, 0], [-2, 0, -1, 0.5], [0, -0.5, -1, -1.5], [0, 0, 0, 0]])
    sums, imps = {}, np.zeros((4, 4))
    for (one, other), boards in (((1, 2), 16), ((2, 3), 64)):
        sums[one, other] = PairSums(split_boards=boards)
        gain = boards * (parts[one - 1] - parts[other - 1])
        imps[one - 1] += gain
        imps[other - 1] -= gain
    fitted = causes_of_ratings(Sums.of(sums), imps, 1)
    assert set(fitted) == {1, 2, 3}
    for version, own in fitted.items():
        assert list(own) == list(CAUSES)
        assert list(own.values()) == pytest.approx(parts[version - 1])


def test_the_parts_add_up_to_the_ratings() -> None:
    rng, sums, imps = Random(2), {}, np.zeros((3, 4))
    for pair in ((1, 2), (2, 3), (1, 3)):
        swings = [rng.randint(-9, 9) for _ in range(40)]
        counts = tuple(swings.count(swing) for swing in SWINGS)
        sums[pair] = PairSums(counts, split_boards=40)
        causes = np.array([sum(swings) - 7.5, 4.0, 3.0, 0.5])
        imps[pair[0] - 1] += causes
        imps[pair[1] - 1] -= causes
    fitted = causes_of_ratings(Sums.of(sums), imps, 1)
    for version, rating in enumerate(Scores(3, sums).ratings(1), start=1):
        assert rating is not None
        assert sum(fitted[version].values()) == pytest.approx(rating.value)
