"""The strict reader: a file to its games' faults, by the tokens of import format.

It is a state machine over characters, like the standard's grammar (PBN 2.1, section 2). After a
wrong token it continues in the same state as the verifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from bridge_arena.pbn.read.lexer import split_lines
from bridge_arena.pbn.strict.facts import Fault, Finding, Severity, error, severe, warning
from bridge_arena.pbn.strict.game import StrictGame

LONGEST_LINE = 254
"""The most characters of a line, without its end."""

MOST_FINDINGS = 10_000
"""The most findings kept of a game; after so many, only a worse one than all before is kept."""

_CHUNK = 1 << 16
_BAD = re.compile("[\x7f-\x9f]")
_BLANK_LINE = re.compile("[ \t\v\x7f-\x9f]*")
_SPACES = re.compile("[\x00- ]*")
_GARBAGE = re.compile("[^\\[{;\x00- ]+")
_NAME = re.compile("[A-Za-z0-9_]*")
_IN_NAME = re.compile("[A-Za-z0-9_]")
_VALUE = re.compile(r'(?:[^"\\\x00-\x1f\x7f-\x9f]|\\.)*', re.DOTALL)
_COMMENT = re.compile("[^}\x7f-\x9f]*")
_MOVE = re.compile("[A-Za-z0-9-]+")
_NOTE = re.compile("=[0-9]*")
_NAG = re.compile(r"\$[0-9]*")
_SUFFIX = re.compile("[!?]{1,2}")
_CELL = re.compile(r'[^\x00- \x7f-\xff\[\]{};%"]+|"(?:[^"\\\x00-\x1f\x7f-\x9f]|\\.)*"')
_BAD_CHARACTER = error("bad character")


class StrictReader(Iterator[list[Finding]]):
    """An iterator over the games of one file, each as the list of its findings.

    A list holds the first fault of each line, and one more if a later fault of a line is worse.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._games = self._read(stream)
        self._game = StrictGame()
        # The number of the line being read, from 1.
        self._line = 0
        self._findings: list[Finding] = []
        self._worst = Severity.CLEAN
        # The method that reads on at a position of a line, by the part of a game that it stands in.
        self._state = self._outside
        self._in_comment = False
        self._has_tag = False
        # Whether `% EXPORT` was read in this game: then tags and rows must begin lines.
        self._export = False
        self._begins_row = False
        # The tag being read.
        self._name = ""
        self._value = ""
        self._skips_value = False
        self._after_tag = self._outside

    def __next__(self) -> list[Finding]:
        return next(self._games)

    # Lines and games

    def _read(self, stream: BinaryIO) -> Iterator[list[Finding]]:
        last = "\n"
        for raw in split_lines(iter(lambda: stream.read(_CHUNK), b"")):
            last = raw.decode("latin-1")
            self._line += 1
            text = last.rstrip("\r\n")
            # The verifier treats the rest of a long line as another line.
            for start in range(0, len(text) + 1, LONGEST_LINE + 1):
                part = text[start : start + LONGEST_LINE + 1]
                if len(part) > LONGEST_LINE:
                    self._report(severe("line too long"))
                if self._feed(part):
                    yield self._finish()
        if self._has_tag or self._findings:
            yield self._finish()

    def _feed(self, text: str) -> bool:
        """Read a line, without its end, and return whether it ends a game."""
        position = 0
        line = text + "\n"
        if text.startswith("%"):
            bad = _BAD.search(text)
            if bad is None:
                self._export = self._export or text.startswith("% EXPORT")
                return False
            # A bad character ends the escape.
            self._report(_BAD_CHARACTER)
            position = bad.end()
        while position < len(line):
            if self._in_comment:
                position = self._comment(line, position)
            else:
                position = self._state(line, position)
        is_blank = _BLANK_LINE.fullmatch(text) is not None
        return is_blank and self._has_tag and not self._in_comment

    def _finish(self) -> list[Finding]:
        findings = self._findings
        for fault in self._game.verify():
            findings.append(Finding(fault.severity, self._line, fault.reason))
        self._game = StrictGame(self._game.inherited)
        self._findings = []
        self._worst = Severity.CLEAN
        self._state = self._outside
        self._in_comment = self._has_tag = self._export = self._begins_row = False
        return findings

    def _report(self, fault: Fault | None) -> None:
        if fault is None:
            return
        last = self._findings[-1] if self._findings else None
        if len(self._findings) >= MOST_FINDINGS and fault.severity <= self._worst:
            return
        if last is None or last.line != self._line or last.severity < fault.severity:
            self._worst = max(self._worst, fault.severity)
            self._findings.append(Finding(fault.severity, self._line, fault.reason))

    # Comments

    def _comment(self, line: str, position: int) -> int:
        end = _end(_COMMENT, line, position)
        if end < len(line):
            self._in_comment = False
            if line[end] != "}":
                self._report(_BAD_CHARACTER)
        return end + 1

    def _begin_comment(self, line: str, position: int) -> int:
        """Read the beginning of a comment, `{` or `;`, and return the position after it."""
        if line[position] == "{":
            self._in_comment = True
            return position + 1
        bad = _BAD.search(line, position)
        if bad is None:
            return len(line)
        self._report(_BAD_CHARACTER)
        return bad.end()

    # Tag pairs

    def _outside(self, line: str, position: int) -> int:
        position = _end(_SPACES, line, position)
        if position == len(line):
            return position
        letter = line[position]
        if letter == "[":
            return self._begin_tag(position)
        if letter in "{;":
            return self._begin_comment(line, position)
        self._report(_BAD_CHARACTER if self._has_tag else severe("wrong character: not in a tag"))
        return _end(_GARBAGE, line, position)

    def _begin_tag(self, position: int) -> int:
        self._has_tag = True
        self._state = self._tag_begin
        if self._export and position:
            self._report(warning("no new line before a tag"))
        return position + 1

    def _tag_fault(self, fault: Fault) -> None:
        """Report a fault and leave the tag: its rest is read as text outside of tags."""
        self._report(fault)
        self._state = self._outside

    def _tag_begin(self, line: str, position: int) -> int:
        if _IN_NAME.match(line, position):
            self._state = self._tag_name
            return position
        return self._space(line, position)

    def _space(self, line: str, position: int) -> int:
        """Read a character where only white space may stand, and return the position after it."""
        if line[position] > " ":
            self._tag_fault(_BAD_CHARACTER)
        return position + 1

    def _tag_name(self, line: str, position: int) -> int:
        end = _end(_NAME, line, position)
        self._name = line[position:end]
        if line[end] == "]":
            self._tag_fault(error("no tag value"))
        elif line[end] != '"' and line[end] > " ":
            self._tag_fault(_BAD_CHARACTER)
        else:
            self._state = self._tag_value if line[end] == '"' else self._tag_equal
            self._value = ""
            fault = self._game.tag_name(self._name)
            self._skips_value = fault is not None
            if fault is not None and fault.severity >= Severity.ERROR:
                self._tag_fault(fault)
            else:
                self._report(fault)
        return end + 1

    def _tag_equal(self, line: str, position: int) -> int:
        if line[position] == '"':
            self._value = ""
            self._state = self._tag_value
        elif line[position] == "]":
            self._tag_fault(error("no tag value"))
        else:
            return self._space(line, position)
        return position + 1

    def _tag_value(self, line: str, position: int) -> int:
        end = _end(_VALUE, line, position)
        self._value += line[position:end]
        if end < len(line):
            if line[end] == '"':
                self._end_value()
            else:
                self._tag_fault(_BAD_CHARACTER)
        return end + 1

    def _end_value(self) -> None:
        self._state = self._tag_end
        self._after_tag = self._outside
        if self._skips_value:
            return
        fault = self._game.tag(self._name, self._value)
        if fault is not None and fault.severity >= Severity.ERROR:
            self._tag_fault(fault)
            return
        self._report(fault)
        if self._name in ("Auction", "Play"):
            self._after_tag = self._section
        elif self._game.table is not None:
            self._after_tag = self._table

    def _tag_end(self, line: str, position: int) -> int:
        if line[position] != "]":
            return self._space(line, position)
        self._state = self._after_tag
        if self._state != self._outside:
            self._begins_row = True
            self._game.begin_section(self._name)
        return position + 1

    # Sections

    def _section(self, line: str, position: int) -> int:
        """Read a token of the Auction or Play section, and return the position after it."""
        letter = line[position]
        if letter <= " ":
            return position + 1
        if letter == "[":
            return self._begin_tag(position)
        if letter in "{;":
            return self._begin_comment(line, position)
        annotation = self._annotation(line, position)
        if annotation:
            return annotation
        if letter not in "*+^" and not _MOVE.match(letter):
            self._report(_BAD_CHARACTER)
            return position + 1
        if self._begins_row and self._export and position:
            self._report(warning("no new line before a row"))
        self._begins_row = False
        if letter == "*":
            self._state = self._outside
            return position + 1
        moves = self._game.moves
        if letter == "^":
            self._report(moves.irregularity(line[position + 1]))
            return position + 2
        word = "+" if letter == "+" else line[position : _end(_MOVE, line, position)]
        before = moves.count
        self._report(moves.token(word))
        if moves.count != before:
            self._game.annotation.clear()
            self._begins_row = moves.ends_row
        return position + len(word)

    def _annotation(self, line: str, position: int) -> int:
        """Return the end of a note reference, NAG or suffix that begins here, else 0."""
        letter = line[position]
        if letter == "=":
            end = _end(_NOTE, line, position)
            digits = line[position + 1 : end]
            closed = line[end] == "="
            self._report(self._game.note_reference(digits) if closed else error("bad note"))
            return end + 1
        if letter == "$":
            end = _end(_NAG, line, position)
            self._report(self._game.nag(line[position + 1 : end]))
            return end
        if letter in "!?":
            end = _end(_SUFFIX, line, position)
            self._report(self._game.suffix(line[position:end]))
            return end
        return 0

    def _table(self, line: str, position: int) -> int:
        table = self._game.table
        assert table is not None
        letter = line[position]
        if letter <= " ":
            return position + 1
        if letter == "[":
            self._report(table.verify())
            self._game.table = None
            return self._begin_tag(position)
        if letter in "{;":
            if table.count:
                self._report(severe("bad comment: within a table"))
            return self._begin_comment(line, position)
        match = _CELL.match(line, position)
        if match is None:
            self._report(_BAD_CHARACTER)
            return position + 1
        self._report(table.cell(match[0]))
        return match.end()


def _end(pattern: re.Pattern[str], line: str, position: int) -> int:
    """Return the end of what a pattern matches at a position, where it must match."""
    match = pattern.match(line, position)
    assert match is not None
    return match.end()
