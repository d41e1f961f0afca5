"""What defines an event: entries, format, boards, scoring, clock, policies, seed.

An event file says it as TOML, the store keeps it as JSON, and an event's PBN file has it in
its header, so that whoever holds the records can work out the standings.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bridge.record import Mode
from pbn.annotations import portable
from tournaments.entries import Entry, parse_entry


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


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Entrant(_Part):
    """A bot that takes part, as it is written, under a name of its own, as PBN can hold it."""

    bot: str
    name: Annotated[str, AfterValidator(portable)]

    def entry(self) -> Entry:
        """The entry under this name. Raises EntryError where the bot is none."""
        return parse_entry(self.bot).named(self.name)


class Policies(_Part):
    """What happens when a bot's process or connection is lost.

    The board it was playing is adjusted (Law 12C2) and the bot is started again, so many
    times for each entry; at the next loss the entry is withdrawn, and its matches that are
    not played out are forfeited.
    """

    restarts: int = Field(default=3, ge=0, le=1000)


class Event(_Part):
    """A whole event. `boards`: of a match, or of a round of pairs and individuals. `rounds`:
    of a Swiss event. `legs`: how often each meets each in a round robin. `pbn`: the file that
    the boards are of, as written; None where they are dealt. `clock`: seconds for each
    action. `sprt`: the sequential test that may end a match early. `trim`: the share of
    scores that a Butler datum leaves out at each end.

    `tournaments.event_rules` says what goes together, and what `deals`, `scoring` and
    `rounds` are where none are given.
    """

    name: str
    format: Format
    seed: int
    entries: tuple[Entrant, ...]
    boards: int = Field(default=16, ge=1, le=100_000)
    pbn: str | None = None
    deals: Deals = Deals.SAME
    scoring: Scoring = Scoring.IMPS
    rounds: int | None = Field(default=None, ge=1)
    legs: int = Field(default=1, ge=1, le=2)
    movement: Movement = Movement.HOWELL
    mode: Mode = Mode.FULL
    clock: str = "60"
    sprt: str | None = None
    trim: float = Field(default=0.1, ge=0, lt=0.5)
    policies: Policies = Policies()
