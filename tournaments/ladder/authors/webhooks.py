"""The webhooks of a ladder: that of its file gets all alerts, and an author's those of its players.

Each has a thread of its own, so that one that does not answer holds up no other. An author's is
posted to by `post_publicly`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from bridge_arena.base.wording import one_line
from bridge_arena.tournaments.ladder.authors.public_post import post_publicly
from bridge_arena.tournaments.ladder.store.author_store import AuthorStore
from bridge_arena.tournaments.ladder.webhook import CLOSING, Post, Webhook
from bridge_arena.tournaments.store import StoreError

LONGEST_TROUBLE = 300
"""The most characters that are kept of why an alert could not be posted."""

MOST_OF_AUTHORS = 200
"""The most authors' webhooks at once; alerts of further authors are not posted."""


class Webhooks:
    """Where the alerts of a ladder are posted, until it is closed.

    Args:
        own: That of the ladder's file; None for none.
        authors: The authors, with the addresses that they have given.
        post: Posts to an author's address.
    """

    def __init__(
        self, own: Webhook | None, authors: AuthorStore, post: Post = post_publicly
    ) -> None:
        self._own = own
        self._authors = authors
        self._post = post
        # Those to which something was posted, by their authors.
        self._of_authors: dict[str, Webhook] = {}

    @property
    def trouble(self) -> str:
        """Why the last alert could not be posted to the ladder's own; "" if it was."""
        return "" if self._own is None else self._own.trouble

    def send(self, alert: Mapping[str, object]) -> None:
        """Have an alert posted; it is left out if too many wait."""
        if self._own is not None:
            self._own.send(alert)
        with suppress(StoreError):
            webhook = self._of_player(str(alert["subject"]))
            if webhook is not None:
                webhook.send(alert)

    def close(self) -> None:
        """Post what is left, without further tries, and wait for that for a short time."""
        end = time.monotonic() + CLOSING
        own = [] if self._own is None else [self._own]
        for webhook in (*own, *self._of_authors.values()):
            webhook.close(max(0.0, end - time.monotonic()))

    def _of_player(self, player: str) -> Webhook | None:
        """Return the webhook of a player's author; None if there is none. Raises StoreError."""
        author, url = self._authors.webhook_for(player) if player else ("", "")
        known = self._of_authors.get(author)
        if known is not None and known.url != url:
            self._of_authors.pop(author).close(0)
            known = None
        if known is None and url and len(self._of_authors) >= MOST_OF_AUTHORS:
            self._close_old()
        if known is None and url and len(self._of_authors) < MOST_OF_AUTHORS:
            noted = partial(self._note, author, url)
            known = self._of_authors[author] = Webhook(url, post=self._post, noted=noted)
        return known

    def _note(self, author: str, url: str, trouble: str) -> None:
        """Note what came of an alert, for its author to see."""
        with suppress(StoreError):
            self._authors.note_post(author, url, one_line(trouble, LONGEST_TROUBLE))

    def _close_old(self) -> None:
        """Close the webhooks of authors who have another address by now, or none."""
        for author, webhook in list(self._of_authors.items()):
            if self._authors.webhook(author) != webhook.url:
                self._of_authors.pop(author).close(0)
