"""Where bots come in: who has the token of a sitting."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.conformance.bot_seat import BotSeat
from bridge_arena.server.connection_limits import ConnectionLimits, Visit


class BotAdmission:
    """`admit` is for the gateway."""

    def __init__(self) -> None:
        # How many handshakes had a wrong token.
        self.strangers = 0
        self._sittings: dict[str, BotSeat] = {}

    def keep(self, sitting: BotSeat) -> None:
        """The sitting's token opens its places."""
        self._sittings[sitting.token] = sitting

    def admit(self, token: str) -> BotSeat | None:
        sitting = self._sittings.get(token)
        if sitting is None:
            self.strangers += 1
        else:
            sitting.open()
        return sitting


class Counter(ConnectionLimits):
    """Counts all connections that ever came."""

    def __init__(self) -> None:
        super().__init__()
        self.came = 0

    def comes(self, address: str, cut: Callable[[], None]) -> Visit:
        self.came += 1
        return super().comes(address, cut)
