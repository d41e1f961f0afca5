"""Any bytes as a script: what a target does, one thing after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Script:
    """Reads bytes as choices and pieces; when they are used up, every choice is the first
    and every piece empty."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        """Return whether something is left."""
        return self._at < len(self._data)

    def below(self, count: int) -> int:
        """Return a number below `count`, which is at most 256, from one byte."""
        return int.from_bytes(self._take(1)) % count

    def number(self) -> int:
        """Return a number below 65536, from two bytes."""
        return int.from_bytes(self._take(2))

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, chosen by two bytes."""
        return items[self.number() % len(items)]

    def piece(self) -> bytes:
        """Return bytes, whose number comes first in two bytes."""
        return self._take(self.number())

    def damaged(self, data: bytes) -> bytes:
        """The data with up to seven bytes anywhere replaced by up to seven others."""
        at = self.number() % (len(data) + 1)
        end = at + self.below(8)
        return data[:at] + self._take(self.below(8)) + data[end:]

    def _take(self, count: int) -> bytes:
        taken = self._data[self._at : self._at + count]
        self._at += count
        return taken


def piece(data: bytes) -> bytes:
    """Return what `Script.piece` reads as these bytes."""
    return len(data).to_bytes(2) + data[: 2**16 - 1]


def next_frame(script: Script, good: Sequence[bytes]) -> bytes | str:
    """A frame: any bytes, a good one, a good one damaged, or text."""
    kind = script.below(4)
    if kind == 0:
        return script.piece()
    if kind == 1:
        return script.choice(good)
    if kind == 2:
        return script.damaged(script.choice(good))
    return script.piece().decode("utf-8", "replace")


def as_frames(*frames: bytes) -> bytes:
    """The script that `next_frame` reads as these frames."""
    return b"".join(b"\0" + piece(frame) for frame in frames)
