"""Tests of where matches of a ladder are played, and of what becomes of those on a cluster."""

from __future__ import annotations

import pickle
import shlex
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.errors import WorkerError
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.places import Places, ProgramError
from bridge_arena.tournaments.ladder.players import Player, State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore
from bridge_arena.tournaments.play.cluster import Cluster, ClusterError, TaskError
from bridge_arena.tournaments.play.cluster_venue import Share
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.ladder.ladders import check_sums, ladder_file, opened, play, venues
from tests.tournaments.scores import record

BOTS = "random", "baseline", "natural", "neural"
BOARDS = 2

Failure = Callable[[Event], Exception | None]
"""Returns what becomes of a share, if it is not played."""


class QuickCluster:
    """Plays shares at once, as they came over the wire, or fails at them."""

    def __init__(self, threads: int = 1, failure: Failure = lambda _: None) -> None:
        self.events: list[Event] = []
        self._threads = threads
        self._failure = failure

    def threads(self) -> int:
        return self._threads

    def submit(self, _: Callable[..., Any], share: Share) -> Future[list[BoardRecord]]:
        there: Share = pickle.loads(pickle.dumps(share))
        self.events.append(there.event)
        answer: Future[list[BoardRecord]] = Future()
        assert there.check is not None
        there.check(there.event)
        if (error := self._failure(there.event)) is not None:
            answer.set_exception(error)
        else:
            answer.set_result([record(there.event, unit, 50) for unit in there.units])
        return answer


class Here:
    """Plays what is played here at once, and counts it."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.opens = venues(self._result)

    def _result(self, event: Event, unit: Unit) -> BoardRecord:
        if event not in self.events:
            self.events.append(event)
        return record(event, unit, -50)


def played(path: Path, cluster: QuickCluster, here: Here, matches: int) -> list[str]:
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()
    places = Places(1, here.opens, cast(Cluster, cluster))
    return play(path, places, matches * BOARDS)


def names(events: Iterable[Event]) -> set[str]:
    return {entrant.name for event in events for entrant in event.entries}


def in_force(path: Path) -> set[str]:
    with closing(LadderStore.open(path)) as store:
        return {alert.text for alert in store.alerts.in_force()}


def test_workers_and_tables_here_play_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    cluster, here = QuickCluster(), Here()
    played(path, cluster, here, 12)
    # Four players are in two matches at once: one there, one here.
    assert len(cluster.events) == len(here.events) == 6
    assert all(event.seed is None for event in cluster.events)
    check_sums(path, BOARDS)


def test_a_player_whom_no_worker_can_start_plays_here(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"

    def failure(event: Event) -> Exception | None:
        if "neural" not in names([event]):
            return None
        error = TaskError("neural on a worker: there is no file")
        error.player = "neural"
        return error

    cluster, here = QuickCluster(2, failure), Here()
    played(path, cluster, here, 16)
    # Once was enough, and it did not rest for it.
    assert sum("neural" in names([event]) for event in cluster.events) == 1
    assert sum("neural" in names([event]) for event in here.events) > 2
    assert names(cluster.events) == set(BOTS)
    check_sums(path, BOARDS)


def test_a_cluster_that_is_gone_costs_what_it_played(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"

    class Gone(QuickCluster):
        def threads(self) -> int:
            if self.events:
                raise ClusterError("the cluster does not answer")
            return 2

    cluster, here = Gone(failure=lambda _: ClusterError("the cluster gave up")), Here()
    said = played(path, cluster, here, 8)
    assert cluster.events
    assert len(here.events) == 8
    check_sums(path, BOARDS)
    why = "all is played here: the cluster does not answer"
    assert why in said
    assert in_force(path) == {why}
    # It is back.
    again = play(path, Places(1, here.opens, cast(Cluster, QuickCluster())), 4 * BOARDS)
    assert f"over: {why}" in again
    assert not in_force(path)


def test_a_match_over_which_workers_die_waits(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    deaths = iter([WorkerError("several workers died over it")])
    cluster = QuickCluster(failure=lambda _: next(deaths, None))
    played(path, cluster, Here(), 8)
    with closing(LadderStore.open(path)) as store:
        assert len(store.open_matches()) <= 1
    check_sums(path, BOARDS)


@pytest.mark.parametrize("most", [1, 2])
async def test_a_ladder_may_say_how_many_matches_there_are_at_once(most: int) -> None:
    places = Places(1, cluster=cast(Cluster, QuickCluster(4)), most=most)
    await places.look()
    both = players("random", "baseline")
    for number in range(most):
        assert not places.is_full
        places.take(LadderMatch(number, 1, 2), both)
    assert places.is_full


def players(*bots: str) -> list[Player]:
    file = ladder_file(*bots)
    return [
        Player(number, registration.entrant, "", State.ACTIVE)
        for number, registration in enumerate(file.registrations, 1)
    ]


async def test_who_connects_by_itself_has_a_place_only_here() -> None:
    places = Places(1, cluster=cast(Cluster, QuickCluster(1)))
    await places.look()
    remote, random = players("remote:Ann", "random")
    assert places.has_place_for(remote, 1)
    places.take(LadderMatch(1, 1, 2), [remote, random])
    assert not places.has_place_for(remote, 1)
    assert places.has_place_for(random, 2)
    places.leave(LadderMatch(1, 1, 2))
    assert places.has_place_for(remote, 1)


def test_a_program_that_differs_on_a_worker_is_told(tmp_path: Path) -> None:
    """The check that goes with a share, as a worker makes it."""
    program = tmp_path / "low.py"
    program.write_text("print()\n")
    path = tmp_path / "results.sqlite"
    command = shlex.join(["cmd:python3", str(program)])
    opened(path, ladder_file("random", command, boards=BOARDS)).close()

    class Changed(QuickCluster):
        def submit(self, _: Callable[..., Any], share: Share) -> Future[list[BoardRecord]]:
            for text, why in (("print(1)\n", "another version"), (None, "another version")):
                program.unlink() if text is None else program.write_text(text)
                with pytest.raises(ProgramError, match=why) as raised:
                    super().submit(_, share)
                assert pickle.loads(pickle.dumps(raised.value)).player == raised.value.player
            error = TaskError(str(raised.value))
            error.player = raised.value.player
            program.write_text("print()\n")
            answer: Future[list[BoardRecord]] = Future()
            answer.set_exception(error)
            return answer

    here = Here()
    cluster = Changed()
    play(path, Places(1, here.opens, cast(Cluster, cluster)), 2 * BOARDS)
    assert len(cluster.events) == 2  # the same share, looked at twice
    assert len(here.events) == 2
