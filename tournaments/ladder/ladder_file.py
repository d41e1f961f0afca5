"""The definition of a ladder, and the reader of its file.

[ladder]                    name, boards, mode, clock, ... of all matches; concurrency, anchors,
                            keep_days, webhook, open
[policies]                  the keys of `EventPolicies`
[people]                    tables and bots, if people may play against the ladder's players
[[player]]                  the keys of `Entrant`, options, and author: one table for each player
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field

from bridge_arena.bots.registry import SHIPPED
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.event import Entrant, Event, EventPart
from bridge_arena.tournaments.events.event_file import (
    KEYS,
    Dialect,
    EventFileError,
    event_in,
    key_text,
    parse_toml,
    read_text,
)
from bridge_arena.tournaments.events.event_rules import mistakes, settle
from bridge_arena.tournaments.events.toml_lines import KeyPath, LinedToml
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.ladder import webhook

T = TypeVar("T")

BOARDS = 16
"""The boards of a match, if a file does not say."""

MOST_BOARDS = 64
"""The most boards of a match: pairings follow the results of matches, so these are small."""

_LONGEST_NAME = 80
"""The most characters of a ladder's name, behind which its matches have their numbers."""

KEEP_DAYS = 30
"""The days for which logs and thoughts are kept, if a file does not say."""

MOST_DAYS = 36_500
"""The most days for which they are kept."""

PLAYERS_OF_AUTHOR = 4
"""The players that an author may have, if a file does not say."""

MOST_PLAYERS = 1000
"""The most players of an author; and those of a ladder, retired ones too, to which orders add."""

MOST_TABLES = 100
"""The most tables at which people play at once."""

_PEOPLE_KEYS = ("tables", "bots")

_OWN_KEYS = ("concurrency", "anchors", "players_of_author", "keep_days", "webhook", "open")

LADDER_KEYS = ("name", "boards", "mode", "clock", "claims", "isolation", *_OWN_KEYS)
"""The keys of the table `ladder`."""

_DIALECT = Dialect(
    "ladder",
    "player",
    # `_OwnKeys` takes out those that are no keys of events.
    {**KEYS, "event": LADDER_KEYS, "entry": (*KEYS["entry"], "author")},
    {"format": Format.ROUND_ROBIN, "boards": BOARDS},
)


class PeopleTables(EventPart):
    """The tables at which people play against the players of a ladder.

    Attributes:
        tables: The most tables at once.
        bots: The names of the players who may sit there; empty for all that cost nothing.
    """

    tables: int = Field(ge=1, le=MOST_TABLES)
    bots: tuple[str, ...] = ()


class LadderDefinition(EventPart):
    """The definition of a ladder.

    Attributes:
        template: What all its matches have in common: an event without entries.
        concurrency: The number of matches at once; None for one on each processor.
        anchors: The names of the players that hold the scale. The first one's rating is 0.
        players_of_author: The players that an author may have by orders.
        keep_days: The days for which logs and thoughts are kept.
        webhook: The address to which alerts are posted, which may have a secret in it; "" for none.
        open: How authors come who have no invitation: `approve` if they may ask for it; "" for not
            at all.
        people: The tables for people; None if there are none.
    """

    template: Event
    concurrency: int | None = Field(default=None, ge=1, le=1000)
    anchors: tuple[str, ...] = ()
    players_of_author: int = Field(default=PLAYERS_OF_AUTHOR, ge=1, le=MOST_PLAYERS)
    keep_days: int = Field(default=KEEP_DAYS, ge=1, le=MOST_DAYS)
    webhook: str = ""
    open: Literal["", "approve"] = ""
    people: PeopleTables | None = None

    @property
    def name(self) -> str:
        """The ladder's name."""
        return self.template.name

    @property
    def lots_key(self) -> bytes:
        """What decides with a match's number where lots are drawn."""
        return sha256(self.name.encode()).digest()

    def event(self, number: int, home: Entrant, visitors: Entrant) -> Event:
        """Return the event of a match, which has a number in the ladder."""
        return self.template.model_copy(
            update={"name": match_name(self.name, number), "entries": (home, visitors)}
        )


