"""Writing of games and board records as text in export format (PBN 2.1).

An exported file is HEADER and the games' texts, in Latin-1. The game's canonical form is written
(`pbn.write.canonical`); this module arranges it in lines (sections 2 and 3.8).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from bridge_arena.base.files import replacing
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.annotations import portable, with_suit_letters
from bridge_arena.pbn.model import LONGEST_LINE, Game, Section, Tag
from bridge_arena.pbn.read.lexer import escape, escape_header
from bridge_arena.pbn.tables import PbnTable, cells_of
from bridge_arena.pbn.write.canonical import canonical
from bridge_arena.pbn.write.compose import game_of

LONGEST_KEPT = 254
"""The most columns of a line in a file with LF alone. The standard's verifier writes such a
line unchanged, and so does this module, as it has no good place to break."""

_USUAL_LINE = 80
"""The usual length of a line: a token that goes beyond it stands on a new line."""

HEADER = "% PBN 2.1\r\n% EXPORT\r\n%\r\n"
"""The beginning of every exported file."""

_ANNOTATED = ("Auction", "Play")


def write_games(stream: BinaryIO, games: Iterable[Game]) -> int:
    """Write a whole export file, and return the number of games.

    RecordedTextError is raised for a game that has no export form.
    """
    stream.write(HEADER.encode("latin-1"))
    count = 0
    for game in games:
        stream.write(format_game(game).encode("latin-1"))
        count += 1
    return count


def format_game(game: Game) -> str:
    """Return a game's text without header, with CRLF at line ends, closed by an empty line.

    White space in values becomes spaces, characters outside of Latin-1 become `?`, values too long
    for a line are cut. RecordedTextError is raised for a game that has no export form.
    """
    return format_canonical(canonical(game))


def format_canonical(form: Game) -> str:
    """Return the text of a game that is in canonical form; see `format_game`.

    The game of a record (`pbn.write.compose.game_of`) is in canonical form. This takes a third of
    the time of `format_game`.
    """
    lines = Lines()
    for comment in form.comments:
        lines.add(with_suit_letters(comment.text))
    lines.end()
    for tag in form.tags:
        _write_tag(lines, tag, form.get(tag.name))
    return "".join(portable(line) + "\r\n" for line in (*lines.lines, ""))


def _write_tag(lines: Lines, tag: Tag, value: str) -> None:
    lines.add(_pair(tag))
    lines.end()
    for comment in tag.comments:
        lines.add(with_suit_letters(comment))
    lines.end()
    if not isinstance(tag, Section):
        return
    if tag.name in _ANNOTATED:
        _write_rows(lines, tag)
    else:
        lines.add_rows(map(with_suit_letters, PbnTable.of(value, cells_of(tag)).lines()))


def _pair(tag: Tag) -> str:
    """Return a tag pair on one line, without the space if it fits only so, else cut."""
    is_table = isinstance(tag, Section) and tag.name not in _ANNOTATED
    escaped = escape_header if is_table else escape
    value = tag.value
    text = with_suit_letters(tag.written or escaped(value))
    room = LONGEST_LINE - len(tag.name) - len('[ ""]')
    if room < len(text) <= room + 1 + LONGEST_KEPT - LONGEST_LINE:
        return f'[{tag.name}"{text}"]'
    while len(text) > room:
        value = value[: max(0, len(value) - (len(text) - room + 1) // 2)]
        text = with_suit_letters(escaped(value))
    return f'[{tag.name} "{text}"]'


def _write_rows(lines: Lines, section: Section) -> None:
    """Write rows of four calls or cards with their annotations; `*` after a play stands alone."""
    count = 0
    previous = ""
    for token in section.tokens:
        # An irregularity belongs to the call or card after it.
        place = token[0] not in "={;$" and previous not in ("^I", "^R", "^L")
        if (place and count == 4) or (token == "*" and section.name == "Play"):
            lines.end()
            count = 0
        count += place
        lines.add(with_suit_letters(token))
        previous = token
    lines.end()


def write_records(path: str | Path, records: Iterable[BoardRecord]) -> int:
    """Write records to a PBN file in export format, completely or not at all.

    Args:
        path: The file to make or replace.
        records: The records, in file order.

    Returns:
        The number of records.

    Raises:
        OSError: The file cannot be written.
        ValueError: A record has no PBN notation.
    """
    with replacing(Path(path)) as unfinished, unfinished.open("wb") as stream:
        return write_games(stream, map(game_of, records))


class Lines:
    """Lines in the making, to which tokens and comments are added with a space between."""

    def __init__(self) -> None:
        self.lines: list[str] = []  # the complete lines
        # The line in progress; None when the next token begins one.
        self._line: str | None = None

    def add(self, token: str) -> None:
        first, *rest = _fitted(token)
        if self._line is None:
            self._line = first
        elif len(self._line) + 1 + len(first) < _USUAL_LINE:
            self._line += " " + first
        else:
            self.end()
            self._line = first
        for line in rest:
            self.end()
            self._line = line
        if first.startswith(";"):  # such a comment lasts to the end of its line
            self.end()

    def add_rows(self, rows: Iterable[str]) -> None:
        """Add rows, each of which begins and ends a line."""
        self.end()
        for row in rows:
            self.lines += _fitted(row)

    def end(self) -> None:
        """End the line in progress, if there is one."""
        if self._line is not None:
            self.lines.append(self._line)
            self._line = None


def _fitted(token: str) -> list[str]:
    """Return the lines of a token; lines of a comment that are too long are broken at spaces."""
    if len(token) <= LONGEST_KEPT and "\n" not in token:
        return [token]
    if token.startswith(";") and len(token) > LONGEST_KEPT:
        # Such a comment has one line only, so make it a brace comment.
        token = "{" + token[1:].replace("}", ")") + "}"
    return [part for line in token.split("\n") for part in _broken(line)]


def _broken(line: str) -> list[str]:
    parts = []
    while len(line) > LONGEST_KEPT:
        cut = line.rfind(" ", 1, LONGEST_LINE + 1)
        cut = cut if cut > 0 else LONGEST_LINE
        parts.append(line[:cut])
        line = line[cut:].removeprefix(" ")
    return [*parts, line]
