"""Problems with files of boards; a problem names the file, and the line if it is known."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.base.recorded_text import Problem, RecordedTextError

Report = Callable[[Problem], None]
"""Called with a problem for each part of a file that cannot be used; reading then goes on."""


class BoardFileError(RecordedTextError):
    """A file that cannot be used; `str()` is the problem in one line."""


def unusable(name: str, reason: str) -> BoardFileError:
    """Return the error of a file that cannot be used as a whole."""
    return BoardFileError(Problem(name, 0, 0, reason))


def tell(report: Report | None, error: BoardFileError) -> None:
    """Report an error, or raise it if there is no `report`."""
    if report is None:
        raise error
    report(error.problem)