def match_name(ladder: str, number: int) -> str:
    """Return the name of the event of a match of a ladder."""
    return f"{ladder} {number}"


@dataclass(frozen=True, slots=True)
class Registration:
    """A player as it comes to a ladder."""

    entrant: Entrant  # its bot, name and settings
    author: str = ""  # who wrote it; "" if that is not known


@dataclass(frozen=True, slots=True)
class LadderFile:
    """The content of a ladder's file."""

    definition: LadderDefinition
    registrations: tuple[Registration, ...]


def read_ladder(path: Path) -> LadderFile:
    """Read the file of a ladder. Raises EventFileError with all mistakes."""
    return parse_ladder(read_text(path), path)


def parse_ladder(text: str, path: Path) -> LadderFile:
    """Read the text of a ladder's file; `path` is that of the file.

    Raises EventFileError with all mistakes.
    """
    toml = parse_toml(text, path)
    own = _OwnKeys(toml)
    event = event_in(own.others, path, _DIALECT, own.mistakes).event
    own.check(event)
    if own.mistakes:
        raise EventFileError(f"{path}:{line}: {text}" for line, text in sorted(own.mistakes))
    registrations = tuple(
        Registration(entrant, author)
        for entrant, author in zip(event.entries, own.authors, strict=True)
    )
    return LadderFile(
        LadderDefinition(
            template=match_template(event),
            concurrency=own.concurrency,
            anchors=own.anchors,
            players_of_author=own.players_of_author,
            keep_days=own.keep_days,
            webhook=own.webhook,
            open=own.open,
            people=own.people,
        ),
        registrations,
    )


def match_template(event: Event) -> Event:
    """Return what all matches have in common that are played under an event's settings."""
    bare = event.model_copy(update={"format": Format.MATCH, "entries": ()})
    return settle(bare, ())


def checked_registration(
    definition: LadderDefinition, entrant: Entrant, author: str = ""
) -> Registration:
    """Return a player who comes while the ladder is played. Raises ValueError."""
    if (
        wrong := _unwelcome(entrant) or name_mistake(entrant.name) or _wrong_author(author)
    ) is not None:
        raise ValueError(wrong)
    other = Entrant(bot="random", name=f"not {entrant.name}"[:100])
    for mistake in mistakes(definition.event(0, entrant, other), ()):
        if mistake.place[:2] == ("entry", 0):
            raise ValueError(f"{mistake.place[-1]}: {mistake.text}")
    return Registration(entrant, author)


