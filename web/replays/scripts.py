"""Scripts that bring values to a page: a page from `file://` can load scripts, but no JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from bridge_arena.web.board.page import Range

MOST_VALUES, MOST_BYTES = 100, 100_000
"""The most values in a script, and the most bytes; a larger value has a script of its own."""


def script(function: str, address: str, values: Mapping[str, str]) -> str:
    """Return the script that calls a function of the page with values, JSON, by their names."""
    named = ",".join(f'"{name}":{value}' for name, value in values.items())
    return f'Arena.{function}("{address}",{{{named}}});\n'


class Scripts:
    """Scripts, each with as many values as are small together.

    Args:
        function: The function of the page that takes the values.
        stem: The addresses' beginning.
        put: A function that writes a script.
    """

    def __init__(self, function: str, stem: str, put: Callable[[str, str], None]) -> None:
        self._function, self._stem, self._put = function, stem, put
        self.names: list[list[str]] = []  # the names of the values of each script, in order
        # The values of the last script, which is not written yet, and their bytes.
        self._values: dict[str, str] = {}
        self._size = 0

    @property
    def _address(self) -> str:
        return f"{self._stem}-{len(self.names)}.js"

    def add(self, name: str, value: str) -> str:
        """Add a value, and return the address of its script."""
        size = len(value.encode())
        is_full = len(self._values) == MOST_VALUES or self._size + size > MOST_BYTES
        if is_full or not self._values:
            self.close()
            self.names.append([])
        self.names[-1].append(name)
        self._values[name] = value
        self._size += size
        return self._address

    def close(self) -> None:
        """Write the last script."""
        if self._values:
            self._put(self._address, script(self._function, self._address, self._values))
        self._values = {}
        self._size = 0


_NUMBERED = re.compile(r"(.*board-)([0-9]+)(.*)")


def ranges(names: Iterable[str]) -> list[Range]:
    """Return the names of boards in short, in the same order."""
    in_short: list[Range] = []
    for name in names:
        match = _NUMBERED.fullmatch(name)
        assert match, f"{name} is no name of a board"
        before, number, after = match[1], int(match[2]), match[3]
        start, first, last, end = in_short[-1] if in_short else ("", 0, 0, "")
        if (start, last + 1, end) == (before, number, after):
            in_short[-1] = (before, first, number, after)
        else:
            in_short.append((before, number, number, after))
    return in_short
