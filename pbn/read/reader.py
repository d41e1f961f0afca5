"""The reader of PBN files: games, one at a time, in constant memory.

Reading is tolerant: whatever a file holds, its games are read. Problems go to `Game.problems`, or
to `GameReader.problems` if they are part of no game. `pbn.read.records` interprets the games.

A semi-empty line ends a game (PBN 2.1, section 2.4). But some files have empty lines within games,
and some none between them. The tags that a game has already tell what a file means: `Outline`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import BinaryIO

from bridge_arena.base.recorded_text import Problem, RecordedTextError, Source, TextReader, decode
from bridge_arena.pbn.model import (
    NOT_INHERITED,
    Blank,
    Comment,
    Escape,
    Game,
    Junk,
    Section,
    Tag,
    Words,
)
from bridge_arena.pbn.read.lexer import (
    ANNOTATED,
    Element,
    Lexer,
    is_row,
    lines_of,
    plain_tags,
    read_stretches,
    split_marks,
)
from bridge_arena.pbn.tables import TABLES
from bridge_arena.pbn.values import UNKNOWN

_HEAD = frozenset("Event Site Date Board West North East South Dealer Vulnerable Deal".split())
_ONCE = ANNOTATED | {"Event", "Board", "Deal"}
_NOT_ANOTHER = UNKNOWN | {"#"}

LONGEST_GAME = 1 << 19
"""The most bytes of a game, including the text before it. A game is held in memory as a
whole, and takes many times its size if it is all marks. Real games have at most 10 KiB."""

_BOARD = ("Board", "Dealer", "Vulnerable", "Deal")
_PLAYED = frozenset(["Auction", "Play", "Contract", "Declarer", "Result"])


class Outline:
    """What is known of the game in progress, as far as it tells where that ends."""

    def __init__(self, game: Game) -> None:
        # The values of its tags, the last tag, and the names of those with tokens.
        self._known = dict(game.values)
        self._last = game.tags[-1] if game.tags else None
        self._filled = {section.name for section in game.sections() if section.tokens}
        # The tags since the last token, or since the first tag of a name of `_ONCE`: their
        # positions, and whether the game had such a tag before.
        self._run: list[tuple[int, Tag, bool]] = []
        # Whether a semi-empty line was the last, and whether a comment came after it.
        self._is_paused = False
        self._has_comment = False

    def ends(self, elements: Sequence[Element]) -> set[int]:
        """Return the positions of the elements before which a game ends."""
        self._run = []
        ends = (self._take(at, elements) for at in range(len(elements)))
        return {end for end in ends if end is not None}

    def _take(self, at: int, elements: Sequence[Element]) -> int | None:
        """Take the next element; return the position before which a game ends, if one does."""
        element = elements[at]
        if isinstance(element, Tag):
            return self._take_tag(at, elements)
        if isinstance(element, Blank):
            self._is_paused = bool(self._known)
        elif isinstance(element, Comment):
            self._has_comment = self._has_comment or self._is_paused
        elif self._last is not None and not isinstance(element, Escape):
            return self._take_text(at, elements, self._last)
        return None

    def _take_tag(self, at: int, elements: Sequence[Element]) -> int | None:
        tag = elements[at]
        assert isinstance(tag, Tag)
        end = None
        block = _block(elements, at) if self._is_paused else []
        if block and not goes_on(block, self._known, has_comment=self._has_comment):
            end = at
        elif _is_another(tag, self._known, self._filled):
            # The tags before it that the game has too are the beginning of the other game.
            again = [place for place, _, is_again in self._run if is_again]
            end = again[0] if again else None if tag.name in ANNOTATED else at
        if end is not None:
            self._run = [entry for entry in self._run if entry[0] >= end]
            self._known = {}
            self._filled = set()
            for _, earlier, _ in self._run:
                self._add(earlier)
        is_again = tag.name in self._known and tag.name != "Note"
        if tag.name in _ONCE and not is_again:
            self._run = []
        else:
            self._run.append((at, tag, is_again))
        self._add(tag)
        if isinstance(tag, Section) and tag.tokens:
            self._fill(tag)
        return end

    def _take_text(self, at: int, elements: Sequence[Element], last: Tag) -> int | None:
        if self._is_paused and not _is_row(elements, at, last, self._filled):
            self._known, self._last, self._filled, self._run = {}, None, set(), []
            self._is_paused = self._has_comment = False
            return at
        if isinstance(elements[at], Words):
            self._fill(last)
        return None

    def _add(self, tag: Tag) -> None:
        if self._known.setdefault(tag.name, tag.value) in UNKNOWN:
            self._known[tag.name] = tag.value
        self._last = tag
        self._is_paused = self._has_comment = False

    def _fill(self, tag: Tag) -> None:
        self._filled.add(tag.name)
        self._run = []
        self._is_paused = self._has_comment = False


def goes_on(tags: Sequence[Tag], known: Mapping[str, str], *, has_comment: bool) -> bool:
    """Return whether a game goes on after a semi-empty line.

    It does if it has none of the tags that follow, up to the next such line, and these are not the
    head of another game. A comment before them is such a head, except before auction and play.
    """
    first = tags[0].name
    if has_comment and first not in ANNOTATED:
        return False
    names = {tag.name for tag in tags} - {"Note"}
    if "Event" in names or _has_any(known, names):
        return False
    is_played = _has_any(known, ANNOTATED)
    if first == "Note" or (is_played and not _HEAD.isdisjoint(names)):
        return is_played and first == "Note"
    return _has_any(known, _HEAD)


def _has_any(known: Mapping[str, str], names: Iterable[str]) -> bool:
    return any(map(known.__contains__, names))


def _block(elements: Sequence[Element], at: int) -> list[Tag]:
    """Return the tags from a position up to the next semi-empty line."""
    block = takewhile(lambda element: not isinstance(element, Blank), islice(elements, at, None))
    return [element for element in block if isinstance(element, Tag)]


def _is_another(tag: Tag, known: Mapping[str, str], filled: Collection[str]) -> bool:
    """Return whether a tag belongs to another game, as this one has such a tag already."""
    if tag.name not in known:
        return False
    if tag.name in ANNOTATED:
        return tag.name in filled
    if tag.name not in ("Board", "Deal"):
        return tag.name == "Event"
    return tag.value != known[tag.name] and _NOT_ANOTHER.isdisjoint((tag.value, known[tag.name]))


def _is_row(elements: Sequence[Element], at: int, last: Tag, filled: Collection[str]) -> bool:
    """Return whether words after a semi-empty line are a row of the section before it."""
    number = elements[at].line
    line = takewhile(lambda element: element.line == number, islice(elements, at, None))
    words = [word for element in line if isinstance(element, Words) for word in element.words]
    if last.name in ANNOTATED:
        return is_row(" ".join(words))
    columns = last.value.count(";") + 1
    is_table = last.name in TABLES or (last.name in filled and columns > 1)
    return is_table and len(words) == columns


class GameReader(TextReader[Game]):
    """An iterator over the games of one file (PBN 2.1, section 2.4).

    A semi-empty line ends a game, unless the game goes on after it; see `Outline`. `problems` has
    the text between games, the first of each stretch.

    Raises:
        RecordedTextError: While iterating: the file cannot be opened or read, or a game does not
            end within `LONGEST_GAME` bytes. Nothing else in the file raises it.
    """

    def __init__(self, source: Source, name: str | None = None) -> None:
        super().__init__(source, name)
        self.tail = b""  # the bytes after the last game, complete when the iteration has ended
        self._inheritance = Inheritance()
        self._implied = _Implied()
        # What tells where the game in progress ends; None before it is needed.
        self._outline: Outline | None = None
        self._start()

    def _read_stream(self, stream: BinaryIO) -> Iterator[Game]:
        lexer = Lexer()
        for stretch in read_stretches(stream):
            tags = None if lexer.is_open else plain_tags(stretch, lexer.line + 1)
            if tags is not None and self._begins_game(stretch, tags):
                if self._game.tags:
                    yield self._finish()
                self._take_plain(tags)
                self._keep(stretch)
                lexer.line += stretch.count(b"\n")
                continue
            lines = []
            for line in lines_of(stretch):
                text = decode(line).rstrip("\r\n\x1a")
                if lexer.line == 0:
                    text = text.removeprefix("\ufeff")
                lines.append((line, lexer.feed(text)))
            yield from self._take_lines(lines)
        yield from self._take_lines([(b"", lexer.finish())])
        if self._game.tags:
            yield self._finish()
        self.tail = b"".join(self._source)

    def _take_lines(self, lines: Sequence[tuple[bytes, list[Element]]]) -> Iterator[Game]:
        """Take lines, each with its elements, and yield the games that they end."""
        elements = [element for _, of_line in lines for element in of_line]
        if self._outline is None:
            self._outline = Outline(self._game)
        ending = self._outline.ends(elements)
        at = 0
        for line, of_line in lines:
            for element in of_line:
                if at in ending and self._game.tags:
                    is_apart = self._is_paused
                    yield self._finish()
                    if not is_apart:
                        reason = "no empty line before this game"
                        problem = Problem(self.name, element.line, self._game.number, reason)
                        self._game.problems.append(problem)
                self._take(element)
                at += 1
            self._keep(line)
            if self._size > LONGEST_GAME and self._is_paused:
                yield self._finish()
                self._outline = None

    def _keep(self, source: bytes) -> None:
        """Keep the bytes of the game in progress; raise RecordedTextError if there are too many."""
        (self._held_source if self._is_paused else self._source).append(source)
        self._size += len(source)
        if self._size > LONGEST_GAME and not self._is_paused:
            line = self._game.tags[0].line if self._game.tags else 0
            reason = f"more than {LONGEST_GAME >> 10} KiB, and no end: the rest is not read"
            raise RecordedTextError(Problem(self.name, line, self.count + 1, reason))

    def _start(self) -> None:
        self._game = Game(file=self.name, number=self.count + 1)
        self._source: list[bytes] = []
        self._size = 0
        # The last tag: tokens that follow belong to it, and make it a section.
        self._last: Tag | None = None
        self._annotated = False
        # Whether text that is not PBN was reported since the last tag.
        self._reported = False
        # Whether a semi-empty line came, after which the game may go on; the comments and escapes
        # from there on, and the bytes.
        self._is_paused = False
        self._held: list[Element] = []
        self._held_source: list[bytes] = []
        # Whether it was reported that the game has empty lines.
        self._has_gaps = False

    def _finish(self) -> Game:
        game = self._game
        game.line = game.tags[0].line
        game.source = b"".join(self._source)
        self._inheritance.apply(game)
        self._implied.apply(game)
        self.count += 1
        held, source = self._held, self._held_source
        self._start()
        # What came after the semi-empty line belongs to the next game.
        self._source = source
        self._size = sum(map(len, source))
        for element in held:
            self._take(element)
        return game

    def _go_on(self, line: int) -> None:
        """Go on with the game after a semi-empty line."""
        held = self._held
        self._source += self._held_source
        self._is_paused, self._held, self._held_source = False, [], []
        if not self._has_gaps:
            self._has_gaps = True
            reason = "an empty line within the game, which goes on"
            self._game.problems.append(self._game.problem(reason, line=line))
        for element in held:
            self._take(element)

    def _begins_game(self, stretch: bytes, tags: list[Tag]) -> bool:
        """Return whether the tags of a stretch all belong to one new game."""
        known = self._game.values
        if known:
            if not (self._is_paused or stretch.startswith((b"\n", b"\r"))):
                return False
            if tags[0].name != "Event" and goes_on(tags, known, has_comment=self._has_comment()):
                return False
        return len({tag.name for tag in tags}) == len(tags) or not Outline(Game()).ends(tags)

    def _has_comment(self) -> bool:
        """Return whether a comment came after the last semi-empty line."""
        return any(isinstance(element, Comment) for element in self._held)

    def _take_plain(self, tags: list[Tag]) -> None:
        """Add all tags of a stretch to the game in progress, which has none yet."""
        self._outline = None
        game = self._game
        game.tags = tags
        game.values = {tag.name: tag.value for tag in tags}
        if len(game.values) < len(tags):
            game.values = {}
            for tag in tags:
                game.set_value(tag)
        self._last = tags[-1]
        self._annotated = self._last.name in ANNOTATED
        self._reported = False

    def _take(self, element: Element) -> None:
        """Add one element to the game in progress."""
        game = self._game
        if isinstance(element, Blank):
            self._is_paused = bool(game.tags)
            return
        if self._is_paused:
            if isinstance(element, Comment | Escape):
                self._held.append(element)
                return
            self._go_on(element.line)
        if isinstance(element, Tag):
            self._take_tag(element)
        elif isinstance(element, Words):
            self._take_tokens(element.words, element.line)
        elif isinstance(element, Comment):
            last = self._last
            if last is None:
                game.comments.append(element)
            elif isinstance(last, Section) and last.tokens:
                last.tokens.append(element.text)
                last.lines.append(element.line)
            else:
                last.comments += (element.text,)
        elif isinstance(element, Escape):
            game.escapes.append(element)
        elif isinstance(element, Junk):
            self._report(element.reason, element.line)

    def _take_tag(self, tag: Tag) -> None:
        self._reported = False
        self._annotated = tag.name in ANNOTATED
        if self._annotated:
            tag = Section(tag.name, tag.value, tag.line, written=tag.written)
        self._game.add(tag)
        self._last = tag

    def _take_tokens(self, words: list[str], line: int) -> None:
        last = self._last
        if self._annotated:
            if not all(map(str.isalnum, words)):
                words = [token for word in words for token in split_marks(word)]
        elif last is None or last.name == "Note":
            self._report(f"text outside of a section: {' '.join(words)[:60]!r}", line)
            return
        elif not isinstance(last, Section):
            # The tag is followed by cells, so it heads a table.
            last = Section(last.name, last.value, last.line, last.comments, last.written)
            self._game.tags[-1] = self._last = last
        assert isinstance(last, Section)
        last.tokens += words
        last.lines.extend([line] * len(words))

    def _report(self, reason: str, line: int) -> None:
        """Note a problem, but only the first of a stretch without tags."""
        if self._reported:
            return
        self._reported = True
        game = self._game
        if game.tags:
            game.problems.append(game.problem(reason, line=line))
        else:
            self.problems.append(Problem(self.name, line, 0, reason))


read_games = GameReader
"""Reads the games of a path or binary stream; `name` is the file's in problems."""