class _OwnKeys:
    """The keys of a file that are no keys of events; it collects what is wrong with them."""

    def __init__(self, toml: LinedToml) -> None:
        self.mistakes: list[tuple[int, str]] = []
        self._toml = toml
        values = dict(toml.values)
        ladder = values.get("ladder")
        taken: dict[str, Any] = {}
        if isinstance(ladder, dict):
            taken = {key: ladder[key] for key in _OWN_KEYS if key in ladder}
            values["ladder"] = {key: ladder[key] for key in ladder if key not in _OWN_KEYS}
        players = values.get("player")
        self.authors: list[str] = []
        if isinstance(players, list):
            values["player"] = [
                self._without_author(number, player) for number, player in enumerate(players)
            ]
        self.people = self._people(values.pop("people", None))
        # The file without these keys.
        self.others = replace(toml, values=values)
        self.concurrency = self._number(taken, "concurrency", "matches", 1000, None)
        self.anchors: tuple[str, ...] = self._anchors(taken)
        self.keep_days = self._number(taken, "keep_days", "days", MOST_DAYS, KEEP_DAYS)
        self.players_of_author = self._number(
            taken, "players_of_author", "players", MOST_PLAYERS, PLAYERS_OF_AUTHOR
        )
        self.webhook: str = self._webhook(taken)
        self.open: Literal["", "approve"] = self._open(taken)

    def _without_author(self, number: int, player: object) -> object:
        author = player.get("author", "") if isinstance(player, dict) else ""
        if (wrong := _wrong_author(author)) is not None:
            self._note(("player", number, "author"), wrong)
        self.authors.append(author)
        if isinstance(player, dict):
            return {key: value for key, value in player.items() if key != "author"}
        return player

    def _number(
        self,
        taken: Mapping[str, Any],
        key: str,
        of: str,
        most: int,
        usual: T,
        table: str = "ladder",
    ) -> int | T:
        value = taken.get(key, usual)
        if value is usual or (type(value) is int and 1 <= value <= most):
            return value
        self._note((table, key), f"expected a number of {of}, from 1 to {most}")
        return usual

    def _anchors(self, taken: Mapping[str, Any]) -> tuple[str, ...]:
        value = taken.get("anchors", [])
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return tuple(value)
        self._note(("ladder", "anchors"), "expected an array of names of players")
        return ()

    def _webhook(self, taken: Mapping[str, Any]) -> str:
        if "webhook" not in taken:
            return ""
        if (wrong := webhook.mistake(taken["webhook"])) is None:
            return str(taken["webhook"])
        self._note(("ladder", "webhook"), wrong)
        return ""

    def _open(self, taken: Mapping[str, Any]) -> Literal["", "approve"]:
        value = taken.get("open", "")
        if value == "approve":
            return "approve"
        if "open" in taken:
            text = 'expected "approve", or no such key: then authors come by invitation alone'
            self._note(("ladder", "open"), text)
        return ""

    def _people(self, table: object) -> PeopleTables | None:
        if table is None:
            return None
        if not isinstance(table, dict):
            self._note(("people",), "expected a table: [people]")
            return None
        for key in table.keys() - set(_PEOPLE_KEYS):
            known = ", ".join(_PEOPLE_KEYS)
            self._note(("people", key), f"unknown key (known: {known})")
        tables = self._number(table, "tables", "tables", MOST_TABLES, None, "people")
        bots = table.get("bots", [])
        if not isinstance(bots, list) or not all(isinstance(name, str) for name in bots):
            self._note(("people", "bots"), "expected an array of names of players")
        elif tables is None and "tables" not in table:
            self._note(("people", "tables"), "give the most tables at once, as in tables = 4")
        elif tables is not None:
            return PeopleTables(tables=tables, bots=tuple(bots))
        return None

    def check(self, event: Event) -> None:
        """Check what depends on the players and on the settings of matches."""
        names = {entrant.name: entrant for entrant in event.entries}
        for name in self.anchors:
            if name not in names:
                self._note(("ladder", "anchors"), f"{name!r} is the name of no player")
            elif names[name].bot.partition(":")[0] not in SHIPPED:
                text = f"{name!r} is no bot that ships: its play may change"
                self._note(("ladder", "anchors"), text)
        if len(event.name) > _LONGEST_NAME:
            self._note(
                ("ladder", "name"), f"it is too long: {_LONGEST_NAME} characters are the most"
            )
        if event.boards > MOST_BOARDS:
            self._note(
                ("ladder", "boards"), f"{event.boards} is too large: {MOST_BOARDS} is the most"
            )
        for number, entrant in enumerate(event.entries):
            if (wrong := _unwelcome(entrant)) is not None:
                self._note(("player", number, "bot"), wrong)
            if (wrong := name_mistake(entrant.name)) is not None:
                self._note(("player", number, "name"), wrong)

    def _note(self, place: KeyPath, text: str) -> None:
        self.mistakes.append((self._toml.line(place), f"{key_text(place)}: {text}"))


def _wrong_author(author: object) -> str | None:
    """Return why a value cannot be the name of an author; None if it can."""
    if isinstance(author, str) and len(author) <= 100 and author.isprintable():
        return None
    return "expected text in quotes, of 100 printable characters at most"


def name_mistake(name: str) -> str | None:
    """Return why a name cannot be that of a player; None if it can."""
    return (
        f"{name!r} has ' / ', as names of a player's several bots have" if " / " in name else None
    )


def _unwelcome(entrant: Entrant) -> str | None:
    """Return why a player cannot live on a ladder; None if it can."""
    kinds = {player.access for player in entrant.known_players}
    if Access.HUMAN in kinds:
        return "people cannot play on a ladder"
    return None
