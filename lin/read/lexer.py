"""The lexer of LIN: bytes to tags and values, in constant memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from bridge_arena.lin.model import Item

_CHUNK = 1 << 16
_LONGEST_VALUE = 1 << 14
_LONGEST_PIECE = 1 << 20
"""The most bytes without a bar; after so many, the rest of the file is not read."""

_LINE_END = re.compile(rb"[\r\n\v\f\x1c-\x1e]")

_EMPTY = frozenset(["pg", "st", "rh"])
"""Tags without a value: if a tag follows directly, a bar is missing."""
_AFTER_EMPTY = frozenset("ah an mb mc md nt pc pg pn qx rh st sv".split())


@dataclass(frozen=True, slots=True)
class Junk:
    """Text that is not LIN, or was left out.

    Attributes:
        reason: What it is.
        line: Its line.
    """

    reason: str
    line: int


def read_items(stream: BinaryIO) -> Iterator[Item | Junk]:
    """Yield the tags and values of a stream, in order, and the junk between them."""
    tag = ""
    line = 1
    for piece, at in _pieces(stream):
        if isinstance(piece, Junk):
            yield piece
            continue
        text = piece.strip()
        if tag in _EMPTY and text in _AFTER_EMPTY:
            yield Item(tag, "", line)
            yield Junk(f"{tag}|{text}|: a bar is missing, {tag} is taken to have no value", at)
            tag, line = text, at
        elif tag:
            yield Item(tag, piece, line)
            tag = ""
        elif len(text) == 2 and text.isascii() and text.isalnum():
            tag, line = text.lower(), at
        elif text:
            yield Junk(f"{text[:40]!r} is not a tag: it is left out", at)


def _pieces(stream: BinaryIO) -> Iterator[tuple[str | Junk, int]]:
    """Yield the text between bars, without line ends, with the line of its first letter."""
    rest = b""
    line = 1
    for chunk in _chunks(stream):
        *pieces, rest = (rest + chunk).split(b"|")
        for piece in pieces:
            if len(piece) < 80 and piece.isascii() and not _LINE_END.search(piece):
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
    start = line + _line_ends(piece[: len(piece) - len(piece.lstrip())])
    if len(piece) > _LONGEST_VALUE:
        reason = f"{len(piece)} bytes without a bar: those after {_LONGEST_VALUE} are left out"
        yield Junk(reason, start), start
        piece = piece[:_LONGEST_VALUE]
    yield "".join(decode(piece).splitlines()), start


def _line_ends(piece: bytes) -> int:
    return piece.count(b"\n") or piece.count(b"\r")


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a stream; UTF-16 with a byte order mark is converted to UTF-8."""
    chunks = iter(lambda: stream.read(_CHUNK), b"")
    first = next(chunks, b"")
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        yield decoder.decode(first).encode("utf-8", "replace")
        for chunk in chunks:
            yield decoder.decode(chunk).encode("utf-8", "replace")
        return
    yield first.removeprefix(codecs.BOM_UTF8)
    yield from chunks


def decode(piece: bytes) -> str:
    """Return bytes as text: UTF-8 if possible, else Windows-1252, else Latin-1."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return piece.decode(encoding)
        except UnicodeDecodeError:
            continue
    return piece.decode("latin-1")
