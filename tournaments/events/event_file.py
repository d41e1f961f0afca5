"""The reader of event files: it returns the event, or lists everything that is wrong.

[event]                     name, format, boards, ...: the keys of `Event`
[policies]                  the keys of `EventPolicies`
[[entry]]                   the keys of `Entrant`, and options: one table for each entry
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from difflib import get_close_matches
from itertools import chain, count
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bridge_arena.board_files.texts import STANDARD_INPUT
from bridge_arena.bots.registry import SHIPPED
from bridge_arena.tournaments.events.boards import GivenBoard, boards_of
from bridge_arena.tournaments.events.entries import (
    EntryError,
    Party,
    definition_of,
    names_by_folder,
    parse_party,
)
from bridge_arena.tournaments.events.event import (
    Entrant,
    Event,
    EventPolicies,
    event_size,
    lost_in_pbn,
)
from bridge_arena.tournaments.events.event_rules import mistakes, settle
from bridge_arena.tournaments.events.people import suited
from bridge_arena.tournaments.events.sealed_deals import digest_of
from bridge_arena.tournaments.events.toml_lines import (
    KeyPath,
    LinedToml,
    LinedTomlError,
    read_lined,
)
from bridge_arena.tournaments.formats.rules import Format

_EVENT_KEYS = tuple(
    key for key in Event.model_fields if key not in ("entries", "policies", "boards_digest")
)
KEYS = {
    "event": _EVENT_KEYS,
    "policies": tuple(EventPolicies.model_fields),
    "entry": (*Entrant.model_fields, "options"),
}
"""The keys that each table of a file may have."""

OLD_KEYS = {"event": {"pbn": "boards_from"}}
"""The names of keys in the release before, by table: they are accepted for one more release."""

NUMBER_OR_TEXT = ("clock", "broadcast")
"""The keys of an event or an entry that may be a number of seconds, or text."""

_EXPECTED = {
    "string_type": "text in quotes",
    "enum": "text in quotes",
    "tuple_type": "an array of texts",
    "int_type": "a whole number",
    "float_type": "a number",
}
"""What was expected instead of a value of the wrong type, by the type of pydantic's error."""

_LIMITS = {
    "greater_than": ("gt", "is too small: it must be above {}"),
    "greater_than_equal": ("ge", "is too small: {} is the least"),
    "less_than_equal": ("le", "is too large: {} is the most"),
    "less_than": ("lt", "is too large: it must be below {}"),
}
"""By the type of pydantic's error: the key of the limit in its context, and our message."""

_SIZES = ("format", "boards", "deals", "rounds", "legs", "movement")
"""The keys that the number of boards depends on."""


class EventFileError(ValueError):
    """A file does not define an event.

    `mistakes` are written `path:line: key: what is wrong`, in the order of the lines; without the
    line if the file itself cannot be read.
    """

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))


