"""The lexer of PBN: lines to the elements of `pbn.model`, with their line numbers.

It knows tokens (PBN 2.1, section 2), not games: `pbn.read.reader` and `pbn.read.records` decide
what an element belongs to and what a value means. Nothing in a file raises an error.

Most of most files is plain: tag pairs on lines of their own, each followed by any rows of a section
without comments and strings. `plain_tags` reads a plain stretch by one regular expression. `Lexer`,
which would find the same tags, takes all else line by line.
"""

from __future__ import annotations

import re
from collections import UserList
from collections.abc import Iterable, Iterator, MutableSequence
from functools import cached_property
from typing import Any, BinaryIO, SupportsIndex

from bridge_arena.base.recorded_text import chunks_of, decode
from bridge_arena.pbn.model import Blank, Comment, Escape, Junk, Section, Tag, Words

Element = Tag | Words | Comment | Escape | Junk | Blank

_TOKEN = re.compile(
    r"""
      \s+
    | \[ \s* (?P<name> \w+ ) \s* " (?P<value> (?: [^"\\\n] | \\. )* ) " \s* \]
    | (?P<loose> \[ \s* (?P<key> \w+ ) \s* "? [^"\n\]]* "? \s* \] )
    | (?P<comment> \{ [^}]* \} | ; [^\n]* )
    | (?P<string> " (?: [^"\\\n] | \\. )* " )
    | (?P<word> [^\s\[\]{};"]+ )
    | (?P<junk> . )
    """,
    re.VERBOSE,
)

_BEFORE_BLANK = re.compile(rb"\n(?=[ \t]*\r*\n)")  # the line end before a semi-empty line
# The lookbehind keeps the time of a long run of CRs linear.
_LINE = re.compile(rb"[^\r\n]*(?:(?<!\r)\r+\n|\r|\n)|[^\r\n]+")
_LONGEST_STRETCH = 1 << 16
_LONGEST_LINE = 1 << 16
_LONGEST_COMMENT = 10_000  # lines
_TAG_LINE = re.compile(r'\[[A-Z][A-Za-z0-9_]* "[^"]*"\]\s*$')
_LONGEST_PAIR = 4  # lines that a tag pair may spread over: its four tokens
_MARK = r"(?:[!?*]|=[^\s=]*=|\$\d+)"
_CALL_OR_CARD = (
    r"(?:[1-7](?:[CDHS]|NT?)|PASS|P|XX?|AP|ALLPASS|D(?:BL)?|R(?:DBL)?|[SHDC](?:[2-9TJQKA]|10)"
    r"|-+|\+|\^[ISRL])"
)
_WORD = rf"(?:{_CALL_OR_CARD}{_MARK}*|{_MARK}+)"
_ROW = re.compile(rf"\s*{_WORD}(?:\s+{_WORD})*\s*", re.IGNORECASE)
_PAIR = re.compile(r'\s*\[\s*\w+\s*"(?:[^"\\]|\\.)*"\s*\]')

ANNOTATED = frozenset(["Auction", "Play"])
"""The sections whose words may have marks."""

_MARK_LETTER = re.compile(r"[!?=$^*+]")
# A row is not empty, and no tag, comment, string or escape line.
_PIECE = re.compile(
    r"""
      \[ (\w+) [ ] " ( [^"\\\r\n]* (?: \\[^\r\n] [^"\\\r\n]* )* ) "\] \n
      ( (?: [ \t]* [^\s%\[\]{}";\x1a] [^\[\]{}";\x1a\r\n]* \n )* )
    | ( (?s: .+ ) )
    """,
    re.VERBOSE,
)


