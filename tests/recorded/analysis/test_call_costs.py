"""The cost of calls as it is found on demand, kept, and told in the rows of an analysis."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from operator import itemgetter
from pathlib import Path

import pytest

from bridge_arena.oracle.errors import ClosedError, SolverError, WorkerError
from bridge_arena.recorded.analysis.answers import Answers, Outcome, costs_in
from bridge_arena.recorded.analysis.findings import find
from bridge_arena.recorded.analysis.solvers import SharedSolvers, find_costs
from bridge_arena.recorded.analysis.tables import row_of
from bridge_arena.recorded.calls.question import call_units, rough
from bridge_arena.reports.common.costs import CallCost
from tests.recorded.analysis.games import OPEN, entry_of
from tests.recorded.analysis.test_solvers import Rigged

COSTLY = CallCost("3NT", "4S", 2.5, 0.5, -3)
DOUBTFUL = CallCost("Pass", "1C", 0.4, 0.3, 7)
RIGHT = CallCost("1S", "Pass", -4.0, 0.5, -6)

BID = OPEN.replace(
    '[Play "S"]', '[Auction "N"]\nPass 1H Pass 2NT\nPass 4H Pass Pass\nPass\n[Play "S"]'
)

RECORD = entry_of(BID).record
assert RECORD is not None
UNITS = FIRST, SECOND, THIRD = call_units(RECORD)[:3]


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(tmp_path / "answers.sqlite")


Told = list[tuple[int, CallCost | None]]


async def found(answers: Answers, solvers: Rigged) -> Told:
    told: Told = []
    with solvers:
        await find_costs(UNITS, answers, solvers, lambda place, cost: told.append((place, cost)))
    return sorted(told, key=lambda each: each[0])


def test_a_cost_is_read_as_it_was_written() -> None:
    assert CallCost.parse(str(COSTLY)) == COSTLY


async def test_what_was_found_is_not_asked_again(answers: Answers) -> None:
    first = Rigged(lambda unit: str(RIGHT if unit == SECOND else COSTLY))
    assert await found(answers, first) == [(0, COSTLY), (1, RIGHT), (2, COSTLY)]
    again = Rigged(str)
    assert await found(answers, again) == [(0, COSTLY), (1, RIGHT), (2, COSTLY)]
    assert not again.asked


async def test_calls_that_cannot_be_weighed_are_told_as_unknown(answers: Answers) -> None:
    def failing(unit: str) -> str:
        if unit == FIRST:
            raise SolverError("it refused")
        if unit == SECOND:
            raise WorkerError("a worker ended during its task, with status -9")
        return str(COSTLY)

    assert await found(answers, Rigged(failing)) == [(0, None), (1, None), (2, COSTLY)]
    again = Rigged(lambda _unit: str(RIGHT))
    assert await found(answers, again) == [(0, None), (1, RIGHT), (2, COSTLY)]
    assert set(again.asked) == {SECOND, rough(SECOND)}, (
        "only a dead worker may do better another time"
    )


async def test_a_pool_that_closes_is_told(answers: Answers) -> None:
    def closed(_unit: str) -> str:
        raise ClosedError("the oracle is closed")

    with pytest.raises(ClosedError):
        await found(answers, Rigged(closed))


class Waiting:
    """Solvers that do not answer."""

    capacity = 4
    deadline: float | None = None

    def __init__(self) -> None:
        self.asked: list[str] = []

    def submit(self, unit: str) -> Future[str]:
        self.asked.append(unit)
        return Future()

    def __enter__(self) -> Waiting:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Paused:
    """Answers estimates and the first unit; the others wait until they are cancelled."""

    capacity = 4
    deadline: float | None = None

    def __init__(self) -> None:
        self.waiting: list[Future[str]] = []

    def submit(self, unit: str) -> Future[str]:
        future: Future[str] = Future()
        if unit in (FIRST, *map(rough, UNITS)):
            future.set_result(str(COSTLY))
        else:
            self.waiting.append(future)
        return future

    def __enter__(self) -> Paused:
        return self

    def __exit__(self, *_: object) -> None:
        pass


async def test_who_looks_away_loses_nothing_that_was_found(answers: Answers) -> None:
    solvers = Paused()
    one_is_told = asyncio.Event()
    looking = asyncio.create_task(
        find_costs(UNITS, answers, solvers, lambda _place, _cost: one_is_told.set())
    )
    await one_is_told.wait()
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    assert len(solvers.waiting) == 2
    assert all(future.cancelled() for future in solvers.waiting)
    again = Rigged(lambda _unit: str(RIGHT))
    assert await found(answers, again) == [(0, COSTLY), (1, RIGHT), (2, RIGHT)]
    assert set(again.asked) == {*UNITS[1:], *map(rough, UNITS[1:])}


async def test_calls_are_estimated_before_the_costliest_is_found_first(answers: Answers) -> None:
    estimates = dict(zip(map(rough, UNITS), (RIGHT, COSTLY, DOUBTFUL), strict=True))
    solvers = Rigged(lambda unit: str(estimates.get(unit, COSTLY)))
    told: list[tuple[str, int, CallCost | None]] = []
    with solvers:
        await find_costs(
            UNITS,
            answers,
            solvers,
            lambda place, cost: told.append(("cost", place, cost)),
            lambda place, estimate: told.append(("estimate", place, estimate)),
        )
    assert sorted(told[:3], key=itemgetter(1)) == [
        ("estimate", 0, RIGHT),
        ("estimate", 1, COSTLY),
        ("estimate", 2, DOUBTFUL),
    ]
    assert sorted(told[3:], key=itemgetter(1)) == [("cost", place, COSTLY) for place in range(3)]
    assert list(solvers.asked) == [*map(rough, UNITS), SECOND, THIRD, FIRST]
    assert answers.outcomes(map(rough, UNITS)) == {}, "an estimate is not kept"


def test_a_question_that_two_wait_for_is_asked_once() -> None:
    solvers = Waiting()
    shared = SharedSolvers(solvers)
    answers = [shared.submit(unit) for unit in (FIRST, SECOND, FIRST)]
    assert solvers.asked == [FIRST, SECOND]
    assert answers[0] is answers[2]
    answers[0].set_result("")
    shared.submit(FIRST)
    assert solvers.asked == [FIRST, SECOND, FIRST], "what nobody waits for is asked again"


def test_a_page_may_save_answers_while_an_analysis_is_under_way(
    answers: Answers, tmp_path: Path
) -> None:
    answers.begin()
    answers.want(UNITS)
    page = Answers(tmp_path / "answers.sqlite")
    page.save([(SECOND, Outcome(str(RIGHT))), ("other", Outcome(str(COSTLY)))])
    page.close()
    assert answers.count() == (3, 1)
    assert list(answers.open_units(60.0)) == [FIRST, THIRD]


def test_the_row_of_a_game_tells_what_calls_cost() -> None:
    entry = entry_of(BID)
    assert entry.record is not None
    units = call_units(entry.record)
    costs = [RIGHT, COSTLY, RIGHT, DOUBTFUL]
    outcomes = {unit: Outcome(str(cost)) for unit, cost in zip(units, costs, strict=False)}
    outcomes[units[4]] = Outcome("", "it refused")
    finding = find(entry, outcomes, None, units)
    assert finding.calls == (*costs, *[None] * (len(units) - 4))
    row = row_of(finding)
    assert row["call_costs"] == "2:3NT E 2.50 ± 0.50 (4S, -3); 4:Pass W 0.40 ± 0.30 (1C, 7)"
    assert row["costliest_call"] == "2:3NT E"
    assert row["costliest_call_imps"] == 2.5
    assert "no cost of call 5: it refused" in str(row["note"])
    assert "no cost of call 6: not solved yet" in str(row["note"])


def test_what_is_in_doubt_is_not_the_costliest() -> None:
    entry = entry_of(BID)
    assert entry.record is not None
    units = call_units(entry.record)
    outcomes = {units[0]: Outcome(str(DOUBTFUL))}
    row = row_of(find(entry, outcomes, None, units))
    assert row["call_costs"] == "1:Pass N 0.40 ± 0.30 (1C, 7)"
    assert row.get("costliest_call") is None


def test_nothing_is_told_that_was_not_asked() -> None:
    entry = entry_of(BID)
    assert entry.record is not None
    outcomes = {unit: Outcome(str(COSTLY)) for unit in call_units(entry.record)}
    assert find(entry, outcomes).calls == ()
    assert costs_in(outcomes, []) == ()
