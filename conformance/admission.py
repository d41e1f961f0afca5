"""The admission of bots by the token of their sitting."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.conformance.bot_seat import BotSeat
from bridge_arena.server.connection_limits import ConnectionLimits, Visit


class BotAdmission:
    """The sittings by token; `admit` is for the gateway.

    Attributes:
        strangers: The number of handshakes with a wrong token.
    """

    def __init__(self) -> None:
        # The number of handshakes with a wrong token.
        self.strangers = 0
        self._sittings: dict[str, BotSeat] = {}

    def keep(self, sitting: BotSeat) -> None:
        """Admit bots to a sitting by its token."""
        self._sittings[sitting.token] = sitting

    def admit(self, token: str) -> BotSeat | None:
        """Return the sitting of a token, or None if there is none."""
        sitting = self._sittings.get(token)
        if sitting is None:
            self.strangers += 1
        else:
            sitting.open()
        return sitting


class Counter(ConnectionLimits):
    """Connection limits that also count all connections that ever came.

    Attributes:
        came: The number of connections.
    """

    def __init__(self) -> None:
        super().__init__()
        self.came = 0

    def comes(self, address: str, cut: Callable[[], None]) -> Visit:
        """Count a connection, and admit it as the limits allow."""
        self.came += 1
        return super().comes(address, cut)
