"""What all kinds of lines have in common."""

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
    """One line as a value. `str` gives its standard form."""

    __slots__ = ()

    PATTERN: ClassVar[re.Pattern[str]]
    """What a line of this kind looks like, with single blanks."""

    @classmethod
    @abstractmethod
    def of(cls, match: re.Match[str]) -> Self:
        """The value of a line that `PATTERN` matches."""

    @abstractmethod
    def format(self, quirks: Quirks = STANDARD) -> str:
        """The line as it is sent, without its end."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The value of a line of this kind. Raises ProtocolError."""
        line = parse_line(text, (cls,))
        assert isinstance(line, cls)
        return line

    def __str__(self) -> str:
        return self.format()


def parse_line(text: str, kinds: Sequence[type[Line]]) -> Line:
    """The value of a line of one of these kinds. Raises ProtocolError."""
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
    """A line's pattern: in any case, and punctuation may follow."""
    return re.compile(rf"(?:{text})[ .,;:!]*", re.IGNORECASE)
