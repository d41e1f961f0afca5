"""The lexer of LIN: bytes to tags and values, in constant memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

from bridge_arena.base.recorded_text import chunks_of, decode
from bridge_arena.lin.model import Item

_LONGEST_VALUE = 1 << 14
_LONGEST_PIECE = 1 << 20
"""The most bytes without a bar; after so many, the rest of the file is not read."""

TAGS = "vg rs pn pw mp bn qx md sv st rh ah mb an pg pc mc nt".split()
"""The tags of files that players have; others are read only where nothing stands beside them."""

_EMPTY = frozenset(["pg", "st", "rh"])
"""Tags without a value: if a tag follows directly, a bar is missing."""
_LINE_END = re.compile(r"\r\n?|\n")
_NOT_PLAIN = re.compile(rb"[\r\n\v\f\x1c-\x1e]")
_TAG_AT_END = re.compile(rf"(?<!\w)(?:{'|'.join(TAGS)})\Z", re.IGNORECASE)
_LAST_LINE = re.compile(
    rf"[\r\n](?:[^\r\n]*[^\w\r\n])?(?:{'|'.join(TAGS)})\Z".encode(), re.IGNORECASE
)
"""The last line of a text that is cut, if a tag ends it."""


@dataclass(frozen=True, slots=True)
class Junk:
    """Text that is not LIN, or was left out."""

    reason: str  # what it is
    line: int


def read_items(stream: BinaryIO) -> Iterator[Item | Junk]:
    """Yield the tags and values of a stream, in order, and the junk between them.

    Text between values goes on, over bars too, to the end of its line or to one of `TAGS` with a
    bar directly after it. A line that begins with `%` is a comment, as in PBN, and is passed over.
    """
    tag = ""
    line = 1
    begun = ""  # the first letter of the text in progress
    for piece, at in _pieces(stream):
        if isinstance(piece, Junk):
            yield piece
            continue
        lines = _LINE_END.split(piece)
        while len(lines) > 1 and not lines[-1].strip():
            lines.pop()
        end = at + len(lines) - 1
        if tag:
            name = lines[-1].strip().lower()
            if (tag in _EMPTY or len(lines) > 1) and name in TAGS:
                yield Item(tag, _joined("\n".join(lines[:-1])), line)
                yield Junk(f"a bar is missing between {tag} and {name}: it is put in", end)
                tag, line = name, end
            else:
                yield Item(tag, _joined(piece), line)
                tag = ""
            continue
        for number, text in enumerate(lines, at):
            begun = begun if number == at else ""
            words, tag = _divided(text, is_last=number == end, is_begun=bool(begun))
            begun = begun or words[:1]
            if words and begun != "%":
                yield Junk(f"{words[:40]!r} is not a tag: it is left out", number)
        if tag:
            line, begun = end, ""


def _divided(text: str, *, is_last: bool, is_begun: bool) -> tuple[str, str]:
    """Return the words of a line between values, and the tag at its end; each may be empty.

    `text` is the line, or what a bar left of it. `is_last` says whether a bar follows, `is_begun`
    whether the line has words before this text.
    """
    text = text.replace("\ufeff", "")
    words = text.strip()
    if is_last and not is_begun and len(words) == 2 and words.isascii() and words.isalnum():
        return "", words.lower()
    tag = _TAG_AT_END.search(text) if is_last else None
    return (text[: tag.start()].strip(), tag[0].lower()) if tag else (words, "")


def _joined(value: str) -> str:
    return "".join(value.splitlines())


def _pieces(stream: BinaryIO) -> Iterator[tuple[str | Junk, int]]:
    """Yield the text between bars, with its line ends, and the line on which it begins."""
    rest = b""
    line = 1
    chunks = chunks_of(stream)
    first = next(chunks, b"").removeprefix(codecs.BOM_UTF8)
    for chunk in chain([first], chunks):
        *pieces, rest = (rest + chunk).split(b"|")
        for piece in pieces:
            if len(piece) < 80 and piece.isascii() and not _NOT_PLAIN.search(piece):
                yield piece.decode("ascii"), line
                continue
            yield from _piece(piece, line)
            line += _line_ends(piece)
        if len(rest) > _LONGEST_PIECE:
            yield Junk("no bar in more than a mebibyte: the rest is not read", line), line
            return
    if rest.strip():
        yield from _piece(rest, line)


def _piece(piece: bytes, line: int) -> Iterator[tuple[str | Junk, int]]:
    is_cut = len(piece) > _LONGEST_VALUE
    if is_cut:
        reason = f"{len(piece)} bytes without a bar: those after {_LONGEST_VALUE} are left out"
        yield Junk(reason, line), line
    yield decode(piece[:_LONGEST_VALUE]), line
    if is_cut and (last := _LAST_LINE.search(piece.rstrip()[-80:])):
        yield decode(last[0]), line + _line_ends(piece.rstrip()) - 1


def _line_ends(piece: bytes) -> int:
    return piece.count(b"\n") or piece.count(b"\r")
