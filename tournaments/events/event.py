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
from bridge_arena.tournaments.events.entries import Entry, Party, parse_party
from bridge_arena.tournaments.events.fault_policies import EventPart, EventPolicies


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


class Isolation(StrEnum):
    """The isolation of the bots that are started here, from the machine and from each other."""

    NONE = "none"  # they are trusted
    SANDBOX = "sandbox"  # each process sees nothing of the machine, nor of the others


class Entrant(EventPart):
    """An entry as an event file defines it: one bot or several, with a name that PBN can hold."""

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
        name: The event's name.
        format: Who meets whom.
        seed: The seed of the boards, which are then the same everywhere, and foreseeable. None if
            the boards are sealed: dealt from a secret key.
        practice: Allows a seed although bots connect from elsewhere.
        public: The name of a text that nobody knows yet, and that the deals will depend on.
        entries: The entries, in order of seeding.
        boards: The number of boards of a match, or of a round of pairs and individuals.
        boards_from: The file that the boards are read from, as written in the event file; None if
            they are dealt.
        boards_digest: The digest of those boards (see `digest_of`).
        deals: Which matches play the same boards.
        scoring: How the score of an entry is computed.
        rounds: The number of rounds of a Swiss event.
        legs: How often each meets each in a round robin.
        movement: The movement of a pairs event.
        mode: Whether bots bid, play, or both.
        clock: The time control, as `server.clock.TimeControl` reads it.
        claims: Who decides whether a claim holds.
        isolation: The isolation of the bots that are started here.
        broadcast: When spectators are shown the tables, as `server.broadcast.Broadcast` reads it;
            None for the default, see `tournaments.events.broadcasts.broadcast_of`.
        sprt: The sequential test that may end a match early.
        trim: The share of scores that a Butler datum leaves out at each end.
        policies: What happens after faults.
    """

    name: str
    format: Format
    seed: int | None = None
    practice: bool = False
    public: Annotated[str | None, Field(max_length=200)] = None
    entries: tuple[Entrant, ...]
    boards: int = Field(default=16, ge=1, le=100_000)
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
