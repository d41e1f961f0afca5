"""How a point ends that does not simply hold."""

from __future__ import annotations

from typing import Any


class NotHeldError(Exception):
    """The bot did something else than it should: what was expected, what came, and where there
    are such, the message that it answers and the frame that it sent, as JSON has them, and what
    it printed before it died."""

    def __init__(
        self,
        expected: str,
        received: str,
        *,
        asked: Any = None,
        frame: Any = None,
        output: str = "",
    ) -> None:
        super().__init__(f"expected {expected}, received {received}")
        self.expected = expected
        self.received = received
        self.asked = asked
        self.frame = frame
        self.output = output


class UnsupportedError(Exception):
    """The bot does without something that it may do without: in words, what."""


class NotPossibleError(Exception):
    """The point cannot be tried with this bot: in words, why."""
