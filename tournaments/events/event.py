"""The definition of an event: entries, format, boards, scoring, clock, policies, seed.

An event file holds it as TOML and the store as JSON. It is also in the header of an event's PBN
file, so that the standings can be computed from the records alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr

from bridge_arena.bridge.record import Mode
from bridge_arena.pbn.annotations import portable
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import Policies, Remedy
from bridge_arena.server.feed import AFTER_BOARD, LIVE, Broadcast
from bridge_arena.tournaments.events import START, Isolation
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError, Party, parse_party
from bridge_arena.tournaments.formats.rules import Deals, Format, Movement, Scoring


class EventPart(BaseModel):
    """A part of an event's definition: it is frozen, and unknown keys are an error."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_name=True, serialize_by_alias=True
    )


class EventPolicies(EventPart):
    """The consequences of the faults of an event's bots.

    If the connection of a player is lost on a board and not restored in time, the board is adjusted
    (Law 12C2) and the bot is started again. Each entry has a number of restarts; at the next loss
    it is withdrawn, and its unfinished matches are forfeited.

    Attributes:
        restarts: How many boards an entry may lose; its bot is started again each time.
        retries: How often a seat is asked again at one turn after an illegal or malformed answer.
        at_zero: What happens when the time for the board or the match is used up: the bot's actions
            are substituted, or the bot is lost (`forfeit`, which needs such a limit in `clock`).
        illegal: The number of illegal or malformed answers in a match after which a player is lost.
        timeouts: The number of time-outs in a match after which a player is lost.
        grace: The seconds that a player has to come back after its connection was lost.
        no_show: The seconds that a bot that connects by itself has to take its seats.
        start: The seconds that a bot that is started here has to load and to take its seats.
    """

    restarts: int = Field(default=3, ge=0, le=1000)
    retries: int = Field(default=1, ge=0, le=1000)
    at_zero: Remedy = Remedy.SUBSTITUTE
    illegal: int | None = Field(default=None, ge=1, le=1000)
    timeouts: int | None = Field(default=None, ge=1, le=1000)
    grace: float = Field(default=30.0, ge=0, le=86_400)
    no_show: float = Field(default=60.0, gt=0, le=86_400)
    start: float = Field(default=START, gt=0, le=86_400)

    def at_table(self) -> Policies:
        return Policies(self.retries, self.at_zero, self.illegal, self.timeouts)


PLAIN = EventPolicies(restarts=0, grace=0.0)
"""The policies of a plain match: the first lost player ends it, without a time of grace."""


MOST_BOARDS = 100_000
"""The most boards of a match."""


def _is_missing(value: object) -> bool:
    return value is None or value == ()


def lost_in_pbn(name: str) -> str | None:
    """Return why a name is another one in PBN; None if it is the same."""
    written = portable(name)
    if written == name:
        return None
    return f"{name!r} cannot be written in PBN (Latin-1), only {written!r}"


def _path(text: str) -> str:
    if "\0" in text:
        raise ValueError("no folder has such a name")
    return text


OWN = ("clock", "start", "restarts", "isolation")
"""The keys of an entry that take the place of the event's."""


class Entrant(EventPart):
    """An entry as an event file defines it: one bot or several, with a name that PBN can hold.

    A definition has none of the keys that are not given, so that it is the text that releases
    without them wrote.

    Attributes:
        bot: The bot, as on the command line: a bot that ships, `cmd:PROGRAM ARGS`, `http:URL`,
            `human:NAME` (with `--web`), `remote:NAME` or `bluechip:NAME` (with `arena serve`). A
            pair or a team may have two players, and a team four, separated by ` & `.
        name: The name of the entry in all results; no two entries may share one. It consists of 1
            to 100 printable Latin-1 characters, and does not begin with `?` or `#`.
        dir: The folder in which its programs run and their files are found; the path is relative to
            the event file. Without it that is the folder of the event file.
        env: The environment variables of its programs: `"NAME"` passes that of the arena, which a
            sandbox needs, and `"NAME=value"` sets one. Values in the file are public.
        clock: Its seconds for each action, or several limits.
        start: The seconds that its programs have to load and to take their seats.
        restarts: How many boards it may lose.
        isolation: How its programs are kept apart.
    """

    bot: str
    name: Annotated[str, AfterValidator(portable)]
    dir: Annotated[str, AfterValidator(_path)] | None = Field(default=None, exclude_if=_is_missing)
    env: tuple[str, ...] = Field(default=(), exclude_if=_is_missing)
    clock: str | None = Field(default=None, exclude_if=_is_missing)
    start: float | None = Field(default=None, gt=0, le=86_400, exclude_if=_is_missing)
    restarts: int | None = Field(default=None, ge=0, le=1000, exclude_if=_is_missing)
    isolation: Isolation | None = Field(default=None, exclude_if=_is_missing)

    # The folder of the event file; None for the arena's own.
    _home: Path | None = PrivateAttr(default=None)

    def __eq__(self, other: object) -> bool:
        """Return whether the definitions are the same, wherever their files are."""
        return isinstance(other, Entrant) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(self.name)

    def located(self, home: Path) -> Self:
        """Return the same entry of an event file in a folder."""
        entrant = self.model_copy()
        entrant._home = home
        return entrant

    @property
    def folder(self) -> Path | None:
        """The folder in which its programs run; None for the arena's own."""
        return self._home if self.dir is None else Path(self._home or "", self.dir).resolve()

    @property
    def holds_event(self) -> bool:
        """Whether its folder holds that of the event file."""
        home, folder = self._home, self.folder
        return home is not None and folder is not None and home.is_relative_to(folder)

    @property
    def own(self) -> dict[str, str | int | float]:
        """Its settings that take the place of the event's, by their keys."""
        return {key: value for key in OWN if (value := getattr(self, key)) is not None}

    def party(self) -> Party:
        """Return the players, under this name. Raises EntryError."""
        party = parse_party(self.bot, self.folder).named(self.name)
        return replace(
            party,
            own=tuple(
                replace(
                    player,
                    owns_folder=self.dir is not None,
                    env=self.env,
                    # Python reads some variables only as it starts.
                    fork=None if self.env else player.fork,
                )
                for player in party.own
            ),
        )

    @property
    def players(self) -> tuple[Entry, ...]:
        """The players of the entry. Raises EntryError."""
        return self.party().players

    @property
    def known_players(self) -> tuple[Entry, ...]:
        """The players of the entry; none if its text cannot be read."""
        try:
            return self.players
        except EntryError:
            return ()


