"""A seat that makes the calls of a record, as long as the auction agrees with it."""

from __future__ import annotations

from collections.abc import Sequence

from bridge.record import MadeCall
from protocol.decision import answer_to
from protocol.messages import Answer, CallMade, YourTurn
from protocol.visibility import Viewer
from server.players import Outgoing, Player


class RecordedPlayer:
    """Sits in front of `player` for one board and makes the calls of `auction` in its
    place. From the first call that is not the record's on, and for every card, `player`
    decides: it sees all that happens, and is asked where the record has no answer."""

    def __init__(self, player: Player, auction: Sequence[MadeCall]) -> None:
        self._player = player
        self._auction = auction
        # Calls made on this board, and whether all of them are the record's.
        self._calls = 0
        self._agrees = True

    @property
    def viewer(self) -> Viewer:
        return self._player.viewer

    def tell(self, outgoing: Outgoing) -> None:
        message = outgoing.message
        if isinstance(message, CallMade):
            self._agrees = self._agrees and self._next_is(message)
            self._calls += 1
        # A player who saw this turn would answer it.
        if not (isinstance(message, YourTurn) and self._knows_the_call):
            self._player.tell(outgoing)

    async def flush(self) -> None:
        await self._player.flush()

    @property
    def lag(self) -> float:
        return self._player.lag

    async def measure_lag(self) -> None:
        await self._player.measure_lag()

    async def act(self, turn: YourTurn) -> Answer:
        if self._knows_the_call:
            return answer_to(turn, self._auction[self._calls])
        return await self._player.act(turn)

    @property
    def _knows_the_call(self) -> bool:
        """Whether the record has the next call; nothing of it is left in the play."""
        return self._agrees and self._calls < len(self._auction)

    def _next_is(self, made: CallMade) -> bool:
        return self._calls < len(self._auction) and self._auction[self._calls].call == made.call
