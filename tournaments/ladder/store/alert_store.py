"""The alerts of a ladder that are in force, in its store."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Engine

from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import LadderAlertRow


class Kind(StrEnum):
    """What an alert is about."""

    PLAYER = "player"  # a player's program cannot be started
    LOST = "lost"  # a player was withdrawn from its last match, as its program was lost
    VERSION = "version"  # a program changed without another version
    DISK = "disk"  # a disk is full, or nearly so
    STORE = "store"  # the store does not answer
    CLUSTER = "cluster"  # the workers of the cluster play nothing
    CLOCK = "clock"  # the clock of the machine jumped
    AUDIT = "audit"  # a player may see more than it should
    TEST = "test"  # a test of two versions has ended
    REQUEST = "request"  # somebody asks to become an author
    WEBHOOK = "webhook"  # alerts cannot be posted


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert; there is one of each kind for each subject."""

    kind: Kind
    subject: str  # the player's name; "" if it is about no player
    text: str
    since: str  # when it began, in ISO 8601


class AlertStore:
    """The alerts of one ladder in its store; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def in_force(self) -> list[Alert]:
        """Return the alerts in force, the oldest first."""
        rows = select(LadderAlertRow).where(LadderAlertRow.ladder == self._ladder)
        with transaction(self._engine, "read") as session:
            return [
                Alert(Kind(row.kind), row.subject, row.text, row.since)
                for row in session.scalars(rows.order_by(LadderAlertRow.since))
            ]

    def put(self, kind: Kind, subject: str, alert: Alert | None) -> None:
        """Put an alert in the place of what is in force of its kind and subject; None for none."""
        own = {"ladder": self._ladder, "kind": kind, "subject": subject}
        with transaction(self._engine, "write") as session:
            session.execute(delete(LadderAlertRow).filter_by(**own))
            if alert is not None:
                row = {**own, "text": alert.text, "since": alert.since}
                session.execute(insert(LadderAlertRow), [row])
