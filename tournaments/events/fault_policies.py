"""What the faults of an event's bots come to: retries, the grace after a lost connection, and when
a player is lost or an entry withdrawn."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from bridge_arena.server.faults import Policies, Remedy


class EventPart(BaseModel):
    """A part of an event's definition: nothing in it is changed, or goes unread."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_name=True, serialize_by_alias=True
    )


class EventPolicies(EventPart):
    """What the faults of an event's bots come to: at their tables, and in the event.

    `retries`, `at_zero`, `illegal`, `timeouts`: of a table, as `server.faults.Policies` has them.
    `grace`: seconds that a player who is lost may take to come back. `no_show`: seconds that a
    bot which comes by itself may take until it sits at its tables.

    The board that a player was lost on is adjusted (Law 12C2) and the bot is started again,
    `restarts` times for each entry; at the next loss the entry is withdrawn, and its matches
    that are not played out are forfeited.
    """

    restarts: int = Field(default=3, ge=0, le=1000)
    retries: int = Field(default=1, ge=0, le=1000)
    at_zero: Remedy = Remedy.SUBSTITUTE
    illegal: int | None = Field(default=None, ge=1, le=1000)
    timeouts: int | None = Field(default=None, ge=1, le=1000)
    grace: float = Field(default=30.0, ge=0, le=86_400)
    no_show: float = Field(default=60.0, gt=0, le=86_400)

    def at_table(self) -> Policies:
        """What a table of the event goes by."""
        return Policies(self.retries, self.at_zero, self.illegal, self.timeouts)


PLAIN = EventPolicies(restarts=0, grace=0.0)
"""Of a plain match: the first player who is lost ends it, and nobody waits for it."""
