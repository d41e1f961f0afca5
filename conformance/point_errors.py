"""The ways in which a point may end other than by being held."""

from __future__ import annotations

from typing import Any


class NotHeldError(Exception):
    """The bot failed a point.

    Args:
        expected: What was expected.
        received: What came instead.
        asked: The message that the bot answered, as JSON has it, if any.
        frame: The frame that the bot sent, as JSON has it, if any.
        output: What the bot printed before it ended.
    """

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
    """The bot does not support something optional; the message says what."""


class NotPossibleError(Exception):
    """The point cannot be tried with this bot; the message says why."""
