"""Where one game of a file ends and the next one begins.

A semi-empty line ends a game (PBN 2.1, section 2.4). But some files have empty lines within games,
and some none between them. The tags that a game has already tell what a file means.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile

from bridge_arena.pbn.model import Blank, Comment, Escape, Game, Section, Tag, Words
from bridge_arena.pbn.read.lexer import Element, is_row
from bridge_arena.pbn.read.plain import ANNOTATED
from bridge_arena.pbn.tables import TABLES
from bridge_arena.pbn.values import UNKNOWN

_HEAD = frozenset(
    "Event Site Date Board West North East South Dealer Vulnerable Deal".split(),
)
_ONCE = ANNOTATED | {"Event", "Board", "Deal"}
_NOT_ANOTHER = UNKNOWN | {"#"}


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
        found = (self._take(at, elements) for at in range(len(elements)))
        return {end for end in found if end is not None}

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
            self._run = [each for each in self._run if each[0] >= end]
            self._known = {}
            self._filled = set()
            for _, each, _ in self._run:
                self._add(each)
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

    It does if it has none of the tags that follow, and these are not the head of another game.

    Args:
        tags: The tags up to the next semi-empty line.
        known: The tags of the game.
        has_comment: Whether there is a comment before them: it is the head of another game, except
            before the auction and the play.

    Returns:
        Whether the game goes on.
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
    rest = (elements[place] for place in range(at, len(elements)))
    block = takewhile(lambda element: not isinstance(element, Blank), rest)
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
    rest = (elements[place] for place in range(at, len(elements)))
    line = takewhile(lambda element: element.line == elements[at].line, rest)
    words = [word for element in line if isinstance(element, Words) for word in element.words]
    if last.name in ANNOTATED:
        return is_row(" ".join(words))
    columns = last.value.count(";") + 1
    is_table = last.name in TABLES or (last.name in filled and columns > 1)
    return is_table and len(words) == columns
