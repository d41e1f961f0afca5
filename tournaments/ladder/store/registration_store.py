"""How authors come to a ladder, in its store: invitations, and requests that wait for an answer.

Secrets are known by their hashes alone.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.tournaments.ladder.store.rows import hold, last_number, now
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import LadderInvitationRow, LadderRequestRow

MOST_WAITING = 100
"""The most requests that wait for an answer."""

KEPT_DAYS = 90
"""The days for which a request is kept."""

MOST_INVITATIONS = 1000
"""The most invitations that nobody has used."""


class Answer(StrEnum):
    """What came of a request."""

    WAITING = "waiting"
    APPROVED = "approved"
    REFUSED = "refused"
    DONE = "done"  # its author was shown the token


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A request to become an author."""

    number: int  # its number in the ladder, from 1
    author: str  # the name that the author would have
    program: str  # the name of the author's program
    home: str  # the address of a page about it; "" if there is none
    words: str  # what else the author says
    came: str  # when it came, in ISO 8601
    answer: Answer

    @property
    def text(self) -> str:
        """What is said of it to the administrator."""
        words = ": ".join(filter(None, (self.home, self.words)))
        asks = f"request {self.number}: {self.author} asks to be an author, of {self.program}"
        return f"{asks} ({words})" if words else asks


class RegistrationStore:
    """The invitations and requests of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def invite(self, secret: str, author: str, expires: str) -> None:
        """Add an invitation by the hash of its secret, and forget those that expired.

        Raises LadderError if there are too many.
        """
        row, own = LadderInvitationRow, LadderInvitationRow.ladder == self._ladder
        facts = {"ladder": self._ladder, "secret": secret, "author": author, "expires": expires}
        with self._session("write") as session:
            hold(session, self._ladder)
            session.execute(delete(row).where(own, row.expires <= now()))
            count = session.scalar(select(func.count()).select_from(row).where(own)) or 0
            if count >= MOST_INVITATIONS:
                raise LadderError(f"{count} invitations are open: wait until some expire")
            session.execute(insert(row), [facts])

    def invited(self, secret: str) -> str | None:
        """Return for whom an invitation is, "" for whoever uses it; None if it is not open."""
        with self._session("read") as session:
            author: str | None = session.scalar(self._invitation(secret))
            return author

    def use(self, secret: str) -> bool:
        """Use an invitation up; return whether it was open."""
        row = LadderInvitationRow
        own = row.ladder == self._ladder, row.secret == secret, row.expires > now()
        with self._session("write") as session:
            return bool(session.connection().execute(delete(row).where(*own)).rowcount)

    def ask(self, secret: str, author: str, program: str, home: str, words: str) -> JoinRequest:
        """Add a request by the hash of its secret, and forget those of long ago.

        Raises LadderError if too many wait.
        """
        long_ago = (datetime.now(UTC) - timedelta(days=KEPT_DAYS)).isoformat(timespec="seconds")
        row = LadderRequestRow
        old = delete(row).where(row.ladder == self._ladder, row.came < long_ago)
        facts = {"author": author, "program": program, "home": home, "words": words, "came": now()}
        with self._session("write") as session:
            hold(session, self._ladder)
            session.execute(old)
            waiting = self._read(session, LadderRequestRow.state == Answer.WAITING)
            if len(waiting) >= MOST_WAITING:
                raise LadderError("too many requests wait for an answer: try again another day")
            if any(request.author == author for request in waiting):
                raise LadderError(f"somebody has asked to be {author} already")
            number = last_number(session, self._ladder, LadderRequestRow) + 1
            own = {"ladder": self._ladder, "number": number, "secret": secret}
            session.execute(insert(LadderRequestRow), [{**own, **facts, "state": Answer.WAITING}])
            return self._read(session, LadderRequestRow.number == number)[0]

    def waiting(self) -> list[JoinRequest]:
        """Return the requests that wait for an answer, the oldest first."""
        with self._session("read") as session:
            return self._read(session, LadderRequestRow.state == Answer.WAITING)

    def request(self, number: int) -> JoinRequest | None:
        """Return the request of a number; None if there is none."""
        with self._session("read") as session:
            return next(iter(self._read(session, LadderRequestRow.number == number)), None)

    def by_secret(self, secret: str) -> JoinRequest | None:
        """Return the request of a secret, by its hash; None if there is none."""
        with self._session("read") as session:
            return next(iter(self._read(session, LadderRequestRow.secret == secret)), None)

    def answer(self, number: int, answer: Answer, before: Answer = Answer.WAITING) -> bool:
        """Answer a request; return whether it stood as it should."""
        row = LadderRequestRow
        own = row.ladder == self._ladder, row.number == number, row.state == before
        changed = update(row).where(*own).values(state=answer)
        with self._session("write") as session:
            return bool(session.connection().execute(changed).rowcount)

    def _invitation(self, secret: str) -> Any:
        row = LadderInvitationRow
        return select(row.author).where(
            row.ladder == self._ladder, row.secret == secret, row.expires > now()
        )

    def _read(self, session: Session, *which: Any) -> list[JoinRequest]:
        row = LadderRequestRow
        rows = select(row).where(row.ladder == self._ladder, *which).order_by(row.number)
        return [
            JoinRequest(
                one.number,
                one.author,
                one.program,
                one.home,
                one.words,
                one.came,
                Answer(one.state),
            )
            for one in session.scalars(rows)
        ]

    def _session(self, doing: str) -> AbstractContextManager[Session]:
        return transaction(self._engine, doing)
