"""Where the matches of a ladder are played: at tables here, and by the workers of a cluster.

Workers play what they can. Bots that connect by themselves come here, and so do players whose
program a worker could not start, misses, or has in another version.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from bridge_arena.tournaments.events.entries import EntryError
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.players import Fingerprints, Player
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, PlacesOfMatches
from bridge_arena.tournaments.play.cluster import ClusterError
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.venue import EventInPlay, Venue, VenueOptions

if TYPE_CHECKING:
    from bridge_arena.tournaments.play.cluster import Cluster


class Places:
    """The places of a ladder, of which each match takes one.

    Args:
        tables: The most matches that are played here at once.
        opens: Makes the venue of a match here.
        cluster: The cluster whose workers play, a match for each of their threads; None for none.
        most: The most matches at once, here and there; None for as many as there are places.
    """

    def __init__(
        self,
        tables: int,
        opens: Callable[[EventInPlay, VenueOptions], Venue] = LocalVenue,
        cluster: Cluster | None = None,
        most: int | None = None,
    ) -> None:
        self.trouble = ""  # why the cluster plays nothing; "" if it plays, or there is none
        self._tables = tables
        self._opens = opens
        self._cluster = cluster
        self._most = most
        self._threads = 0  # the threads of the cluster when it was looked at
        # The matches that have a place, by number: whether on the cluster.
        self._taken: dict[int, bool] = {}
        # The versions that play here only, as a worker could not play them.
        self._only_here: set[int] = set()
        self._fingerprints = Fingerprints()

    async def look(self) -> None:
        """Look how many threads the cluster has now."""
        if self._cluster is None:
            return
        try:
            self._threads = await asyncio.to_thread(self._cluster.threads)
        except ClusterError as error:
            self._threads = 0
            self.trouble = f"all is played here: {error}"
        else:
            self.trouble = "" if self._threads else "all is played here: the cluster has no workers"

    @property
    def number(self) -> PlacesOfMatches:
        """How many matches at once there are places for."""
        return PlacesOfMatches(self._tables, self._threads)

    @property
    def is_full(self) -> bool:
        """Whether no match may begin."""
        is_enough = self._most is not None and len(self._taken) >= self._most
        return is_enough or not (self.has_table or self._has_worker)

    @property
    def has_table(self) -> bool:
        """Whether a match may begin here."""
        return len(self._taken) - sum(self._taken.values()) < self._tables

    def has_place_for(self, player: Player, version: int) -> bool:
        """Return whether a player's match has a place, with anybody for whom that is true."""
        return self.has_table or (self._has_worker and self._may_leave(player, version))

    def take(self, match: LadderMatch, players: Sequence[Player]) -> None:
        """Take a place for a match."""
        self._taken[match.number] = self._has_worker and all(
            map(self._may_leave, players, match.versions)
        )

    def take_table(self, match: LadderMatch) -> None:
        """Take a table here for a match."""
        self._taken[match.number] = False

    def leave(self, match: LadderMatch) -> None:
        """Leave the place of a match to others."""
        del self._taken[match.number]

    def keep_here(self, version: int) -> None:
        """Have a version play here only."""
        self._only_here.add(version)

    def open(self, match: LadderMatch, play: EventInPlay, options: VenueOptions) -> Venue:
        """Return the venue of a match that has its place. Raises EntryError and OSError."""
        if self._cluster is None or not self._taken[match.number]:
            return self._opens(play, options)
        # Imported here, as few ladders have a cluster.
        from bridge_arena.tournaments.play.cluster_venue import ClusterVenue  # noqa: PLC0415

        here = tuple(map(self._fingerprints.identity, play.event.entries))
        check = partial(check_programs, here)
        return ClusterVenue(play, self._cluster, options.hidden, options.secrets, check)

    @property
    def _has_worker(self) -> bool:
        return sum(self._taken.values()) < self._threads

    def _may_leave(self, player: Player, version: int) -> bool:
        return version not in self._only_here and not player.comes_by_itself


class ProgramError(Exception):
    """A worker cannot play a player as it is here; the message is one line."""

    player = ""  # the player's name


def check_programs(identities: Sequence[str], event: Event) -> None:
    """Check that a worker has the programs of an event as they are here. Raises ProgramError."""
    fingerprints = Fingerprints()
    for entrant, identity in zip(event.entries, identities, strict=True):
        try:
            why = "" if fingerprints.identity(entrant) == identity else "it is another version"
        except (EntryError, OSError) as error:
            why = str(error)
        if why:
            failed = ProgramError(f"{entrant.name} on a worker: {why}")
            failed.player = entrant.name
            raise failed
