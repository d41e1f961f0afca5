"""The run of an experiment: parts of some hundred boards, each bid and solved by one worker.

A worker whose bots are slow hands back what it has done after some time, and goes on with the rest.

A sequential test may end it early. It counts the boards in their order, each part once those before
it are done, so it ends on the same board whatever the number of workers.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from bridge_arena.base.bounded_work import as_completed
from bridge_arena.base.stopping import Stop
from bridge_arena.base.wording import plural
from bridge_arena.bots.sdk.client import answers_many
from bridge_arena.lab.bidding import Bid, WrongCallError, bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import Arrays, Experiment, Folder, Part
from bridge_arena.lab.scoring import scored
from bridge_arena.oracle.contract_tricks import Request, tricks_here
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.solved_deals import SolvedDeals, SolvedDealsError, read
from bridge_arena.oracle.table_store import shared_store
from bridge_arena.tournaments.play.in_process import FaultyBotError
from bridge_arena.tournaments.statistics.sequential import LARGEST, Progress, Sprt, Verdict

AHEAD = 2
"""The parts that are given to each worker, so that none has to wait."""

KEPT_AFTER = 24.0
"""The seconds after which the boards of a part that are done are kept, though others are left. All
that a worker is given then ends before the time after SIGTERM is over."""

Submit = Callable[..., "Future[Arrays | str]"]
"""Has a worker call a function: `oracle.pool.Oracle.submit`, or that of a cluster."""


class FailedBidderError(Exception):
    """The error of a bidder that failed in a worker; its line says how."""


@dataclass(frozen=True, slots=True, eq=False)
class PartLeft:
    """What is left of a part."""

    index: int
    size: int  # the number of boards of the whole part
    boards: LabBoards  # those that are left

    @property
    def title(self) -> str:
        """The part as people count."""
        return f"part {self.index + 1}"

    def begin(self, stop: Stop) -> bool:
        """Return whether the part may begin, or go on."""
        return stop.begin(self.title, self.index, len(self.boards))

    def keep(self, folder: Folder, done: Arrays | str) -> tuple[int, PartLeft | None]:
        """Keep what came of the first boards.

        Raises FailedBidderError if a bidder failed, FolderError and OSError.

        Returns:
            The number of boards that are done, and the others; None if all are done.
        """
        if isinstance(done, str):
            raise FailedBidderError(done)
        folder.keep(self.index, self.size, done)
        boards = len(done["numbers"])
        rest = self.boards.rows(boards)
        return boards, PartLeft(self.index, self.size, rest) if len(rest) else None


class _Left(Iterator[tuple[PartLeft, PartLeft]]):
    """What may begin, each part its own key: first the rests of parts that came back."""

    def __init__(self, parts: Iterator[PartLeft], stop: Stop) -> None:
        self._parts = parts
        self._stop = stop
        self.rests: deque[PartLeft] = deque()

    def __next__(self) -> tuple[PartLeft, PartLeft]:
        part = self.rests.popleft() if self.rests else next(self._parts)
        if not part.begin(self._stop):
            raise StopIteration
        return part, part


def run(
    folder: Folder,
    submit: Submit,
    at_once: int,
    on_boards: Callable[[int], bool],
    stop: Stop | None = None,
) -> None:
    """Do what is left of an experiment, `at_once` parts at a time, until the order to stop.

    `on_boards` is called with a number of boards that are done and kept, and returns whether to go
    on. Raises FailedBidderError, SolvedDealsError, FolderError, OSError.
    """
    stop = stop or Stop()
    left = _Left(parts_left(folder), stop)
    for answers in as_completed(
        left, lambda part: submit(do_some, folder.experiment, part.boards), lambda: at_once
    ):
        for part, answer in answers:
            boards, rest = part.keep(folder, answer.result())
            stop.end(part.title)
            if rest is not None:
                left.rests.append(rest)
            if not on_boards(boards):
                return


def parts_left(folder: Folder) -> Iterator[PartLeft]:
    for index, boards in parts_of(folder.experiment):
        if not folder.has(index):
            begun = folder.begun(index)
            done = 0 if begun is None else len(begun.boards)
            yield PartLeft(index, len(boards), boards.rows(done))


def do_some(
    experiment: Experiment, boards: LabBoards, clock: Callable[[], float] = time.monotonic
) -> Arrays | str:
    """Do boards in their order, as many as there is time for: the work of a worker.

    Bots that answer in batches do all of them. The result is that of `do_part`.
    """
    if _in_batches(experiment):
        return do_part(experiment, boards)
    began, done = clock(), 0
    portion = 1
    parts: list[Part] = []
    while done < len(boards):
        answer = do_part(experiment, boards.rows(done, done + portion))
        if isinstance(answer, str):
            return answer
        parts.append(Part.of(answer))
        done += portion
        spent = clock() - began
        if spent >= KEPT_AFTER:
            break
        portion = next_portion(portion, spent / done, KEPT_AFTER - spent)
    return Part.joined(parts).arrays()


def next_portion(latest: int, seconds: float, left: float) -> int:
    """Return how many boards to do next, at least one.

    Args:
        latest: The boards that were done last; the next portion has at most twice as many.
        seconds: The time of a board.
        left: The time in which they are to be done.
    """
    return max(1, min(2 * latest, int(left / seconds) if seconds else 2 * latest))


def _in_batches(experiment: Experiment) -> bool:
    try:
        bots = [bidder.maker()() for bidder in (*experiment.arms, experiment.opponent)]
    except (Exception, SystemExit):  # `do_part` says how it fails
        return True
    return all(answers_many(bot, "call") for bot in bots)


def do_part(
    experiment: Experiment, boards: LabBoards, apart: Mapping[int, Bid] = MappingProxyType({})
) -> Arrays | str:
    """Bid boards for all arms, and score what they reached: the work of a worker.

    If a bidder fails, one line that says how takes the place of the arrays of the `Part`.
    """
    key = experiment.key
    bids = []
    for place, arm in enumerate(experiment.arms):
        if place in apart:
            bids.append(apart[place])
            continue
        try:
            bids.append(bid(boards, arm.maker(), experiment.opponent.maker(), key))
        except OracleError:
            raise
        except (WrongCallError, FaultyBotError) as error:
            return f"{arm.name} against {experiment.opponent.name}: {error}"
        except (Exception, SystemExit) as error:  # a bidder may be anybody's code
            pair = f"{arm.name} against {experiment.opponent.name}"
            return f"{pair}: {arm.failure(error, experiment.opponent)}"
    matches = scored(boards, bids, solve)
    if experiment.leader is not None:
        from bridge_arena.lab.bracket import led  # noqa: PLC0415  it loads a bot with its net

        try:
            matches = led(experiment, boards, matches)
        except OracleError:
            raise
        except (Exception, SystemExit) as error:  # their systems explain the calls
            how = experiment.leader.failure(error, *experiment.arms, experiment.opponent)
            return f"opening leads of {experiment.leader.name}: {how}"
    return Part(boards, matches).arrays()


def solve(requests: Sequence[Request]) -> list[int]:
    """Return the tricks that are asked for, from the shared store or solved in this process."""
    return tricks_here(shared_store(), requests)


def parts_of(experiment: Experiment) -> Iterator[tuple[int, LabBoards]]:
    if experiment.deals:
        yield from enumerate(_in_parts(experiment))
        return
    for index, start in enumerate(range(1, experiment.boards + 1, experiment.part)):
        stop = min(start + experiment.part, experiment.boards + 1)
        yield index, LabBoards.dealt(experiment.key, start, stop)


def _in_parts(experiment: Experiment) -> Iterator[LabBoards]:
    """Yield the solved deals of files, a part at a time. Raises SolvedDealsError."""
    left = experiment.boards
    held: SolvedDeals | None = None
    start = 1
    for some in read(Path(file.path) for file in experiment.deals):
        held = some if held is None else SolvedDeals.joined([held, some])
        while len(held) >= (size := min(experiment.part, left)):
            yield LabBoards.solved(SolvedDeals(held.seats[:size], held.tricks[:size]), start)
            held = SolvedDeals(held.seats[size:], held.tricks[size:])
            start += size
            left -= size
            if not left:
                return
    raise SolvedDealsError(f"the files of solved deals end {plural(left, 'board')} too soon")


class Stopping:
    """The sequential test of an experiment; without one, it never ends it."""

    def __init__(self, experiment: Experiment) -> None:
        self._progress: Progress | None = None
        if experiment.sprt is not None:
            # The difference of two bots may be twice as large as the swing of one.
            largest = LARGEST * len(experiment.arms)
            self._progress = Progress(Sprt.parse(experiment.sprt), largest)
        self._counted = 0  # the number of parts that the test has counted
        # The number of boards after which the test ended; None while it goes on.
        self.boards: int | None = None

    @property
    def verdict(self) -> Verdict | None:
        return None if self._progress is None else self._progress.verdict

    def go_on(self, folder: Folder) -> bool:
        """Count the parts that are done, up to the first that is not; return whether to go on."""
        if self._progress is None:
            return True
        while self.boards is None and folder.has(self._counted):
            for swing in _swings(folder.load(self._counted)):
                if self._progress.add(swing) is not Verdict.GO_ON:
                    self.boards = self._progress.boards
                    break
            self._counted += 1
        return self.boards is None


def _swings(part: Part) -> list[int]:
    """Return the swings of one bot, or the differences between two."""
    first, *others = (match.imps for match in part.matches)
    swings: list[int] = (others[0] - first if others else first).tolist()
    return swings
