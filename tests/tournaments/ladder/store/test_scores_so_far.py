"""How matches in play stand: only boards that are done in both rooms are part of it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.scores_so_far import ScoreSoFar, ScoresSoFar
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record


class PowerCutError(Exception):
    """What ends a ladder in the middle of a match."""


def cut_after(tables: int, path: Path) -> LadderStore:
    """A ladder whose first match was cut off after so many tables."""
    opened(path, ladder_file("baseline", "random")).close()
    played: list[Unit] = []

    def result(event: Event, unit: Unit) -> BoardRecord:
        if len(played) == tables:
            raise PowerCutError
        played.append(unit)
        return record(event, unit, 420)

    with pytest.raises(PowerCutError):
        play(path, venues(result), None, concurrency=1)
    return LadderStore.open(path)


@pytest.mark.parametrize(("tables", "boards"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_a_board_counts_when_both_rooms_are_done(tmp_path: Path, tables: int, boards: int) -> None:
    with closing(cut_after(tables, tmp_path / "results.sqlite")) as store:
        scores = ScoresSoFar(store).look(store.open_matches())
        assert scores == {1: ScoreSoFar(boards, 2, 0)}


def test_a_record_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(cut_after(3, tmp_path / "results.sqlite")) as store:
        scores = ScoresSoFar(store)
        first = scores.look(store.open_matches())
        monkeypatch.delattr(Store, "results")
        assert scores.look(store.open_matches()) == first
        assert scores.look([]) == {}


def test_a_match_without_boards_has_no_score(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with closing(opened(path, ladder_file("baseline", "random"))) as store:
        for number in (1, 2):
            store.add_version(number, "1")
        assert ScoresSoFar(store).look([store.draw(1, 2)]) == {}
