"""Alerts: what the administrator of a ladder has to know.

An alert is in force from `begin` until `end`. Both may be called as often as one looks, as only
what changes is told:

    if free < NEEDED:
        alerts.begin(Kind.DISK, "", "the disk is nearly full: no match begins")
    else:
        alerts.end(Kind.DISK)

What happens at one moment, as the end of a test, is told by `note`, and is never in force. All is
told in the log, on the terminal and by the webhook. The alerts in force are also in the store, for
`arena ladder status`; if it cannot be written, they are written there later. Nothing here raises an
error or waits for the network.

A text is one line, names the player, and may have paths of this machine in it: it is for
administrators, and not for public pages.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from bridge_arena.base.wording import one_line
from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
from bridge_arena.tournaments.ladder.store.rows import now
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.store import StoreError

if TYPE_CHECKING:
    from bridge_arena.tournaments.ladder.authors.webhooks import Webhooks
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
    from bridge_arena.tournaments.ladder.webhook import Webhook

LONGEST = 300
"""The most characters of a text."""


class Alerts:
    """The alerts of a ladder.

    Args:
        store: The store of the ladder.
        log: The log.
        say: Called with a line about each.
        webhook: Where they are posted; None for nowhere. Who made it closes it.
    """

    def __init__(
        self,
        store: LadderStore,
        log: EventLog,
        say: Callable[[str], None],
        webhook: Webhook | Webhooks | None = None,
    ) -> None:
        self._store = store.alerts
        self._log = log
        self._say = say
        self._webhook = webhook
        self._ladder = store.definition().name
        # Those of an earlier run are in force until somebody looks again.
        self._in_force = {(alert.kind, alert.subject): alert for alert in store.alerts.in_force()}
        # The keys of those that the store does not have as they are now.
        self._unsaved: set[tuple[Kind, str]] = set()

    def begin(self, kind: Kind, subject: str, text: str) -> None:
        """Begin an alert, or give the one in force another text, which is not posted again."""
        text = one_line(text, LONGEST)
        known = self._in_force.get((kind, subject))
        if known is not None and known.text == text:
            return
        alert = Alert(kind, subject, text, now() if known is None else known.since)
        self._in_force[kind, subject] = alert
        self._tell("began", alert, is_posted=known is None)
        self._save(kind, subject)

    def end(self, kind: Kind, subject: str = "") -> None:
        """End an alert, if it is in force."""
        alert = self._in_force.pop((kind, subject), None)
        if alert is not None:
            self._tell("ended", alert)
            self._save(kind, subject)

    def note(self, kind: Kind, subject: str, text: str) -> None:
        """Tell what has happened, and is over with that."""
        self._tell("noted", Alert(kind, subject, one_line(text, LONGEST), now()))

    def look(self) -> None:
        """Look whether alerts can be posted, and bring the store and this up to date.

        What could not be written to the store is written, and what another process, as an audit,
        began there is told.
        """
        if self._webhook is not None:
            trouble = self._webhook.trouble
            if trouble:
                self.begin(Kind.WEBHOOK, "", f"alerts cannot be posted: {trouble}")
            else:
                self.end(Kind.WEBHOOK)
        for kind, subject in sorted(self._unsaved):
            if not self._save(kind, subject):
                return
        with suppress(StoreError):
            for alert in self._store.in_force():
                if (alert.kind, alert.subject) not in self._in_force:
                    self._in_force[alert.kind, alert.subject] = alert
                    self._tell("began", alert)

    def _tell(self, state: str, alert: Alert, *, is_posted: bool = True) -> None:
        self._log.write(
            "alert",
            state=state,
            kind=alert.kind,
            subject=alert.subject,
            text=alert.text,
            since=alert.since,
        )
        self._say(f"over: {alert.text}" if state == "ended" else alert.text)
        if is_posted and self._webhook is not None and alert.kind is not Kind.WEBHOOK:
            self._webhook.send(
                {"ladder": self._ladder, "alert": state, **asdict(alert), "time": now()}
            )

    def _save(self, kind: Kind, subject: str) -> bool:
        """Bring the store up to date; return whether that was possible."""
        self._unsaved.add((kind, subject))
        try:
            self._store.put(kind, subject, self._in_force.get((kind, subject)))
        except StoreError:
            return False
        self._unsaved.discard((kind, subject))
        return True
