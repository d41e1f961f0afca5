"""The authors of a ladder in its store, and what they say of their players."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.tournaments.ladder.store.rows import hold, now
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import (
    LadderAuthorRow,
    LadderPlayerRow,
    LadderVersionRow,
)


class LastPost(NamedTuple):
    """The last alert that was posted to an author."""

    time: str  # in ISO 8601
    trouble: str  # why it could not be posted; "" if it was


def names_of_authors(session: Session, ladder: int) -> set[str]:
    """Return the names of all who have had a token or a player."""
    authors = select(LadderAuthorRow.name).where(LadderAuthorRow.ladder == ladder)
    players = select(LadderPlayerRow.author).where(LadderPlayerRow.ladder == ladder)
    return {*session.scalars(authors), *session.scalars(players)} - {""}


def enter_author(session: Session, ladder: int, name: str) -> None:
    """Enter an author, who may be there already, in a transaction that holds the ladder."""
    row = LadderAuthorRow
    if session.scalar(select(row).where(row.ladder == ladder, row.name == name)) is None:
        facts = {"ladder": ladder, "name": name, "since": now(), "webhook": ""}
        session.execute(insert(row), [facts])


class AuthorStore:
    """The authors of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def names(self) -> set[str]:
        """Return the names of all who have had a token or a player."""
        with self._session("read") as session:
            return names_of_authors(session, self._ladder)

    def enter(self, name: str) -> None:
        """Enter an author, who may be there already."""
        with self._session("write") as session:
            hold(session, self._ladder)
            enter_author(session, self._ladder, name)

    def webhook(self, name: str) -> str:
        """Return where alerts of an author's players are posted; "" for nowhere."""
        with self._session("read") as session:
            row = session.scalar(self._author(name))
            return "" if row is None else row.webhook

    def set_webhook(self, name: str, url: str) -> None:
        """Set where alerts of an author's players are posted; "" for nowhere."""
        own = LadderAuthorRow.ladder == self._ladder, LadderAuthorRow.name == name
        with self._session("write") as session:
            facts = {"webhook": url, "posted": None, "post_trouble": None}
            session.execute(update(LadderAuthorRow).where(*own).values(facts))

    def last_post(self, name: str) -> LastPost | None:
        """Return what came of the last alert that was posted to an author; None if none was."""
        with self._session("read") as session:
            row = session.scalar(self._author(name))
            if row is None or row.posted is None:
                return None
            return LastPost(row.posted, row.post_trouble)

    def note_post(self, name: str, url: str, trouble: str) -> None:
        """Note what came of an alert that was posted to an author, unless its address is another.

        `trouble` says why it could not be posted; "" if it was.
        """
        row = LadderAuthorRow
        own = row.ladder == self._ladder, row.name == name, row.webhook == url
        facts = {"posted": now(), "post_trouble": trouble}
        with self._session("write") as session:
            session.execute(update(row).where(*own).values(facts))

    def webhook_for(self, player: str) -> tuple[str, str]:
        """Return the author of a player and the author's webhook; "" for what there is not."""
        rows = select(LadderAuthorRow).join(
            LadderPlayerRow,
            (LadderPlayerRow.ladder == LadderAuthorRow.ladder)
            & (LadderPlayerRow.author == LadderAuthorRow.name),
        )
        own = LadderAuthorRow.ladder == self._ladder, LadderPlayerRow.name == player
        with self._session("read") as session:
            row = session.scalar(rows.where(*own))
            return ("", "") if row is None else (row.name, row.webhook)

    def describe(self, player: str, system: str | None, home: str | None, news: str | None) -> None:
        """Set what is said of a player, and of its version; None leaves a text as it is.

        Raises LadderError if there is no such player, or it has no version for `news`.
        """
        facts = {"system": system, "home": home}
        given = {key: text for key, text in facts.items() if text is not None}
        row = LadderPlayerRow
        with self._session("write") as session:
            hold(session, self._ladder)
            known = session.scalar(
                select(row).where(row.ladder == self._ladder, row.name == player)
            )
            if known is None:
                raise LadderError(f"no player is called {player!r}")
            if given:
                own = row.ladder == self._ladder, row.number == known.number
                session.execute(update(row).where(*own).values(given))
            if news is not None:
                if known.version is None:
                    raise LadderError(f"{player} has no version yet: tell its news when it came")
                version = LadderVersionRow
                of_version = version.ladder == self._ladder, version.number == known.version
                session.execute(update(version).where(*of_version).values(news=news))

    def news(self) -> dict[int, str]:
        """Return what is said of versions, by their numbers, as far as something is."""
        row = LadderVersionRow
        columns = select(row.number, row.news).where(row.ladder == self._ladder, row.news != "")
        with self._session("read") as session:
            return {number: news for number, news in session.execute(columns)}  # noqa: C416

    def _author(self, name: str) -> Any:
        return select(LadderAuthorRow).where(
            LadderAuthorRow.ladder == self._ladder, LadderAuthorRow.name == name
        )

    def _session(self, doing: str) -> AbstractContextManager[Session]:
        return transaction(self._engine, doing)
