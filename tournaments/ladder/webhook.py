"""The webhook of a ladder: alerts are posted as JSON, and nothing that plays waits for it.

A thread of its own posts one after the other, each within a time, and tries a few times. Redirects
are not followed, and what comes back is not looked at. What finds no place in the queue is left
out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from queue import Full, Queue
from threading import Event, Thread
from urllib.parse import urlsplit

MOST_WAITING = 100
"""The most alerts that wait to be posted."""

SECONDS = 10.0
"""The most seconds that one try may take."""

PAUSES = (2.0, 10.0)
"""The seconds before each further try."""

CLOSING = 3.0
"""The most seconds for which the end of the ladder waits for what is left in the queue."""

Post = Callable[[str, dict[str, object]], Awaitable[int]]
"""Posts a message to an address, and returns the status of the answer. Raises OSError."""


def mistake(url: object) -> str | None:
    """Return why a value cannot be the address of a webhook; None if it can."""
    expected = 'expected an address in quotes, as "https://example.org/hook"'
    if not (isinstance(url, str) and len(url) <= 2000 and url.isascii() and url.isprintable()):
        return expected
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and parts.port != 0 and " " not in url
    except ValueError:
        return expected
    return None if is_whole and parts.scheme in ("http", "https") else expected


class Webhook:
    """The thread that posts alerts.

    Args:
        url: The address, which may have a secret in it and is never told.
        seconds: The most seconds of a try.
        pauses: The seconds before each further try.
        post: Posts a message; None to have any address posted to.
        noted: Called by the thread with what came of each alert, as `trouble` has it.

    Raises ModuleNotFoundError without `post` if the client of HTTP is not installed.
    """

    def __init__(
        self,
        url: str,
        seconds: float = SECONDS,
        pauses: Sequence[float] = PAUSES,
        post: Post | None = None,
        noted: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.url = url
        self.trouble = ""  # why the last alert could not be posted; "" if it was
        self._post = post or _post_anywhere()
        self._noted = noted
        self._seconds = seconds
        self._pauses = pauses
        # None has the thread look whether it is to end.
        self._queue: Queue[dict[str, object] | None] = Queue(MOST_WAITING)
        self._closing = Event()
        # It ends with the process, whatever it waits for.
        self._thread = Thread(target=self._work, name="webhook", daemon=True)
        self._thread.start()

    def send(self, alert: Mapping[str, object]) -> None:
        """Have an alert posted; it is left out if too many wait."""
        try:
            self._queue.put_nowait(dict(alert))
        except Full:
            self.trouble = f"{MOST_WAITING} alerts wait, and others are left out"

    def close(self, seconds: float = CLOSING) -> None:
        """Post what is left, without further tries, and wait for that for so many seconds."""
        self._closing.set()
        with suppress(Full):
            self._queue.put_nowait(None)
        self._thread.join(seconds)

    def _work(self) -> None:
        while not (self._closing.is_set() and self._queue.empty()):
            alert = self._queue.get()
            if alert is not None:
                self.trouble = self._deliver(alert)
                self._noted(self.trouble)

    def _deliver(self, alert: dict[str, object]) -> str:
        """Try a few times to post an alert; return why it failed, or ""."""
        trouble = self._try(alert)
        for pause in self._pauses:
            if not trouble or self._closing.wait(pause):
                break
            trouble = self._try(alert)
        return trouble

    def _try(self, alert: dict[str, object]) -> str:
        try:
            status = asyncio.run(asyncio.wait_for(self._post(self.url, alert), self._seconds))
        except TimeoutError:
            return f"it did not answer within {self._seconds:g} s"
        except OSError as error:
            return str(error)
        return "" if 200 <= status < 300 else f"it answered with the status {status}"


def _post_anywhere() -> Post:
    """Return what posts to any address. Raises ModuleNotFoundError."""
    # The client of HTTP comes with an extra.
    from bridge_arena.bots.llm.service import NoAnswerError  # noqa: PLC0415
    from bridge_arena.bots.llm.transport import post  # noqa: PLC0415

    async def post_message(url: str, message: dict[str, object]) -> int:
        try:
            return (await post(url, message, "")).status
        except NoAnswerError as error:
            raise OSError(str(error)) from None

    return post_message