@dataclass(frozen=True, slots=True)
class EventFile:
    """The content of an event file."""

    event: Event  # the event, with all defaults filled in
    # The boards of the event from number 1 on; none if it deals its own.
    given: tuple[GivenBoard, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a kind of files defines an event: in other tables, with fewer keys."""

    event: str = "event"  # the name of the table that event files call `event`
    entry: str = "entry"
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: KEYS)
    fixed: Mapping[str, object] = field(default_factory=dict)  # keys of the event, all of one value

    def name(self, table: str) -> str:
        """Return the name in the files of a table of event files."""
        return {"event": self.event, "entry": self.entry}.get(table, table)


_EVENT_FILES = Dialect()


def read_event(path: Path) -> EventFile:
    """Read an event file, and the file of its boards. Raises EventFileError with all mistakes."""
    return parse_event(read_text(path), path)


def read_text(path: Path) -> str:
    """Return the text of a file. Raises EventFileError."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise EventFileError([f"{path}: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise EventFileError([f"{path}:{line}: the text is not UTF-8"]) from None


def parse_event(text: str, path: Path) -> EventFile:
    """Read the text of an event file, and the file of its boards; `path` is that of the event file.

    Raises EventFileError with all mistakes.
    """
    return event_in(parse_toml(text, path), path)


def parse_toml(text: str, path: Path) -> LinedToml:
    """Read a text as TOML. Raises EventFileError with all mistakes."""
    try:
        return read_lined(text)
    except LinedTomlError as error:
        lines = [f"{path}:{line}: not TOML: {reason}" for line, reason in error.mistakes]
        raise EventFileError(lines) from None


def event_in(
    toml: LinedToml,
    path: Path,
    dialect: Dialect = _EVENT_FILES,
    mistakes: Iterable[tuple[int, str]] = (),
) -> EventFile:
    """Return the event of a file; `mistakes` are those of keys that are no event's, with lines.

    Raises EventFileError with all mistakes.
    """
    return _Reading(path, toml, dialect, mistakes).event_file()


class _Reading:
    """A file on its way to an event; it collects what is wrong."""

    def __init__(
        self, path: Path, toml: LinedToml, dialect: Dialect, mistakes: Iterable[tuple[int, str]]
    ) -> None:
        self._path = path
        self._toml = toml
        self._dialect = dialect
        self._mistakes = list(mistakes)
        # The old names by which the file calls keys, by the path of the key.
        self._old: dict[KeyPath, KeyPath] = {}
        # The paths of wrong or missing values; errors that follow from them are not reported.
        self._bad: set[KeyPath] = set()

    def event_file(self) -> EventFile:
        """Return what the file defines. Raises EventFileError."""
        for place, line, first in self._toml.repeated:
            self._note(place, f"given in line {first} already", line)
        tables = [self._dialect.name(table) for table in KEYS]
        for name in self._toml.values.keys() - set(tables):
            text = self._misplaced(name) or _unknown(name, tables)
            self._mistakes.append((self._toml.line((name,)), f"{name}: {text}"))
        raw = {**self._dialect.fixed, **self._table("event"), "policies": self._table("policies")}
        raw["entries"] = self._entries()
        for table in (raw, *raw["entries"]):
            for key in NUMBER_OR_TEXT:
                if type(table.get(key)) in (int, float):
                    table[key] = str(table[key])
        event = self._validated(raw).located(self._path.parent)
        given = {key for key in raw if ("event", key) not in self._bad}
        event = suited(settle(event, given), given, raw["policies"])
        self._check_names(raw)
        for mistake in mistakes(event, given):
            if not self._follows(mistake.place):
                self._note(mistake.place, mistake.text)
        file = event.boards_from
        boards = () if file is None else self._boards(event, file)
        if self._mistakes:
            in_order = sorted(self._mistakes, key=lambda mistake: mistake[0])
            raise EventFileError(f"{self._path}:{line}: {text}" for line, text in in_order)
        if boards:
            digest = digest_of(given.board for given in boards)
            event = event.model_copy(update={"boards_digest": digest})
        return EventFile(event, boards)

    # The content of the file.

    def _table(self, name: str) -> dict[str, Any]:
        """Return the known keys of a table that a file has once, or not at all."""
        called = self._dialect.name(name)
        table = self._toml.values.get(called, {})
        if not isinstance(table, dict):
            self._note((name,), f"expected a table, [{called}], not {_shown(table)}")
            table = {}
        return self._known((name,), self._renamed(name, table))

    def _renamed(self, name: str, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a table with its keys under their present names."""
        renamed = dict(table)
        for old, new in OLD_KEYS.get(name, {}).items():
            if old not in renamed:
                continue
            value = renamed.pop(old)
            if new in renamed:
                self._note((name, old), f"the old name of {new}, which is given too")
            else:
                renamed[new] = value
                self._old[(name, new)] = (name, old)
        return renamed

    def _entries(self) -> list[dict[str, Any]]:
        """Return the entries with their known keys, each with a name."""
        name = self._dialect.entry
        tables = self._toml.values.get(name, [])
        if not isinstance(tables, list):
            self._note(
                ("entry",), f"every bot that takes part is headed [[{name}]], in two brackets"
            )
            return []
        entries = []
        for number, table in enumerate(tables):
            place: KeyPath = ("entry", number)
            if isinstance(table, dict):
                entries.append(self._with_options(place, self._known(place, table)))
            else:
                self._note(place, f"expected a table with the key bot, not {_shown(table)}")
                self._bad.add((*place, "bot"))
                entries.append({"bot": ""})
        self._name_entries(entries)
        return entries

    def _with_options(self, place: KeyPath, entry: dict[str, Any]) -> dict[str, Any]:
        """Return an entry whose options are in the text of its bot."""
        options = entry.pop("options", {})
        bot = entry.get("bot")
        if not isinstance(options, dict):
            self._note((*place, "options"), f"expected a table, not {_shown(options)}")
        elif not isinstance(bot, str) or definition_of(bot) not in SHIPPED:
            if options:
                text = "only for one bot that ships, named in bot without options"
                self._note((*place, "options"), text)
        elif options:
            for key, value in options.items():
                if type(value) not in (int, float, str) or "," in str(value):
                    text = f"expected a number, or text without a comma, not {_shown(value)}"
                    self._note((*place, "options", key), text)
                    return entry
            texts = (f"{key}={value}" for key, value in options.items())
            return {**entry, "bot": f"{bot}:{','.join(texts)}"}
        return entry

    def _name_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Give entries without a name that of the bot and its folder, numbered if it is taken."""
        taken = {str(entry["name"]) for entry in entries if "name" in entry}
        nameless = [number for number, entry in enumerate(entries) if "name" not in entry]
        parties = {number: self._party(entries[number]) for number in nameless}
        known = {number: party for number, party in parties.items() if party is not None}
        given = [str(entries[number].get("dir", "")) for number in known]
        dirs = [own if os.path.isdir(self._path.parent / own) else "" for own in given]  # noqa: PTH112
        names = dict(zip(known, names_by_folder(list(known.values()), dirs), strict=True))
        for number in nameless:
            name = names.get(number, "no bot")
            if number not in known:
                self._bad.add(("entry", number, "name"))
            numbered = (f"{name}-{again}" for again in count(2))
            chosen = next(choice for choice in chain([name], numbered) if choice not in taken)
            entries[number]["name"] = chosen
            taken.add(chosen)

    def _party(self, entry: Mapping[str, Any]) -> Party | None:
        """Return the players of an entry; None if its text cannot be read."""
        bot, folder = entry.get("bot"), Path(self._path.parent, str(entry.get("dir", "")))
        try:
            return parse_party(bot, folder) if isinstance(bot, str) else None
        except EntryError:
            return None

    def _known(self, place: KeyPath, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return the known keys of a table, and note the others as mistakes."""
        keys = self._dialect.keys[str(place[0])]
        for key in table.keys() - set(keys):
            self._note((*place, key), self._misplaced(key) or _unknown(key, keys))
        return {key: table[key] for key in keys if key in table}

    # The meaning of the content.

    def _validated(self, raw: Mapping[str, Any]) -> Event:
        """Return the event, with stand-ins for wrong values."""
        try:
            return _event(raw)
        except ValidationError as error:
            for mistake in error.errors(include_url=False):
                place = _place(mistake["loc"])
                if place[:-1] in self._bad:
                    self._bad.add(place)
                else:
                    self._note(place, _plain(mistake, raw))
        stand_ins = {"name": "event", "format": Format.ROUND_ROBIN, "policies": {}}
        kept = {key: value for key, value in raw.items() if ("event", key) not in self._bad}
        if any(place[0] == "policies" for place in self._bad):
            del kept["policies"]
        bad = {place[:3] for place in self._bad}
        kept["entries"] = [
            {"bot": "random", "name": f"no name {number}"}
            | {key: entry[key] for key in entry if ("entry", number, key) not in bad}
            for number, entry in enumerate(raw["entries"])
        ]
        return _event(stand_ins | kept)

    def _boards(self, event: Event, file: str) -> tuple[GivenBoard, ...]:
        """Return the boards of the event's file, as many as it needs if that is known."""
        unsized = [("entry",), *(("event", key) for key in _SIZES)]
        wanted = event_size(event).boards if self._bad.isdisjoint(unsized) else 0
        if Path(file) == STANDARD_INPUT:
            self._note(("event", "boards_from"), "standard input has no place in an event file")
            return ()
        try:
            return boards_of(self._path.parent / file, event.mode, wanted)
        except (OSError, ValueError) as error:
            self._note(("event", "boards_from"), str(error))
            return ()

    def _check_names(self, raw: Mapping[str, Any]) -> None:
        """Check that PBN can hold the names of the entries as they are."""
        for number, entry in enumerate(raw["entries"]):
            place: KeyPath = ("entry", number, "name")
            if place not in self._bad and (text := lost_in_pbn(entry["name"])) is not None:
                self._note(place, text)

    def _follows(self, place: KeyPath) -> bool:
        """Return whether a mistake may be the consequence of another one."""
        if place in self._bad:
            return True
        if place == ("policies", "at_zero"):
            return ("event", "clock") in self._bad
        if ("event", "format") in self._bad:
            independent = [("event", key) for key in ("name", "clock", "claims", "broadcast")]
            return not (place in independent or len(place) == 3)
        return False

    def _note(self, place: KeyPath, text: str, line: int | None = None) -> None:
        self._bad.add(place)
        table, *rest = self._old.get(place, place)
        written: KeyPath = (self._dialect.name(str(table)), *rest)
        self._mistakes.append((line or self._toml.line(written), f"{key_text(written)}: {text}"))

    def _misplaced(self, key: str) -> str | None:
        """Return where a misplaced key belongs; None if no table has it."""
        tables = [table for table in ("event", "policies") if key in self._dialect.keys[table]]
        return f"belongs under [{self._dialect.name(tables[0])}]" if tables else None


def _event(raw: Mapping[str, Any]) -> Event:
    """Return the event of raw values. Raises ValidationError.

    The values pass through JSON, so that types are strict and enums are text. A date or time, which
    JSON lacks, becomes a value that no key allows.
    """
    return Event.model_validate_json(json.dumps(raw, default=lambda _: [[]]), strict=True)


def _place(location: tuple[str | int, ...]) -> KeyPath:
    """Return the path in the file of a part of an Event."""
    if location[0] == "entries":
        return ("entry", *location[1:])
    return location if location[0] == "policies" else ("event", *location)


def key_text(place: KeyPath) -> str:
    """Return a path as text: `event.boards`, `entry 2, bot`."""
    if len(place) > 1 and isinstance(place[1], int):
        return ", ".join((f"{place[0]} {place[1] + 1}", *map(str, place[2:])))
    return ".".join(map(str, place))


def _plain(error: ErrorDetails, raw: Mapping[str, Any]) -> str:
    """Return the message for a validation error of pydantic."""
    kind = error["type"]
    if kind == "missing":
        return "missing"
    value: Any = raw
    for key in error["loc"]:
        value = value[key]
    if kind in _LIMITS:
        limit, words = _LIMITS[kind]
        return f"{_shown(value)} {words.format(format(error['ctx'][limit], '.15g'))}"
    if kind == "enum" and isinstance(value, str):
        words = str(error["ctx"]["expected"]).replace("'", "").replace(" or ", ", ")
        return f"{_shown(value)} is none of {words}{_alike(value, words.split(', '))}"
    if error["loc"][-1] in NUMBER_OR_TEXT:
        return f"expected a number of seconds, or text in quotes, not {_shown(value)}"
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind]}, not {_shown(value)}"
    return f"{_shown(value)}: {error['msg'].removeprefix('Value error, ')}"


def _unknown(key: str, known: Iterable[str]) -> str:
    return f"unknown key{_alike(key, known)} (known: {', '.join(known)})"


def _alike(word: str, known: Iterable[str]) -> str:
    """Return the nearest of the known words, as a question; "" if none is near."""
    alike = get_close_matches(word, list(known), n=1)
    return f", did you mean {alike[0]}?" if alike else ""


def _shown(value: object) -> str:
    """Return a value as TOML writes it, or its kind."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, date | time | float):
        return str(value)
    return json.dumps(value, ensure_ascii=False)
