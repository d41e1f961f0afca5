"""The early end of an experiment whose sequential test has reached a verdict.

The test counts the boards in their order, each part once those before it are done, so it ends on
the same board whatever the number of workers.
"""

from __future__ import annotations

from bridge_arena.lab.experiment import Experiment, Part
from bridge_arena.lab.folder import Folder
from bridge_arena.tournaments.statistics.sequential import LARGEST, Progress, Sprt, Verdict


class Stopping:
    """The sequential test of an experiment; without one, it never ends it."""

    def __init__(self, experiment: Experiment) -> None:
        self._progress: Progress | None = None
        if experiment.sprt is not None:
            # The difference of two bots may be twice as large as the swing of one.
            largest = LARGEST * len(experiment.arms)
            self._progress = Progress(Sprt.parse(experiment.sprt), largest)
        # The number of parts that the test has counted.
        self._counted = 0
        # The number of boards after which the test ended; None while it goes on.
        self.boards: int | None = None

    @property
    def verdict(self) -> Verdict | None:
        """The verdict so far; None without a test."""
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
    found: list[int] = (others[0] - first if others else first).tolist()
    return found
