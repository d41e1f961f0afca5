"""TOML with the line numbers of all tables and keys, which `tomllib` does not give.

A TOML text is a sequence of statements (a table's header, or a key with its value), and no
statement that spans lines is complete at the end of an earlier line. So a statement is the fewest
lines that `tomllib` reads by themselves. No second grammar of TOML is needed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

KeyPath = tuple[str | int, ...]
"""The path of a table or value: keys, and numbers from 0 in arrays."""

_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class LinedTomlError(ValueError):
    """A text that is not TOML; `mistakes` are line numbers, from 1, each with what is wrong."""

    def __init__(self, mistakes: list[tuple[int, str]]) -> None:
        super().__init__("; ".join(f"line {line}: {text}" for line, text in mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class LinedToml:
    """A TOML text that has been read."""

    values: Mapping[str, object]  # the content of the text
    lines: Mapping[KeyPath, int]  # the line of every table and key, from 1
    # For every table or key that was given again: its path, its line, and the line where it was
    # given first. The repetition is not in `values`.
    repeated: tuple[tuple[KeyPath, int, int], ...]

    def line(self, place: KeyPath) -> int:
        """Return the line of a table or key; if it is missing, that of the table it belongs in."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of a TOML text."""

    line: int  # its first line, from 1
    end: int  # its last line
    says: dict[str, object]  # its value, under its keys
    is_header: bool  # whether it is the header of a table


@dataclass(frozen=True, slots=True)
class _Failure:
    """The reason why a text cannot be read."""

    line: int | None  # where the mistake is, from 1; None if it shows only at the end of the text
    reason: str  # the library's message, in plain words


def read_lined(text: str) -> LinedToml:
    """Read a TOML text. Raises LinedTomlError, which has every mistake that can be told apart."""
    rows = text.replace("\r\n", "\n").split("\n")
    statements, mistakes = _statements(rows)
    if mistakes:
        raise LinedTomlError(mistakes)
    lines, repeated, left_out = _places(statements)
    for statement in left_out:
        rows[statement.line - 1 : statement.end] = [""] * (statement.end - statement.line + 1)
    values = _loads("\n".join(rows))
    if isinstance(values, _Failure):
        # Tables contradict each other, which only the whole text shows.
        raise LinedTomlError([(values.line or len(rows), values.reason)])
    return LinedToml(values, lines, tuple(repeated))


def _statements(rows: list[str]) -> tuple[list[_Statement], list[tuple[int, str]]]:
    """Return the statements, and the lines that cannot be read."""
    statements: list[_Statement] = []
    mistakes: list[tuple[int, str]] = []
    start = 0
    while start < len(rows):
        end = start + 1
        says = _loads(rows[start])
        if isinstance(says, _Failure):
            failure = _loads("\n".join(rows[start:]))
            if isinstance(failure, _Failure) and failure.line == 1:
                mistakes.append((start + 1, failure.reason))
                start += 1
                continue
        while isinstance(says, _Failure) and end < len(rows):
            end += 1
            says = _loads("\n".join(rows[start:end]))
        if isinstance(says, _Failure):
            # The statement does not end, so nothing after it can be read.
            mistakes.append((start + (says.line or 1), says.reason))
            break
        if says:
            is_header = rows[start].lstrip(" \t").startswith("[")
            statements.append(_Statement(start + 1, end, says, is_header))
        start = end
    return statements, mistakes


def _places(
    statements: list[_Statement],
) -> tuple[dict[KeyPath, int], list[tuple[KeyPath, int, int]], list[_Statement]]:
    """Return the lines by path, what is repeated, and the statements that repeat it."""
    lines: dict[KeyPath, int] = {}
    repeated: list[tuple[KeyPath, int, int]] = []
    left_out: list[_Statement] = []
    # `opened` has tables with a header and keys with a value; `counts` the sizes of arrays.
    opened: set[KeyPath] = set()
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    skipping = False
    for statement in statements:
        if statement.is_header:
            table, is_array = _header(statement, counts)
            place = table
            skipping = not is_array and place in opened
        elif not skipping:
            place = table + next(_leaves(statement.says))
        if skipping or (not statement.is_header and place in opened):
            left_out.append(statement)
            if statement.is_header or not skipping:
                repeated.append((place, statement.line, lines[place]))
            continue
        if statement.is_header:
            opened.add(place)
            for length in range(1, len(place) + 1):
                lines.setdefault(place[:length], statement.line)
        else:
            opened.update(table + leaf for leaf in _leaves(statement.says))
            for path in _within(statement.says):
                lines.setdefault(table + path, statement.line)
    return lines, repeated, left_out


def _header(statement: _Statement, counts: dict[KeyPath, int]) -> tuple[KeyPath, bool]:
    """Return the table that a header opens, and whether it is one of an array, which is counted."""
    place: KeyPath = ()
    value: object = statement.says
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        place += (key,)
        if value and isinstance(value, list):
            counts[place] = counts.get(place, 0) + 1
        if place in counts:
            place += (counts[place] - 1,)
    return place, isinstance(value, list)


def _leaves(says: dict[str, object]) -> Iterator[KeyPath]:
    """Yield the paths of a statement's values that are not tables."""
    for key, value in says.items():
        if isinstance(value, dict) and value:
            for place in _leaves(value):
                yield (key, *place)
        else:
            yield (key,)


def _within(value: object) -> Iterator[KeyPath]:
    """Yield the paths of all that a value holds, at any depth."""
    items: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(value, dict):
        items = iter(value.items())
    elif isinstance(value, list):
        items = iter(enumerate(value))
    for key, held in items:
        yield (key,)
        for place in _within(held):
            yield (key, *place)


def _loads(text: str) -> dict[str, object] | _Failure:
    try:
        return tomllib.loads(text)
    except RecursionError:
        return _Failure(None, "values are nested too deeply")
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
    except ValueError:
        return _Failure(None, "a number is too long")
    # The message in the form that follows a line number.
    where = _WHERE.search(reason)
    text = reason[:1].lower() + reason[1 : where.start() if where else None]
    if where is None or where[1] is None:
        return _Failure(None, text)
    return _Failure(int(where[1]), f"{text}, column {where[2]}")
