"""Changed copies of games, in which everything unchanged keeps its bytes.

Each function takes a game and returns another, whose `source` differs only at the change: encoding,
line ends and white space around it stay (PBN 2.1, section 3.2). A game without source, for example
one made from a record, is taken in export form. All functions raise RecordedTextError for a game
read from text that had to be repaired, as nobody could say what else would change. `rewrite`
applies a change to a whole file.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, cast

from bridge_arena.base.recorded_text import Source, decode
from bridge_arena.pbn.model import Game, Section, Tag
from bridge_arena.pbn.read.lexer import escape, escape_header, split_marks, unescape
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.tables import TABLES, PbnTable
from bridge_arena.pbn.write.writer import format_game

_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

# A stretch of the source, by start and end, and its replacement.
_Change = tuple[int, int, str]

# Line ends are CRLF, LF or CR. Every byte above 127 is part of a word, so that one pattern serves
# all encodings.
_PIECE = re.compile(
    rb"""
      \s+
    | (?P<escape> (?: (?<![^\r\n]) | (?<=^\xef\xbb\xbf) ) % [^\r\n]* )
    | (?P<comment> \{ [^}]* \} | ; [^\r\n]* )
    | \[ \s* (?P<name> \w+ ) \s* " (?P<pair> (?: [^"\\\r\n] | \\. )* ) " \s* \]
    | (?P<string> " (?: [^"\\\r\n] | \\. )* " )
    | (?P<word> [^\s\[\]{};"]+ )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_BOM = b"\xef\xbb\xbf"


def with_tag(game: Game, name: str, value: str) -> Game:
    """Return the game with a tag set; a new tag stands at the end of the identification section."""
    return with_tags(game, {name: value})


def with_tags(game: Game, values: Mapping[str, str]) -> Game:
    """Return the game with several tags set at once; see `with_tag`."""
    game = _with_source(game)
    positions = places(game)
    changes: list[_Change] = []
    new = []
    for name, value in values.items():
        place = _place(game, positions, name)
        if place is None:
            new.append(f'[{name} "{escape(value)}"]')
        elif value != place.text:
            changes.append((*place.value, escape(value)))
    if new:
        changes.append(_insertion(game, positions, new))
    return _changed(game, changes)


def with_table(game: Game, name: str, table: PbnTable) -> Game:
    """Return the game with a supplemental section set; a new one stands at the end."""
    game = _with_source(game)
    positions = places(game)
    rows = list(table.lines())
    place = _place(game, positions, name)
    if place is None:
        pair = f'[{name} "{escape_header(table.header)}"]'
        at = max(place.last for place in positions)
        return _changed(game, [(at, at, "\n" + "\n".join([pair, *rows]))])
    changes: list[_Change] = [(*place.value, escape_header(table.header))]
    if place.tokens:
        changes.append((place.tokens[0][0], place.tokens[-1][1], "\n".join(rows)))
    else:
        changes.append((place.last, place.last, "\n".join(["", *rows])))
    return _changed(game, changes)


def with_comments(game: Game, comments: Mapping[tuple[str, int], str]) -> Game:
    """Return the game with one more comment after each of some tokens.

    The comments are given by place: the section's name and the token's index in `Section.tokens`,
    or -1 for the section's tag.
    """
    game = _with_source(game)
    positions = places(game)
    changes: list[_Change] = []
    for (name, index), text in comments.items():
        place = _place(game, positions, name)
        assert place is not None
        span = place.tokens[index] if index >= 0 else (place.start, place.end)
        # After a `;` comment it needs a line of its own.
        line_comment = game.source[span[0] : span[0] + 1] == b";"
        before = "\n" if line_comment else " "
        changes.append((span[1], span[1], before + "{" + text.replace("}", ")") + "}"))
    return _changed(game, changes)


def _place(game: Game, positions: list[TagPosition], name: str) -> TagPosition | None:
    """Return the place of the tag of a name that counts; None if there is none."""
    counts = game.tag(name)
    pairs = zip(game.tags, positions, strict=True)
    return next((place for tag, place in pairs if tag is counts), None)


def resolved(game: Game, names: Set[str] | None = None) -> Game:
    """Return the game without inheritance: each tag, or each of `names`, has its own value (4.8).

    The game has no source, so that it is written in export form.
    """
    from_before = {**game.implied, **game.values}
    if names is None:
        names = from_before.keys()
    copy = Game(game.file, game.number, game.line, comments=game.comments, implied=game.implied)
    for tag in game.tags:
        inherits = tag.value[:1] == "#" and tag.name in names
        value = game.get(tag.name) if inherits else tag.value
        copy.add(tag if value == tag.value else replace(tag, value=value, written=""))
    for name in sorted(names - copy.values.keys() - TABLES):
        copy.add(Tag(name, from_before[name], game.line))
    copy.values.update(game.values)
    return copy


def rewrite(source: Source, out: BinaryIO, edit: Callable[[Game], Game] = lambda game: game) -> int:
    """Write a file again with each of its games edited, and return the number of games.

    Everything else is unchanged; UTF-16 stays UTF-16.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as stream:
            return rewrite(stream, out, edit)
    # Buffered, so that the mark of UTF-16 can be seen before the games are read.
    stream = io.BufferedReader(cast("io.RawIOBase", source))
    try:
        mark = stream.peek(2)[:2]
        codec = _UTF_16.get(mark)
        games = read_games(stream)
        if codec:
            out.write(mark)
        for game in games:
            _write(out, edit(game).source, codec)
        _write(out, games.tail, codec)
    finally:
        stream.detach()
    return games.count


def _write(out: BinaryIO, data: bytes, codec: str | None) -> None:
    out.write(data.decode("utf-8").encode(codec) if codec else data)


def _with_source(game: Game) -> Game:
    if game.source:
        return game
    return _read(game, format_game(game).removesuffix("\r\n").encode("latin-1"))


def _insertion(game: Game, positions: list[TagPosition], lines: Iterable[str]) -> _Change:
    """Return the insertion of new tag pairs: before the first section, or after all tags."""
    for tag, place in zip(game.tags, positions, strict=True):
        if isinstance(tag, Section):
            return place.start, place.start, "".join(line + "\n" for line in lines)
    at = positions[-1].last
    return at, at, "".join("\n" + line for line in lines)


def _changed(game: Game, changes: list[_Change]) -> Game:
    if not changes:
        return game
    source = game.source
    line_end = _line_end(source)
    parts = []
    at = 0
    for start, end, text in sorted(changes):
        parts += [source[at:start], _encoded(text.replace("\n", line_end), source)]
        at = end
    return _read(game, b"".join([*parts, source[at:]]))


def _line_end(source: bytes) -> str:
    if b"\r\n" in source or not (b"\n" in source or b"\r" in source):
        return "\r\n"
    return "\n" if b"\n" in source else "\r"


def _encoded(text: str, source: bytes) -> bytes:
    """Return a text in the encoding of the source, or in UTF-8 if that lacks a letter."""
    codecs = ["latin-1", "cp1252", "utf-8"]
    try:
        if not source.isascii() and source.decode():
            codecs = ["utf-8"]
    except UnicodeDecodeError:
        pass
    for codec in codecs:
        try:
            data = text.encode(codec)
        except UnicodeEncodeError:
            continue
        if decode(data) == text:
            return data
    return text.encode(errors="replace")


def _read(game: Game, source: bytes) -> Game:
    """Return the game that an edited source holds, in the place of the old one."""
    (again,) = read_games(io.BytesIO(source), game.file)
    shift = game.line - again.line
    again.number, again.line = game.number, game.line
    for tag in again.tags:
        tag.line += shift
        if isinstance(tag, Section):
            tag.lines = [line + shift for line in tag.lines]
    # The values that inherited ones stand for are known from the games before.
    own = {tag.name for tag in game.tags}
    for name, value in game.values.items():
        tag_again = again.tag(name)
        inherits = name not in own if tag_again is None else tag_again.value == "#"
        if inherits:
            again.values[name] = value
    return again


@dataclass(slots=True)
class TagPosition:
    """The place of a tag pair in the bytes; a span is a start and an end."""

    name: str  # the tag's name
    text: str  # its value without escapes
    start: int  # where the pair begins
    end: int  # where the pair ends
    value: tuple[int, int]  # the span between its quotes
    # The spans of the comments on the tag.
    comments: list[tuple[int, int]] = field(default_factory=list)
    # The spans of the section's tokens, including the comments among them.
    tokens: list[tuple[int, int]] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The end of the last thing that belongs to the tag."""
        return max([self.end, *(end for _, end in self.comments), *(end for _, end in self.tokens)])


def places(game: Game) -> list[TagPosition]:
    """Return the places of a game's tags, in order.

    RecordedTextError is raised for a game that was not read from plain PBN: text that had to be
    repaired or skipped has no place. The game's canonical form has places.
    """
    positions = list(_scan(game.source))
    placed = [(at.name, at.text, len(at.tokens), len(at.comments)) for at in positions]
    read = [
        (tag.name, tag.value, len(tag.tokens) if isinstance(tag, Section) else 0, len(tag.comments))
        for tag in game.tags
    ]
    if placed != read:
        raise game.error("it has to be put into export form before it can be edited")
    return positions


def _scan(source: bytes) -> Iterator[TagPosition]:
    place: TagPosition | None = None
    start = len(_BOM) if source.startswith(_BOM) else 0
    for match in _PIECE.finditer(source, start):
        kind = match.lastgroup
        if kind == "pair":
            if place is not None:
                yield place
            name = match["name"].decode("latin-1")
            text = unescape(decode(match["pair"]))
            place = TagPosition(name, text, match.start(), match.end(), match.span("pair"))
        elif place is None:
            continue
        elif kind == "comment":
            (place.tokens if place.tokens else place.comments).append(match.span())
        elif kind == "string":
            place.tokens.append(match.span())
        elif kind == "word" and match[0] != b"\x1a":
            place.tokens += _words(place, match.start(), match[0])
    if place is not None:
        yield place


def _words(place: TagPosition, start: int, word: bytes) -> Iterator[tuple[int, int]]:
    if place.name not in ("Auction", "Play"):
        yield start, start + len(word)
        return
    for mark in split_marks(word.decode("latin-1")):
        yield start, start + len(mark)
        start += len(mark)