@dataclass(frozen=True, slots=True)
class EntrySettings:
    """The settings of an entry: its own, or those of the event."""

    clock: TimeControl
    start: float
    restarts: int
    isolation: Isolation
    grace: float  # the seconds that its players have to come back


class Event(EventPart):
    """The definition of a whole event.

    `tournaments.events.event_rules` has the rules for what goes together, and the values of
    `deals`, `scoring` and `rounds` if none are given.

    The store and PBN files call `boards_from` and `boards_digest` `pbn` and `pbn_digest`, their
    names when PBN was the only format that could be read.

    Attributes:
        name: The name of the event in all results.
        format: Who meets whom.
        seed: The seed of the boards and of the bots' random choices, which are then the same
            everywhere and foreseeable. Without it, boards that are dealt are sealed.
        practice: Whether nothing is at stake, so that a served event may have a `seed`.
        public: The name of a text that nobody knows yet, and on which the deals depend.
        entries: The entries, in order of seeding.
        boards: The number of boards of a match; in pairs and individual events, of a round at each
            table.
        boards_from: The file, PBN or LIN, that the boards are taken from, each board once; the path
            is relative to the event file. Without it boards are dealt.
        boards_digest: The digest of those boards (see `digest_of`).
        deals: Which matches play the same boards; for teams only.
        scoring: How results become scores.
        rounds: The number of rounds of a Swiss.
        legs: How often two entries meet in a round robin.
        movement: The movement of a pairs event.
        mode: What the bots decide: the auction and the play, or one of them.
        clock: The seconds for each action, or several limits, such as `"10 match=1800+5"`.
        claims: Who decides whether a claim holds.
        undo: Whether people may take calls and cards back; opponents who are people must agree.
        isolation: How the bots that the arena starts are kept apart.
        broadcast: When spectators see a table: `"live"`, `"board"`, or a delay in seconds.
        sprt: The sequential test that ends a match scored by IMPs as soon as it has a verdict, such
            as `"imp0=0 imp1=0.5 alpha=0.05 beta=0.05"`.
        trim: The share of a board's scores that a Butler datum leaves out at each end.
        policies: What happens after faults.
    """

    name: str
    format: Format
    seed: int | None = None
    practice: bool = False
    public: Annotated[str | None, Field(max_length=200)] = None
    entries: tuple[Entrant, ...]
    boards: int = Field(default=16, ge=1, le=MOST_BOARDS)
    boards_from: str | None = Field(default=None, validation_alias="pbn", serialization_alias="pbn")
    boards_digest: str | None = Field(
        default=None, validation_alias="pbn_digest", serialization_alias="pbn_digest"
    )
    deals: Deals = Deals.SAME
    scoring: Scoring = Scoring.IMPS
    rounds: int | None = Field(default=None, ge=1)
    legs: int = Field(default=1, ge=1, le=2)
    movement: Movement = Movement.HOWELL
    mode: Mode = Mode.FULL
    clock: str = "60"
    claims: Claims = Claims.OFF
    undo: bool = False
    isolation: Isolation = Isolation.NONE
    broadcast: str | None = None
    sprt: str | None = None
    trim: float = Field(default=0.1, ge=0, lt=0.5)
    policies: EventPolicies = EventPolicies()

    def located(self, folder: Path) -> Self:
        """Return the event of a file in a folder, where its entries' programs are found."""
        home = folder.resolve()
        return self.model_copy(
            update={"entries": tuple(entrant.located(home) for entrant in self.entries)}
        )

    @property
    def usual(self) -> dict[str, str | int | float]:
        """Its settings of the entries that have none of their own, by their keys."""
        values: dict[str, Any] = {**dict(self.policies), **dict(self)}
        return {key: values[key] for key in OWN}

    def settings(self, entrant: Entrant) -> EntrySettings:
        """Return the settings of one of its entries. Raises ValueError for a wrong clock."""
        chosen: dict[str, Any] = {**self.usual, **entrant.own}
        control = TimeControl.parse(chosen["clock"])
        return EntrySettings(**{**chosen, "clock": control, "grace": self.policies.grace})

    @property
    def is_sealed(self) -> bool:
        """Whether only the arena can know the boards before they are played."""
        return self.seed is None and self.boards_from is None

    @property
    def players(self) -> list[Entry]:
        """The players of all entries. Raises EntryError."""
        return [player for entrant in self.entries for player in entrant.players]


