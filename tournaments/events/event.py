"""What defines an event: entries, format, boards, scoring, clock, policies, seed.

An event file says it as TOML, the store keeps it as JSON, and an event's PBN file has it in
its header, so that whoever holds the records can work out the standings.
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
    """Who meets whom."""

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
    """Which matches play the same boards."""

    SAME = "same"  # all matches of the event
    BAROMETER = "barometer"  # all matches of a round
    FRESH = "fresh"  # none: only the two rooms of a match


class Scoring(StrEnum):
    """How the results of boards become the score of an entry."""

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
        """The Scoring tag of PBN (section 3.4.13)."""
        return {
            Scoring.BOARD_A_MATCH: "BAM",
            Scoring.MATCHPOINTS: "MP",
            Scoring.TOTAL_POINTS: "TotalPoints",
        }.get(self, "IMP")


class Movement(StrEnum):
    """How pairs and boards move."""

    HOWELL = "howell"
    MITCHELL = "mitchell"


class Isolation(StrEnum):
    """How the bots that are started here are kept apart."""

    NONE = "none"  # they are trusted
    SANDBOX = "sandbox"  # each process sees nothing of the machine, nor of the others


class Entrant(EventPart):
    """A bot that takes part, or several as one entry, as it is written, under a name of its own,
    as PBN can hold it."""

    bot: str
    name: Annotated[str, AfterValidator(portable)]

    def party(self) -> Party:
        """Who plays, under this name. Raises EntryError where the bot is none."""
        return parse_party(self.bot).named(self.name)

    @property
    def players(self) -> tuple[Entry, ...]:
        """Each player of it. Raises EntryError where the bot is none."""
        return self.party().players


class Event(EventPart):
    """A whole event. `seed`: None where the boards are sealed: dealt from a secret key. With
    one they are the same everywhere, and foreseeable; `practice` allows that where bots come
    from elsewhere. `public`: the name of a text that nobody knows yet, and that the deals will
    depend on. `boards`: of a match, or of a round of pairs and individuals. `rounds`:
    of a Swiss event. `legs`: how often each meets each in a round robin. `boards_from`: the
    file that the boards are of, as written; None where they are dealt. `boards_digest`: of its
    boards, as `tournaments.events.sealing.commitment` has it. What is kept of an event calls
    the two `pbn` and `pbn_digest`, as it did when PBN was all that was read. `clock`: the time
    control, as `server.clock.TimeControl` reads it. `claims`: who says whether a claim holds.
    `isolation`: of the bots that are started here. `broadcast`: when those who watch are shown the
    tables, as `server.broadcast.Broadcast` reads it; None: as
    `tournaments.events.broadcasts.broadcast_of` says. `sprt`: the sequential test that may end a
    match early. `trim`: the share of scores that a Butler datum leaves out at each end.

    `tournaments.events.event_rules` says what goes together, and what `deals`, `scoring` and
    `rounds` are where none are given.
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
        """Whether nobody but the arena can know its boards before they are played."""
        return self.seed is None and self.boards_from is None


def differences(one: Event, other: Event) -> list[str]:
    """The keys in which two events differ, those of policies as `policies.KEY`."""
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
