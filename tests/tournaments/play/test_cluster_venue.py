"""Tests of how a cluster's venue divides an event, and that the whole event arrives there."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, cast

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seeds import PublicSeed
from bridge_arena.server.claims import Claims
from bridge_arena.server.faults import Remedy
from bridge_arena.tournaments.events.boards import BoardSupply
from bridge_arena.tournaments.events.event import Event, EventPolicies
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.cluster import Cluster
from bridge_arena.tournaments.play.cluster_venue import SHARE, ClusterVenue, Share
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.venue import EventInPlay, Results
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import ChangeClock, settings_by
from tests.tournaments.ruled import rulings
from tests.tournaments.scores import event, record, units_of


class QuickCluster:
    """Answers at once, with boards passed out; keeps the shares as they came over the wire."""

    def __init__(self) -> None:
        self.shares: list[Share] = []

    def threads(self) -> int:
        return 1

    def submit(self, function: Callable[..., Any], share: Share) -> Future[list[BoardRecord]]:
        there = pickle.loads(pickle.dumps((function, share)))[1]
        self.shares.append(there)
        answer: Future[list[BoardRecord]] = Future()
        answer.set_result([record(there.event, unit) for unit in there.units])
        return answer


async def shares(event: Event, results: Results | None = None) -> list[Share]:
    cluster = QuickCluster()
    results = results or {}
    units = [unit for unit in units_of(plan(event, [])) if unit.id not in results]
    supply = BoardSupply(PublicSeed(1), event.mode)
    play = EventInPlay(event, supply, EventLog(), results)
    hall = ClusterVenue(play, cast(Cluster, cluster))
    kept: list[str] = []
    await hall.play(iter(units), lambda unit, _: kept.append(unit.id))
    assert sorted(kept) == sorted(unit.id for unit in units)
    return cluster.shares


async def test_a_long_match_is_divided() -> None:
    found = await shares(event(Format.ROUND_ROBIN, 3, boards=SHARE + 4, clock="30 board=300"))
    assert [len(share.units) for share in found] == [2 * SHARE, 8] * 3


async def test_a_match_with_a_clock_of_its_own_is_not_divided() -> None:
    found = await shares(event(Format.ROUND_ROBIN, 3, boards=SHARE + 4, clock="30 match=900"))
    assert [len(share.units) for share in found] == [2 * SHARE + 8] * 3


@pytest.mark.parametrize("limit", ["illegal", "timeouts"])
async def test_a_match_that_counts_faults_is_not_divided(limit: str) -> None:
    policies = EventPolicies.model_validate({limit: 9})
    found = await shares(event(Format.ROUND_ROBIN, 3, boards=SHARE + 4, policies=policies))
    assert [len(share.units) for share in found] == [2 * SHARE + 8] * 3


@pytest.mark.parametrize(("clock", "told"), [("30 match=900", True), ("30", False)])
async def test_a_match_goes_on_where_it_was(clock: str, *, told: bool) -> None:
    """A worker knows what was played of its match, if it has to, and of no other."""
    whole = event(Format.ROUND_ROBIN, 3, boards=4, clock=clock)
    units = units_of(plan(whole, []))
    results = {unit.id: record(whole, unit) for unit in units if unit.position < 3}
    for share in await shares(whole, results):
        (match,) = {unit.match for unit in share.units}
        played = [unit.id for unit in match.units() if unit.position < 3] if told else []
        assert list(share.results) == played
        assert [share.results[unit] for unit in played] == [results[unit] for unit in played]


async def test_clock_claims_and_policies_reach_the_cluster() -> None:
    policies = EventPolicies(restarts=1, retries=3, at_zero=Remedy.FORFEIT, timeouts=2, grace=1.5)
    whole = event(Format.MATCH, 2, clock="9 match=90+1", claims=Claims.CHECKED, policies=policies)
    (share,) = await shares(whole)
    assert share.event == whole.model_copy(update={"seed": None})


async def test_clocks_that_a_director_changed_reach_the_cluster() -> None:
    """Once the match has a clock, no two workers share it."""
    whole = event(Format.MATCH, 2, boards=2 * SHARE)
    settings = settings_by(whole, rulings([ChangeClock(clock="30 match=900")]))
    cluster = QuickCluster()
    play = EventInPlay(whole, BoardSupply(PublicSeed(1), whole.mode), EventLog(), changed=settings)
    hall = ClusterVenue(play, cast(Cluster, cluster))
    await hall.play(iter(units_of(plan(whole, []))), lambda _unit, record: record)
    (share,) = cluster.shares
    assert [own.clock.match for own in share.settings] == [900, 900]
