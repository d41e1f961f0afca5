"""Games to text in export form (PBN 2.1, section 2.2).

An exported file is HEADER and the games' texts, in Latin-1. What a token means is
not judged here: a game is written with the tokens that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pbn.annotations import portable
from pbn.lexer import escape
from pbn.model import MANDATORY_TAGS, Game, Section, Tag

HEADER = "% PBN 2.1\r\n% EXPORT\r\n"
"""What every exported file begins with."""

LONGEST_LINE = 253
"""Columns of a line, its end left out."""

_ANNOTATED = ("Auction", "Play")


def write_games(stream: BinaryIO, games: Iterable[Game]) -> int:
    """Write a whole export file; the number of games written."""
    stream.write(HEADER.encode("latin-1"))
    count = 0
    for game in games:
        stream.write(format_game(game).encode("latin-1"))
        count += 1
    return count


def format_game(game: Game) -> str:
    """A game's text without header, CRLF at line ends, closed by an empty line.

    The Mandatory Tag Set in its order, `?` where unknown; supplemental tags from A to
    Z; Auction and Play with their notes; other sections from A to Z. Inherited values
    are written out. White space in values becomes blanks, characters outside Latin-1
    become `?`, values too long for a line are cut.
    """
    lines = [line for game_comment in game.comments for line in _comment(game_comment.text)]
    lines += _tag_lines(game)
    for name in _ANNOTATED:
        section = game.section(name)
        if section is None:
            continue
        lines.append(_pair(name, section.value))
        lines += _rows(section, 4)
        for number, note in sorted(game.notes(name).items()):
            text = note.value.partition(":")[2]
            lines.append(_pair("Note", f"{number}:{text}"))
    for section in sorted(game.sections(), key=lambda section: section.name):
        if section.name not in _ANNOTATED and section is game.tag(section.name):
            lines.append(_pair(section.name, game.get(section.name)))
            lines += [line for text in section.comments for line in _comment(text)]
            lines += _rows(section, game.get(section.name).count(";") + 1)
    lines.append("")
    return "".join(portable(line) + "\r\n" for line in lines)


def _tag_lines(game: Game) -> Iterator[str]:
    tags: dict[str, Tag] = {}
    for tag in game.tags:
        tags.setdefault(tag.name, tag)
    supplemental = sorted(
        name
        for name in game.values.keys() - set(MANDATORY_TAGS) - {"Note"}
        if not isinstance(tags.get(name), Section)
    )
    for name in (*MANDATORY_TAGS, *supplemental):
        yield _pair(name, game.get(name, "?"))
        if name in tags:
            for comment in tags[name].comments:
                yield from _comment(comment)


def _pair(name: str, value: str) -> str:
    """A tag pair on one line, its value cut to fit."""
    room = LONGEST_LINE - len(name) - len('[ ""]')
    text = escape(value)
    while len(text) > room:
        value = value[: max(0, len(value) - (len(text) - room + 1) // 2)]
        text = escape(value)
    return f'[{name} "{text}"]'


def _comment(text: str) -> Iterator[str]:
    """The lines of a comment or row, broken at blanks where they are too long."""
    for line in text.rstrip("\n").split("\n"):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.startswith(";"):
            cut = rest.rfind(" ", 1, LONGEST_LINE + 1)
            cut = cut if cut > 0 else LONGEST_LINE
            yield rest[:cut]
            rest = rest[cut:].removeprefix(" ")
        yield rest[:LONGEST_LINE]


def _rows(section: Section, width: int) -> Iterator[str]:
    """The tokens in rows of `width` calls, cards or cells, each with what annotates
    it; `*` has a row of its own. A row too long for a line is broken."""
    row: list[str] = []
    columns = 0
    for unit in _units(section):
        columns += 1 + len(unit.partition("\n")[0])
        full = len(row) == width or columns > LONGEST_LINE
        if row and (full or unit == "*" or "\n" in row[-1]):
            yield from _row(section, row, width)
            row, columns = [], len(unit)
        row.append(unit)
    if row:
        yield from _row(section, row, width)


def _row(section: Section, row: list[str], width: int) -> Iterator[str]:
    if section.name == "Play" and row != ["*"]:
        row += ["-"] * (width - len(row))
    return _comment(" ".join(row))


def _units(section: Section) -> Iterator[str]:
    """Each call, card or cell with its annotations; a newline where the line must end."""
    marks = "=$!?{;" if section.name in _ANNOTATED else "{;"
    unit = ""
    for token in section.tokens:
        if unit and token[0] in marks:
            unit += token if token[0] in "!?" else f" {token}"
        else:
            if unit:
                yield unit
            unit = token
        if token[0] == ";":
            unit += "\n"
    if unit:
        yield unit
