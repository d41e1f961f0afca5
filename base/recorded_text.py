"""What readers of recorded text share, whatever its format: problems, numbers, bytes as text.

Reading is tolerant: whatever a file holds, its games are read, and what is wrong with them becomes
a `Problem`. Only a file that cannot be read, or a game that cannot be what is asked for, raises
`RecordedTextError`.
"""

from __future__ import annotations

import codecs
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

Source = str | Path | BinaryIO
"""A path or a binary stream."""

CHUNK = 1 << 16
"""The number of bytes that are read at a time."""

_DIGITS = 9
"""The most digits of the number of a board, a round, a note or anything else."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem with a file, printed in one line."""

    file: str  # the file's name
    line: int  # the line, from 1; 0 for the file as a whole
    number: int  # the number of the game or table, from 1; 0 outside of any
    reason: str  # what is wrong
    field: str = ""  # the tag concerned, or empty
    unit: str = "game"  # what has the number: a game, or a table

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        if self.number:
            place += f"{self.unit} {self.number}: "
        if self.field:
            place += f"{self.field}: "
        return place + " ".join(self.reason.split())


class RecordedTextError(ValueError):
    """A file, link, game or table that cannot be read or written; `str()` is the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class TextReader(Iterator[T]):
    """An iterator over what one file holds, one at a time, in constant memory.

    Args:
        source: A path or a binary stream.
        name: The name of the file in problems; by default that of the source.

    Raises:
        RecordedTextError: While iterating: the file cannot be opened or read.
    """

    def __init__(self, source: Source, name: str | None = None) -> None:
        if name is None:
            is_path = isinstance(source, str | Path)
            name = str(source if is_path else getattr(source, "name", "<stream>"))
        self.name = name
        self.problems: list[Problem] = []  # the problems outside of what is iterated over
        self.count = 0  # the number of those read so far
        self._units = self._read(source)

    def __next__(self) -> T:
        return next(self._units)

    def _read(self, source: Source) -> Iterator[T]:
        with opened(source, self.name) as stream:
            yield from self._read_stream(stream)

    @abstractmethod
    def _read_stream(self, stream: BinaryIO) -> Iterator[T]:
        """Yield what a stream holds."""


@contextmanager
def opened(source: Source, name: str) -> Iterator[BinaryIO]:
    """Open a file, or take a stream; raise RecordedTextError if reading it in the body fails."""
    try:
        if isinstance(source, str | Path):
            with Path(source).open("rb") as stream:
                yield stream
        else:
            yield source
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise RecordedTextError(Problem(name, 0, 0, reason)) from error


def chunks_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a stream; UTF-16 with a byte order mark is converted to UTF-8."""
    chunks = iter(lambda: stream.read(CHUNK), b"")
    first = next(chunks, b"")
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        yield decoder.decode(first).encode("utf-8", "replace")
        for chunk in chunks:
            yield decoder.decode(chunk).encode("utf-8", "replace")
    elif first:
        yield first
        yield from chunks


def decode(data: bytes) -> str:
    """Return bytes as text: UTF-8 if possible, else Windows-1252, else Latin-1."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


# Numbers in a file may have any number of digits: `int` refuses thousands of them, and a width or
# count that a file claims may need more memory than there is. No number of a game is that great.


def whole_number(text: str) -> int | None:
    """Return the number of a text of digits; None for other text and for too many digits."""
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if is_number else None


def capped(text: str) -> int:
    """Return the number of a text of digits, with a sign or none, for comparisons.

    A number of too many digits is cut, but stays greater, or less, than all others.
    """
    digits = text.lstrip("+-")
    if len(digits) > _DIGITS:
        digits = digits.lstrip("0")[: _DIGITS + 1] or "0"
    return -int(digits) if text.startswith("-") else int(digits)