class _Implied:
    """The board tags that a second table leaves to the first one, a custom not of the standard."""

    def __init__(self) -> None:
        # The board tags of the last game with a deal.
        self._last: dict[str, str] = {}

    def apply(self, game: Game) -> None:
        """Set the implied values of the next game."""
        values = game.values
        if "Deal" in values:
            self._last = {name: values[name] for name in _BOARD if name in values}
            return
        last = self._last
        is_same = values.get("Board", last.get("Board")) == last.get("Board")
        if last and is_same and not _PLAYED.isdisjoint(values):
            game.implied = {name: value for name, value in last.items() if name not in values}
        else:
            self._last = {}


class Inheritance:
    """The values that `#` and `##` stand for, game after game (PBN 2.1, section 3.3)."""

    def __init__(self) -> None:
        # The last value of each tag, and the defaults that `##` set.
        self._last: dict[str, str] = {}
        self._defaults: dict[str, str] = {}

    def apply(self, game: Game) -> None:
        """Resolve the inherited values of the next game."""
        values = game.values
        if not self._defaults and "\n#" not in "\n" + "\n".join(values.values()):
            self._last.update(values)  # most games inherit nothing
            return
        for name, value in values.items():
            if value[:1] == "#" and name not in NOT_INHERITED:
                if value == "#":
                    values[name] = self._last.get(name, "")
                elif value[:2] == "##":
                    self._defaults[name] = values[name] = value[2:]
            else:
                # A plain value ends the default, as with the standard's verifier.
                self._defaults.pop(name, None)
        for name, value in self._defaults.items():
            values.setdefault(name, value)
        self._last.update(values)