def differences(event: Event, before: Event) -> list[str]:
    """Return the keys in which an event differs from what it was before.

    Those of policies are `policies.KEY`, those of an entry `KEY of entry NUMBER`. With a name
    stands what it was, as an event file need not have it.
    """
    if event.boards_digest is None or before.boards_digest is None:  # as one of release 0.1
        event, before = (one.model_copy(update={"boards_digest": None}) for one in (event, before))
    keys = _changed(event, before)
    if "entries" in keys and len(event.entries) == len(before.entries):
        keys.remove("entries")
        for number, (entrant, old) in enumerate(zip(event.entries, before.entries, strict=True), 1):
            for key in _changed(entrant, old):
                was = f" (it was {old.name!r})" if key == "name" else ""
                keys.append(f"{key} of entry {number}{was}")
    if "policies" in keys:
        keys.remove("policies")
        keys += [f"policies.{key}" for key in _changed(event.policies, before.policies)]
    return keys


def _changed(part: EventPart, before: EventPart) -> list[str]:
    return [key for key, value in part if value != getattr(before, key)]


@dataclass(frozen=True, slots=True)
class EventSize:
    """The size of an event, without the boards that a knock-out adds to break a tie."""

    rounds: int
    # Matches of two teams; in pairs and individual events, the sets of boards that are played at a
    # table.
    matches: int
    boards: int  # different boards
    tables: int  # boards to be played, each counted once for every table that plays it


def event_size(event: Event) -> EventSize:
    """Return the size of an event. Raises ValueError if so many entries cannot play the format."""
    entries, rules = len(event.entries), event.format.rules
    if rules.tables is not None:
        by_round = rules.tables(entries, event.movement)
        played = [table.boards for tables in by_round for table in tables]
        different = 1 + max(played, default=-1)
        return EventSize(
            len(by_round), len(played), different * event.boards, len(played) * event.boards
        )
    if entries < 2:
        raise ValueError(f"two entries at least are needed, not {entries}")
    if rules.drawn_size is not None:
        rounds, matches = rules.drawn_size(entries, event.rounds or 1)
    else:
        assert rules.rounds is not None
        one_leg = rules.rounds(entries)
        rounds, matches = event.legs * len(one_leg), event.legs * sum(map(len, one_leg))
    different = {
        # Each leg has other boards: on the same ones a bot would only repeat itself.
        Deals.SAME: event.legs,
        Deals.BAROMETER: rounds,
        Deals.FRESH: matches,
    }[event.deals]
    return EventSize(rounds, matches, different * event.boards, 2 * matches * event.boards)


Terms = Mapping[str, str | int | float]
"""Values by their keys in an event file."""


def terms(event: Event) -> Terms:
    """Return the settings of an event that differ from the default, and entries' from the event's.

    For a match, the default of plain matches counts too.
    """
    settings = {
        key: value
        for key, value in event
        if key in ("clock", "claims", "undo", "broadcast")
        and value != Event.model_fields[key].default
    }
    usual = (EventPolicies(), PLAIN) if event.format is Format.MATCH else (EventPolicies(),)
    policies = {
        key: value
        for key, value in event.policies
        if value not in [getattr(policies, key) for policies in usual]
    }
    own = {
        f"{key} of {entrant.name}": value
        for entrant in event.entries
        for key, value in entrant.own.items()
        if value != event.usual[key]
    }
    return settings | policies | own


def terms_text(terms: Terms) -> str:
    """Return the settings as a sentence; "" if all are the default."""
    if not terms:
        return ""
    return f"Set otherwise than by default: {', '.join(starmap(setting_text, terms.items()))}."


def setting_text(key: str, value: object) -> str:
    """Return a setting with its value in words, as `start 20`."""
    if isinstance(value, float):
        return f"{key} {value:g}"
    return f"{key} {value}".removesuffix(" True")


def broadcast_of(event: Event) -> Broadcast:
    """Return when the spectators of an event are shown its tables.

    If the event does not say, they are shown live, except where a player could see other hands:
    people could open a second window, and those who run bots elsewhere could watch boards that
    nobody can know otherwise. Such events are shown after the board.
    """
    if event.broadcast is not None:
        return Broadcast.parse(event.broadcast)
    players = event.players
    has_people = any(player.access is Access.HUMAN for player in players)
    has_remote = any(player.is_elsewhere for player in players)
    return AFTER_BOARD if has_people or (event.is_sealed and has_remote) else LIVE
