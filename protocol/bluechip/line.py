"""The base class of all kinds of lines."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

from bridge_arena.bridge.errors import BridgeError
from bridge_arena.protocol.bluechip.quirks import STANDARD, Quirks
from bridge_arena.protocol.bluechip.spelling import shown
from bridge_arena.protocol.errors import ProtocolError


class Line(ABC):
    """One line as a value; `str` gives its standard form."""

    __slots__ = ()

    PATTERN: ClassVar[re.Pattern[str]]
    """The pattern of a line of this kind, with single spaces."""

    @classmethod
    @abstractmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the value of a line that `PATTERN` matches."""

    @abstractmethod
    def format(self, quirks: Quirks = STANDARD) -> str:
        """Return the line as it is sent, without its end."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a line of this kind.

        Args:
            text: The line.

        Returns:
            Its value.

        Raises:
            ProtocolError: The line is of another kind.
        """
        line = parse_line(text, (cls,))
        assert isinstance(line, cls)
        return line

    def __str__(self) -> str:
        return self.format()


def parse_line(text: str, kinds: Sequence[type[Line]]) -> Line:
    """Read a line of one of several kinds.

    Args:
        text: The line.
        kinds: The kinds, in the order in which they are tried.

    Returns:
        Its value.

    Raises:
        ProtocolError: The line is of none of these kinds.
    """
    tidied = " ".join(text.split())
    for kind in kinds:
        match = kind.PATTERN.fullmatch(tidied)
        if match is not None:
            try:
                return kind.of(match)
            except BridgeError as error:
                raise ProtocolError(str(error)) from None
    raise ProtocolError(f"{shown(tidied)} is not understood")


def pattern(text: str) -> re.Pattern[str]:
    """Return a line's pattern, which ignores case and allows punctuation at the end."""
    return re.compile(rf"(?:{text})[ .,;:!]*", re.IGNORECASE)
