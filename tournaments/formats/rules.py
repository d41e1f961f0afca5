"""The formats of events, and the rules by which they differ.

A format whose rounds are known beforehand is defined here alone: a member of `Format`, and its
rules in `RULES`. One whose rounds follow from results also has their draw in
`tournaments.schedule.plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.tournaments.formats.movements import Sitting, howell, individual, mitchell
from bridge_arena.tournaments.formats.pairings import gauntlet, round_robin


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
    def rules(self) -> FormatRules:
        return RULES[self]

    @property
    def is_teams(self) -> bool:
        """Whether every board of a match is played in two rooms."""
        return self.rules.tables is None

    @property
    def is_drawn(self) -> bool:
        """Whether results decide who meets whom in the next round."""
        return self.rules.drawn_size is not None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatRules:
    """The rules of a format. It has one of `rounds`, `drawn_size` and `tables`."""

    scorings: tuple[Scoring, ...]  # the scorings that it allows; the first is the default
    # The default of the event's `deals`. A movement says who plays which boards, so there the event
    # cannot set it.
    deals: Deals = Deals.SAME
    own_key: str = ""  # the key of event files that only this format has; "" if there is none
    # The fewest entries, and the most; None if there is no limit.
    entries: tuple[int, int | None] = (2, None)
    players: int = 4  # the most different players of an entry
    # Returns the matches of each round as (home, visitors), by the number of entries.
    rounds: Callable[[int], list[list[tuple[int, int]]]] | None = None
    # Returns the numbers of rounds and of matches, where results decide who meets whom, by the
    # number of entries and the rounds that the event sets.
    drawn_size: Callable[[int, int], tuple[int, int]] | None = None
    # Returns the tables of each round, by the number of entries and the movement.
    tables: Callable[[int, Movement], Sequence[Sequence[Sitting]]] | None = None
    # Whether the score of an entry is that of a match on average, not their sum.
    is_averaged: bool = False


_TEAMS = (
    Scoring.IMPS,
    Scoring.VP,
    Scoring.VP_DISCRETE,
    Scoring.BOARD_A_MATCH,
    Scoring.TOTAL_POINTS,
)
_TEAMS_BY_VP = (Scoring.VP, *(scoring for scoring in _TEAMS if scoring is not Scoring.VP))
_TABLES = (Scoring.MATCHPOINTS, Scoring.BUTLER, Scoring.CROSS_IMPS)

RULES: Mapping[Format, FormatRules] = {
    Format.MATCH: FormatRules(
        scorings=_TEAMS, own_key="sprt", entries=(2, 2), rounds=lambda _: [[(0, 1)]]
    ),
    Format.ROUND_ROBIN: FormatRules(scorings=_TEAMS_BY_VP, own_key="legs", rounds=round_robin),
    Format.GAUNTLET: FormatRules(scorings=_TEAMS, rounds=gauntlet, is_averaged=True),
    Format.SWISS: FormatRules(
        scorings=_TEAMS_BY_VP,
        deals=Deals.BAROMETER,
        own_key="rounds",
        drawn_size=lambda entries, rounds: (rounds, rounds * (entries // 2)),
    ),
    Format.KNOCK_OUT: FormatRules(
        # The team with the higher score goes on; victory points would add nothing.
        scorings=(Scoring.IMPS, Scoring.BOARD_A_MATCH, Scoring.TOTAL_POINTS),
        deals=Deals.BAROMETER,
        drawn_size=lambda entries, _: ((entries - 1).bit_length(), entries - 1),
    ),
    Format.PAIRS: FormatRules(
        scorings=_TABLES,
        own_key="movement",
        # With fewer entries a board has no second table to compare with.
        entries=(4, None),
        players=2,
        tables=lambda entries, movement: (
            howell(entries) if movement is Movement.HOWELL else mitchell(entries)
        ),
    ),
    Format.INDIVIDUAL: FormatRules(
        scorings=_TABLES,
        entries=(8, None),
        players=1,
        tables=lambda entries, _: individual(entries),
    ),
}
