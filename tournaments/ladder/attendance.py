"""Who is there: the players of a ladder, the versions in which they come, and who rests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from bridge_arena.tournaments.events.entries import EntryError
from bridge_arena.tournaments.ladder.players import (
    AbsentError,
    Fingerprints,
    Player,
    State,
    Version,
    authors_of,
)
from bridge_arena.tournaments.ladder.remote_players import RemotePlayers
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.play.event_log import EventLog

MOST_VERSIONS = 100
"""The most versions of a player: each costs the ladder time, and others evidence."""

FIRST_REST, LONGEST_REST = 60.0, 3600.0
"""The seconds for which a player rests whose match could not begin; they double each time."""


class Attendance:
    """The players of a ladder, and which of them can play.

    Args:
        store: The store of the ladder.
        log: The log.
        alerts: Where it is told that a player cannot play.
        remote: The players whose bots connect by themselves.
        clock: Returns the time in seconds.

    Attributes:
        players: All players, by their numbers.
        versions: All versions that there were, by their numbers.
        present: The version of each player that can play, by the player's number.
    """

    def __init__(
        self,
        store: LadderStore,
        log: EventLog,
        alerts: Alerts,
        remote: RemotePlayers,
        clock: Callable[[], float],
    ) -> None:
        self.players: Mapping[int, Player] = {}
        self.versions: dict[int, Version] = {}
        self.present: dict[int, Version] = {}
        self._store = store
        self._log = log
        self._alerts = alerts
        self._remote = remote
        self._clock = clock
        self._fingerprints = Fingerprints()
        # The versions of each player, by the player's number and by what identifies them.
        self._own: dict[int, dict[str, Version]] = {}
        # By the player's number: until when it rests, and how often in a row it had to.
        self._resting: dict[int, tuple[float, int]] = {}

    def load(self) -> None:
        """Read from the store which versions there were. Raises StoreError."""
        self.versions = self._store.versions()
        self._own = {}
        for version in self.versions.values():
            self._own.setdefault(version.player, {})[version.identity] = version

    def look(self, busy: Collection[int]) -> None:
        """Take up the orders in the store, and see which version of each player is there.

        Raises StoreError.

        Args:
            busy: The numbers of the players at play, who stay in their version.
        """
        self.players = self._store.players()
        self._remote.look(self.players.values())
        before, self.present = self.present, {}
        for player in self.players.values():
            if player.number in busy and player.number in before:
                self.present[player.number] = before[player.number]
            elif player.state is State.ACTIVE:
                try:
                    version = self._version_there(player)
                except (AbsentError, EntryError, OSError) as error:
                    self.cannot_play(player, error)
                    continue
                if version is not None:
                    self.present[player.number] = version
                if player.number not in self._resting:
                    self._alerts.end(Kind.PLAYER, player.name)
            else:
                self._alerts.end(Kind.PLAYER, player.name)
                self._alerts.end(Kind.LOST, player.name)
            if not player.stays:
                self._alerts.end(Kind.AUDIT, player.name)
                self._alerts.end(Kind.VERSION, player.name)

    def note(self) -> list[int]:
        """Note in the store who is there; return the versions of the players who stay.

        Raises StoreError.
        """
        kept = []
        for player in self.players.values():
            version = self.present.get(player.number)
            number = player.version if version is None else version.number
            kept += [number] if player.stays and number is not None else []
            is_there = self._is_able(player.number)
            if (number, is_there) != (player.version, player.is_there):
                self._store.note_presence(player.number, number, is_there=is_there)
        return kept

    def _version_there(self, player: Player) -> Version | None:
        """Return the version of a player that is there; None if its bots have not connected.

        Raises AbsentError, EntryError and OSError.
        """
        says = self._remote.version(player) if player.comes_by_itself else ""
        if says is None:
            return None
        identity = self._fingerprints.identity(player.entrant, says)
        own = self._own.setdefault(player.number, {})
        if identity in own:
            return own[identity]
        latest = max((version.number for version in own.values()), default=0)
        if len(own) >= MOST_VERSIONS and self._store.is_version_in_use(latest):
            raise AbsentError(f"it has had {MOST_VERSIONS} versions, which are the most")
        version = self._store.add_version(player.number, identity)
        if (replaced := self.versions.get(version.number)) is not None:
            del own[replaced.identity]
        self.versions[version.number] = own[identity] = version
        self._log.write("version_came", player=player.name, version=identity, number=version.number)
        return version

    def player_of(self, version: int) -> Player:
        """Return whose version it is."""
        return self.players[self.versions[version].player]

    def players_of(self, match: LadderMatch) -> tuple[Player, Player]:
        """Return the home team of a match, and its visitors."""
        return self.player_of(match.home), self.player_of(match.visitors)

    def authors(self) -> list[str]:
        """Return who wrote each version; who is not known is another for each player."""
        return authors_of(self.versions.values(), self.players)

    def able(self) -> Iterator[tuple[int, int]]:
        """Yield who can play, as version and player, by their numbers."""
        for player, version in self.present.items():
            if self._is_able(player):
                yield version.number, player

    def are_able(self, match: LadderMatch) -> bool:
        """Return whether both players of a match can play."""
        return all(self._is_able(player.number) for player in self.players_of(match))

    def _is_able(self, player: int) -> bool:
        return player in self.present and self._resting.get(player, (0.0, 0))[0] <= self._clock()

    def is_gone(self, version: int) -> bool:
        """Return whether a version does not come back."""
        player = self.player_of(version)
        present = self.present.get(player.number, self.versions[version])
        return not player.stays or present.number != version

    def absent(self, match: LadderMatch) -> list[Player]:
        """Return the players of a match of whose bots one is not at its seat."""
        players = {player.number: player for player in self.players_of(match)}
        return self._remote.absent(players.values())

    def rest(self, player: Player) -> None:
        """Have a player rest whose match could not begin, longer each time."""
        times = self._resting.get(player.number, (0.0, 0))[1]
        seconds = min(LONGEST_REST, FIRST_REST * 2**times)
        self._resting[player.number] = self._clock() + seconds, times + 1

    def has_played(self, player: Player) -> None:
        """Have a player rest no more, as it has played a match to its end."""
        self._resting.pop(player.number, None)

    def cannot_play(self, player: Player, error: Exception) -> None:
        """Tell the administrator why a player cannot play."""
        self._alerts.begin(Kind.PLAYER, player.name, f"{player.name} cannot play: {error}")
