"""The lines of an export: tokens and comments arranged on them (PBN 2.1, sections 2 and 3.8)."""

from __future__ import annotations

LONGEST_LINE = 253
"""The most columns of a line, without its end: 255 with CRLF."""

LONGEST_KEPT = 254
"""The most columns of a line in a file with LF alone. The standard's verifier writes such a
line unchanged, and so does this module, as it has no good place to break."""

_USUAL_LINE = 80
"""The usual length of a line: a token that goes beyond it stands on a new line."""


class Lines:
    """Lines in the making, to which tokens and comments are added with a space between.

    A brace comment keeps its own line breaks, a `;` comment ends its line.

    Attributes:
        lines: The complete lines.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        # The line in progress; None when the next token begins one.
        self._line: str | None = None

    def add(self, token: str) -> None:
        """Add a token or comment."""
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
    """Return the lines of a token; lines of a comment that are too long are broken at spaces."""
    if len(token) <= LONGEST_KEPT and "\n" not in token:
        return [token]
    if token.startswith(";") and len(token) > LONGEST_KEPT:
        # Such a comment has one line only, so make it a brace comment.
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
