"""Problems with files of boards; a problem names the file, and the line if it is known."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.lin import model as lin
from bridge_arena.pbn import model as pbn

Problem = pbn.Problem | lin.Problem

Report = Callable[[Problem], None]
"""Called with a problem for each part of a file that cannot be used; reading then goes on."""


class BoardFileError(ValueError):
    """A file that cannot be used; `str()` is the problem in one line.

    Args:
        problem: The problem with the file.

    Attributes:
        problem: The problem with the file.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def unusable(name: str, reason: str) -> BoardFileError:
    """Return the error of a file that cannot be used as a whole."""
    return BoardFileError(pbn.Problem(name, 0, 0, reason))


def tell(report: Report | None, error: BoardFileError) -> None:
    """Report an error, or raise it if there is no `report`.

    Args:
        report: Called with the problem.
        error: The error.

    Raises:
        BoardFileError: The error, if `report` is None.
    """
    if report is None:
        raise error
    report(error.problem)
