"""Tokens and comments to lines (PBN 2.1, sections 2 and 3.8)."""

from __future__ import annotations

LONGEST_LINE = 253
"""Columns of a line, its end left out: 255 with CRLF."""

LONGEST_KEPT = 254
"""A line of a file with LF alone may have as many. The standard's verifier writes it as
it is, and so do we, as it has no good place to break."""

_USUAL_LINE = 80
"""A token that does not fit into this stands on a new line."""


class Lines:
    """Lines in the making: tokens go one after the other with a blank between, comments
    too. A brace comment keeps its own line breaks, a `;` comment ends its line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        # The line in progress; None when the next token begins one.
        self._line: str | None = None

    def add(self, token: str) -> None:
        first, *rest = _fitted(token)
        if self._line is None:
            self._line = first
        elif len(self._line) + 1 + len(first) < _USUAL_LINE:
            self._line += " " + first
        else:
            self.end()
            self._line = first
        for line in rest:
            self.end()
            self._line = line
        if first.startswith(";"):
            self.end()

    def end(self) -> None:
        """End the line in progress, if there is one."""
        if self._line is not None:
            self.lines.append(self._line)
            self._line = None


def _fitted(token: str) -> list[str]:
    """The lines of a token; those of a comment that are too long broken at blanks."""
    if len(token) <= LONGEST_KEPT and "\n" not in token:
        return [token]
    if token.startswith(";") and len(token) > LONGEST_KEPT:
        # It has one line only: a brace comment has more.
        token = "{" + token[1:].replace("}", ")") + "}"
    return [part for line in token.split("\n") for part in _broken(line)]


def _broken(line: str) -> list[str]:
    parts = []
    while len(line) > LONGEST_KEPT:
        cut = line.rfind(" ", 1, LONGEST_LINE + 1)
        cut = cut if cut > 0 else LONGEST_LINE
        parts.append(line[:cut])
        line = line[cut:].removeprefix(" ")
    return [*parts, line]
