"""The framing of lines as bytes.

A line ends with LF, with or without CR. It is read as Latin-1, in which some programs write their
alerts, and written in ASCII, which all programs can read.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.protocol.errors import ProtocolError

MAX_LINE = 1024
"""The longest line, in bytes including its end, that either end accepts."""

_NO_TEXT = frozenset(range(32)) - frozenset(b"\t\r")
"""The bytes that never occur in text."""


class FramingError(ProtocolError):
    """Bytes that are no lines of text: nothing after them can be understood."""


class LineBuffer:
    """A buffer that takes bytes as they come and gives complete lines."""

    def __init__(self) -> None:
        self._rest = b""  # the beginning of a line whose end has not come yet

    def feed(self, data: bytes) -> Iterator[str]:
        """Yield the lines that are complete, without their ends and without empty lines.

        Raises:
            FramingError: A line is too long or is no text.
        """
        *complete, self._rest = (self._rest + data).split(b"\n")
        for line in complete:
            text = _read(line)
            if text:
                yield text
        if len(self._rest) >= MAX_LINE:
            self._rest = b""
            raise FramingError(f"expected lines of at most {MAX_LINE} bytes, received a longer one")


def _read(line: bytes) -> str:
    if len(line) >= MAX_LINE:
        raise FramingError(f"expected lines of at most {MAX_LINE} bytes, received a longer one")
    if not _NO_TEXT.isdisjoint(line):
        raise FramingError("expected lines of text, received other bytes")
    return line.decode("latin-1").strip()


def to_bytes(line: str) -> bytes:
    """Return a line as it is sent."""
    return line.encode("ascii", "replace") + b"\r\n"
