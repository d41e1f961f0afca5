"""`oracle.pool`: answers, deadlines, deaths, several loops, and nothing left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from timeit import timeit
from typing import Any

import pytest

from bridge_arena.base.background import BACKGROUND
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.oracle import solver
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.errors import (
    ClosedError,
    DeadlineError,
    ImpossibleError,
    SolverError,
    WorkerError,
)
from bridge_arena.oracle.par import par
from bridge_arena.oracle.pool import Oracle, TableCache
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.table_store import NAME, TableStore
from tests.data import ROOT
from tests.no_solver import MISSING, hide_solver
from tests.oracle.vectors import FREAK_DEAL, KNOWN_DEAL, KNOWN_TABLE
from tests.patience import PATIENCE

SPADES = Contract.parse("4S", Seat.EAST)


@pytest.fixture(scope="module")
def shared() -> Iterator[Oracle]:
    with Oracle(workers=2) as oracle:
        yield oracle


def pid_of(oracle: Oracle) -> int:
    return oracle.submit(os.getpid).result()


def is_alive(pid: int) -> bool:
    """False for a zombie too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children() -> set[int]:
    """The living processes that this one has started."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state != "Z":
                found.add(int(path.parent.name))
    return found


def wait_until_dead(pid: int) -> None:
    end = time.monotonic() + PATIENCE
    while is_alive(pid):
        assert time.monotonic() < end, f"process {pid} lives on"
        time.sleep(0.02)


class TestAnswers:
    async def test_tables_are_solved_by_workers(self, shared: Oracle) -> None:
        deals = [random_deal(3, 1), KNOWN_DEAL, random_deal(3, 1)]
        one, known, again = await shared.tables(deals)
        assert known == KNOWN_TABLE
        assert one == again == solver.tables(deals[:1])[0]

    async def test_card_values_are_solved_by_workers(self, shared: Oracle) -> None:
        position = Position.of(Play(SPADES), KNOWN_DEAL.hands)
        assert await shared.card_values(position) == solver.card_values(position)

    async def test_play_values_are_solved_by_workers(self, shared: Oracle) -> None:
        cards = [Card("SQ"), Card("SJ")]
        expected = solver.play_values(KNOWN_DEAL, SPADES, cards)
        assert await shared.play_values(KNOWN_DEAL, SPADES, cards) == expected

    async def test_tricks_are_solved_by_workers(self, shared: Oracle) -> None:
        assert await shared.tricks(KNOWN_DEAL, SPADES) == 10

    async def test_par_is_found_by_workers(self, shared: Oracle) -> None:
        expected = par(KNOWN_TABLE, Seat.NORTH, Vulnerability.NS)
        assert await shared.par(KNOWN_DEAL, Seat.NORTH, Vulnerability.NS) == expected

    async def test_impossible_input_is_refused(self, shared: Oracle) -> None:
        with pytest.raises(ImpossibleError, match="card 0"):
            await shared.play_values(KNOWN_DEAL, SPADES, [Card("SA")])

    def test_a_task_that_breaks_is_told(self, shared: Oracle) -> None:
        with pytest.raises(SolverError, match="ValueError in a worker: invalid literal"):
            shared.submit(int, "word").result()

    def test_an_answer_that_cannot_be_sent_is_told(self, shared: Oracle) -> None:
        with pytest.raises(SolverError, match="TypeError in a worker"):
            shared.submit(threading.Lock).result()

    def test_a_pool_without_workers_is_refused(self) -> None:
        with pytest.raises(ValueError, match="0 workers"):
            Oracle(workers=0)


class TestStore:
    @pytest.mark.slow
    async def test_what_one_pool_has_solved_another_finds(self, tmp_path: Path) -> None:
        path = tmp_path / NAME
        deal = random_deal(12, 1)
        with Oracle(workers=1, store=TableStore(path)) as oracle:
            tricks = await oracle.tricks(deal, SPADES)
            (table,) = await oracle.tables([KNOWN_DEAL])
        before = children()
        with Oracle(workers=1, store=TableStore(path)) as oracle:
            assert await oracle.tricks(deal, SPADES) == tricks
            assert await oracle.tables([KNOWN_DEAL]) == [table] == [KNOWN_TABLE]
            assert await oracle.tricks(KNOWN_DEAL, SPADES) == 10
            assert children() == before, "nothing was solved"
            # Part of a table is no table.
            assert await oracle.tables([deal]) == solver.tables([deal])

    async def test_a_pool_solves_although_its_store_cannot_be_used(self, tmp_path: Path) -> None:
        (tmp_path / NAME).write_bytes(b"no database " * 100)
        with Oracle(workers=1, store=TableStore(tmp_path / NAME)) as oracle:
            assert await oracle.tables([KNOWN_DEAL]) == [KNOWN_TABLE]
            assert await oracle.tricks(KNOWN_DEAL, SPADES) == 10


class TestConcurrency:
    async def test_the_event_loop_goes_on(self, shared: Oracle) -> None:
        work = asyncio.ensure_future(shared.tables([random_deal(4, n) for n in range(4)]))
        turns = 0
        while not work.done():
            await asyncio.sleep(0.001)
            turns += 1
        assert len(await work) == 4
        assert turns > 50

    def test_several_threads_may_ask_with_loops_of_their_own(self, shared: Oracle) -> None:
        answers: list[bool] = []

        async def ask(number: int) -> None:
            position = Position.of(Play(SPADES), KNOWN_DEAL.hands)
            tables, values = await asyncio.gather(
                shared.tables([KNOWN_DEAL, random_deal(5, number % 2)]),
                shared.card_values(position),
            )
            answers.append(tables[0] == KNOWN_TABLE and max(values.values()) == 3)

        threads = [threading.Thread(target=lambda n=n: asyncio.run(ask(n))) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [True] * 6

    def test_workers_start_as_needed(self) -> None:
        before = children()
        with Oracle(workers=8) as oracle:
            assert len({pid_of(oracle) for _ in range(5)}) == 1
            naps = [oracle.submit(time.sleep, 0.3) for _ in range(2)]
            assert [nap.result() for nap in naps] == [None, None]
            assert len(children() - before) == 2

    @pytest.mark.slow
    async def test_cancelling_does_not_wedge_the_pool(self) -> None:
        with Oracle(workers=1) as oracle:
            nap = oracle.submit(time.sleep, 0.3)
            position = Position.of(Play(SPADES), KNOWN_DEAL.hands)
            requests: list[asyncio.Future[Any]] = [
                asyncio.ensure_future(oracle.tables([random_deal(6, n) for n in range(5000)])),
                asyncio.ensure_future(oracle.card_values(position)),
                asyncio.wrap_future(nap),
            ]
            await asyncio.sleep(0.1)
            for request in requests:
                request.cancel()
            await asyncio.gather(*requests, return_exceptions=True)
            # The tables that nobody wants any more, work for many minutes, are not made first.
            async with asyncio.timeout(PATIENCE):
                assert await oracle.tables([KNOWN_DEAL]) == [KNOWN_TABLE]


class TestFailure:
    async def test_an_answer_that_takes_too_long_is_given_up(self) -> None:
        with Oracle(workers=1, deadline=0.3) as oracle:
            before = pid_of(oracle)
            with pytest.raises(DeadlineError, match=r"within 0\.3 s of processor time"):
                await oracle.tables([FREAK_DEAL])
            assert not is_alive(before)
            position = Position.of(Play(SPADES), KNOWN_DEAL.hands)
            assert max((await oracle.card_values(position)).values()) == 3
            assert pid_of(oracle) != before

    def test_a_worker_that_gets_no_processor_does_not_pass_its_deadline(self) -> None:
        """As on a busy machine, where a task that needs little takes long."""
        with Oracle(workers=1, deadline=0.2) as oracle:
            assert oracle.submit(time.sleep, 0.6).result() is None

    def test_a_deadline_is_for_each_task_alone(self) -> None:
        start = "from time import process_time; end = process_time() + 0.2"
        with Oracle(workers=1, deadline=0.5) as oracle:
            first = pid_of(oracle)
            for _ in range(4):
                oracle.submit(timeit, "while process_time() < end: pass", start, number=1).result()
            assert pid_of(oracle) == first

    def test_a_worker_killed_while_idle_or_busy_is_replaced(self) -> None:
        with Oracle(workers=1) as oracle:
            first = pid_of(oracle)
            nap = oracle.submit(time.sleep, 30)
            while not nap.running():
                time.sleep(0.01)
            os.kill(first, signal.SIGKILL)
            with pytest.raises(WorkerError, match="status -9"):
                nap.result()
            second = pid_of(oracle)
            assert second != first
            os.kill(second, signal.SIGKILL)
            wait_until_dead(second)
            with pytest.raises(WorkerError):
                pid_of(oracle)
            assert is_alive(pid_of(oracle))

    def test_a_worker_without_a_solver_says_so(
        self,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        hide_solver(monkeypatch, tmp_path)
        with Oracle(workers=1) as oracle, pytest.raises(WorkerError, match=MISSING):
            oracle.table(KNOWN_DEAL).result()
        assert capfd.readouterr().err == ""

    def test_workers_ignore_an_interrupt(self) -> None:
        with Oracle(workers=1) as oracle:
            pid = pid_of(oracle)
            os.kill(pid, signal.SIGINT)
            assert pid_of(oracle) == pid
            assert os.getpgid(pid) != os.getpgid(0)


class TestClosing:
    def test_a_worker_in_the_background_gives_way_to_all_other_processes(self) -> None:
        with Oracle(workers=1, background=True) as oracle:
            pid = pid_of(oracle)
            assert os.getpriority(os.PRIO_PROCESS, pid) == BACKGROUND
            # Linux shares processors among sessions first, where it has a file to weigh them.
            assert os.getsid(pid) == pid
            session = Path(f"/proc/{pid}/autogroup")
            weight = session.read_text() if session.exists() else ""
            assert not weight or weight.endswith(f" nice {BACKGROUND}\n")

    def test_closing_ends_everything_at_once(self) -> None:
        before = set(threading.enumerate())
        oracle = Oracle(workers=1)
        pid = pid_of(oracle)
        nap = oracle.submit(time.sleep, 2 * PATIENCE)
        waiting = oracle.submit(os.getpid)
        time.sleep(0.1)
        start = time.monotonic()
        oracle.close()
        oracle.close()
        assert time.monotonic() - start < PATIENCE
        assert not is_alive(pid)
        for future in (nap, waiting):
            with pytest.raises(ClosedError):
                future.result(timeout=0)
        with pytest.raises(ClosedError):
            oracle.submit(os.getpid)
        assert set(threading.enumerate()) <= before

    def test_workers_leave_when_the_parent_dies(self) -> None:
        """Killed outright in the middle of a long task."""
        script = (
            "import os, time; from oracle.pool import Oracle; oracle = Oracle(workers=1);"
            "print(oracle.submit(os.getpid).result(), flush=True);"
            "oracle.submit(time.sleep, 60).result()"
        )
        root = str(ROOT)
        with subprocess.Popen(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONPATH": root},
            stdout=subprocess.PIPE,
            text=True,
        ) as parent:
            assert parent.stdout is not None
            worker = int(parent.stdout.readline())
            time.sleep(0.1)
            parent.kill()
        wait_until_dead(worker)

    def test_a_pool_never_closed_does_not_hold_up_the_end(self) -> None:
        script = (
            "import os, time; from oracle.pool import Oracle; oracle = Oracle(workers=1);"
            "print(oracle.submit(os.getpid).result(), flush=True);"
            f"oracle.submit(time.sleep, {2 * PATIENCE}); time.sleep(0.1)"
        )
        root = str(ROOT)
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONPATH": root},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        assert done.stderr == ""
        wait_until_dead(int(done.stdout))


ONE, TWO, THREE = (random_deal(1, number) for number in range(3))
TABLE = DoubleDummyTable((6,) * 20)


class Solver:
    """Collects what it is asked; the test answers."""

    def __init__(self) -> None:
        self.asked: list[Deal] = []
        self.work: list[Future[DoubleDummyTable]] = []

    def __call__(self, deal: Deal) -> Future[DoubleDummyTable]:
        self.asked.append(deal)
        self.work.append(Future())
        return self.work[-1]


def test_a_deal_is_solved_once() -> None:
    cache, solve = TableCache(), Solver()
    first, second = cache.request(ONE, solve), cache.request(ONE, solve)
    assert not first.done()
    solve.work[0].set_result(TABLE)
    assert first.result() == second.result() == TABLE
    assert cache.request(ONE, solve).result() == TABLE
    assert solve.asked == [ONE]


def test_the_least_recently_used_is_dropped() -> None:
    cache, solve = TableCache(size=2), Solver()
    for deal in (ONE, TWO, ONE, THREE, ONE, TWO):
        answer = cache.request(deal, solve)
        if not answer.done():
            solve.work[-1].set_result(TABLE)
    assert solve.asked == [ONE, TWO, THREE, TWO]
    assert len(cache) == 2


def test_a_failure_is_not_kept() -> None:
    cache, solve = TableCache(), Solver()
    answers = [cache.request(ONE, solve) for _ in range(2)]
    solve.work[0].set_exception(RuntimeError("lost"))
    for answer in answers:
        with pytest.raises(RuntimeError, match="lost"):
            answer.result(timeout=0)
    cache.request(ONE, solve)
    assert solve.asked == [ONE, ONE]


def test_whoever_gives_up_leaves_the_others_waiting() -> None:
    cache, solve = TableCache(), Solver()
    first, second = cache.request(ONE, solve), cache.request(ONE, solve)
    assert first.cancel()
    assert not solve.work[0].cancelled()
    solve.work[0].set_result(TABLE)
    assert second.result() == TABLE


def test_work_that_nobody_waits_for_is_cancelled() -> None:
    cache, solve = TableCache(), Solver()
    for answer in [cache.request(ONE, solve) for _ in range(2)]:
        answer.cancel()
    assert solve.work[0].cancelled()
    assert not cache.request(ONE, solve).done()
    assert solve.asked == [ONE, ONE]


def test_work_begun_is_kept_though_nobody_waits() -> None:
    cache, solve = TableCache(), Solver()
    answer = cache.request(ONE, solve)
    solve.work[0].set_running_or_notify_cancel()
    answer.cancel()
    solve.work[0].set_result(TABLE)
    assert cache.request(ONE, solve).result() == TABLE
    assert solve.asked == [ONE]


def test_an_answer_that_is_there_at_once() -> None:
    cache = TableCache()

    def solve(_deal: Deal) -> Future[DoubleDummyTable]:
        work: Future[DoubleDummyTable] = Future()
        work.set_result(TABLE)
        return work

    assert cache.request(ONE, solve).result() == TABLE
    assert len(cache) == 1
