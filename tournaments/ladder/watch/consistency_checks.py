"""Consistency checks: whether a program still plays as it did, under the same version.

Now and then a version plays the boards that it has played before, which nobody else knows, against
a bot that ships and does nothing by chance. What it plays counts for nothing else. That a version
has changed is told at an error that holds for ever (`tournaments.statistics.change`). It stays
marked, and the administrator decides what follows.

Who knows its boards again may have the earlier program play them, and is not noticed.
"""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version as release_of

from bridge_arena.base.stopping import Stop
from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.tournaments.events.boards import BoardSupply
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.events.sealed_deals import Sealing, new_key
from bridge_arena.tournaments.ladder.ladder_file import LadderDefinition
from bridge_arena.tournaments.ladder.players import Player, Version
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.consistency_store import Check, ConsistencyStore
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.venue import EventInPlay, OpenVenue
from bridge_arena.tournaments.schedule.units import Match, Unit
from bridge_arena.tournaments.statistics.change import Play, stake

EVERY = 200
"""A version plays a check in about so many boards."""

BOARDS = 8
"""The boards of a check, each of which is played in both rooms."""

ERROR = 0.001
"""The chance that a version is ever told that has not changed, for each version."""

COMPARED = 10
"""So many of the first checks of a version and as many of the last are compared."""

MOST_LOST = 3
"""Who has left so many boards of a check need not play the others."""

OPPONENTS = "baseline"
"""The bot that ships against which the boards are played."""


class ConsistencyChecks:
    """The checks of a ladder. All methods raise StoreError."""

    def __init__(
        self, store: ConsistencyStore, definition: LadderDefinition, alerts: Alerts
    ) -> None:
        self._store = store
        self._definition = definition
        self._alerts = alerts
        self._latest = store.latest()
        self._changed = store.changed()
        self._shipped: set[int] = set()  # the versions that are known to be of bots that ship
        # What else its plays depend on.
        settings = definition.template.model_dump_json() + release_of("bridge-arena")
        self._conditions = sha256(settings.encode()).hexdigest()[:12]

    def is_due(self, player: Player, version: int, boards: int) -> bool:
        """Return whether a version is to play a check, when it has played so many boards.

        Bots that ship do not, as they have a version for each release.
        """
        latest = self._latest.get(version)
        due = EVERY // 2
        if latest is not None:
            digest = sha256(f"{latest.key} {latest.number}".encode()).digest()
            due += latest.number * EVERY - int.from_bytes(digest) % (EVERY // 2)
        if boards < due or version in self._shipped:
            return False
        if all(bot.ships for bot in player.entrant.known_players):
            self._shipped.add(version)
        return version not in self._shipped

    def look(self, player: Player, version: Version) -> None:
        """Alert of a version that has changed and plays on."""
        # Who is retired or banned may still be at play.
        if version.number in self._changed and player.stays:
            text = f"{player.name} does not play any more as its version {version.identity} did"
            self._alerts.begin(Kind.VERSION, player.name, text)
        else:
            self._alerts.end(Kind.VERSION, player.name)

    def event(self, player: Player, number: int) -> Event:
        """Return the event of a check, which the player is told is a match of that number."""
        name = OPPONENTS if player.name != OPPONENTS else f"{OPPONENTS} 2"
        event = self._definition.event(number, player.entrant, Entrant(bot=OPPONENTS, name=name))
        return event.model_copy(update={"boards": BOARDS})

    async def play(
        self, player: Player, version: int, event: Event, opens: OpenVenue, stop: Stop
    ) -> None:
        """Have a version play its boards, unless the order to stop comes before they are played.

        Raises what a venue raises.
        """
        latest = self._latest.get(version)
        key = new_key() if latest is None else DealKey.parse(latest.key)
        supply = BoardSupply(key, event.mode, commitment=Sealing.of(event, key).digest)
        units = list(Match(1, 1, (0, 1), tuple(range(1, BOARDS + 1))).units())
        plays: dict[str, Play] = {}
        left = 0

        def begin(_: Unit) -> bool:
            return left < MOST_LOST and stop.may_begin(version)

        def keep(unit: Unit, record: BoardRecord | None) -> BoardRecord | None:
            nonlocal left
            if record is not None and record.is_finished:
                plays[unit.id] = _play_of(record)
            else:
                left += 1
            return record

        venue = opens(EventInPlay(event, supply, EventLog(), most_at_once=1))
        async with venue:
            await venue.seat(units)
            await venue.play(iter(units), keep, begin)
        if left:
            text = f"{player.name} left {plural(left, 'board')} of a consistency check"
            self._alerts.note(Kind.VERSION, player.name, text)
        if len(plays) + left < len(units) and left < MOST_LOST:
            return
        number = 1 if latest is None else latest.number + 1
        every = tuple(plays.get(unit.id) for unit in units)
        check = Check(number, str(key), self._conditions, every)
        has_changed = self._has_changed(version, check)
        self._store.add(version, check, has_changed=has_changed)
        self._latest[version] = check
        if has_changed:
            self._changed.add(version)

    def tell_left(self, player: Player) -> None:
        """Tell the administrator that a player left between two boards of a check."""
        text = f"{player.name} left a consistency check, and has to begin it anew"
        self._alerts.note(Kind.VERSION, player.name, text)

    def _has_changed(self, version: int, check: Check) -> bool:
        before = [one for one in self._store.checks(version) if one.conditions == self._conditions]
        compared = [*before[:COMPARED], *before[COMPARED:][-COMPARED + 1 :], check]
        # The errors of all checks add up to less than ERROR.
        limit = check.number * (check.number + 1) / ERROR
        return len(compared) > 2 and stake([one.plays for one in compared]) >= limit


def _play_of(record: BoardRecord) -> Play:
    """Return the actions at a table, in order."""
    return (*(str(made.call) for made in record.calls), *map(str, record.cards), "end")
