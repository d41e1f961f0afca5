"""The definition of an event: entries, format, boards, scoring, clock, policies, seed.

An event file holds it as TOML and the store as JSON. It is also in the header of an event's PBN
file, so that the standings can be computed from the records alone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from bridge_arena.bridge.record import Mode
from bridge_arena.pbn.annotations import portable
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.entries import Entry, Party, parse_party
from bridge_arena.tournaments.events.fault_policies import EventPart, EventPolicies

MOST_BOARDS = 100_000
"""The most boards of a match."""


class Format(StrEnum):
    """The format of an event: who meets whom."""

    MATCH = "match"
    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCK_OUT = "knock-out"
    PAIRS = "pairs"
    INDIVIDUAL = "individual"

    @property
    def is_teams(self) -> bool:
        """Whether every board of a match is played in two rooms."""
        return self not in (Format.PAIRS, Format.INDIVIDUAL)

    @property
    def is_drawn(self) -> bool:
        """Whether results decide who meets whom in the next round."""
        return self in (Format.SWISS, Format.KNOCK_OUT)


class Deals(StrEnum):
    """Which matches of an event play the same boards."""

    SAME = "same"  # all matches of the event
    BAROMETER = "barometer"  # all matches of a round
    FRESH = "fresh"  # none: only the two rooms of a match


class Scoring(StrEnum):
    """The way in which the results of boards become the score of an entry."""

    IMPS = "imps"
    VP = "vp"  # the WBF's continuous 20-VP scale
    VP_DISCRETE = "vp-discrete"
    BOARD_A_MATCH = "board-a-match"
    TOTAL_POINTS = "total-points"
    MATCHPOINTS = "matchpoints"
    BUTLER = "butler"
    CROSS_IMPS = "cross-imps"

    @property
    def pbn(self) -> str:
        """The value of PBN's Scoring tag (section 3.4.13)."""
        return {
            Scoring.BOARD_A_MATCH: "BAM",
            Scoring.MATCHPOINTS: "MP",
            Scoring.TOTAL_POINTS: "TotalPoints",
        }.get(self, "IMP")


class Movement(StrEnum):
    """The movement of pairs and boards."""

    HOWELL = "howell"
    MITCHELL = "mitchell"


class Entrant(EventPart):
    """An entry as an event file defines it: one bot or several, with a name that PBN can hold.

    Attributes:
        bot: The bot, as on the command line: a bot that ships, `cmd:PROGRAM ARGS`, `http:URL`,
            `human:NAME` (with `--web`), `remote:NAME` or `bluechip:NAME` (with `arena serve`). A
            pair or a team may have two players, and a team four, separated by ` & `.
        name: The name of the entry in all results; no two entries may share one. It consists of 1
            to 100 printable Latin-1 characters, and does not begin with `?` or `#`.
    """

    bot: str
    name: Annotated[str, AfterValidator(portable)]

    def party(self) -> Party:
        """Return the players, under this name.

        Returns:
            The players.

        Raises:
            EntryError: `bot` cannot be read.
        """
        return parse_party(self.bot).named(self.name)

    @property
    def players(self) -> tuple[Entry, ...]:
        """The players of the entry.

        Raises:
            EntryError: `bot` cannot be read.
        """
        return self.party().players


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
    isolation: Isolation = Isolation.NONE
    broadcast: str | None = None
    sprt: str | None = None
    trim: float = Field(default=0.1, ge=0, lt=0.5)
    policies: EventPolicies = EventPolicies()

    @property
    def is_sealed(self) -> bool:
        """Whether only the arena can know the boards before they are played."""
        return self.seed is None and self.boards_from is None


def differences(one: Event, other: Event) -> list[str]:
    """Return the keys in which two events differ, those of policies as `policies.KEY`."""
    if one.boards_digest is None or other.boards_digest is None:  # an event of release 0.1 has none
        one, other = (each.model_copy(update={"boards_digest": None}) for each in (one, other))
    keys = [key for key in Event.model_fields if key != "policies"]
    return [
        *(key for key in keys if getattr(one, key) != getattr(other, key)),
        *(
            f"policies.{key}"
            for key in EventPolicies.model_fields
            if getattr(one.policies, key) != getattr(other.policies, key)
        ),
    ]
