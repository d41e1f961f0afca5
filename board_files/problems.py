"""What can be wrong with files of boards: a problem names the file, and the line where it can."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.lin import model as lin
from bridge_arena.pbn import model as pbn

Problem = pbn.Problem | lin.Problem

Report = Callable[[Problem], None]
"""Told of each part of a file that cannot be used, while reading goes on with the others."""


class BoardFileError(ValueError):
    """A file that cannot be used; `str()` is the problem's line."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def unusable(name: str, reason: str) -> BoardFileError:
    """The error of a file as a whole."""
    return BoardFileError(pbn.Problem(name, 0, 0, reason))


def tell(report: Report | None, error: BoardFileError) -> None:
    """Report an error; raise it where nobody is told of errors."""
    if report is None:
        raise error
    report(error.problem)