def read_stretches(stream: BinaryIO) -> Iterator[bytes]:
    """Yield a stream's bytes in stretches of whole lines.

    Each stretch but the first begins with a semi-empty line. A stretch, or line, that grows too
    long comes in parts, so that memory stays constant. UTF-16 with a byte order mark is converted
    to UTF-8.
    """
    rest = b""
    for chunk in chunks_of(stream):
        text = rest + chunk
        start = 0
        for match in _BEFORE_BLANK.finditer(text):
            yield text[start : match.end()]
            start = match.end()
        rest = text[start:]
        if len(rest) > _LONGEST_STRETCH:
            # Final CRs may be the beginning of a line end: keep them with their line.
            whole = rest.rstrip(b"\r")
            end = max(whole.rfind(b"\n"), whole.rfind(b"\r")) + 1
            if end:
                yield rest[:end]
                rest = rest[end:]
            if len(rest) > _LONGEST_LINE:
                yield rest
                rest = b""
    if rest:
        yield rest


def lines_of(stretch: bytes) -> list[bytes]:
    """Return the lines of a stretch, with their ends: CRLF, LF, CR, or several CRs and LF.

    The last is what becomes of CRLF if a program writes it again as text of Windows.
    """
    return _LINE.findall(stretch) if b"\r\r\n" in stretch else stretch.splitlines(keepends=True)


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines, with their ends, of a text that comes in chunks."""
    rest = b""
    for chunk in chunks:
        lines = (rest + chunk).splitlines(keepends=True)
        rest = lines.pop() if lines else b""
        # A final CR may be the first half of a CRLF: keep it for the next chunk.
        if rest.endswith(b"\n") or len(rest) > _LONGEST_LINE:
            lines.append(rest)
            rest = b""
        yield from lines
    if rest:
        yield rest


class Lexer:
    """A lexer that takes the lines of a file in order and joins what spans several lines."""

    def __init__(self) -> None:
        # Number of the last line fed, from 1.
        self.line = 0
        # The parts of an open brace comment or tag pair, empty when none is open.
        self._open: list[str] = []
        self._open_line = 0
        self._after_blank = False
        # Whether the lines of a comment that was never closed are being read again.
        self._no_comments = False
        # Whether the line read again is after the beginning of such a comment.
        self._in_unclosed = False

    def feed(self, line: str) -> list[Element]:
        """Return the elements that a line completes."""
        self.line += 1
        number = self.line
        if self._open:
            return self._feed_open(line)
        first = line[:1]
        if first == "[":
            # A plain pair, which most lines are, does without the expense of _TOKEN.
            name, quote, value = line[1:-2].partition(' "')
            if (
                quote
                and line.endswith('"]')
                and '"' not in value
                and "\\" not in value
                and name.isidentifier()
            ):
                return [Tag(name, value, number)]
        elif first == "%":
            return [Escape(line, number)]
        elif line.replace(" ", "").replace("-", "").isalnum():
            return [Words(line.split(), number)]
        elif not line or line.isspace() or line == "\x1a":
            return [Blank(number)]
        return list(self._lex(line, number))

    @property
    def is_open(self) -> bool:
        """Whether the next line continues a comment or tag pair."""
        return bool(self._open)

    def finish(self) -> list[Element]:
        """Return the elements that are left at the end of the file."""
        return self._abandon() if self._open else []

    def _feed_open(self, line: str) -> list[Element]:
        """Return the elements of a line within a brace comment or a tag pair."""
        blank = not line or line.isspace()
        in_comment = self._open[0].startswith("{")
        # A comment that is never closed must not hide the games after it.
        new_game = self._after_blank and _TAG_LINE.match(line) is not None
        self._after_blank = blank
        if in_comment:
            abandon = new_game or len(self._open) == _LONGEST_COMMENT
        else:
            abandon = blank or line.startswith("[") or len(self._open) == _LONGEST_PAIR
        if abandon:
            self.line -= 1
            return [*self._abandon(), *self.feed(line)]
        self._open.append(line)
        if ("}" if in_comment else "]") not in line:
            return []
        if in_comment and (closed := _begin_of_the_closed(self._open)):
            return self._abandon(closed)
        text = "\n".join(self._open)
        self._open = []
        return list(self._lex(text, self._open_line))

    def _abandon(self, closed: int | None = None) -> list[Element]:
        """Give up an open comment or pair: its first line is junk, the others are read again.

        Lines that can only be text of the comment are left out. `closed` is the first of the lines
        among which there is a comment that is closed; by default there is none.
        """
        first, *rest = self._open
        is_comment = first.startswith("{")
        what = "comment" if is_comment else "tag pair"
        elements: list[Element] = [_unclosed(what, first, self._open_line)]
        self._open = []
        self.line = self._open_line
        self._in_unclosed = is_comment
        for at, line in enumerate(rest, 1):
            if self._in_unclosed and at != closed and _is_text(line):
                self.line += 1
                continue
            self._in_unclosed = False
            self._no_comments = is_comment and (closed is None or at < closed)
            elements += self.feed(line)
        self._no_comments = self._in_unclosed = False
        return elements

    def _lex(self, text: str, number: int) -> Iterator[Element]:
        position, end = 0, len(text)
        while position < end:
            if text[position] == "{" and text.find("}", position) < 0:
                if self._no_comments:
                    self._in_unclosed = True
                    yield _unclosed("comment", text[position:], number)
                else:
                    self._begin(text[position:], number)
                return
            match = _TOKEN.match(text, position)
            if match is None:  # cannot happen: any character is at least junk
                return
            kind, token = match.lastgroup, match[0]
            if kind == "value":
                value = match["value"]
                written = value if "\\" in value else ""
                yield Tag(match["name"], unescape(value), number, written=written)
            elif kind == "comment":
                yield Comment(token, number)
            elif kind in ("word", "string"):
                yield Words([token], number)
            elif kind == "loose":
                value = text[match.end("key") : match.end() - 1]
                yield Tag(match["key"], value.strip().strip('"'), number)
                yield Junk(f"not a tag pair: {_excerpt(token)}", number)
            elif kind == "junk":
                if token == "[" and "\n" not in text and text.find('"]', position) < 0:
                    self._begin(text[position:], number)
                else:
                    yield from self._recover(text[position:], number)
                return
            number += token.count("\n")
            position = match.end()

    def _begin(self, text: str, number: int) -> None:
        self._open = [text]
        self._open_line = number
        self._after_blank = False

    def _recover(self, text: str, number: int) -> Iterator[Element]:
        """Yield junk, after a tag pair if the text is one with bare quotes inside."""
        name, quote, value = text[1:].partition('"')
        value, end, _ = value.rpartition('"]')
        if text[0] == "[" and quote and end and name.strip().isidentifier():
            yield Tag(name.strip(), unescape(value), number)
        yield Junk(f"not PBN: {_excerpt(text)}", number)


def is_row(text: str) -> bool:
    """Return whether a text is calls or cards, perhaps with marks, and nothing else."""
    return _ROW.fullmatch(text) is not None


def _is_text(line: str) -> bool:
    """Return whether a line after an open comment is neither blank, nor a tag, nor a row."""
    code = line.partition("{")[0]
    return bool(line.strip()) and not code.lstrip().startswith("[") and not is_row(code)


def _begin_of_the_closed(lines: list[str]) -> int:
    """Return the line of the comment that a sign at the end closes; 0 if that is the first line.

    It is a later line if tag pairs or rows of calls or cards come before another `{`: then the
    comment of the first line was never closed. Brackets and braces alone are commentary.
    """
    begin, is_game = 0, False
    for at, line in enumerate(lines[1:], 1):
        before, brace, _ = line.partition("}")[0].partition("{")
        is_game = is_game or _PAIR.match(line) is not None or is_row(before)
        if brace and is_game:
            begin, is_game = at, False
    return begin


def unescape(text: str) -> str:
    r"""Return a string's value, with `\"` and `\\` replaced; other backslashes are literal."""
    if "\\" not in text:
        return text
    return "\\".join(part.replace('\\"', '"') for part in text.split("\\\\"))


