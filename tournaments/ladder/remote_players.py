"""Players of a ladder whose bots connect by themselves: who is there, and in which version."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bridge_arena.bridge.seats import Seat
from bridge_arena.server.bluechip_gateway import team_key
from bridge_arena.tournaments.events.entries import Entry
from bridge_arena.tournaments.ladder.players import AbsentError, Player, State
from bridge_arena.tournaments.play.seating.waiting_room import WaitingRoom

UPGRADE_SECONDS = 20.0
"""For so long it is no trouble if the bots of a player say different versions."""


class RemotePlayers:
    """The players in the waiting room of a ladder.

    Args:
        room: Where they wait; None if nothing listens.
        clock: Returns the time in seconds.
    """

    def __init__(self, room: WaitingRoom | None, clock: Callable[[], float]) -> None:
        self._room = room
        self._clock = clock
        # Since when the bots of a player say different versions, by the player's number.
        self._differ_since: dict[int, float] = {}
        # Who has the team of another player's Blue Chip programs, by the other's number.
        self._crossing: dict[int, str] = {}

    def look(self, players: Iterable[Player]) -> None:
        """Cut off bots whose token was replaced, and all who are no player's or a banned one's."""
        if self._room is None:
            return
        players = list(players)
        welcome = [player for player in players if player.state is not State.BANNED]
        self._room.let_in = {bot for player in welcome for bot in player.remote_seats}
        banned = [player for player in players if player.state is State.BANNED]
        self._room.banned = {bot for player in banned for bot in player.remote_seats}
        self._room.look()
        places: dict[tuple[str, Seat], tuple[Entry, Seat]] = {}
        self._crossing = {}
        for player in welcome:
            for entry, seat in player.program_seats:
                # Of two players with one team, the first has its programs.
                first, _ = places.setdefault((team_key(entry.team), seat), (entry, seat))
                if first != entry:
                    self._crossing[player.number] = first.name
        if self._room.programs is not None:
            self._room.programs.offer(places.values())

    def version(self, player: Player) -> str | None:
        """Return what a player's bots say of themselves, which wait for all its seats.

        None if they do not, or while a new version takes the place of the old one seat by seat.
        Raises AbsentError.
        """
        room, seats = self._room, player.remote_seats
        if room is None:
            raise AbsentError("it connects by itself, and nothing listens: give --port")
        if player.number in self._crossing:
            raise AbsentError(f"{self._crossing[player.number]} has the same team")
        if player.program_seats and room.programs is None:
            raise AbsentError("it speaks Blue Chip, and nothing listens: give --bluechip-port")
        versions = {bot: room.versions(bot) for bot in seats}
        if different := next((one for one in versions.values() if len(one) > 1), None):
            now = self._clock()
            if now - self._differ_since.setdefault(player.number, now) < UPGRADE_SECONDS:
                return None
            raise AbsentError(f"its bots are of different versions: {', '.join(different)}")
        self._differ_since.pop(player.number, None)
        if not all(room.has(bot, own) for bot, own in seats.items()) or (
            room.programs is not None and not room.programs.has(player.program_seats)
        ):
            return None
        for bot, (version,) in versions.items():
            room.expect(bot, version)
        return " & ".join(version for (version,) in versions.values())

    def absent(self, players: Iterable[Player]) -> list[Player]:
        """Return the players of whose bots one is not at its seat."""
        return [player for player in players if not self._is_seated(player)]

    def _is_seated(self, player: Player) -> bool:
        room = self._room
        if room is None:
            return True
        programs = room.programs is None or room.programs.has(player.program_seats)
        return programs and all(map(room.is_seated, player.remote_seats))
