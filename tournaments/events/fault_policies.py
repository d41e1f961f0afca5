"""The policies of an event: what follows the faults of its bots and lost connections."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from bridge_arena.server.faults import Policies, Remedy
from bridge_arena.tournaments.events import START


class EventPart(BaseModel):
    """A part of an event's definition: it is frozen, and unknown keys are an error."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_name=True, serialize_by_alias=True
    )


class EventPolicies(EventPart):
    """The consequences of the faults of an event's bots.

    If the connection of a player is lost on a board and not restored in time, the board is adjusted
    (Law 12C2) and the bot is started again. Each entry has a number of restarts; at the next loss
    it is withdrawn, and its unfinished matches are forfeited.

    Attributes:
        restarts: How many boards an entry may lose; its bot is started again each time.
        retries: How often a seat is asked again at one turn after an illegal or malformed answer.
        at_zero: What happens when the time for the board or the match is used up: the bot's actions
            are substituted, or the bot is lost (`forfeit`, which needs such a limit in `clock`).
        illegal: The number of illegal or malformed answers in a match after which a player is lost.
        timeouts: The number of time-outs in a match after which a player is lost.
        grace: The seconds that a player has to come back after its connection was lost.
        no_show: The seconds that a bot that connects by itself has to take its seats.
        start: The seconds that a bot that is started here has to load and to take its seats.
    """

    restarts: int = Field(default=3, ge=0, le=1000)
    retries: int = Field(default=1, ge=0, le=1000)
    at_zero: Remedy = Remedy.SUBSTITUTE
    illegal: int | None = Field(default=None, ge=1, le=1000)
    timeouts: int | None = Field(default=None, ge=1, le=1000)
    grace: float = Field(default=30.0, ge=0, le=86_400)
    no_show: float = Field(default=60.0, gt=0, le=86_400)
    start: float = Field(default=START, gt=0, le=86_400)

    def at_table(self) -> Policies:
        """Return the policies of a table of the event."""
        return Policies(self.retries, self.at_zero, self.illegal, self.timeouts)


PLAIN = EventPolicies(restarts=0, grace=0.0)
"""The policies of a plain match: the first lost player ends it, without a time of grace."""
