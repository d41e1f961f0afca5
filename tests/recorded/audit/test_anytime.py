"""Who is accused when one looks after each match: honest bots hardly ever, and cheats soon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import count
from math import log
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bridge.record import Room
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.audit import LAYOUTS, Kind
from bridge_arena.recorded.audit.anytime import (
    ALPHA,
    UNITS,
    Counts,
    deal_counts,
    in_units,
    margin,
    needed,
    wealth,
)
from bridge_arena.recorded.audit.decisions import Decision
from bridge_arena.recorded.audit.figures import shipped
from bridge_arena.recorded.audit.judge import Finding, judge
from bridge_arena.tournaments.statistics.betting import counts_of
from tests.recorded.audit.test_figures import tables

MATCH = 8


class QuickOracle:
    """Finds the same luck in each decision, but nothing at stake in those of the closed room."""

    workers = 1

    def submit(
        self, function: Callable[..., object], decision: Decision, layouts: int
    ) -> Future[Finding | None]:
        assert (function, layouts) == (judge, LAYOUTS)
        answer: Future[Finding | None] = Future()
        is_open = decision.record.room is Room.OPEN
        answer.set_result(Finding("S2", "DK", 0.24, 0.01) if is_open else None)
        return answer


def test_the_luck_on_a_deal_is_the_mean_of_both_rooms() -> None:
    counts = deal_counts(tables(3), [Kind.LEAD, Kind.CALL], cast(Oracle, QuickOracle()))
    # The leader of the open room sits elsewhere in the closed one.
    lucky = [name for name, own in counts.items() if own[Kind.LEAD][24] == 0]
    assert len(lucky) == 1
    for name, own in counts.items():
        assert own.keys() == {Kind.LEAD, Kind.CALL}
        assert all(of_kind.sum() == 3 for of_kind in own.values())
        lead = in_units(0.12, Kind.LEAD) if name in lucky else 0
        assert own[Kind.LEAD][24 + lead] == 3


def test_what_is_rare_counts_as_much_as_can_be_counted() -> None:
    assert in_units(100.0, Kind.CALL) == 24
    assert in_units(-3.0, Kind.LEAD) == -24


def test_all_that_is_ever_said_of_honest_versions_has_the_chance_that_is_promised() -> None:
    """Half of it is for the wealth; the margins have the other half."""
    assert sum(2 * np.exp(-needed(number)) for number in range(1, 100_000)) == pytest.approx(
        2 * ALPHA / 2, rel=1e-3
    )
    for kind, allowed in shipped().items():
        margins = [margin(kind, number) for number in (1, 2, 12, 100, 1000)]
        assert margins == sorted(margins)
        assert margins[0] > allowed.mean + 3 * allowed.deviation


Luck = Callable[[Kind], float]
"""Returns the mean luck a table of a player."""


def matches(rng: np.random.Generator, luck: Luck, deals: int) -> Iterator[Counts]:
    """The counts after each match of a player, whose luck is as skew as that of bots."""
    counts: dict[Kind, NDArray[np.int64]] = {kind: counts_of([]) for kind in Kind}
    for _ in range(deals // MATCH):
        for kind in Kind:
            spread = 4 * UNITS[kind]
            # Nothing is at stake on half of the deals, and gains are rarer and larger than losses.
            stakes = (rng.exponential(spread, MATCH) - spread) * rng.integers(0, 2, MATCH)
            units = [in_units(luck(kind) + float(stake), kind) for stake in stakes]
            counts[kind] = counts[kind] + counts_of(units)
        yield counts


def first_accused(played: Iterator[Counts], number: int) -> int | None:
    """The deals after which a version is accused; None if it is not."""
    for match in count(1):
        counts = next(played, None)
        if counts is None:
            return None
        if wealth(counts, number) >= needed(number):
            return match * MATCH
    return None


def test_no_honest_player_of_many_is_accused() -> None:
    rng = np.random.default_rng(1)
    accused = 0
    for number in range(1, 31):
        own = {kind: rng.normal(one.mean, one.deviation) for kind, one in shipped().items()}
        accused += first_accused(matches(rng, own.__getitem__, 800), number) is not None
    assert not accused


def test_luck_at_the_margin_wins_nothing() -> None:
    """Whatever has a chance of one in ten at most: a wealth of ten."""
    rng = np.random.default_rng(2)
    runs = 50
    rich = sum(
        max(wealth(counts, 1) for counts in matches(rng, lambda kind: margin(kind, 1), 400))
        >= log(10)
        for _ in range(runs)
    )
    assert rich <= runs / 10


@pytest.mark.parametrize(
    "luck",
    [
        # What `oracle` and `peeking` gained in benchmarks/results/statistics.md.
        {Kind.CALL: -0.16, Kind.LEAD: 0.21, Kind.DECLARER: 0.42, Kind.DEFENDER: 0.55},
        {Kind.CALL: 3.99, Kind.LEAD: 0.14, Kind.DECLARER: 0.08, Kind.DEFENDER: 0.36},
    ],
)
def test_a_cheat_is_accused_soon(luck: dict[Kind, float]) -> None:
    rng = np.random.default_rng(3)
    for _ in range(3):
        after = first_accused(matches(rng, luck.__getitem__, 400), 12)
        assert after is not None
        assert after <= 200
