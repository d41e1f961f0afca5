"""The export form of games: the one way of writing a game (PBN 2.1).

Tags stand in their order and with their export values, calls from the dealer's on, cards in the
opening leader's columns, notes after the section that refers to them. `pbn.write.writer` makes
lines of them. Values that the standard leaves open, comments and tables stay as they are; so do
inherited values (`#`, `##`), written as in the file. Escape lines (`%`) are about the file, not the
game, and are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from bridge_arena.pbn.model import LONGEST_LINE, MANDATORY_TAGS, Game, Section, Tag
from bridge_arena.pbn.tables import TABLES, cells_of
from bridge_arena.pbn.values import NOT_SAID, UNKNOWN
from bridge_arena.pbn.write import export_values as values
from bridge_arena.pbn.write.export_sections import (
    Entry,
    calls_of,
    cards_of,
    contract_of,
    ended,
    left_of,
    tokens,
)

DATES = ("Date", "EventDate", "UTCDate")
_ANNOTATED = ("Auction", "Play")
_SEATS = tuple("NESW")
_NO_RESULT = NOT_SAID | {"="}
"""What stands in Result where a board was passed out."""
_LONGEST_NAME = LONGEST_LINE - len('[ ""]')

_Input = TypeVar("_Input")
_Output = TypeVar("_Output")


def canonical(game: Game) -> Game:
    """Return the game in export form; the canonical form of that is the same again.

    Raises:
        RecordedTextError: The game has no export form: a value is no seat, deal or contract, a
            token is no call or card, or a name is too long. The error names the tag and its line.
    """
    form = _Form(game)
    copy = Game(game.file, game.number, game.line, comments=game.comments, source=b"")
    for tag in form.tags():
        if len(tag.name) > _LONGEST_NAME:
            raise game.error("the name of a tag is too long for a line", tag.name[:40], tag.line)
        copy.add(tag)
    # Keep the defaults in force, and the values that inherited ones stand for.
    for name, value in game.values.items():
        if name not in copy.values or copy.values[name].startswith("#"):
            copy.values[name] = value
    return copy


class _Form:
    """The tags of one game in export form, made in order because later ones depend on earlier."""

    def __init__(self, game: Game) -> None:
        self._game = game
        # The tag of each name, of duplicates the first known one: the others are ignored (section
        # 3.4), except for the comments on them.
        self._first: dict[str, Tag] = {}
        self._comments: dict[str, tuple[str, ...]] = {}
        for tag in game.tags:
            name = values.tag_name(tag.name)
            first = self._first.get(name)
            if first is None or (tag.is_known and not first.is_known):
                self._first[name] = tag if name == tag.name else replace(tag, name=name)
            if tag.comments:
                self._comments[name] = self._comments.get(name, ()) + tag.comments
        if game.meant("Board"):
            # Repeat the tags that a second table leaves to the first, if a board number confirms
            # them.
            for name, value in game.implied.items():
                self._first.setdefault(name, Tag(name, value, game.line))
        self._dealer = self._value("Dealer", values.seat)
        # The seat that calls first, and the calls.
        self._caller = self._dealer
        self._calls: list[Entry] = []
        self._declarer = self._value("Declarer", values.declarer)
        self._contract = self._value("Contract", values.contract)
        auction = self._first.get("Auction")
        if isinstance(auction, Section):
            if self._caller not in _SEATS:
                self._caller = self._value("Auction", values.seat)
            calls = self._checked("Auction", calls_of, auction)
            self._calls = ended(calls, self._caller, self._contract, self._declarer)
        self._complete()
        self._check_notes()

    def tags(self) -> Iterator[Tag]:
        """Yield the tags in the order of export."""
        for name in MANDATORY_TAGS:
            # A mandatory tag may be left out where a `##` value is in force.
            if name in self._first or name not in self._game.values:
                yield self._tag(name, self._mandatory(name))
        supplemental = sorted(self._first.keys() - set(MANDATORY_TAGS) - set(_ANNOTATED))
        for name in supplemental:
            tag = self._first[name]
            if name != "Note" and not _is_section(tag):
                yield self._tag(name, values.date(tag.value) if name in DATES else tag.value)
        yield from self._annotated("Auction", self._caller, self._calls)
        yield from self._annotated("Play", *self._play())
        for name in supplemental:
            tag = self._first[name]
            if isinstance(tag, Section):
                yield self._table(tag)
            elif _is_section(tag):
                yield self._section(name, tag.value, [])

    def _complete(self) -> None:
        """Take Contract and Declarer from a finished auction if the tags do not give them."""
        reached = None
        if self._calls and self._caller in _SEATS:
            reached = contract_of(self._calls, self._caller)
        if reached is not None:
            contract, declarer = reached
            if self._contract in UNKNOWN:
                self._contract = contract
            if self._declarer in UNKNOWN and self._contract.rstrip("X") == contract.rstrip("X"):
                self._declarer = declarer
        if self._contract == "Pass" and self._declarer in UNKNOWN:
            self._declarer = ""

    def _check_notes(self) -> None:
        """Check that every note has a place after the calls or cards (section 3.5.5)."""
        placed = [note for name in _ANNOTATED for note in self._game.notes(name).values()]
        for tag in self._game.tags:
            if tag.name == "Note" and tag not in placed:
                reason = "it is not one of the notes of Auction or Play"
                raise self._game.error(reason, "Note", tag.line)

    def _mandatory(self, name: str) -> str:
        tag = self._first.get(name)
        if name == "Dealer":
            return self._dealer
        if name == "Declarer":
            return self._declarer
        if name == "Contract":
            return self._contract
        if name == "Vulnerable":
            return self._value(name, values.vulnerable)
        if name == "Deal":
            return self._value(name, lambda value: values.deal(value, self._dealer))
        if name == "Result":
            by, contract = self._declarer, self._contract
            if contract == "Pass" and (tag is None or tag.value.strip() in _NO_RESULT):
                return ""
            return self._value(name, lambda value: values.result(value, by, contract))
        value = tag.value if tag else "?"
        return values.date(value) if name in DATES else value

    def _play(self) -> tuple[str, list[Entry]]:
        """Return the opening leader, and the cards."""
        section = self._first.get("Play")
        if not isinstance(section, Section):
            return "", []
        first = self._value("Play", values.seat)
        # In an end position the first column is the leader's to its first trick (section 3.10).
        leader = left_of(self._declarer) if self._contract[:1].isdecimal() else ""
        leader = leader or first
        return leader, self._checked("Play", lambda play: cards_of(play, first, leader), section)

    def _annotated(self, name: str, seat: str, entries: list[Entry]) -> Iterator[Tag]:
        """Yield a section with its notes, unless it is empty."""
        notes = self._game.notes(name)
        if entries or notes or self._comments.get(name):
            yield self._section(name, seat, tokens(entries) or ["*"])
            yield from (notes[number] for number in sorted(notes))

    def _table(self, section: Section) -> Section:
        """Return a table; comments among its cells, which the standard forbids, go to its tag."""
        table = self._section(section.name, section.value, cells_of(section))
        if len(table.tokens) < len(section.tokens):
            table.comments += tuple(token for token in section.tokens if token[0] in "{;")
        if any(len(cell) > LONGEST_LINE for cell in table.tokens):
            raise self._game.error("a cell is longer than a line", section.name)
        return table

    def _tag(self, name: str, value: str) -> Tag:
        tag = self._first.get(name)
        if tag is None:
            return Tag(name, value, 0)
        comments = self._comments.get(name, ())
        return Tag(name, value, tag.line, comments, tag.written if value == tag.value else "")

    def _section(self, name: str, value: str, tokens: list[str]) -> Section:
        tag = self._first[name]
        lines = [tag.line] * len(tokens)
        written = tag.written if value == tag.value else ""
        comments = self._comments.get(name, ())
        return Section(name, value, tag.line, comments, written, tokens, lines)

    def _value(self, name: str, convert: Callable[[str], str]) -> str:
        tag = self._first.get(name)
        return "?" if tag is None else self._checked(name, convert, tag.value)

    def _checked(self, name: str, convert: Callable[[_Input], _Output], value: _Input) -> _Output:
        try:
            return convert(value)
        except ValueError as error:
            raise self._game.error(str(error), name) from None


def _is_section(tag: Tag) -> bool:
    """Return whether a tag heads a supplemental section, perhaps one without cells."""
    return isinstance(tag, Section) or tag.name in TABLES
