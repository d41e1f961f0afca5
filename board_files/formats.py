"""The formats of boards that are read: how each is recognized, read and written.

Whatever differs between formats is in `TRAITS`; nothing else in this room names one. A text is
recognized by its first bytes, then by the end of its name.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from pathlib import PurePath
from typing import Any, BinaryIO

from bridge_arena.base.recorded_text import Problem, TextReader
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.deviations import Kind, Meaning
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin import records as lin
from bridge_arena.lin.handviewer import LinkReader, is_link, lin_link, read_link_records
from bridge_arena.lin.lexer import TAGS
from bridge_arena.lin.model import Table
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.writer import format_records, left_out
from bridge_arena.pbn.model import Comment, Game
from bridge_arena.pbn.read import records as pbn
from bridge_arena.pbn.read.reader import GameReader
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical

HEAD = 1 << 16
"""The number of bytes at the start of a text from which its format is recognized."""


class Format(StrEnum):
    """The formats of boards that can be read."""

    PBN = "PBN"
    LIN = "LIN"
    LINKS = "link"  # links to BBO's handviewer, one on each line


OTHER_FORMATS = {
    ".bri": "deals of Borel's dealing program",
    ".bws": "a scoring database of BridgeMate",
    ".dge": "deals of the Duplimate dealing machine",
    ".dlm": "deals of BigDeal or the Dealmaster dealing machine",
    ".dup": "deals of the Duplimate dealing machine",
    ".rbn": "Richard's Bridge Notation",
}
"""Other formats of boards, which are not read, by the end of the file's name."""

_ARCHIVES = (b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

_IN_LINK = frozenset(
    "Board West North East South Dealer Vulnerable Deal Declarer Contract Result Score Room "
    "Auction Play Note".split()
)


@dataclass(frozen=True, slots=True)
class Writing:
    """How records are written in a format that cannot hold all of a PBN game."""

    name: str  # the format's name at the beginning of a sentence
    tags: frozenset[str]  # the tags of PBN that it can hold
    texts: Callable[[Iterable[BoardRecord]], Iterable[str]]  # returns the text of records, in parts
    # Returns the part of a record's outcome that is not written; empty if all is.
    left_out: Callable[[BoardRecord], str]


@dataclass(frozen=True, slots=True)
class Traits:
    """All that differs between formats."""

    ending: str  # the end of the names of its files
    # The beginning of any of its elements, by which a text is recognized; None for links, which the
    # first line shows.
    begins: re.Pattern[bytes] | None
    odd_text: Kind  # the kind of deviation of text that is not of the format
    reader: type[TextReader[Any]]  # the iterator over the games or tables of a stream
    # Returns games or tables with their meanings, numbered where they have no number.
    meanings: Callable[[Iterable[Any]], Iterator[tuple[Any, Meaning]]]
    # Returns a game or table, and its meaning, as a game of PBN.
    as_game: Callable[[Any, Meaning], Game]
    boards: Callable[[BinaryIO], list[Board]]  # reads the boards of a stream
    # Reads the records of a stream; problems go to the list, or are raised.
    records: Callable[[BinaryIO, list[Problem] | None], Iterator[BoardRecord]]
    writing: Writing | None = None  # how records are written; None for PBN, which holds whole games


def _game_of_table(table: Table, meaning: Meaning) -> Game:
    """Return the game of a table with its PBN text, so that it can be annotated like others."""
    game = Game()
    if meaning.record is not None:
        made = game_of(meaning.record)
        brackets = str.maketrans("{}", "()")
        made.comments = [Comment(f"{{{text.translate(brackets)}}}", 0) for text in table.comments]
        game = next(GameReader(BytesIO(format_canonical(made).encode("latin-1"))))
    game.file, game.number, game.line = table.file, table.number, table.line
    return game


TRAITS = {
    Format.PBN: Traits(
        ".pbn",
        re.compile(rb'^%\s*PBN\s+\d|^\s*\[\s*\w+\s*"', re.MULTILINE),
        Kind.NOT_PBN,
        GameReader,
        pbn.meanings_of,
        lambda game, _: game,
        pbn.read_boards,
        pbn.read_records,
    ),
    Format.LIN: Traits(
        ".lin",
        re.compile(rf"(?<![0-9a-z])(?:{'|'.join(TAGS)})\s*\|".encode(), re.IGNORECASE),
        Kind.NOT_LIN,
        TableReader,
        lin.meanings_of,
        _game_of_table,
        lin.read_boards,
        lin.read_records,
        Writing(
            "LIN",
            _IN_LINK | {"Event", "Scoring", "HomeTeam", "VisitTeam"},
            format_records,
            lambda record: left_out(record, has_heading=True),
        ),
    ),
    Format.LINKS: Traits(
        ".txt",
        None,
        Kind.NOT_LIN,
        LinkReader,
        lin.meanings_of,
        _game_of_table,
        lambda stream: [record.board for record in read_link_records(stream)],
        read_link_records,
        Writing(
            "A link",
            _IN_LINK,
            lambda records: (f"{lin_link(record)}\n" for record in records),
            lambda record: left_out(record, has_heading=False),
        ),
    ),
}
"""The traits of each format. A new one needs its room, its name in `Format`, and its entry here."""

ENDINGS = {traits.ending: form for form, traits in TRAITS.items() if traits.begins}
"""The formats that are recognized by the end of a name."""


def is_archive(head: bytes) -> bool:
    """Return whether a text begins as `.gz` and `.zip` files do."""
    return head.startswith(_ARCHIVES)


def format_of(head: bytes, name: str) -> Format | None:
    """Return the format of a text by its first bytes, then its name; None if neither reveals it."""
    for mark, encoding in (
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
        (codecs.BOM_UTF8, "utf-8"),
    ):
        if head.startswith(mark):
            head = head.decode(encoding, "replace").encode().removeprefix(codecs.BOM_UTF8)
    first_line = head.lstrip()[:1000].split(b"\n", 1)[0]
    if is_link(first_line.decode("latin-1")):
        return Format.LINKS
    starts = {
        form: match.start()
        for form, traits in TRAITS.items()
        if traits.begins and (match := traits.begins.search(head))
    }
    if starts:
        return min(starts, key=starts.__getitem__)
    suffix = PurePath(name).suffix.lower()
    named = ENDINGS.get(suffix)
    if named not in (None, Format.PBN):
        return named
    if b"\0" in head or suffix in OTHER_FORMATS:
        return None
    # A PBN file may have nothing but comments and escape lines, or be empty.
    if named or head.strip()[:1] in (b"", b"%", b"{", b";", b"["):
        return Format.PBN
    return None


def refusal(name: str) -> str:
    """Return the reason why a text of no known format is not read."""
    suffix = PurePath(name).suffix.lower()
    other = OTHER_FORMATS.get(suffix)
    if other is None:
        return f"it is neither {' nor '.join(ENDINGS.values())}"
    return f"{suffix} is {other}, which is not read: export it as PBN"
