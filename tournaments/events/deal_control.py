"""What tells the luck of an event's deals: stand-ins that play them, and others, in one process.

It is fixed before the first board, and kept with the results: whoever chose it afterwards could
choose the result. `lab.deal_values` has the stand-ins play, and `statistics.control_variate` uses
what came of it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from itertools import combinations
from typing import Self

from bridge_arena.bots.registry import board_seconds, file_and_class, options, parse
from bridge_arena.bridge.record import Mode
from bridge_arena.tournaments.events.event import Entrant, Event

QUICK = 0.05
"""The most processor time in seconds that two players of a bot may take for a board, if the bot is
to stand in for itself."""

PLAYER = "fastplay:bidding={},errors=0.05"
"""The stand-in of slower bots, with their bidding system. Its errors make its plays differ, so that
their mean tells what a contract is worth."""

FEWEST_BOARDS = 16
"""The fewest boards of two entries with a controlled estimate: of fewer, no mean tells much."""

OTHERS = 3
"""The other deals for each time that stand-ins play a deal of two entries."""

MOST_PLAYS = 16
"""The most often that stand-ins play a deal of two entries. They play the other deals once: in the
same time many of these tell more than a few that are played often."""

_SHARE = 0.25
"""The share of the slow bots' own time that several plays of stand-ins may take."""

_PLAY_SECONDS = 0.025
"""The processor time in seconds that stand-ins take to play a board in both rooms."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The stand-ins of two entries."""

    first: str  # the stand-in of one entry, as the command line has it
    second: str  # the stand-in of the other
    are_themselves: bool  # whether they are the entries' own bots
    plays: int  # how often they play each board of the entries

    @property
    def others(self) -> int:
        """The other deals for each deal of the entries."""
        return OTHERS * self.plays


@dataclass(frozen=True, slots=True)
class DealControl:
    """The stand-ins of an event's entries."""

    release: str  # the release of Bridge Arena whose bots they are
    # The bot of each entry, as the command line has it; None if it cannot stand in for itself.
    bots: tuple[str | None, ...]
    stand_ins: tuple[str | None, ...]  # the stand-in of each; None if it has none

    @classmethod
    def of(cls, event: Event, *, with_files: bool = False) -> Self | None:
        """Return the stand-ins of an event; with `with_files` also classes of Python files.

        There are none where they can tell nothing: boards must be dealt at random, and be bid and
        played in two rooms.
        """
        if not event.format.is_teams or event.mode is not Mode.FULL or event.boards_from:
            return None
        bots = tuple(_bot_of(entrant, with_files=with_files) for entrant in event.entries)
        stand_ins = tuple(None if bot is None else stand_in(bot) for bot in bots)
        control = cls(version("bridge-arena"), bots, stand_ins)
        places = range(len(bots))
        return control if any(control.pair(*both) for both in combinations(places, 2)) else None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read stand-ins in the form that `str` writes. Raises ValueError."""
        try:
            facts = json.loads(text)
            return cls(facts["release"], tuple(facts["bots"]), tuple(facts["stand_ins"]))
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{text!r} tells no stand-ins") from None

    def pair(self, one: int, other: int) -> Pair | None:
        """Return the stand-ins of two entries, by their places in the event.

        There is none if one is missing, or they are the same, who never swing.
        """
        bots = self.bots[one], self.bots[other]
        first, second = self.stand_ins[one], self.stand_ins[other]
        if first is None or second is None or first == second:
            return None
        if (first, second) == bots:
            return Pair(first, second, are_themselves=True, plays=1)
        # Two players of each bot in either room; only its author knows the time of a file's class.
        known = [board_seconds(bot) for bot in bots if bot and not file_and_class(bot)]
        plays = int(_SHARE * 2 * sum(known) / (1 + OTHERS) / _PLAY_SECONDS)
        plays = min(max(plays, 1), MOST_PLAYS)
        return Pair(first, second, are_themselves=False, plays=plays)

    @property
    def digest(self) -> str:
        """The SHA-256 hash of the text, hexadecimal."""
        return sha256(str(self).encode()).hexdigest()

    def __str__(self) -> str:
        return json.dumps(asdict(self))


def stand_in(bot: str) -> str | None:
    """Return the bot that stands in for a bot that ships, or for `FILE.py:CLASS`.

    A quick bot stands in for itself, as does a class of a file. For others that bid by a system, a
    quick player bids by it. None stands in for a bot that sees all hands or needs the network.
    """
    if file_and_class(bot) is not None:
        return bot
    shipped, make = parse(bot)
    if shipped.cheat or shipped.network:
        return None
    if board_seconds(bot) <= QUICK:
        return bot
    bidding = options(shipped.load()).get("bidding")
    if bidding is None:
        return None
    chosen = make.keywords if isinstance(make, partial) else {}
    return PLAYER.format(chosen.get("bidding", bidding.default))


def _bot_of(entrant: Entrant, *, with_files: bool) -> str | None:
    """Return the only bot of an entry, if it can play in a process of the arena."""
    player, *partners = entrant.players
    if partners or not player.command:
        return None
    bot = player.command[-1]
    is_class = file_and_class(bot) is not None and not player.ships
    return bot if player.ships or (with_files and is_class) else None
