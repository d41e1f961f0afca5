"""The engine: every unit once, a bounded number at a time, failures kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Self

import pytest

from bridge_arena.oracle.double_dummy_table import PartialTable
from bridge_arena.oracle.errors import DeadlineError, ImpossibleError, WorkerError
from bridge_arena.oracle.table_store import NAME, TableStore
from bridge_arena.recorded.analysis import answers as answers_module
from bridge_arena.recorded.analysis.answers import Answers, AnswersError, Outcome
from bridge_arena.recorded.analysis.solvers import LocalSolvers, answer_all
from bridge_arena.recorded.analysis.units import play_unit, table_unit
from tests.oracle.vectors import FREAK_DEAL, KNOWN_DEAL
from tests.recorded.analysis.games import OPEN, TABLE, entry_of

UNITS = [f"unit {number}" for number in range(25)]


class Rigged:
    """Two threads that answer. `answer` may raise."""

    capacity = 4

    def __init__(self, answer: Callable[[str], str], deadline: float | None = 60.0) -> None:
        self.deadline = deadline
        self.asked: Counter[str] = Counter()
        # Units submitted and not yet answered, now and at most.
        self._waiting: set[Future[str]] = set()
        self.most = 0
        self._answer = answer
        self._threads = ThreadPoolExecutor(2)

    def submit(self, unit: str) -> Future[str]:
        self.asked[unit] += 1
        future = self._threads.submit(self._answer, unit)
        self._waiting = {each for each in self._waiting if not each.done()} | {future}
        self.most = max(self.most, len(self._waiting))
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._threads.shutdown()


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    opened = Answers(tmp_path / "answers.sqlite")
    opened.want(UNITS[:10])
    opened.want(UNITS)  # what is on the list keeps its place
    return opened


def run(answers: Answers, solvers: Rigged) -> int:
    counted: list[int] = []
    with solvers:
        answer_all(answers, solvers, counted.append)
    return sum(counted)


def test_every_unit_is_answered_once(answers: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "PAGE", 7)
    solvers = Rigged(str.upper)
    assert run(answers, solvers) == len(UNITS)
    assert solvers.asked == Counter(UNITS)
    assert solvers.most <= solvers.capacity
    assert answers.count() == (25, 25)
    assert answers.outcomes(["unit 3", "other"]) == {"unit 3": Outcome("UNIT 3")}


def test_the_engine_goes_on_where_it_stopped(answers: Answers, tmp_path: Path) -> None:
    def stop(unit: str) -> str:
        if unit == "unit 20":
            raise KeyError(unit)
        return unit

    with pytest.raises(KeyError):
        run(answers, Rigged(stop))
    answers.close()

    again = Answers(tmp_path / "answers.sqlite")
    again.begin()
    again.want(UNITS)
    _, before = again.count()
    assert 0 < before < 25
    solvers = Rigged(str.upper)
    assert run(again, solvers) == 25 - before
    assert max(solvers.asked.values()) == 1
    assert again.count() == (25, 25)


def test_only_what_the_files_need_is_solved(answers: Answers, tmp_path: Path) -> None:
    answers.close()
    again = Answers(tmp_path / "answers.sqlite")
    again.begin()
    again.want(["another", "unit 7"])
    solvers = Rigged(str.upper)
    run(again, solvers)
    assert set(solvers.asked) == {"another", "unit 7"}
    assert again.count() == (2, 2)


def test_a_unit_beyond_the_deadline_is_marked(answers: Answers) -> None:
    def too_long(unit: str) -> str:
        if unit == "unit 9":
            raise DeadlineError("no answer within 60 s")
        return unit

    assert run(answers, Rigged(too_long)) == 25
    assert answers.outcomes(["unit 9"]) == {"unit 9": Outcome("", "no answer within 60 s")}
    assert run(answers, Rigged(str.upper)) == 0, "the same deadline would not do"
    assert run(answers, Rigged(str.upper, deadline=120.0)) == 1
    assert answers.outcomes(["unit 9"]) == {"unit 9": Outcome("UNIT 9")}


def test_a_unit_whose_worker_dies_is_tried_once_more(answers: Answers) -> None:
    deaths: Counter[str] = Counter()

    def deadly(unit: str) -> str:
        deaths[unit] += 1
        if unit == "unit 3" or (unit == "unit 9" and deaths[unit] == 1):
            raise WorkerError("a worker ended during its task, with status -9")
        return unit

    solvers = Rigged(deadly)
    assert run(answers, solvers) == 25
    assert (solvers.asked["unit 3"], solvers.asked["unit 9"]) == (2, 2)
    assert answers.outcomes(["unit 9"])["unit 9"].answer == "unit 9"
    assert "worker" in answers.outcomes(["unit 3"])["unit 3"].failure
    assert run(answers, Rigged(str.upper)) == 1, "the next time may be better"


def test_a_table_is_looked_for_in_the_store(tmp_path: Path) -> None:
    store = TableStore(tmp_path / NAME)
    made_up = PartialTable("0123456789abcd012345")
    store.keep(KNOWN_DEAL, made_up)
    record = entry_of(OPEN).record
    assert record is not None
    with LocalSolvers(1, store=store) as solvers:
        assert solvers.submit(table_unit(KNOWN_DEAL)).result() == made_up.digits
        play = play_unit(record)
        assert play is not None
        assert solvers.submit(play).result() == "bbbbb"


def test_a_table_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with (
        LocalSolvers(1, deadline=0.5, store=TableStore(tmp_path / NAME)) as solvers,
        pytest.raises(DeadlineError),
    ):
        solvers.submit(table_unit(FREAK_DEAL)).result()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_bytes(b"this is no database " * 100)
    with pytest.raises(AnswersError, match=r"answers\.sqlite: file is not a database"):
        Answers(path)


cluster = pytest.importorskip("bridge_arena.recorded.analysis.solvers")


@pytest.mark.slow
def test_the_solver_of_a_cluster_worker_can_be_killed() -> None:
    try:
        with pytest.raises(DeadlineError):
            cluster.solve_on_worker(str(FREAK_DEAL), 2.0)
        assert cluster.solve_on_worker(str(KNOWN_DEAL), 2.0) == TABLE
        with pytest.raises(ImpossibleError):
            cluster.solve_on_worker(f"{KNOWN_DEAL};HE;SA", 2.0)
    finally:
        cluster._oracle(2.0).close()
        cluster._oracle.cache_clear()
