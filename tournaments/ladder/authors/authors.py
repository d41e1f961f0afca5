"""The authors of a ladder: their tokens, and how one becomes an author.

The administrator makes an author's token, or a link that makes it once (an invitation), or approves
a request. Nothing of it needs mail: who has asked keeps a link, at which the token is shown once.
Secrets have 256 random bits, and only their hashes are kept.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bridge_arena.tournaments.events.event import lost_in_pbn
from bridge_arena.tournaments.events.tokens import Tokens, TokensError, hash_of
from bridge_arena.tournaments.ladder.orders import ADMINISTRATOR, link_mistake
from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.registration_store import Answer, JoinRequest
from bridge_arena.tournaments.store import StoreError

_OWNER = "author\n"
"""What the owner of an author's token begins with: no player's name has a line break."""

INVITED_DAYS = 14
"""The days for which an invitation is open."""

LONGEST_NAME = 60
"""The most characters of the name of an author who comes by the pages."""

LONGEST_WORDS = 500
"""The most characters of what somebody says who asks to be an author."""


class Authors:
    """The authors of a ladder.

    Methods raise StoreError, also for the file of tokens.

    Args:
        store: The store of the ladder.
        tokens: The file of its tokens.
    """

    def __init__(self, store: LadderStore, tokens: Path) -> None:
        self._store = store
        self._tokens = Tokens(tokens)

    # Who gives an order.

    def is_administrator(self, token: str) -> bool:
        """Return whether a token is the administrator's."""
        # Found by its hash, so that the time it takes tells nothing of the token.
        return self._tokens.owner(token) == ADMINISTRATOR

    def of_token(self, token: str) -> str | None:
        """Return the author of a token; None if it is no author's."""
        return self.of_hash(hash_of(token))

    def hash_if_author(self, token: str) -> str | None:
        """Return the hash of an author's token; None for any other."""
        hashed = hash_of(token)
        return None if self.of_hash(hashed) is None else hashed

    def of_hash(self, hashed: str) -> str | None:
        """Return the author of a token, by its hash; None if it is no author's, or was replaced."""
        kind, line_break, author = (self._tokens.owner_of_hash(hashed) or "").partition("\n")
        return author if f"{kind}{line_break}" == _OWNER and author else None

    def make_token(self, author: str) -> str:
        """Return a new token of an author, which replaces an earlier one. Raises LadderError."""
        if (wrong := _name_mistake(author)) is not None:
            raise LadderError(wrong)
        self._store.authors.enter(author)
        return self._token(author)

    # Invitations.

    def invite(self, author: str = "") -> str:
        """Return the secret of an invitation, for an author or whoever uses it.

        Raises LadderError.
        """
        if author and (wrong := _name_mistake(author)) is not None:
            raise LadderError(wrong)
        secret = secrets.token_urlsafe(32)
        expires = datetime.now(UTC) + timedelta(days=INVITED_DAYS)
        self._store.registration.invite(
            hash_of(secret), author, expires.isoformat(timespec="seconds")
        )
        return secret

    def invited(self, secret: str) -> str | None:
        """Return for whom an invitation is, "" for whoever uses it; None if it is not open."""
        return self._store.registration.invited(hash_of(secret))

    def accept(self, secret: str, name: str) -> tuple[str, str] | None:
        """Return the author whom an invitation makes, with the token; None if it is not open.

        Raises LadderError for a name that the author cannot have.
        """
        if self.invited(secret) == "" and (wrong := _new_name_mistake(name)) is not None:
            raise LadderError(wrong)
        return self._store.registration.use(hash_of(secret), name, self._token)

    # Requests.

    def check_request(self, author: str, program: str, home: str, words: str) -> None:
        """Check that somebody may ask so to become an author. Raises LadderError."""
        if (wrong := _new_name_mistake(author)) is not None:
            raise LadderError(wrong)
        for key, text in (("program", program), ("words", words)):
            if len(text) > LONGEST_WORDS or not text.isprintable():
                raise LadderError(f"{key}: {LONGEST_WORDS} printable characters are the most")
        if home and (wrong := link_mistake(home)) is not None:
            raise LadderError(f"home page: {wrong}")
        self._store.registration.check_new(author)

    def ask(self, author: str, program: str, home: str, words: str) -> tuple[JoinRequest, str]:
        """Add a request to become an author; return it, and the secret of its answer.

        Raises LadderError.
        """
        self.check_request(author, program, home, words)
        secret = secrets.token_urlsafe(32)
        request = self._store.registration.ask(hash_of(secret), author, program, home, words)
        return request, secret

    def request(self, secret: str) -> JoinRequest | None:
        """Return the request of a secret; None if there is none."""
        return self._store.registration.by_secret(hash_of(secret))

    def collect(self, secret: str) -> tuple[str, str] | None:
        """Return the author of an approved request, with the token, which is made now, once."""
        return self._store.registration.collect(hash_of(secret), self._token)

    def answer(self, number: int, answer: Answer) -> JoinRequest:
        """Answer a request that waits. Raises LadderError."""
        request = self._store.registration.request(number)
        if request is None or not self._store.registration.answer(number, answer):
            raise LadderError(f"no request that waits has the number {number}")
        return request

    # Private methods.

    def _token(self, author: str) -> str:
        """Return a new token of an author who is in the store."""
        try:
            return self._tokens.create(f"{_OWNER}{author}")
        except TokensError as error:
            raise StoreError(str(error)) from None


def _new_name_mistake(name: str) -> str | None:
    """Return why a name cannot be that of an author who comes by the pages; None if it can."""
    if len(name) > LONGEST_NAME:
        return f"the name is too long: {LONGEST_NAME} characters are the most"
    return _name_mistake(name)


def _name_mistake(name: str) -> str | None:
    """Return why a name cannot be that of an author; None if it can."""
    if not name.strip() or len(name) > 100 or not name.isprintable():
        return "an author's name is a line of 1 to 100 printable characters"
    if name != " ".join(name.split()):
        return "an author's name has single spaces, and none at its ends"
    return lost_in_pbn(name)
