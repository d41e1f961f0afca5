"""How authors come to a ladder, in its store: invitations, and requests that wait for an answer.

Secrets are known by their hashes alone. Names are checked in the transaction that enters an author
or a request, so that of two who come at the same time one is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from bridge_arena.tournaments.ladder.authors.newcomers import check_new_author
from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.tournaments.ladder.store.author_store import enter_author, names_of_authors
from bridge_arena.tournaments.ladder.store.rows import hold, last_number, now
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import LadderInvitationRow, LadderRequestRow

MOST_WAITING = 100
"""The most requests that wait for an answer."""

KEPT_DAYS = 90
"""The days for which a request is kept."""

MOST_INVITATIONS = 1000
"""The most invitations that nobody has used."""


def _long_ago() -> str:
    """Return the time in ISO 8601 of the oldest requests that are kept."""
    return (datetime.now(UTC) - timedelta(days=KEPT_DAYS)).isoformat(timespec="seconds")


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

    def use(
        self, secret: str, name: str, make_token: Callable[[str], str]
    ) -> tuple[str, str] | None:
        """Use an invitation up, and enter the author whom it makes.

        Raises LadderError for a name that the author cannot have.

        Args:
            secret: The hash of its secret.
            name: The name of the author, if the invitation gives none.
            make_token: Makes the token of an author; if it raises, nothing has changed.

        Returns:
            The author, and the token; None if the invitation was not open.
        """
        row = LadderInvitationRow
        own = row.ladder == self._ladder, row.secret == secret
        with self._session("write") as session:
            hold(session, self._ladder)
            invited: str | None = session.scalar(self._invitation(secret))
            if invited is None:
                return None
            if not invited:
                self._check_new(session, name)
            enter_author(session, self._ladder, invited or name)
            session.execute(delete(row).where(*own))
            return invited or name, make_token(invited or name)

    def check_new(self, name: str) -> None:
        """Check that somebody may ask to be an author of a name. Raises LadderError."""
        with self._session("read") as session:
            self._check_new(session, name)

    def ask(self, secret: str, author: str, program: str, home: str, words: str) -> JoinRequest:
        """Add a request by the hash of its secret, and forget those of long ago.

        Raises LadderError if too many wait, or the name is taken.
        """
        row = LadderRequestRow
        old = delete(row).where(row.ladder == self._ladder, row.came < _long_ago())
        facts = {"author": author, "program": program, "home": home, "words": words, "came": now()}
        with self._session("write") as session:
            hold(session, self._ladder)
            session.execute(old)
            waiting = self._read(session, LadderRequestRow.state == Answer.WAITING)
            if len(waiting) >= MOST_WAITING:
                raise LadderError("too many requests wait for an answer: try again another day")
            self._check_new(session, author)
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

    def answer(self, number: int, answer: Answer) -> bool:
        """Answer a request that waits, whose author is entered if it is approved.

        Raises LadderError for a name that the author cannot have.

        Returns:
            Whether it waited.
        """
        row = LadderRequestRow
        own = row.ladder == self._ladder, row.number == number, row.state == Answer.WAITING
        changed = update(row).where(*own).values(state=answer)
        with self._session("write") as session:
            hold(session, self._ladder)
            if not session.connection().execute(changed).rowcount:
                return False
            if answer is Answer.APPROVED:
                author = self._read(session, row.number == number)[0].author
                # Of several who ask for one name, the administrator chooses.
                self._check_new(session, author, requests=False)
                enter_author(session, self._ladder, author)
            return True

    def collect(self, secret: str, make_token: Callable[[str], str]) -> tuple[str, str] | None:
        """Give the author of an approved request the token, once.

        Args:
            secret: The hash of the request's secret.
            make_token: Makes the token of an author; if it raises, nothing has changed.

        Returns:
            The author, and the token; None if no approved request waits for it.
        """
        row = LadderRequestRow
        own = row.ladder == self._ladder, row.secret == secret, row.state == Answer.APPROVED
        changed = update(row).where(*own).values(state=Answer.DONE)
        with self._session("write") as session:
            hold(session, self._ladder)
            if not session.connection().execute(changed).rowcount:
                return None
            author = self._read(session, row.secret == secret)[0].author
            return author, make_token(author)

    def _check_new(self, session: Session, name: str, *, requests: bool = True) -> None:
        """Check that a new author may have a name. Raises LadderError.

        Args:
            session: The transaction.
            name: The name.
            requests: Whether the names of requests that wait are kept for others.
        """
        row = LadderInvitationRow
        invited = select(row.author).where(
            row.ladder == self._ladder, row.author != "", row.expires > now()
        )
        promised = list(session.scalars(invited))
        if requests:
            request_row = LadderRequestRow
            waiting = self._read(
                session, request_row.state == Answer.WAITING, request_row.came >= _long_ago()
            )
            promised += [request.author for request in waiting]
        check_new_author(name, names_of_authors(session, self._ladder), promised)

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
