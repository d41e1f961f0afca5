"""The run of an experiment: parts of some hundred boards, each bid and solved by one worker.

A sequential test may end it early. It counts the boards in their order, each part once those before
it are done, so it ends on the same board whatever the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import MappingProxyType

from bridge_arena.base.bounded_work import as_completed
from bridge_arena.base.wording import plural
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

Submit = Callable[..., "Future[Arrays | str]"]
"""Has a worker call a function: `oracle.pool.Oracle.submit`, or that of a cluster."""


class FailedBidderError(Exception):
    """The error of a bidder that failed in a worker; its line says how."""


def run(folder: Folder, submit: Submit, at_once: int, on_part: Callable[[int], bool]) -> None:
    """Do what is left of an experiment, `at_once` parts at a time; each is kept when it is done.

    `on_part` is called with the number of boards of each part that is done, those of an earlier run
    included, and returns whether to go on. Raises FailedBidderError, SolvedDealsError, OSError.
    """
    parts = (((index, len(boards)), boards) for index, boards in parts_left(folder, on_part))
    for answers in as_completed(
        parts, lambda boards: submit(do_part, folder.experiment, boards), lambda: at_once
    ):
        for (index, size), answer in answers:
            keep_part(folder, index, answer.result())
            if not on_part(size):
                return


def parts_left(folder: Folder, on_part: Callable[[int], bool]) -> Iterator[tuple[int, LabBoards]]:
    """Yield the parts that are not done; `on_part` hears of those that are, and may end it."""
    for index, boards in parts_of(folder.experiment):
        if not folder.has(index):
            yield index, boards
        elif not on_part(len(boards)):
            return


def keep_part(folder: Folder, index: int, done: Arrays | str) -> None:
    """Keep what a worker made of a part; raise FailedBidderError if a bidder failed there."""
    if isinstance(done, str):
        raise FailedBidderError(done)
    folder.save(index, done)


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
