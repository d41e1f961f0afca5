"""Tests of what a ladder knows of two players."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.ladder import pair_record as module
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.pair_record import PairRecord, pair_record
from bridge_arena.tournaments.ladder.player_record import player_record
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from tests.tournaments.ladder.ladders import ladder_file, opened

PLAYERS = "random", "baseline", "natural", "neural"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    """A ladder of four players; the first has a second version, which has met only the third."""
    with closing(opened(tmp_path / "results.sqlite", ladder_file(*PLAYERS))) as store:
        scores = Scores(0, {})

        def come(player: int, identity: str) -> int:
            version = store.add_version(player, identity).number
            store.note_presence(player, version, is_there=True)
            scores.extend(version)
            return version

        def end_match(home: int, visitors: int, *imps: int) -> None:
            sums = PairSums(tuple(imps.count(swing) for swing in SWINGS), 1, 1, 2.0)
            pair = min(home, visitors), max(home, visitors)
            orders = scores.add(pair, sums if home == pair[0] else sums.turned())
            store.end(store.draw(home, visitors), sums, orders)

        for player in (1, 2, 3):
            come(player, "first")
        end_match(1, 2, *[5] * 200)
        end_match(3, 1, 2, 2)
        end_match(3, 2, 1, 1, 1)
        assert come(1, "second") == 4
        end_match(4, 3, 3)
        yield store


def of_pair(store: LadderStore, first: int, second: int) -> PairRecord:
    record = pair_record(leaderboard(store), first, second)
    assert record is not None
    return record


def test_versions_that_met_are_told_of_the_latest_first(store: LadderStore) -> None:
    record = of_pair(store, 1, 3)
    assert [row.player.name for row in record.rows] == ["random", "natural"]
    assert (record.margin.mean, record.margin.boards) == (3.0, 1)
    met = [(one.versions[0].identity, one.margin.mean, one.margin.boards) for one in record.pairs]
    assert met == [("second", 3.0, 1), ("first", -2.0, 2)]


def test_a_pair_is_the_same_from_the_other_side(store: LadderStore) -> None:
    record, turned = of_pair(store, 1, 2), of_pair(store, 2, 1)
    assert (record.margin.boards, turned.margin.boards) == (0, 0)
    ((one,), (other,)) = record.pairs, turned.pairs
    assert (one.is_stronger, other.is_stronger) == (True, False)
    low, high = one.margin.interval
    assert other.margin.interval == pytest.approx((-high, -low))
    assert record.is_stronger is None


def test_common_opponents_are_those_of_the_present_versions(store: LadderStore) -> None:
    (third,) = of_pair(store, 1, 2).common
    assert (third.player, third.name) == (3, "natural")
    assert [margin.mean for margin in third.margins] == [3.0, -1.0]
    assert third.difference == 4.0
    assert [third.name for third in of_pair(store, 2, 3).common] == ["random (first)"]


def test_no_more_is_told_than_a_page_holds(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_PAIRS", 1)
    monkeypatch.setattr(module, "MOST_COMMON", 0)
    record = of_pair(store, 1, 3)
    assert [one.versions[0].identity for one in record.pairs] == ["second"]
    assert record.common == ()


@pytest.mark.parametrize("pair", [(1, 1), (1, 4), (4, 1), (1, 9)])
def test_who_has_not_come_is_in_no_pair(store: LadderStore, pair: tuple[int, int]) -> None:
    assert pair_record(leaderboard(store), *pair) is None


def test_the_gains_of_a_player_are_those_of_its_pairs(store: LadderStore) -> None:
    board = leaderboard(store)
    record = player_record(board, 3)
    assert record is not None
    for opponent in record.opponents:
        assert opponent.margin == board.scores.margin(3, opponent.version)
    assert of_pair(store, 3, 2).margin in [opponent.margin for opponent in record.opponents]
