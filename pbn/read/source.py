"""The places of a game's tags and tokens in its bytes, so that an edit changes nothing else.

See PBN 2.1, section 3.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge_arena.base.recorded_text import decode
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.read.lexer import split_marks, unescape

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


@dataclass(slots=True)
class TagPosition:
    """The place of a tag pair in the bytes; a span is a start and an end.

    Attributes:
        name: The tag's name.
        text: Its value without escapes.
        start: Where the pair begins.
        end: Where the pair ends.
        value: The span between its quotes.
        comments: The spans of the comments on the tag.
        tokens: The spans of the section's tokens, including the comments among them.
    """

    name: str
    text: str
    start: int
    end: int
    value: tuple[int, int]
    comments: list[tuple[int, int]] = field(default_factory=list)
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
    found = list(_scan(game.source))
    read = [(tag.name, tag.value, len(_tokens(tag)), len(tag.comments)) for tag in game.tags]
    if [_key(place) for place in found] != read:
        raise game.error("it has to be put into export form before it can be edited")
    return found


def _tokens(tag: object) -> list[str]:
    return tag.tokens if isinstance(tag, Section) else []


def _key(place: TagPosition) -> tuple[str, str, int, int]:
    return place.name, place.text, len(place.tokens), len(place.comments)


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