def escape(text: str) -> str:
    """Return a value as it stands in a string, the inverse of `unescape`."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def escape_header(text: str) -> str:
    r"""Return a table's header as it stands in a string.

    In a header `\` stands before a width. It is doubled only where it would be taken for the
    beginning of `\"` or `\\`.
    """
    text = re.sub(r"\\(?=[\\\"]|$)", r"\\\\", text)
    return text.replace('"', '\\"')


def split_marks(word: str) -> list[str]:
    """Return the tokens of a word of the Auction or Play section: `1S!!=1=$25` has four."""
    tokens = []
    start, end = 0, len(word)
    while start < end:
        first = word[start]
        stop = start + 1
        if first in "!?":
            stop += word[stop : stop + 1] in ("!", "?")
        elif first == "=":
            stop = word.find("=", stop) + 1 or end
        elif first == "$":
            while stop < end and word[stop].isdigit():
                stop += 1
        elif first == "^":
            stop += 1
        elif first not in "*+":
            while stop < end and word[stop] not in "!?=$^*+":
                stop += 1
        tokens.append(word[start:stop])
        start = stop
    return tokens


def _unclosed(what: str, text: str, number: int) -> Junk:
    return Junk(f"{what} is not closed, and left out: {_excerpt(text)}", number)


def _excerpt(text: str) -> str:
    text = " ".join(text[:200].split())
    return repr(text if len(text) <= 60 else text[:57] + "...")


def plain_tags(stretch: bytes, line: int) -> list[Tag] | None:
    """Return the tags and sections of a plain stretch whose first line has this number.

    None: the stretch is not plain throughout, or has no tags.
    """
    text = _text(stretch)
    start = text.find("[")
    if start < 0 or text[:start].strip("\n"):
        return None
    pieces = _PIECE.findall(text, start)
    if pieces[-1][3]:
        return None
    line += start
    tags: list[Tag] = []
    for name, raw, rows, _ in pieces:
        value, written = (unescape(raw), raw) if "\\" in raw else (raw, "")
        if rows and name == "Note":
            return None
        if rows or name in ANNOTATED:
            tag: Tag = Section(name, value, line, (), written, *_cells(rows, line + 1, name))
            line += rows.count("\n")
        else:
            tag = Tag(name, value, line, (), written)
        tags.append(tag)
        line += 1
    return tags


def _text(stretch: bytes) -> str:
    try:
        text = stretch.decode()
    except UnicodeDecodeError:
        # Each line has an encoding of its own.
        text = "".join(map(decode, stretch.splitlines(keepends=True)))
    return text.replace("\r\n", "\n") if "\r" in text else text


class RowLines(UserList[int]):
    """The line number of each token of some rows, computed when first needed: few games need it."""

    def __init__(self, rows: str, line: int) -> None:
        self._rows = rows
        self._line = line

    @cached_property
    def data(self) -> list[int]:  # type: ignore[override]
        rows = enumerate(self._rows.split("\n"), self._line)
        return [line for line, row in rows for _ in row.split()]

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        return self.data[at]


def _cells(rows: str, line: int, name: str) -> tuple[list[str], MutableSequence[int]]:
    """Return the tokens of a section's rows, and the line of each."""
    # The star that ends a section stands alone and needs no splitting.
    if name not in ANNOTATED or not _MARK_LETTER.search(rows.removesuffix("\n*\n")):
        return rows.split(), RowLines(rows, line)
    tokens: list[str] = []
    lines: list[int] = []
    for row in rows.split("\n"):
        words = row.split()
        if _MARK_LETTER.search(row):
            words = [token for word in words for token in split_marks(word)]
        tokens += words
        lines += [line] * len(words)
        line += 1
    return tokens, lines
